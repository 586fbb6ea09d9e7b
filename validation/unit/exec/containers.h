// SPDX-License-Identifier: Apache-2.0
// Fat binaries made for tests, as nvcc lays them out.
#pragma once

#include <cstdint>
#include <vector>

namespace stc::exec_test {

enum class Packing { kNone, kLz4, kZstd };
struct Image {
  std::uint16_t kind = 2;  ///< 1: PTX, 2: cubin
  std::uint32_t sm_version = 80;
  Packing packing = Packing::kNone;
  std::vector<std::uint8_t> bytes;
  bool this_architecture_only = false;
};

std::vector<std::uint8_t> container(const std::vector<Image>& images);

}  // namespace stc::exec_test
