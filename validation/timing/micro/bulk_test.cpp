// SPDX-License-Identifier: Apache-2.0
// Bulk and tensor copies (micro_bulk.cu, micro_bulk_many.cu) against what an H200 took for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
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
    for (std::size_t d = 0; d < (dimensions > 3 ? 5U : 3U); ++d)
      args += " " + std::to_string(d < box.size() ? box[d] : 1);
    args += " " + std::to_string(swizzle);
  }
  Point point =
      point_of(dimensions == 0 ? "micro_bulk_block" : "micro_bulk_box_" + std::to_string(dimensions) + "d", args);
  point.data_bytes = dimensions == 5 ? 9 << 20 : dimensions >= 3 ? 5 << 20 : 1 << 20;
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
      if (copy.where != "l2") continue;
      (of_one_side(copy) ? small : errors).add(simulated_copy(copy, machine), copy);
    }
  }
  EXPECT_EQ(errors.count + small.count, 33);
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
  EXPECT_LT(errors.worst, 0.07);  // two of the smallest, whose loop divides for each store (DEVIATIONS, T36)
}

/// Rows of bulk_at_once.csv whose columns of these names hold these texts.
std::vector<std::map<std::string, std::string>> measured_rows(const std::map<std::string, std::string>& wanted) {
  std::ifstream file("validation/measured/h200/bulk_at_once.csv");
  std::vector<std::string> names;
  std::vector<std::map<std::string, std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream text(line);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    if (names.empty()) {
      names = cells;
      continue;
    }
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < cells.size(); ++i) row[names[i]] = cells[i];
    const auto fits = [&](const auto& want) { return row[want.first] == want.second; };
    if (std::all_of(wanted.begin(), wanted.end(), fits)) rows.push_back(row);
  }
  EXPECT_FALSE(rows.empty());
  return rows;
}

Outcome many(gpu::Machine& machine, const std::string& kernel, const std::string& args, std::uint32_t ctas,
             std::uint32_t shared_bytes, std::uint32_t warps = 1) {
  Point point = point_of(kernel, args);
  point.cubin = "micro_bulk_many";
  point.ctas = ctas;
  point.warps = warps;
  point.shared_bytes = shared_bytes;
  point.data_bytes = 1 << 20;
  return Runner(machine, "validation/kernels").run(point);
}

class CopiesOfMany : public testing::Test {
 protected:
  gpu::Machine machine{"gpu", sim::read_gpu_config("configs/gpus/h200.yaml").params};
};

// An H200's kernel was another one (this one waits for an S2UR behind its first clock); what sizes differ by does not
// depend on that.
TEST_F(CopiesOfMany, TheEleventhWaitsUntilTheFirstHasAskedForItsLines) {
  std::map<int, double> measured, issued, landed, measured_end;
  for (const int bytes : {128, 1024, 4096, 8192}) {
    const auto row = measured_rows({{"what", "straight"},
                                    {"kind", "block"},
                                    {"bytes", std::to_string(bytes)},
                                    {"copies", "16"},
                                    {"ctas", "1"},
                                    {"where", "l2"},
                                    {"prefetch", "0"},
                                    {"rep", "2"}});
    measured[bytes] = std::stod(row[0].at("issue")), measured_end[bytes] = std::stod(row[0].at("mean_end"));
    const Outcome found = many(machine, "micro_bulk_at_once_" + std::to_string(bytes), "out data 4", 1,
                               static_cast<std::uint32_t>(16 * bytes));
    issued[bytes] = found.simulated.at(0), landed[bytes] = static_cast<double>(found.operations);
    if (std::getenv("STC_SHOW") != nullptr) {
      std::printf("16 of %d: issued %.0f (%.0f), landed %.0f (%.0f)\n", bytes, issued[bytes], measured[bytes],
                  landed[bytes], measured_end[bytes]);
    }
  }
  EXPECT_NEAR(issued[1024] - issued[128], measured[1024] - measured[128], 8);
  EXPECT_NEAR(issued[8192] - issued[4096], measured[8192] - measured[4096], 2);
  EXPECT_NEAR(issued[4096], measured[4096], 0.05 * measured[4096]);
  EXPECT_NEAR(issued[8192], measured[8192], 0.05 * measured[8192]);
}

/// Cycles of the first box of a launch and of those of its later passes, in the mean.
std::pair<double, double> measured_first(const std::string& bytes, const std::string& prefetch) {
  double first = 0, later = 0;
  int firsts = 0, laters = 0;
  for (const auto& row : measured_rows({{"what", "straight"},
                                        {"kind", "box"},
                                        {"bytes", bytes},
                                        {"copies", "1"},
                                        {"ctas", "1"},
                                        {"where", "l2"},
                                        {"prefetch", prefetch}})) {
    const double end = std::stod(row.at("mean_end"));
    row.at("rep") == "0" ? (first += end, ++firsts) : (later += end, ++laters);
  }
  return {first / firsts, later / laters};
}

// Other kernels than those that an H200 ran, whose code comes from elsewhere: what a prefetch of the map saves does not
// depend on that.
TEST_F(CopiesOfMany, TheFirstCopyThroughATensorMapWaitsForTheMap) {
  const auto longer = [&](const std::string& prefetch) {
    Point point = point_of("micro_bulk_first_box", "out data " + prefetch);
    point.data_bytes = 1 << 20;
    const Outcome found = Runner(machine, "validation/kernels").run(point);
    return found.simulated.at(0) - static_cast<double>(found.operations);
  };
  double sum = 0;
  const char* const sizes[] = {"1024", "4096", "8192", "16384", "32768"};
  for (const char* bytes : sizes) {
    const auto [first, later] = measured_first(bytes, "0");
    sum += first - later;
  }
  const double without = longer("0"), with = longer("1"), measured = sum / std::size(sizes);
  if (std::getenv("STC_SHOW") != nullptr)
    std::printf("first box: +%.0f (%.1f), prefetched +%.0f\n", without, measured, with);
  const auto [first, later] = measured_first("1024", "1");
  EXPECT_NEAR(without - with, measured - (first - later), 3);
}

TEST_F(CopiesOfMany, MulticastLandsInAllAtOnce) {
  double first = 0;
  for (const int ctas : {2, 4, 8}) {
    const auto row =
        measured_rows({{"what", "multicast"}, {"bytes", "4096"}, {"copies", std::to_string(ctas)}, {"where", "l2"}});
    std::istringstream ends(row[0].at("ends"));
    double here = 0, told = 0;
    char colon = 0;
    while (ends >> here >> colon >> told) ends >> colon;
    const double found = many(machine, "micro_bulk_told_" + std::to_string(ctas), "out data 5 4096",
                              static_cast<std::uint32_t>(ctas), 4096)
                             .simulated.at(0);
    if (std::getenv("STC_SHOW") != nullptr) std::printf("told by %d: %.0f (%.0f)\n", ctas, found, told - here);
    EXPECT_NEAR(found, told - here, 0.2 * (told - here)) << ctas;
    if (ctas == 2) continue;  // its way from SM to SM is another one
    if (first == 0) first = found;
    EXPECT_NEAR(found, first, 3) << ctas;
  }
}

/// multicast.csv: two CTAs that copy 16 KiB to both, four times: 849 to 929 and 1,650 cycles of boxes.
TEST_F(CopiesOfMany, WhatOthersCopyHereTakesItsTime) {
  const Outcome found = many(machine, "micro_bulk_shared", "out data 3", 2, 132 * 1024, 2);
  const double first = found.simulated.at(0), all = static_cast<double>(found.operations);
  if (std::getenv("STC_SHOW") != nullptr) std::printf("shared: %.0f %.0f\n", first, all);
  EXPECT_NEAR(all, 1650, 0.07 * 1650);
  EXPECT_NEAR(first, 860, 0.25 * 860);  // 560 where nobody else copies
}

TEST_F(CopiesOfMany, WaysToAnotherCtaAndBack) {
  const std::map<std::string, std::string> kernels{
      {"pingpong", "micro_way_arrive"}, {"pingstore", "micro_way_store"}, {"pingcopy", "micro_way_copy"}};
  double sum = 0;
  int count = 0;
  for (const auto& [what, kernel] : kernels) {
    for (const auto& row : measured_rows({{"what", what}, {"where", "1"}})) {
      const double took = std::stod(row.at("ends"));
      const Outcome found = many(machine, kernel, "out 32 1 " + row.at("bytes"), 4, 32768);
      const double cycles = found.simulated.at(0) / 32;
      if (std::getenv("STC_SHOW") != nullptr) {
        std::printf("%s %s: %.0f (%.0f)\n", what.c_str(), row.at("bytes").c_str(), cycles, took);
      }
      EXPECT_NEAR(cycles, took, 0.1 * took) << what << row.at("bytes");
      sum += std::abs(cycles / took - 1), ++count;
    }
  }
  EXPECT_EQ(count, 8);
  EXPECT_LT(sum / count, 0.05);
}

}  // namespace
}  // namespace stc::micro
