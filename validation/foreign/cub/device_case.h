// SPDX-License-Identifier: Apache-2.0
// CUB's device algorithms are called twice: first for the size of their workspace.
#pragma once

#include "validation/foreign/foreign.h"

namespace foreign {

template <typename Algorithm>
void with_workspace(Algorithm algorithm) {
  std::size_t bytes = 0;
  FOREIGN_CUDA(algorithm(nullptr, bytes));
  Device<unsigned char> workspace(bytes + 1);
  FOREIGN_CUDA(algorithm(workspace.get(), bytes));
}

}  // namespace foreign
