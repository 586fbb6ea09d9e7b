// SPDX-License-Identifier: Apache-2.0
// The kernels between the products compute what network_reference.h says, on both GPUs' machine code.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

#include "models/gpu/machine/machine.h"
#include "sim/launch/element_type.h"
#include "sim/launch/manifest.h"
#include "sim/launch/random.h"
#include "sim/network/network_kernels.h"
#include "sim/run/run_launch.h"
#include "validation/kernels/network_reference.h"

namespace stc::sim {
namespace {

using kernels::Values;

double rounded_to_half(double v) { return decode(ElementType::f16, encode(ElementType::f16, v)); }

/// A call with f16 values between -2 and 2 in all buffers; what it leaves in them.
class SimulatedCall {
 public:
  explicit SimulatedCall(const NetworkCall& call) : call_(call) {
    std::uint64_t stream = 0;
    for (const CallBuffer& buffer : call.buffers) {
      const Random random(1, ++stream);
      Values& values = before_[buffer.name];
      for (std::uint64_t i = 0; i < buffer.bytes / 2; ++i) values.push_back(rounded_to_half(random.real(i, -2.0, 2.0)));
    }
  }
  Values& before(const std::string& name) { return before_[name]; }
  const Values& after(const std::string& name) { return after_[name]; }

  void run(const std::string& gpu_file) {
    const GpuConfig gpu = read_gpu_config("configs/gpus/" + gpu_file);
    PreparedLaunch prepared =
        prepare_call(call_, NetworkKernels::load(default_kernels_folder()), gpu.params.sm_version);
    for (PreparedBuffer& buffer : prepared.buffers) {
      // Counters, sums of parts and angles are no halves.
      if (buffer.name == "arrived" || buffer.name == "parts" || buffer.name == "angles" || buffer.name == "tokens")
        continue;
      for (std::size_t i = 0; i < buffer.data.size() / 2; ++i) {
        const auto bits = static_cast<std::uint16_t>(encode(ElementType::f16, before_[buffer.name][i]));
        std::memcpy(&buffer.data[2 * i], &bits, 2);
      }
    }
    ReadyLaunch ready = make_ready(std::move(prepared), gpu);
    gpu::Machine machine("gpu", gpu.params);
    isa::GlobalMemory memory;
    RunOptions options;
    options.check_dependences = true;
    run_launch(ready, machine, options, memory);
    for (const CallBuffer& buffer : call_.buffers) {
      if (buffer.bytes == 0) continue;
      const isa::Allocation* left = memory.find(buffer.name);
      ASSERT_NE(left, nullptr) << buffer.name;
      for (std::uint64_t i = 0; i < buffer.bytes / 2; ++i) {
        std::uint16_t bits = 0;
        std::memcpy(&bits, &left->data[2 * i], 2);
        after_[buffer.name].push_back(decode(ElementType::f16, bits));
      }
    }
  }

 private:
  NetworkCall call_;
  std::map<std::string, Values> before_, after_;
};

/// f16 has 11 bits; functions are approximated, sums rounded in f32, weights of attention in f16.
void expect_near(const Values& got, const Values& want, double absolute = 5e-4) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], want[i], std::fabs(want[i]) / 1024 + absolute) << "element " << i;
  }
}

class NetworkValues : public testing::TestWithParam<const char*> {};

TEST_P(NetworkValues, LayerNorm) {
  SimulatedCall call(layer_norm_call(3, 1032, true));
  Values s, y;
  kernels::norm_reference(call.before("X"), call.before("R"), call.before("gain"), call.before("bias"), 1032,
                          rounded_to_half, s, y);
  call.run(GetParam());
  expect_near(call.after("S"), s);
  expect_near(call.after("Y"), y);
}

TEST_P(NetworkValues, RmsNormWithoutResidual) {
  SimulatedCall call(rms_norm_call(2, 4096, false));
  Values s, y;
  kernels::norm_reference(call.before("X"), {}, call.before("gain"), {}, 4096, rounded_to_half, s, y);
  call.run(GetParam());
  expect_near(call.after("Y"), y);
}

TEST_P(NetworkValues, Softmax) {
  SimulatedCall call(softmax_call(3, 200));
  const Values want = kernels::softmax_reference(call.before("X"), 200);
  call.run(GetParam());
  expect_near(call.after("Y"), want);
}

TEST_P(NetworkValues, GeluOfSumsWithABias) {
  SimulatedCall call(gelu_call(5, 264));
  Values want;
  for (std::size_t i = 0; i < 5 * 264; ++i) {
    const double v = call.before("X")[i] + call.before("bias")[i % 264];
    want.push_back(v * 0.5 * (1 + std::erf(v / std::sqrt(2.0))));
  }
  call.run(GetParam());
  expect_near(call.after("Y"), want);
}

TEST_P(NetworkValues, SiluProduct) {
  SimulatedCall call(silu_product_call(3, 120));
  Values want;
  for (std::size_t i = 0; i < 3 * 120; ++i) {
    const double gate = call.before("X")[i / 120 * 240 + i % 120],
                 value = call.before("X")[i / 120 * 240 + 120 + i % 120];
    want.push_back(gate / (1 + std::exp(-gate)) * value);
  }
  call.run(GetParam());
  expect_near(call.after("Y"), want);
}

TEST_P(NetworkValues, AttentionOfAPromptWhoseLastTileIsNotFull) {
  const AttentionSize size{1, 130, 2, 1, 64, true};
  SimulatedCall call(attention_call(size));
  const Values want =
      kernels::attention_reference(call.before("Q"), call.before("K"), call.before("V"), size, size.tokens);
  call.run(GetParam());
  expect_near(call.after("O"), want);
}

TEST_P(NetworkValues, AttentionOfWideHeads) {
  const AttentionSize size{2, 70, 1, 1, 128, false};
  SimulatedCall call(attention_call(size));
  const Values want =
      kernels::attention_reference(call.before("Q"), call.before("K"), call.before("V"), size, size.tokens);
  call.run(GetParam());
  expect_near(call.after("O"), want);
}

TEST_P(NetworkValues, DecodeInPartsLeavesItsCountersAtZero) {
  const AttentionSize size{1, 300, 2, 1, 128, false};
  const NetworkCall shape = decode_call(size, 132);
  ASSERT_EQ(shape.grid[0], 3U);  // of at least 128 keys
  SimulatedCall call(shape);
  const Values want = kernels::attention_reference(call.before("Q"), call.before("K"), call.before("V"), size, 1);
  call.run(GetParam());
  expect_near(call.after("O"), want);
  for (const double counter : call.after("arrived")) EXPECT_EQ(counter, 0);
}

INSTANTIATE_TEST_SUITE_P(Gpus, NetworkValues, testing::Values("a100.yaml", "h200.yaml"),
                         [](const auto& one) { return std::string(one.param).substr(0, 4); });

}  // namespace
}  // namespace stc::sim
