// SPDX-License-Identifier: Apache-2.0
// Machine code of 2:4 taken for that of a pattern that no hardware has (traces/kernels/patterns.yaml): the kernel
// fetches what the pattern needs, and its matrix instructions are those of the pattern. Only time and traffic mean
// something.
#pragma once

#include "models/isa/state/kernel.h"
#include "models/sparsity/pattern.h"

namespace stc::sim {

/// Sparse matrix instructions of warpgroups keep what they store of a row and cover as much of k as `pattern` does.
void take_for_pattern(isa::Kernel& kernel, const sparsity::Pattern& pattern);

}  // namespace stc::sim
