// SPDX-License-Identifier: Apache-2.0
// The error that cudaGetLastError returns and clears.
#pragma once

#include <cuda_runtime_api.h>

namespace stc::foreign {

inline cudaError_t last_error = cudaSuccess;

/// A failure stays until it is asked for; success does not replace it.
inline cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

}  // namespace stc::foreign
