// SPDX-License-Identifier: Apache-2.0
// What a launch's threads have printed, in an order that does not depend on how SMs are simulated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stc::isa {

class DeviceOutput {
 public:
  void print(std::uint64_t cycle, int sm, const std::string& text);
  /// Everything by cycle; of one cycle by SM; of one SM as printed.
  std::string text() const;

 private:
  struct Piece {
    std::uint64_t cycle;
    int sm;
    std::string text;
  };
  std::vector<Piece> pieces_;
};

}  // namespace stc::isa
