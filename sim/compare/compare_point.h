// SPDX-License-Identifier: Apache-2.0
// A measured row and the launches that the simulator must run to predict it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/compare/metric.h"
#include "sim/convolution/kernel_library.h"
#include "sim/crossover/spmm_library.h"
#include "sim/micro/point.h"

namespace stc::sim {

/// Where scripts/foreign recorded a launch of a foreign program.
struct ForeignLaunch {
  std::string case_folder;
  std::string number;  ///< "000"
  bool races = false;  ///< warps wait for one another: what they execute depends on time
};

/// One launch in the simulator. Equal tasks of different rows are run once.
struct SimulationTask {
  enum class Kind : std::uint8_t { kGemm, kMicro, kForeign, kConvolution, kSpmm };
  Kind kind = Kind::kGemm;
  std::string kernel;  ///< of the library, or the symbol
  // GEMM and product with an unstructured matrix
  std::int64_t m = 0, n = 0, k = 0;
  bool warm_l2 = false;
  // microbenchmark; of `micro.measured` only the size counts, which limits the simulation
  micro::Point micro;
  ForeignLaunch foreign;
  // convolution; warm_l2 too
  ConvolutionLayer layer;
  ConvolutionKernel convolution;
  // product with an unstructured matrix; caches are emptied before it
  SpmmKernel spmm;
  double sparsity = 0;  ///< share of zeros of each sparse operand
  int parts = 1;        ///< of k

  /// One line that names the task and nothing else; key of caches and messages.
  std::string name() const;
  /// Rough simulation time, in arbitrary units, to start long ones first and to estimate what is left.
  double cost() const;
};

struct ComparePoint {
  enum class Kind : std::uint8_t { kGemm, kMicro, kPublishedMma, kLibraryGemm, kForeign, kConvolution, kEnergy, kSpmm };
  Kind kind = Kind::kGemm;
  std::string id;                                           ///< unique in a report
  std::string group;                                        ///< summaries are made per group
  std::string place;                                        ///< file:line
  std::vector<std::pair<std::string, std::string>> fields;  ///< what --filter sees and the CSV report repeats
  MetricValues measured;
  MetricValues stall_shares;  ///< measured, as of measured_stall_shares()
  /// Of races: the least and the most that its runs took. What silicon does not decide is no error of the model.
  std::map<std::string, std::pair<double, double>> spans;
  double operations =
      0;  ///< micro: measured operations of one warp; published: logical multiply-adds of one instruction
  std::vector<SimulationTask> tasks;
  std::size_t dense_tasks = 0;  ///< library GEMM: the first so many tasks are dense, the others sparse
  bool zero_operands = false;   ///< energy: what the operands hold
  std::string caveat;

  const std::string* field(const std::string& name) const;
  double field_number(const std::string& name) const;  ///< 0 when there is none
};

}  // namespace stc::sim
