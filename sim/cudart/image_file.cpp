// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/image_file.h"

#include <cstdio>

namespace stc::cuda {

std::vector<std::uint8_t> image_file(const char* path) {
  constexpr std::size_t kZeros = 64;
  std::vector<std::uint8_t> bytes;
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr) return bytes;
  std::uint8_t part[65536];
  for (std::size_t got = 0; (got = std::fread(part, 1, sizeof part, file)) != 0;) {
    bytes.insert(bytes.end(), part, part + got);
  }
  std::fclose(file);
  bytes.resize(bytes.size() + kZeros);
  return bytes;
}

}  // namespace stc::cuda
