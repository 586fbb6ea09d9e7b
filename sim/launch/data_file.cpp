// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/data_file.h"

#include <fmt/format.h>
#include <lz4frame.h>
#include <zstd.h>

#include <cstring>
#include <memory>

#include "sim/base/error.h"
#include "sim/base/files.h"

namespace stc::sim {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr int kCompressionLevel = 3;
constexpr std::size_t kChunk = std::size_t{1} << 20;

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

[[noreturn]] void damaged(const std::string& path, const char* format) {
  throw UserError(fmt::format("{}: is cut off or damaged; it must be one whole {}", path, format));
}

Bytes inflate_zstd(const std::string& path, const Bytes& packed) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  Bytes bytes;
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t left = 1;
  while (left != 0) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kChunk);
    ZSTD_outBuffer out{bytes.data() + before, kChunk, 0};
    const std::size_t read = in.pos;
    left = ZSTD_decompressStream(context.get(), &out, &in);
    bytes.resize(before + out.pos);
    if (ZSTD_isError(left) != 0 || (left != 0 && out.pos == 0 && in.pos == read)) damaged(path, "zstd frame");
  }
  if (in.pos != in.size) damaged(path, "zstd frame");
  return bytes;
}

Bytes inflate_lz4(const std::string& path, const Bytes& packed) {
  LZ4F_dctx* made = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION)) != 0) throw std::bad_alloc();
  const std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> context(made,
                                                                                     &LZ4F_freeDecompressionContext);
  Bytes bytes;
  std::size_t at = 0, left = 1;
  while (left != 0) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kChunk);
    std::size_t given = packed.size() - at, got = kChunk;
    left = LZ4F_decompress(context.get(), bytes.data() + before, &got, packed.data() + at, &given, nullptr);
    at += given;
    bytes.resize(before + got);
    if (LZ4F_isError(left) != 0 || (left != 0 && got == 0 && given == 0)) damaged(path, "lz4 frame");
  }
  if (at != packed.size()) damaged(path, "lz4 frame");
  return bytes;
}

// The format's description: numpy.lib.format of NumPy's manual.
constexpr char kNumpyMagic[] = "\x93NUMPY";
constexpr std::size_t kMagicBytes = 6, kHeaderAt = 10, kLongHeaderAt = 12, kHeaderUnit = 64;

Bytes strip_numpy_header(const std::string& path, const Bytes& file) {
  if (file.size() < kLongHeaderAt || std::memcmp(file.data(), kNumpyMagic, kMagicBytes) != 0) {
    damaged(path, ".npy file of NumPy");
  }
  const bool is_long = file[kMagicBytes] >= 2;  // the version tells how wide the header's length is
  const std::size_t begin = is_long ? kLongHeaderAt : kHeaderAt;
  std::size_t length = 0;
  for (std::size_t i = 0; i < begin - 8; ++i) length |= std::size_t{file[8 + i]} << (8 * i);
  if (length > file.size() - begin) damaged(path, ".npy file of NumPy");
  const std::string header(reinterpret_cast<const char*>(file.data()) + begin, length);
  if (header.find("'fortran_order': False") == std::string::npos) {
    throw UserError(fmt::format("{}: is stored column by column; rows are needed: numpy.ascontiguousarray", path));
  }
  if (header.find("'descr': '>") != std::string::npos) {
    throw UserError(fmt::format("{}: is big-endian; GPUs are little-endian", path));
  }
  return {file.begin() + static_cast<std::ptrdiff_t>(begin + length), file.end()};
}

std::string numpy_name(ElementType type) {
  const char kind = !is_integer(type) ? 'f' : least_of(type) < 0 ? 'i' : 'u';
  return fmt::format("{}{}{}", bytes_of(type) == 1 ? '|' : '<', kind, bytes_of(type));
}

}  // namespace

std::vector<std::uint8_t> read_data(const std::string& path) {
  Bytes bytes = read_bytes(path);
  if (ends_with(path, ".zst")) return inflate_zstd(path, bytes);
  if (ends_with(path, ".lz4")) return inflate_lz4(path, bytes);
  if (ends_with(path, ".npy")) return strip_numpy_header(path, bytes);
  return bytes;
}

std::vector<std::uint8_t> compressed(const std::vector<std::uint8_t>& bytes) {
  Bytes packed(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), kCompressionLevel);
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();
  packed.resize(size);
  return packed;
}

bool numpy_has(ElementType type) {
  return is_integer(type) || type == ElementType::f16 || type == ElementType::f32 || type == ElementType::f64;
}

std::vector<std::uint8_t> numpy_file(ElementType type, const std::vector<std::uint64_t>& shape,
                                     const std::vector<std::uint8_t>& bytes) {
  std::string sizes;
  for (const std::uint64_t size : shape) sizes += fmt::format("{}, ", size);  // a tuple of one has its comma
  if (shape.size() > 1) sizes.resize(sizes.size() - 2);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", numpy_name(type), sizes);
  header.append(kHeaderUnit - (kHeaderAt + header.size() + 1) % kHeaderUnit, ' ');
  header += '\n';
  const char version_and_length[] = {1, 0, static_cast<char>(header.size()), static_cast<char>(header.size() >> 8)};
  header.insert(0, version_and_length, sizeof version_and_length);
  header.insert(0, kNumpyMagic, kMagicBytes);
  Bytes file(header.begin(), header.end());
  file.insert(file.end(), bytes.begin(), bytes.end());
  return file;
}

}  // namespace stc::sim
