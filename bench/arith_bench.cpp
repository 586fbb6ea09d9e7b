// SPDX-License-Identifier: Apache-2.0
// Multiply-accumulates per second of one core through whole matrix instructions: register images in, register images
// out. Stored products count, so a sparse instruction is compared by the work it does.
#include <benchmark/benchmark.h>

#include <random>
#include <string>
#include <vector>

#include "models/arith/convert.h"
#include "models/isa/mma/element_format.h"
#include "models/isa/products/execute_mma.h"
#include "sim/config/gpu_config.h"

namespace {

using stc::isa::MmaOp;
using stc::isa::NumberFormat;

/// Registers filled with finite elements near one.
std::vector<std::uint32_t> operand(NumberFormat format, int registers, std::mt19937& random) {
  std::uniform_real_distribution<float> value(-2.0f, 2.0f);
  const int bits = stc::isa::bits_of(format);
  std::vector<std::uint32_t> words(static_cast<std::size_t>(registers) * 32);
  for (std::uint32_t& word : words) {
    for (int bit = 0; bit < 32; bit += bits) {
      const std::uint32_t element = stc::isa::is_integer(format)
                                        ? static_cast<std::uint32_t>(random()) >> (32 - bits)
                                        : stc::arith::from_float(stc::isa::float_format(format), value(random));
      word |= element << bit;
    }
  }
  return words;
}

void run(benchmark::State& state, const std::string& name, const stc::arith::Numerics& numerics) {
  const MmaOp op = stc::isa::parse_mma_name(name);
  std::mt19937 random(1);
  const auto a = operand(op.a, op.a_registers(), random);
  const auto b = operand(op.b, op.b_registers(), random);
  const auto c = operand(op.c, op.c_registers(), random);
  const std::vector<std::uint32_t> e(32, 0xe4e4e4e4u);
  std::vector<std::uint32_t> d(c.size());
  for (auto _ : state) {
    stc::isa::mma_registers(op, numerics, a.data(), b.data(), c.data(), e.data(), 0, d.data());
    benchmark::DoNotOptimize(d.data());
  }
  state.counters["MAC/s"] =
      benchmark::Counter(static_cast<double>(op.stored_macs()), benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* name :
       {"mma.m16n8k16.f32.f16.f16.f32", "mma.m16n8k16.f16.f16.f16.f16", "mma.m16n8k16.f32.bf16.bf16.f32",
        "mma.m16n8k8.f32.tf32.tf32.f32", "mma.sp.m16n8k32.f32.f16.f16.f32", "mma.sp.m16n8k16.f32.tf32.tf32.f32",
        "mma.m16n8k32.s32.s8.s8.s32", "mma.sp.m16n8k64.s32.s8.s8.s32", "mma.m16n8k32.f32.e4m3.e4m3.f32"}) {
    for (const std::string gpu : {"a100", "h200"}) {
      const stc::arith::Numerics numerics = stc::sim::read_gpu_config("configs/gpus/" + gpu + ".yaml").params.numerics;
      benchmark::RegisterBenchmark((std::string(name) + "/" + gpu).c_str(),
                                   [=](benchmark::State& state) { run(state, name, numerics); });
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
