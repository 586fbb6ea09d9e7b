// SPDX-License-Identifier: Apache-2.0
// One output of mma.sp.m16n8k32.f32.f16.f16.f32, as the GPUs compute it whose files are given: a row of weights is
// pruned 2:4, its activations are selected, and the fused dot product adds them up block by block.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

#include "models/arith/convert.h"
#include "models/arith/fused_dot.h"
#include "models/sparsity/compress.h"
#include "sim/config/gpu_config.h"

namespace {

constexpr int kDepth = 32;

struct Operands {
  std::vector<std::uint32_t> weights, activations;  ///< bits of f16, stored order
};

/// Weights 2:4 of one row and the activations that their indices name.
Operands select() {
  const stc::sparsity::Pattern pattern = stc::sparsity::Pattern::parse("2:4");
  std::vector<float> row(kDepth), column(kDepth);
  for (int k = 0; k < kDepth; ++k) {
    row[k] = static_cast<float>((k * 7) % 13 - 6) / 8;
    column[k] = k == 5 ? 4096.0f : 1.0f / static_cast<float>(k + 1);  // a large product costs the others their low bits
  }
  const auto kept = stc::sparsity::compress(pattern, 1, kDepth, row.data(),
                                            stc::sparsity::prune_by_magnitude(pattern, 1, kDepth, row.data()));
  Operands operands;
  for (int p = 0; p < kept.stored_k(); ++p) {
    operands.weights.push_back(stc::arith::from_float(stc::arith::kF16, kept.values[p]));
    operands.activations.push_back(
        stc::arith::from_float(stc::arith::kF16, column[stc::sparsity::logical_k(pattern, kept.indices.data(), p)]));
  }
  return operands;
}

void compute(const char* gpu, const stc::arith::FusedDotRules& rules, const Operands& in) {
  std::vector<stc::arith::BlockTrace> trace;
  const std::uint32_t bits =
      stc::arith::fused_dot(rules, stc::arith::kF16, stc::arith::kF16, stc::arith::Accumulator::f32, in.weights.data(),
                            in.activations.data(), static_cast<int>(in.weights.size()), 0, &trace);
  std::printf("%s: D = 0x%08x, %zu blocks of %d products\n", gpu, bits, trace.size(), rules.block_length);
  for (const stc::arith::BlockTrace& block : trace) {
    double lost = 0;
    for (const stc::arith::TermTrace& term : block.terms) lost += term.lost;
    std::printf("  aligned to 2^%d, truncation lost %.3g\n", block.alignment, lost);
  }
}

}  // namespace

int main(int count, char* arguments[]) {
  const Operands operands = select();
  try {
    for (int i = 1; i < count; ++i) {
      const stc::gpu::GpuParams gpu = stc::sim::read_gpu_config(arguments[i]).params;
      compute(gpu.name.c_str(), gpu.numerics.f16(), operands);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
