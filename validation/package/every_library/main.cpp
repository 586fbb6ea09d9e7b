// SPDX-License-Identifier: Apache-2.0
// Something of every exported library, on an installed GPU file and cubin: prints the CTAs of a kernel that fit an SM.
#include <cstdint>
#include <cstdio>
#include <systemc>
#include <vector>

#include "models/arith/convert.h"
#include "models/gpu/gpu.h"
#include "models/isa/mma/mma_op.h"
#include "models/sparsity/compress.h"
#include "models/tensor_core/tensor_core.h"
#include "sim/config/gpu_config.h"
#include "traces/cubin/cubin.h"

namespace {

/// -Wconversion would refuse it: stcsim's warnings are not its users'.
std::int8_t narrowed(int wide) { return wide; }

}  // namespace

int main(int, char** arguments) {
  const stc::gpu::GpuParams gpu = stc::sim::read_gpu_config(arguments[1]).params;
  const stc::isa::Kernel kernel = stc::cubin::read_cubin(arguments[2]).front();
  const stc::gpu::Occupancy fit = stc::gpu::occupancy(gpu, kernel, {128, 1, 1}, 65536);

  const stc::tensor_core::TensorCore tensor_core("tensor_core", gpu.sm.tensor_core, gpu.numerics);
  const stc::isa::MmaOp op = stc::isa::parse_mma_name("mma.sp.m16n8k32.f32.f16.f16.f32");
  const std::vector<float> weights{1, 2, 3, 4};
  const std::vector<std::uint8_t> kept = stc::sparsity::prune_by_magnitude(op.pattern, 1, 4, weights.data());
  std::printf("%d CTAs, %s, keeps %d and %d, 1.0 is 0x%04x, %s, %d\n", fit.ctas_per_sm, op.name().c_str(), kept[0],
              kept[1], stc::arith::from_float(stc::arith::kF16, 1.0f), tensor_core.name(), narrowed(fit.ctas_per_sm));
}
