// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/exec/containers.h"

#include <lz4.h>
#include <zstd.h>

#include <cstring>

namespace stc::exec_test {
namespace {

std::vector<std::uint8_t> packed(const Image& image) {
  if (image.packing == Packing::kNone) return image.bytes;
  const std::size_t most = ZSTD_compressBound(image.bytes.size()) + 4096;
  std::vector<std::uint8_t> out(most);
  if (image.packing == Packing::kZstd) {
    out.resize(ZSTD_compress(out.data(), most, image.bytes.data(), image.bytes.size(), 3));
  } else {
    out.resize(static_cast<std::size_t>(
        LZ4_compress_default(reinterpret_cast<const char*>(image.bytes.data()), reinterpret_cast<char*>(out.data()),
                             static_cast<int>(image.bytes.size()), static_cast<int>(most))));
  }
  return out;
}

template <class T>
void put(std::vector<std::uint8_t>& to, std::size_t at, T value) {
  std::memcpy(to.data() + at, &value, sizeof value);
}

}  // namespace

std::vector<std::uint8_t> container(const std::vector<Image>& images) {
  std::vector<std::uint8_t> all(16);
  for (const Image& image : images) {
    std::vector<std::uint8_t> payload = packed(image);
    const std::size_t bytes = payload.size();
    payload.resize((bytes + 7) / 8 * 8);
    std::vector<std::uint8_t> head(64);
    put(head, 0, image.kind);
    put(head, 2, std::uint16_t{0x101});
    put(head, 4, std::uint32_t{64});
    put(head, 8, std::uint64_t{payload.size()});
    put(head, 28, image.sm_version);
    std::uint64_t flags = 0x11 | (image.this_architecture_only ? 0x100000U : 0U);
    if (image.packing != Packing::kNone) {
      put(head, 16, static_cast<std::uint32_t>(bytes));
      put(head, 56, std::uint64_t{image.bytes.size()});
      flags |= image.packing == Packing::kZstd ? 0x8000U : 0x2000U;
    }
    put(head, 40, flags);
    all.insert(all.end(), head.begin(), head.end());
    all.insert(all.end(), payload.begin(), payload.end());
  }
  put(all, 0, std::uint32_t{0xba55ed50});
  put(all, 4, std::uint32_t{0x00100001});
  put(all, 8, std::uint64_t{all.size() - 16});
  return all;
}

}  // namespace stc::exec_test
