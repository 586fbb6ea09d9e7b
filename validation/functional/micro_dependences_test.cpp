// SPDX-License-Identifier: Apache-2.0
// Control codes of the microbenchmarks' kernels, as nvcc wrote them: every dependence is kept. Each kernel runs once,
// one CTA of its shortest measured point, if
// that takes no time to speak of.
#include <gtest/gtest.h>

#include <map>

#include "sim/base/text.h"
#include "sim/micro/point.h"
#include "traces/cubin/cubin.h"
#include "validation/functional/functional_runner.h"
#include "validation/gpus.h"

namespace stc::functional {
namespace {

/// Cycles of all warps.
double cost(const micro::Point& point) { return point.measured.front() * point.warps; }
constexpr double kLongest = 20'000;

/// Those whose kernels are about instructions; the others wait for memory or other CTAs.
bool is_about_instructions(const std::string& cubin) {
  return cubin == "micro_mma" || cubin == "micro_pipes" || cubin == "micro_ports" || cubin == "micro_copies" ||
         cubin == "micro_shared" || cubin == "micro_mma_ldsm" || cubin == "micro_issue";
}

class MicroDependences : public testing::TestWithParam<int> {
 protected:
  /// The fault of a point's kernel, empty when there is none.
  std::string fault(const micro::Point& point) {
    isa::Kernel kernel =
        cubin::open_cubin("validation/kernels/sm_" + std::to_string(GetParam()) + "/" + point.cubin + ".cubin")
            .decode(point.kernel);
    isa::GlobalMemory memory;
    isa::place_variables(kernel, memory);
    constexpr std::uint64_t kOut = std::uint64_t{1} << 20;
    Arguments arguments;
    for (const std::string& word : sim::split(point.args, ' ')) {
      if (word.empty()) continue;
      if (const auto number = sim::parse_integer(word)) {
        arguments.add(static_cast<std::int32_t>(*number));
      } else {
        arguments.add(memory.allocate(word, word == "out" ? kOut : point.data_bytes).address);
      }
    }
    Launch launch;
    launch.grid = {1, 1, 1};
    launch.block = {32 * point.warps, 1, 1};
    launch.dynamic_shared_bytes = point.shared_bytes;
    launch.parameters = arguments.bytes();
    try {
      run_kernel(kernel, launch, memory, validation::gpu_of(GetParam()), isa::Values::kAddresses);
    } catch (const isa::SimulatedFault& error) {
      return error.what();
    }
    return "";
  }
};

TEST_P(MicroDependences, AreKept) {
  std::map<std::string, micro::Point> shortest;
  for (const micro::Point& point : micro::read_points("validation/measured/h200/intervals.csv", "")) {
    if (!is_about_instructions(point.cubin)) continue;
    const auto [kept, is_new] = shortest.try_emplace(point.kernel, point);
    if (!is_new && cost(point) < cost(kept->second)) kept->second = point;
  }
  int kernels = 0;
  for (const auto& [name, point] : shortest) {
    if (cost(point) > kLongest) continue;
    EXPECT_EQ(fault(point), "") << point.key();
    ++kernels;
  }
  EXPECT_GT(kernels, 200);
}

INSTANTIATE_TEST_SUITE_P(Architectures, MicroDependences, testing::Values(80, 90));

}  // namespace
}  // namespace stc::functional
