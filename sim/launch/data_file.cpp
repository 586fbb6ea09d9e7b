// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/data_file.h"

#include <fmt/format.h>
#include <lz4frame.h>
#include <zstd.h>

#include <cstring>
#include <memory>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/launch/npy_file.h"

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

/// Bytes of an element, as "<f4" says. UserError for what is no number of a little-endian machine.
std::size_t element_bytes(const NpyFile& file) {
  const std::string type = file.type();
  if (!type.empty() && type[0] == '>') file.fail("is big-endian; GPUs are little-endian");
  const bool number = type.size() == 3 && std::strchr("<|=", type[0]) != nullptr &&
                      std::strchr("biufc", type[1]) != nullptr && std::strchr("1248", type[2]) != nullptr;
  const bool complex = type == "<c16" || type == "=c16";
  if (!number && !complex) {
    file.fail(fmt::format("holds elements of type '{}'; integers, reals and complex numbers are allowed", type));
  }
  return complex ? 16 : static_cast<std::size_t>(type[2] - '0');
}

Bytes numpy_data(const std::string& path, Bytes bytes) {
  const NpyFile file(path, std::move(bytes));
  if (file.fortran_order()) file.fail("is stored column by column; rows are needed: numpy.ascontiguousarray");
  const std::size_t most = file.data_bytes();
  std::size_t size = element_bytes(file);
  for (const std::int64_t dimension : file.shape(static_cast<std::int64_t>(most))) {
    const auto count = static_cast<std::size_t>(dimension);
    if (count != 0 && size > most / count) file.fail_damaged("it has fewer elements than its shape");
    size *= count;
  }
  const std::uint8_t* const data = file.data(size);
  return {data, data + size};
}

}  // namespace

std::vector<std::uint8_t> read_data(const std::string& path) {
  Bytes bytes = read_bytes(path);
  const bool zstd = ends_with(path, ".zst"), lz4 = ends_with(path, ".lz4");
  if (zstd) bytes = inflate_zstd(path, bytes);
  if (lz4) bytes = inflate_lz4(path, bytes);
  const std::string name = path.substr(0, path.size() - (zstd || lz4 ? 4 : 0));
  if (ends_with(name, ".npy")) return numpy_data(path, std::move(bytes));
  return bytes;
}

std::vector<std::uint8_t> read_data(const std::string& path, const std::string& place) {
  try {
    return read_data(path);
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", place, error.what()));
  }
}

std::vector<std::uint8_t> compressed(const std::vector<std::uint8_t>& bytes) {
  Bytes packed(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), kCompressionLevel);
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();
  packed.resize(size);
  return packed;
}

}  // namespace stc::sim
