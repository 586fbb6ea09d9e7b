// SPDX-License-Identifier: Apache-2.0
// Functions that are not there: `stcsim exec` is told, and names them when the program has ended.
#pragma once

namespace stc::cuda {

/// Of the runtime: cudaErrorNotSupported, which cudaGetLastError gives, too.
int not_supported(const char* name);
/// Of the driver: the same number, CUDA_ERROR_NOT_SUPPORTED.
int driver_not_supported(const char* name);

}  // namespace stc::cuda
