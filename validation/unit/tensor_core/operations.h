// SPDX-License-Identifier: Apache-2.0
// What the tensor-core tests run through the unit: the GPUs, their native matrix instructions, random register images.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "models/arith/numerics.h"
#include "models/isa/mma/mma_catalogue.h"
#include "models/tensor_core/signals.h"
#include "validation/gpus.h"

namespace stc::tensor_core {

struct TestGpu {
  TensorCoreParams params;
  arith::Numerics numerics;
  std::vector<isa::MmaOp> ops;  ///< all that one machine instruction does
};

/// BMMA. sm_90 has those of .and; the unit computes all.
inline std::vector<isa::MmaOp> binary_operations() {
  std::vector<isa::MmaOp> ops;
  for (const bool exclusive_or : {false, true}) {
    for (const auto& [m, k] : {std::pair{8, 128}, {16, 128}, {16, 256}}) {
      isa::MmaOp op;
      op.m = static_cast<std::uint8_t>(m);
      op.k = static_cast<std::uint16_t>(k);
      op.a = op.b = isa::NumberFormat::b1;
      op.c = isa::NumberFormat::s32;
      op.exclusive_or = exclusive_or;
      ops.push_back(op);
    }
  }
  return ops;
}

inline TestGpu test_gpu(const std::string& name) {
  const gpu::GpuParams& gpu = validation::gpu_named(name);
  TestGpu out{gpu.sm.tensor_core, gpu.numerics, {}};
  for (const isa::MmaCatalogueEntry& entry : isa::mma_catalogue(gpu.sm_version)) {
    if (!entry.emulated) out.ops.push_back(entry.op);
  }
  for (const isa::MmaOp& op : binary_operations()) out.ops.push_back(op);
  return out;
}

inline isa::MmaOp sparse_f16(int k, const std::string& pattern) {
  isa::MmaOp op;
  op.k = static_cast<std::uint16_t>(k);
  op.sparse = true;
  op.pattern = sparsity::Pattern::parse(pattern);
  return op;
}

/// Patterns that no GPU has: other ratios, wider multiplexers, three of a group.
inline std::vector<isa::MmaOp> other_patterns() {
  return {sparse_f16(32, "1:2"),  sparse_f16(64, "1:4"),  sparse_f16(32, "4:8"),   sparse_f16(128, "2:16"),
          sparse_f16(64, "4:16"), sparse_f16(128, "1:8"), sparse_f16(64, "4:8/2"), sparse_f16(128, "4:32")};
}

class RandomRequests {
 public:
  explicit RandomRequests(unsigned seed) : engine_(seed) {}

  /// Raw random bits hit every class of number; small exponents make sums that neither overflow nor cancel to NaN.
  MmaRequest operator()(const isa::MmaOp& op) {
    MmaRequest request;
    request.valid = true;
    request.op = op;
    const bool raw = engine_() % 4 == 0;
    request.a = image(op.a_registers(), op.a, raw);
    request.b = image(op.b_registers(), op.b, raw);
    request.c = image(op.c_registers(), op.c, raw);
    if (op.sparse) {
      request.e.resize(static_cast<std::size_t>(isa::mma_tables(op).metadata_registers) * 32);
      for (auto& word : request.e) word = word32();
      request.selector = static_cast<int>(engine_() % isa::mma_tables(op).index.size());
    }
    return request;
  }

  std::uint32_t below(std::uint32_t limit) { return word32() % limit; }

 private:
  std::uint32_t word32() { return static_cast<std::uint32_t>(engine_()); }
  /// Clears the upper exponent bits or keeps the exponent near its middle.
  std::uint32_t tame(isa::NumberFormat format, std::uint32_t word) const {
    switch (format) {
      case isa::NumberFormat::f16: return (word & 0x8fff8fffu) | 0x30003000u;
      case isa::NumberFormat::bf16: return (word & 0x83ff83ffu) | 0x3c003c00u;
      case isa::NumberFormat::tf32:
      case isa::NumberFormat::f32: return (word & 0x83ffffffu) | 0x3c000000u;
      default: return word;
    }
  }
  std::vector<std::uint32_t> image(int registers, isa::NumberFormat format, bool raw) {
    std::vector<std::uint32_t> words(static_cast<std::size_t>(registers) * 32);
    for (auto& word : words) word = raw ? word32() : tame(format, word32());
    return words;
  }
  std::mt19937 engine_;
};

}  // namespace stc::tensor_core
