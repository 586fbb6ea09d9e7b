// SPDX-License-Identifier: Apache-2.0
// A SystemC design with a GPU's tensor core in it. A controller, which is the design's own, issues a dense mma and a
// sparse one 2:4 through the unit's ports and notes when D comes back. All numbers are small and whole, so D can be
// compared with a plain product of matrices.
//   tensor_core_in_your_design configs/gpus/a100.yaml      exit code 0 when both D are right
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <systemc>
#include <vector>

#include "models/arith/convert.h"
#include "models/isa/products/execute_mma.h"
#include "models/sparsity/compress.h"
#include "models/tensor_core/tensor_core.h"
#include "sim/config/gpu_config.h"

namespace {

using stc::tensor_core::MmaRequest;
using stc::tensor_core::MmaResult;
using stc::tensor_core::MmaResults;

constexpr int kRows = 16, kColumns = 8;

/// D = A x B. A [16][k] is what is left of the weights after pruning, B is [k][8].
struct Problem {
  stc::isa::MmaOp op;
  std::vector<float> a, b;
  MmaRequest request;
};

/// Elements of f16 in the registers of a warp's 32 lanes.
std::vector<std::uint32_t> registers(const stc::isa::GatherTable& table, const std::vector<float>& elements,
                                     int count) {
  std::vector<std::uint32_t> bits, image(static_cast<std::size_t>(count) * 32);
  for (const float element : elements) bits.push_back(stc::arith::from_float(stc::arith::kF16, element));
  stc::isa::pack_registers(table, 16, bits.data(), count, image.data());
  return image;
}

Problem make_problem(const char* name, std::uint64_t tag) {
  Problem p;
  p.op = stc::isa::parse_mma_name(name);
  const stc::isa::MmaTables& tables = stc::isa::mma_tables(p.op);
  for (int i = 0; i < kRows * p.op.k; ++i) p.a.push_back(static_cast<float>((i * 5 + i / 7) % 9 - 4));
  for (int i = 0; i < p.op.k * kColumns; ++i) p.b.push_back(static_cast<float>((i * 3 + i / 11) % 7 - 3));
  std::vector<float> stored = p.a;
  if (p.op.sparse) {
    const auto kept =
        stc::sparsity::compress(p.op.pattern, kRows, p.op.k, p.a.data(),
                                stc::sparsity::prune_by_magnitude(p.op.pattern, kRows, p.op.k, p.a.data()));
    stored = kept.values;
    p.a = stc::sparsity::decompress(kept);
    p.request.e.resize(static_cast<std::size_t>(tables.metadata_registers) * 32);
    stc::isa::metadata_layout(p.op).pack(kept.indices.data(), p.request.selector, p.request.e.data());
  }
  p.request.valid = true;
  p.request.tag = tag;
  p.request.op = p.op;
  p.request.a = registers(tables.a, stored, p.op.a_registers());
  p.request.b = registers(tables.b, p.b, p.op.b_registers());
  p.request.c.resize(static_cast<std::size_t>(p.op.c_registers()) * 32);
  return p;
}

/// Outputs of D that are not the product of the matrices.
int wrong_outputs(const Problem& p, const MmaResult& result) {
  const stc::isa::GatherTable& place = stc::isa::mma_tables(p.op).c;
  int wrong = 0;
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      float sum = 0;
      for (int k = 0; k < p.op.k; ++k) sum += p.a[row * p.op.k + k] * p.b[k * kColumns + column];
      const std::uint32_t word = result.d[place.word[row * kColumns + column]];
      wrong += stc::arith::to_float(stc::arith::kF32, word) != sum ? 1 : 0;
    }
  }
  return wrong;
}

class Controller : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clock{"clock"};
  sc_core::sc_out<MmaRequest> request{"request"};
  sc_core::sc_in<bool> ready{"ready"};
  sc_core::sc_in<MmaResults> result{"result"};

  SC_HAS_PROCESS(Controller);
  Controller(sc_core::sc_module_name name, const std::vector<Problem>& problems)
      : sc_module(name), problems_(problems), entered_(problems.size()) {
    SC_METHOD(on_edge);
    sensitive << clock.pos();
    dont_initialize();
  }

  int wrong() const { return wrong_; }
  bool finished() const { return finished_ == problems_.size(); }

 private:
  void on_edge() {
    ++cycle_;
    for (const MmaResult& ended : result.read().ended) {
      if (ended.valid) take(ended);
    }
    // What was valid while the unit was ready has entered at this edge.
    if (offers_ && ready.read()) entered_[next_++] = cycle_;
    offers_ = next_ < problems_.size();
    request.write(offers_ ? problems_[next_].request : MmaRequest{});
  }

  void take(const MmaResult& ended) {
    const Problem& p = problems_[ended.tag];
    const int wrong = ended.error.empty() ? wrong_outputs(p, ended) : kRows * kColumns;
    std::printf("%s entered in cycle %d, D after %d cycles, %d of %d outputs wrong %s\n", p.op.name().c_str(),
                entered_[ended.tag], cycle_ - entered_[ended.tag], wrong, kRows * kColumns, ended.error.c_str());
    wrong_ += wrong;
    ++finished_;
  }

  const std::vector<Problem>& problems_;
  std::vector<int> entered_;  ///< cycle, by tag
  std::size_t next_ = 0, finished_ = 0;
  bool offers_ = false;
  int cycle_ = 0, wrong_ = 0;
};

int simulate(const char* gpu_file) {
  const stc::gpu::GpuParams gpu = stc::sim::read_gpu_config(gpu_file).params;
  const std::vector<Problem> problems{make_problem("mma.m16n8k16.f32.f16.f16.f32", 0),
                                      make_problem("mma.sp.m16n8k32.f32.f16.f16.f32", 1)};
  sc_core::sc_clock clock("clock", 1000.0 / gpu.clock_mhz, sc_core::SC_NS);
  sc_core::sc_signal<MmaRequest> request("request");
  sc_core::sc_signal<bool> ready("ready");
  sc_core::sc_signal<MmaResults> result("result");
  Controller controller("controller", problems);
  stc::tensor_core::TensorCore tensor_core("tensor_core", gpu.sm.tensor_core, gpu.numerics);
  controller.clock(clock), tensor_core.clock(clock);
  controller.request(request), tensor_core.request(request);
  controller.ready(ready), tensor_core.ready(ready);
  controller.result(result), tensor_core.result(result);
  sc_core::sc_start(1, sc_core::SC_US);
  if (!controller.finished()) std::printf("not all D came back within a microsecond\n");
  return controller.finished() && controller.wrong() == 0 ? 0 : 1;
}

}  // namespace

int sc_main(int count, char* arguments[]) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s GPU.yaml\n", arguments[0]);
    return 2;
  }
  try {
    return simulate(arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
