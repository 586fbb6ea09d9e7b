// SPDX-License-Identifier: Apache-2.0
// Why a launch is not sampled: it does not repeat, or nobody can say that it does.
#pragma once

#include <stdexcept>

namespace stc::gpu {

struct SamplingRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace stc::gpu
