// SPDX-License-Identifier: Apache-2.0
// The error that cudaGetLastError returns: one for each host thread.
#pragma once

#include "sim/cudart/not_supported.h"

namespace stc::cuda {

/// A failure stays until it is asked for; success does not replace it. Returns `error`, as this version numbers it.
/// The thread has a context from then on.
int finish(int error);
/// The same of calls that need none.
int finish_question(int error);
/// The failure, which is forgotten with it; after a fault of a kernel the next call brings it back.
int take_last_error();
int last_error();
/// finish() of a call that waits: where nothing else is wrong, the refusal of a launch that nobody has asked for.
/// Programs that look at errors only where they wait shall see it.
int finish_wait(int error);
}  // namespace stc::cuda
