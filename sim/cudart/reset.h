// SPDX-License-Identifier: Apache-2.0
// The end of all that a process has on the device, which is as new afterwards.
#pragma once

namespace stc::cuda {

/// Memory, streams, events and limits are gone, variables start anew, as on an H200; managed variables, graphs, pools'
/// figures and attributes of functions stay there. Returns an error of the runtime.
int reset_device();

}  // namespace stc::cuda
