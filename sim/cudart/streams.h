// SPDX-License-Identifier: Apache-2.0
// Streams and events. Everything is done in the order of the calls before they return, which is one of the orders that
// CUDA allows; so a stream has nothing to keep, and an event the simulated time.
#pragma once

namespace stc::cuda {

/// 0, or the error for a handle that is no stream. The default streams are.
int check_stream(const void* stream);

}  // namespace stc::cuda
