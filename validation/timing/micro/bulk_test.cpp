// SPDX-License-Identifier: Apache-2.0
// Bulk and tensor copies (micro_bulk.cu) against what an H200 took for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "models/gpu/machine/machine.h"
#include "models/sm/bulk_unit.h"
#include "sim/config/gpu_config.h"
#include "sim/micro/run_point.h"

namespace stc::micro {
namespace {

struct Copy {
  std::string what, shape, where, name;
  int swizzle = 0, bytes = 0;
  double cycles = 0;
};

/// Rows of tensor_times.csv.
std::vector<Copy> measured_copies(const std::string& what) {
  std::ifstream file("validation/measured/h200/tensor_times.csv");
  std::vector<Copy> copies;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(what + ",", 0) != 0) continue;
    std::istringstream row(line);
    Copy one;
    std::string swizzle, bytes, cycles;
    std::getline(row, one.what, ','), std::getline(row, one.shape, ','), std::getline(row, swizzle, ',');
    std::getline(row, one.where, ','), std::getline(row, bytes, ','), std::getline(row, cycles, ',');
    one.swizzle = swizzle.empty() ? 0 : std::stoi(swizzle);
    one.bytes = std::stoi(bytes), one.cycles = std::stod(cycles), one.name = line;
    copies.push_back(one);
  }
  EXPECT_FALSE(copies.empty());
  return copies;
}

Point point_of(const std::string& kernel, const std::string& args) {
  Point point;
  point.cubin = "micro_bulk";
  point.kernel = kernel;
  point.args = args;
  point.shared_bytes = 68 * 1024;
  point.measured = {0, 0, 0};
  return point;
}

/// Cycles a copy, which follow one another.
double simulated_copy(const Copy& copy, gpu::Machine& machine) {
  constexpr int kPasses = 8;
  std::vector<int> box;
  std::istringstream shape(copy.shape);
  for (std::string size; std::getline(shape, size, 'x');) box.push_back(std::stoi(size));
  const std::size_t dimensions = copy.what == "box" ? box.size() : 0;
  std::string args = "out data " + std::to_string(kPasses);
  if (dimensions == 0) {
    args += " " + std::to_string(copy.bytes);
  } else {
    const int swizzle = copy.swizzle == 0 ? 0 : copy.swizzle == 32 ? 1 : copy.swizzle == 64 ? 2 : 3;
    for (std::size_t d = 0; d < 3; ++d) args += " " + std::to_string(d < box.size() ? box[d] : 1);
    args += " " + std::to_string(swizzle);
  }
  Point point =
      point_of(dimensions == 0 ? "micro_bulk_block" : "micro_bulk_box_" + std::to_string(dimensions) + "d", args);
  point.data_bytes = dimensions == 3 ? 5 << 20 : 1 << 20;
  return Runner(machine, "validation/kernels").run(point).simulated.at(0) / kPasses;
}

/// The first lines of `data` alternate between near and far slices of the L2, 31 cycles apart; those that an H200 was
/// asked for were near. What needs one side alone differs by them.
bool of_one_side(const Copy& copy) {
  return copy.bytes <= 1024 && (copy.what == "block" || copy.shape.find('x') == std::string::npos || copy.bytes <= 128);
}

struct Errors {
  double sum = 0, worst = 0;
  int count = 0;
  void add(double simulated, const Copy& copy) {
    const double error = simulated / copy.cycles - 1;
    sum += std::abs(error);
    worst = std::max(worst, std::abs(error));
    ++count;
    if (std::getenv("STC_SHOW") != nullptr) std::printf("%s %.0f %+.1f%%\n", copy.name.c_str(), simulated, 100 * error);
  }
};

TEST(BulkTime, SingleCopiesTakeWhatTheyTookOnSilicon) {
  const sim::GpuConfig gpu = sim::read_gpu_config("configs/gpus/h200.yaml");
  gpu::Machine machine("gpu", gpu.params);
  Errors errors, small;
  for (const char* what : {"block", "box"}) {
    for (const Copy& copy : measured_copies(what)) {
      const auto dimensions = 1 + std::count(copy.shape.begin(), copy.shape.end(), 'x');
      if (copy.where != "l2" || dimensions > 3) continue;
      (of_one_side(copy) ? small : errors).add(simulated_copy(copy, machine), copy);
    }
  }
  EXPECT_EQ(errors.count + small.count, 31);
  EXPECT_EQ(small.count, 10);
  EXPECT_LT(errors.sum / errors.count, 0.02);
  EXPECT_LT(errors.worst, 0.05);
  EXPECT_LT(small.worst, 0.15);
}

TEST(BulkTime, StoresTakeWhatTheyTookOnSilicon) {
  const sim::GpuConfig gpu = sim::read_gpu_config("configs/gpus/h200.yaml");
  gpu::Machine machine("gpu", gpu.params);
  Errors errors;
  for (const Copy& copy : measured_copies("stores")) {
    if (copy.where != "one") continue;
    Point point = point_of("micro_bulk_store", "out data " + copy.shape + " " + std::to_string(copy.bytes));
    point.shared_bytes = 132 * 1024;
    point.data_bytes = 1 << 20;
    errors.add(Runner(machine, "validation/kernels").run(point).simulated.at(0), copy);
  }
  EXPECT_EQ(errors.count, 5);
  EXPECT_LT(errors.worst, 0.05);
}

}  // namespace
}  // namespace stc::micro
