// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/gemm_builder.h"

#include "traces/gemm/compiler_habits.h"
#include "traces/gemm/program_parts.h"
#include "traces/gemm/scoreboards.h"

namespace stc::gemm {

isa::Kernel build_gemm(const GemmSpec& spec) {
  const GemmDesign d = design(spec);
  std::vector<Block> blocks{prologue(d)};
  for (int tile = 0; tile < d.unroll; ++tile) blocks.push_back(loop_tile(d, tile));
  blocks.push_back(epilogue(d));
  share_out_scoreboards(blocks, kFirstTileBlock, blocks.size() - 1, spec.times.mma_interval, d.in_hopper_order());
  // Entry, the loop in its steady state, and the way out after each k-tile of it.
  const int out = epilogue_block(d);
  if (d.unroll == 1) {
    assign_control(blocks, {{0, 1, 1, out}, {0, 1, out}}, spec.times, pace_of(d));
  } else {
    assign_control(blocks, {{0, 1, 2, 1, 2, out}, {0, 1, out}}, spec.times, pace_of(d));
  }

  isa::Kernel kernel;
  kernel.name = name_of(spec);
  kernel.sm_version = spec.sm_version;
  kernel.code = assemble(blocks, spec.sm_version);
  kernel.registers = d.geometry.registers;
  kernel.barriers = 1;
  kernel.max_threads = d.geometry.threads;
  kernel.parameter_base = d.parameter_base();
  for (const std::string& argument : d.geometry.arguments) {
    const std::uint32_t bytes = argument == "m" || argument == "n" || argument == "k" ? 4 : 8;
    kernel.parameters.push_back({kernel.parameter_bytes, bytes});
    kernel.parameter_bytes += bytes;
  }
  kernel.constant0.resize(kernel.parameter_base + kernel.parameter_bytes);
  return kernel;
}

}  // namespace stc::gemm
