// SPDX-License-Identifier: Apache-2.0
// The end of all that a process has on the device, which is as new afterwards.
#pragma once

namespace stc::cuda {

/// Memory, streams, events and what was set are gone; variables start anew. Returns an error of the runtime.
int reset_device();

}  // namespace stc::cuda
