// SPDX-License-Identifier: Apache-2.0
// Simulated against measured: launches of training kernels of validation/measured/h200/training.csv that take seconds
// here. The limits on cycles hold what DEVIATIONS.md (T28) says of each kind.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "models/gpu/machine/machine.h"
#include "sim/launch/manifest.h"
#include "sim/run/run_launch.h"
#include "sim/training/cut_tiles.h"
#include "sim/training/training_run.h"

namespace stc::sim {
namespace {

constexpr double kMostProducts = 6e8;          // of a GEMM
constexpr std::int64_t kMostPruned = 1 << 19;  // elements

struct Measured {
  std::string kernel;
  std::vector<int> sizes;
  double cycles = 0;
};

std::vector<Measured> measured_launches() {
  std::ifstream file("validation/measured/h200/training.csv");
  std::vector<Measured> all;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("train_", 0) != 0) continue;
    std::istringstream cells(line);
    std::vector<std::string> cell;
    for (std::string text; std::getline(cells, text, ',');) cell.push_back(text);
    all.push_back(
        {cell.at(0), {std::stoi(cell.at(1)), std::stoi(cell.at(2)), std::stoi(cell.at(3))}, std::stod(cell.at(5))});
  }
  return all;
}

const TrainingKernel* kernel_of(const std::string& name) {
  static const TrainingKernels kernels = TrainingKernels::load(default_kernels_folder());
  for (const TrainingKernel& kernel : kernels.all()) {
    if (kernel.name == name) return &kernel;
  }
  return nullptr;
}

/// The launch alone, with buffers as large as any argument of it can be.
TrainingStep step_of(const Measured& launch, const TrainingKernel& kernel, int sms) {
  TrainingStep step;
  StepLaunch one{launch.kernel, StepLaunch::Part::kForward, &kernel, {}, launch.sizes};
  const auto m = static_cast<std::uint64_t>(launch.sizes[0]), n = static_cast<std::uint64_t>(launch.sizes[1]);
  const auto k = static_cast<std::uint64_t>(launch.sizes[2]);
  std::size_t buffers = (kernel.sparse ? 4U : 3U) + (kernel.fused() ? 1U : 0U);
  std::uint64_t bytes = std::max({m * n, m * k, n * k}) * 2;
  if (kernel.prunes()) {
    buffers = kernel.choice == "row" ? 3 : kernel.choice == "like" ? 4 : 6;
    bytes = m * n * 2;
    one.sizes.pop_back();
  }
  if (kernel.epilogue == "parts") {
    buffers = 5;  // f32 sums, of as many CTAs as are resident
    bytes = std::max<std::uint64_t>(
        bytes, 4ULL * static_cast<std::uint64_t>(sms * kernel.ctas_per_sm * kernel.tile_m * kernel.tile_n));
    const auto tiles = static_cast<int>(kernel.ctas(one.sizes[0], one.sizes[1]));
    const CutTiles cut = cut_tiles(tiles, (one.sizes[2] + kernel.tile_k - 1) / kernel.tile_k, sms, kernel.ctas_per_sm);
    one.sizes.insert(one.sizes.end(), {cut.whole, cut.parts});
  }
  for (std::size_t i = 0; i < buffers; ++i) {
    one.buffers.push_back("buffer " + std::to_string(i));
    step.buffers.push_back({one.buffers.back(), bytes, DataRole::kOther});
  }
  step.launches = {one};
  return step;
}

/// Cycles off by at most so much. Kernels that prune are too fast where few instructions stand beside their stores.
double limit_of(const TrainingKernel& kernel) {
  if (!kernel.prunes()) return 0.06;
  return kernel.choice == "exact" ? 0.06 : 0.26;
}

TEST(TrainingAccuracy, CyclesOnAnH200) {
  const GpuConfig gpu = read_gpu_config("configs/gpus/h200.yaml", {});
  gpu::Machine machine("gpu", gpu.params);
  RunOptions options;
  options.full_values = false;
  int compared = 0;
  for (const Measured& launch : measured_launches()) {
    const TrainingKernel* kernel = kernel_of(launch.kernel);
    ASSERT_NE(kernel, nullptr) << launch.kernel;
    const double products = 1.0 * launch.sizes[0] * launch.sizes[1] * launch.sizes[2];
    if (kernel->prunes() ? std::int64_t{launch.sizes[0]} * launch.sizes[1] > kMostPruned : products > kMostProducts) {
      continue;
    }
    const StepCost cost = run_step(step_of(launch, *kernel, gpu.params.sms), {}, options, gpu, machine);
    const double error = static_cast<double>(cost.launches[0].cycles) / launch.cycles - 1;
    EXPECT_LE(std::fabs(error), limit_of(*kernel)) << launch.kernel << " " << launch.sizes[0] << " " << error;
    ++compared;
  }
  EXPECT_GE(compared, 8);
}

}  // namespace
}  // namespace stc::sim
