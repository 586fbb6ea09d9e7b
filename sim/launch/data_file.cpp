// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/data_file.h"

#include <fmt/format.h>
#include <lz4frame.h>
#include <zstd.h>

#include <algorithm>
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
constexpr const char* kNumpyFile = ".npy file of NumPy";
constexpr std::size_t kMagicBytes = 6, kHeaderAt = 10, kLongHeaderAt = 12, kHeaderUnit = 64;

/// What stands behind a key of a header: up to `end`.
std::string value_of(const std::string& header, const std::string& key, char end) {
  const std::size_t at = header.find(key);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + key.size();
  return header.substr(begin, header.find(end, begin) - begin);
}

/// Bytes of an element, as "<f4" says. UserError for what is no number of a little-endian machine.
std::size_t element_bytes(const std::string& path, const std::string& type) {
  if (!type.empty() && type[0] == '>') {
    throw UserError(fmt::format("{}: is big-endian; GPUs are little-endian", path));
  }
  const bool number = type.size() == 3 && std::strchr("<|=", type[0]) != nullptr &&
                      std::strchr("biufc", type[1]) != nullptr && std::strchr("1248", type[2]) != nullptr;
  const bool complex = type == "<c16" || type == "=c16";
  if (!number && !complex) {
    throw UserError(
        fmt::format("{}: holds elements of type '{}'; integers, reals and complex numbers are allowed", path, type));
  }
  return complex ? 16 : static_cast<std::size_t>(type[2] - '0');
}

/// Elements of a shape as "3, 4" or "12,"; no number: damaged.
std::size_t elements_of(const std::string& path, const std::string& shape, std::size_t most) {
  std::size_t count = 1;
  for (std::size_t at = 0; at < shape.size();) {
    std::size_t size = 0, digits = 0;
    for (; at < shape.size() && shape[at] >= '0' && shape[at] <= '9' && size <= most; ++at, ++digits) {
      size = 10 * size + static_cast<std::size_t>(shape[at] - '0');
    }
    const bool ends = at == shape.size() || shape[at] == ',';
    if (digits == 0 || !ends || size > most || (size != 0 && count > most / size)) damaged(path, kNumpyFile);
    count *= size;
    at = std::min(shape.find_first_not_of(", ", at), shape.size());
  }
  return count;
}

Bytes strip_numpy_header(const std::string& path, const Bytes& file) {
  if (file.size() < kLongHeaderAt || std::memcmp(file.data(), kNumpyMagic, kMagicBytes) != 0) {
    damaged(path, kNumpyFile);
  }
  const bool is_long = file[kMagicBytes] >= 2;  // the version tells how wide the header's length is
  const std::size_t begin = is_long ? kLongHeaderAt : kHeaderAt;
  std::size_t length = 0;
  for (std::size_t i = 0; i < begin - 8; ++i) length |= std::size_t{file[8 + i]} << (8 * i);
  if (length > file.size() - begin) damaged(path, kNumpyFile);
  const std::string header(reinterpret_cast<const char*>(file.data()) + begin, length);
  if (header.find("'fortran_order': False") == std::string::npos) {
    throw UserError(fmt::format("{}: is stored column by column; rows are needed: numpy.ascontiguousarray", path));
  }
  const std::size_t width = element_bytes(path, value_of(header, "'descr': '", '\''));
  const std::size_t bytes = file.size() - begin - length;
  if (elements_of(path, value_of(header, "'shape': (", ')'), bytes) * width != bytes) damaged(path, kNumpyFile);
  return {file.begin() + static_cast<std::ptrdiff_t>(begin + length), file.end()};
}

std::string numpy_name(ElementType type) {
  const char kind = !is_integer(type) ? 'f' : least_of(type) < 0 ? 'i' : 'u';
  return fmt::format("{}{}{}", bytes_of(type) == 1 ? '|' : '<', kind, bytes_of(type));
}

}  // namespace

std::vector<std::uint8_t> read_data(const std::string& path) {
  Bytes bytes = read_bytes(path);
  const bool zstd = ends_with(path, ".zst"), lz4 = ends_with(path, ".lz4");
  if (zstd) bytes = inflate_zstd(path, bytes);
  if (lz4) bytes = inflate_lz4(path, bytes);
  const std::string name = path.substr(0, path.size() - (zstd || lz4 ? 4 : 0));
  if (ends_with(name, ".npy")) return strip_numpy_header(path, bytes);
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
