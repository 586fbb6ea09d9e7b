// SPDX-License-Identifier: Apache-2.0
// A cubin that cannot be used: the message names the file, the place in it and the reason (exit code 2).
#pragma once

#include <stdexcept>

namespace stc::cubin {

struct CubinError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace stc::cubin
