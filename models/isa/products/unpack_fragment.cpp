// SPDX-License-Identifier: Apache-2.0
#include "models/isa/products/unpack_fragment.h"

#include <cstddef>
#include <cstring>

#include "models/arith/fused_tile.h"
#include "models/arith/vector_clones.h"
#include "models/isa/values/execution.h"

namespace stc::isa {
namespace {

constexpr std::ptrdiff_t kTileColumns = arith::kTileColumns, kTileRows = 8;
constexpr std::ptrdiff_t kWords = 4;  // of neighbouring lanes, which hold neighbours

/// Elements of type T in the words that hold neighbours.
template <class T>
constexpr std::ptrdiff_t kNeighbours = kWords * sizeof(std::uint32_t) / sizeof(T);

/// The words of register `reg` that hold neighbours of row or column `line` of eight.
STC_INLINE const std::uint32_t* words_of(const std::uint32_t* image, std::ptrdiff_t reg, std::ptrdiff_t line) {
  return image + reg * kWarpSize + line * kWords;
}

template <class T>
STC_INLINE void widen(const std::uint32_t* words, std::uint32_t* elements) {
  T narrow[kNeighbours<T>];
  std::memcpy(narrow, words, sizeof narrow);
  for (std::ptrdiff_t i = 0; i < kNeighbours<T>; ++i)
    elements[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(narrow[i]));
}

template <class T>
STC_INLINE void rows(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements) {
  const std::ptrdiff_t blocks = op.stored_k() / kNeighbours<T>;
  for (std::ptrdiff_t row = 0; row < op.m; ++row) {
    for (std::ptrdiff_t block = 0; block < blocks; ++block, elements += kNeighbours<T>) {
      widen<T>(words_of(image, row / kTileRows + 2 * block, row % kTileRows), elements);
    }
  }
}

template <class T>
STC_INLINE void columns(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements) {
  const std::ptrdiff_t blocks = op.k / kNeighbours<T>;
  for (std::ptrdiff_t block = 0; block < blocks; ++block, elements += kTileColumns * kNeighbours<T>) {
    T narrow[kTileColumns][kNeighbours<T>];
    std::memcpy(narrow, words_of(image, block, 0), sizeof narrow);
    for (std::ptrdiff_t i = 0; i < kNeighbours<T>; ++i) {
      for (std::ptrdiff_t column = 0; column < kTileColumns; ++column) {
        elements[i * kTileColumns + column] = static_cast<std::uint32_t>(static_cast<std::int32_t>(narrow[column][i]));
      }
    }
  }
}

STC_VECTOR_CLONES void rows_8(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements) {
  rows<std::uint8_t>(op, image, elements);
}
STC_VECTOR_CLONES void rows_8_signed(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements) {
  rows<std::int8_t>(op, image, elements);
}
STC_VECTOR_CLONES void rows_16(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements) {
  rows<std::uint16_t>(op, image, elements);
}
void rows_32(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements) {
  rows<std::uint32_t>(op, image, elements);
}
STC_VECTOR_CLONES void columns_8(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements) {
  columns<std::uint8_t>(op, image, elements);
}
STC_VECTOR_CLONES void columns_8_signed(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements) {
  columns<std::int8_t>(op, image, elements);
}
void columns_32(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements) {
  columns<std::uint32_t>(op, image, elements);
}

using V8 = std::uint16_t __attribute__((vector_size(16)));

/// A block of eight rows and columns of 16-bit elements at a time, turned in three steps as compilers will not.
void columns_16(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements) {
  for (std::ptrdiff_t block = 0; block < op.k / kTileRows; ++block, elements += kTileRows * kTileColumns) {
    V8 from[8], to[8];
    std::memcpy(from, words_of(image, block, 0), sizeof from);
    for (std::ptrdiff_t step = 0; step < 3; ++step) {  // each brings together what lies four vectors apart
      for (std::ptrdiff_t i = 0; i < 4; ++i) {
        to[2 * i] = __builtin_shufflevector(from[i], from[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
        to[2 * i + 1] = __builtin_shufflevector(from[i], from[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
      }
      std::memcpy(from, to, sizeof from);
    }
    std::uint16_t narrow[kTileRows * kTileColumns];
    std::memcpy(narrow, from, sizeof narrow);
    for (std::ptrdiff_t i = 0; i < kTileRows * kTileColumns; ++i) elements[i] = narrow[i];
  }
}

bool is_signed_byte(NumberFormat format) { return format == NumberFormat::s8; }

}  // namespace

bool unpack_a(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements) {
  const int bits = bits_of(op.a);
  if (bits < 8 || op.stored_k() % (kWords * 32 / bits) != 0) return false;
  switch (bits) {
    case 8: (is_signed_byte(op.a) ? rows_8_signed : rows_8)(op, image, elements); return true;
    case 16: rows_16(op, image, elements); return true;
    case 32: rows_32(op, image, elements); return true;
    default: return false;
  }
}

bool unpack_b(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements) {
  const int bits = bits_of(op.b);
  if (bits < 8 || op.n != kTileColumns || op.k % (kWords * 32 / bits) != 0) return false;
  switch (bits) {
    case 8: (is_signed_byte(op.b) ? columns_8_signed : columns_8)(op, image, elements); return true;
    case 16: columns_16(op, image, elements); return true;
    case 32: columns_32(op, image, elements); return true;
    default: return false;
  }
}

bool unpack_c(const MmaOp& op, const std::uint32_t* image, std::uint32_t* elements) {
  if (op.n != kTileColumns) return false;
  const bool narrow = bits_of(op.c) == 16;
  for (std::ptrdiff_t row = 0; row < op.m; ++row, elements += kTileColumns) {
    if (narrow) {
      widen<std::uint16_t>(words_of(image, row / kTileRows, row % kTileRows), elements);
      continue;
    }
    const std::uint32_t* const even = words_of(image, row / kTileRows * 2, row % kTileRows);
    for (std::ptrdiff_t i = 0; i < kWords; ++i) {
      elements[2 * i] = even[i];
      elements[2 * i + 1] = even[i + kWarpSize];
    }
  }
  return true;
}

bool pack_c(const MmaOp& op, const std::uint32_t* elements, std::uint32_t* image) {
  if (op.n != kTileColumns) return false;
  const bool narrow = bits_of(op.c) == 16;
  for (std::ptrdiff_t row = 0; row < op.m; ++row, elements += kTileColumns) {
    const std::ptrdiff_t reg = row / kTileRows * (narrow ? 1 : 2);
    std::uint32_t* const words = image + reg * kWarpSize + row % kTileRows * kWords;
    for (std::ptrdiff_t i = 0; i < kWords; ++i) {
      if (narrow) {
        words[i] = (elements[2 * i] & 0xffffu) | elements[2 * i + 1] << 16;
      } else {
        words[i] = elements[2 * i];
        words[i + kWarpSize] = elements[2 * i + 1];
      }
    }
  }
  return true;
}

}  // namespace stc::isa
