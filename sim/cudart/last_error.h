// SPDX-License-Identifier: Apache-2.0
// The error that cudaGetLastError returns: one for each host thread.
#pragma once

#include "sim/cudart/not_supported.h"

namespace stc::cuda {

/// A failure stays until it is asked for; success does not replace it. Returns `error`.
int finish(int error);
/// The failure; forgotten with it, unless it is one that stays for good.
int take_last_error();
int last_error();
}  // namespace stc::cuda
