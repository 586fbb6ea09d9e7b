// SPDX-License-Identifier: Apache-2.0
// The error that cudaGetLastError returns: one for each host thread.
#pragma once

namespace stc::cuda {

/// A failure stays until it is asked for; success does not replace it. Returns `error`.
int finish(int error);
/// The failure; forgotten with it, unless it is one that stays for good.
int take_last_error();
int last_error();
/// For functions that are not there: tells `stcsim exec`; returns cudaErrorNotSupported.
int not_supported(const char* name);

}  // namespace stc::cuda
