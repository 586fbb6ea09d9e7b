// SPDX-License-Identifier: Apache-2.0
#include "sim/run/build_kernel.h"

#include "models/isa/text/listing.h"
#include "models/tensor_core/mma_timing.h"
#include "sim/base/text.h"

namespace stc::sim {

gemm::GemmSpec scheduled_for(gemm::GemmSpec spec, const gpu::GpuParams& gpu) {
  const isa::MmaOp op = gemm::matrix_instruction(spec.pattern, spec.type);
  const tensor_core::MmaTiming timing = tensor_core::mma_timing(op, gpu.sm.tensor_core);
  spec.sm_version = gpu.sm_version;
  spec.times.mma_interval = timing.interval;
  spec.times.mma_latency = timing.latency;
  return spec;
}

isa::Kernel build_kernel(const gemm::GemmSpec& spec, const gpu::GpuParams& gpu) {
  return gemm::build_gemm(scheduled_for(spec, gpu));
}

std::string hash_of(const isa::Kernel& kernel) {
  std::string listing;
  for (const isa::Instruction& instruction : kernel.code) {
    listing += isa::control_text(instruction.control) + " " + isa::listing_text(instruction) + "\n";
  }
  return content_hash(listing.data(), listing.size());
}

}  // namespace stc::sim
