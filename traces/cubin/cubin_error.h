// SPDX-License-Identifier: Apache-2.0
// A cubin that cannot be used: the message names the file, the place in it and the reason (exit code 2).
#pragma once

#include <stdexcept>
#include <string>

namespace stc::cubin {

struct CubinError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An instruction that the decoder does not know.
struct UndecodableInstruction : CubinError {
  UndecodableInstruction(const std::string& place, std::string feature_name, std::string why)
      : CubinError(place + ": " + why), feature(std::move(feature_name)), reason(std::move(why)) {}
  std::string feature;  ///< what it is part of: "wgmma", "a form of BAR"
  std::string reason;   ///< opcode, words and what is unknown
};

}  // namespace stc::cubin
