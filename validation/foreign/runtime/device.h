// SPDX-License-Identifier: Apache-2.0
// The GPU that programs are told of: what scripts/foreign read in configs/gpus, handed over in $FOREIGN_DEVICE
// ("sm_version=80 sms=108 ...").
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "validation/foreign/runtime/cubin_image.h"

namespace stc::foreign {

const cudaDeviceProp& device();
int sm_version();

/// The value of a device attribute; fails the program by name when it is one that nobody asked for yet.
int attribute_of(cudaDeviceAttr attribute);

/// CTAs that an SM holds, by NVIDIA's own published calculation (cuda_occupancy.h), not the simulator's.
int ctas_per_sm(const KernelImage& kernel, int threads, std::size_t dynamic_shared_bytes);

}  // namespace stc::foreign
