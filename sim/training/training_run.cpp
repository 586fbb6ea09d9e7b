// SPDX-License-Identifier: Apache-2.0
#include "sim/training/training_run.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/formats/weight_matrix.h"
#include "sim/launch/element_type.h"
#include "sim/launch/random.h"
#include "sim/run/run_launch.h"

namespace stc::sim {
namespace {

/// Weights scaled so that a layer keeps the size of its inputs; gradients and inputs between -1 and 1.
WeightMatrix draw_matrix(const StepBuffer& buffer, const TrainingPlan& plan, std::uint64_t stream) {
  if (buffer.content == StepBuffer::Content::kWeights) {
    WeightMatrix weights = draw_weights(plan.distribution, plan.seed + stream, buffer.rows, buffer.columns);
    for (float& value : weights.values) value /= std::sqrt(static_cast<float>(buffer.columns));
    return weights;
  }
  WeightMatrix matrix{buffer.name, buffer.rows, buffer.columns, {}};
  matrix.values.resize(buffer.bytes / 2);
  const Random random(plan.seed, stream);
  for (std::size_t i = 0; i < matrix.values.size(); ++i) {
    matrix.values[i] = static_cast<float>(random.real(i, -1.0, 1.0));
  }
  return matrix;
}

void place(const TrainingStep& step, const TrainingPlan& plan, bool values, isa::GlobalMemory& memory) {
  std::uint64_t stream = 0;
  for (const StepBuffer& buffer : step.buffers) {
    ++stream;
    isa::Allocation& to = memory.allocate(buffer.name, buffer.bytes, buffer.role);
    if (!values || buffer.content == StepBuffer::Content::kNothing) continue;
    const WeightMatrix matrix = draw_matrix(buffer, plan, stream);
    const std::vector<std::uint8_t> bytes = encode_elements(matrix.values, ElementType::f16);
    std::memcpy(to.data.data(), bytes.data(), bytes.size());
  }
}

ReadyLaunch ready_launch(const StepLaunch& launch, const GpuConfig& gpu) {
  const TrainingKernel& kernel = *launch.kernel;
  const auto cubin = kernel.cubins.find(gpu.params.sm_version);
  if (cubin == kernel.cubins.end()) {
    throw UserError(
        fmt::format("{}: has no cubin for sm_{} ({})", kernel.name, gpu.params.sm_version, gpu.params.name));
  }
  PreparedLaunch prepared;
  prepared.module = cubin->second;
  prepared.kernel = kernel.name;
  prepared.grid = {static_cast<std::uint32_t>(launch.ctas()), 1, 1};
  prepared.block = {kernel.threads, 1, 1};
  prepared.dynamic_shared_bytes = kernel.dynamic_shared_bytes;
  for (const std::string& buffer : launch.buffers) {
    Argument argument = Argument::address_of(buffer);
    if (buffer.empty()) argument.bytes.resize(8);  // a null pointer
    prepared.arguments.push_back(argument);
  }
  for (const int size : launch.sizes) prepared.arguments.push_back(Argument::i32(size));
  return make_ready(std::move(prepared), gpu, launch.title);
}

LaunchCost cost_of(const StepLaunch& launch, const LaunchResult& result, const gpu::GpuParams& gpu) {
  LaunchCost cost;
  cost.title = launch.title;
  cost.kernel = launch.kernel->name;
  cost.part = launch.part;
  cost.cycles = result.run.cycles_elapsed;
  cost.time_us = result.time_us();
  cost.sustained_us = result.run.energy.known ? result.run.energy.limited_seconds * 1e6 : std::nan("");
  cost.operations = launch.operations();
  cost.tensor_busy = tensor_busy_fraction(result.run, gpu);
  for (const Level& level : levels_of(result.run)) {
    const std::uint64_t bytes = total_bytes(level.bytes->read) + total_bytes(level.bytes->write);
    if (std::string(level.key) == "l2") cost.l2_bytes = bytes;
    if (std::string(level.key) == "dram") cost.dram_bytes = bytes;
  }
  cost.bound = result.bound.by;
  return cost;
}

nlohmann::ordered_json json_of(const LaunchCost& cost) {
  return {{"title", cost.title},
          {"kernel", cost.kernel},
          {"part", static_cast<int>(cost.part)},
          {"cycles", cost.cycles},
          {"time_us", cost.time_us},
          {"sustained_us", cost.sustained_us},
          {"operations", cost.operations},
          {"tensor_busy", cost.tensor_busy},
          {"l2_bytes", cost.l2_bytes},
          {"dram_bytes", cost.dram_bytes},
          {"bound", cost.bound},
          {"checked", cost.checked},
          {"error", cost.check.error},
          {"failure", cost.check.failure}};
}

/// JSON writes NaN as null.
double number_or_nan(const nlohmann::ordered_json& json) { return json.is_null() ? std::nan("") : json.get<double>(); }

LaunchCost cost_from(const nlohmann::ordered_json& json) {
  LaunchCost cost;
  cost.title = json.at("title");
  cost.kernel = json.at("kernel");
  cost.part = static_cast<StepLaunch::Part>(json.at("part").get<int>());
  cost.cycles = json.at("cycles");
  cost.time_us = json.at("time_us");
  cost.sustained_us = number_or_nan(json.at("sustained_us"));
  cost.operations = json.at("operations");
  cost.tensor_busy = json.at("tensor_busy");
  cost.l2_bytes = json.at("l2_bytes");
  cost.dram_bytes = json.at("dram_bytes");
  cost.bound = json.at("bound");
  cost.checked = json.at("checked");
  cost.check.error = number_or_nan(json.at("error"));
  cost.check.failure = json.at("failure");
  return cost;
}

}  // namespace

double StepCost::time_us() const {
  double sum = 0;
  for (const LaunchCost& launch : launches) sum += launch.time_us;
  return sum;
}

double StepCost::time_us(StepLaunch::Part part) const {
  double sum = 0;
  for (const LaunchCost& launch : launches) sum += launch.part == part ? launch.time_us : 0;
  return sum;
}

double StepCost::sustained_us() const {
  double sum = 0;
  for (const LaunchCost& launch : launches) sum += launch.sustained_us;
  return sum;
}

std::string StepCost::failure() const {
  for (const LaunchCost& launch : launches) {
    if (!launch.check.failure.empty()) return launch.title + ": " + launch.check.failure;
  }
  return "";
}

std::string StepCost::text() const {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const LaunchCost& launch : launches) json.push_back(json_of(launch));
  return json_text(json);
}

StepCost StepCost::from_text(const std::string& text) {
  StepCost cost;
  for (const auto& launch : parse_json(text)) cost.launches.push_back(cost_from(launch));
  return cost;
}

double host_bytes(const TrainingStep& step) {
  double bytes = 0;
  for (const StepBuffer& buffer : step.buffers) bytes += static_cast<double>(buffer.bytes);
  return bytes;
}

void require_runnable(const StepLaunch& launch, const GpuConfig& gpu) { ready_launch(launch, gpu); }

StepCost run_step(const TrainingStep& step, const TrainingPlan& plan, const RunOptions& options, const GpuConfig& gpu,
                  gpu::Machine& machine) {
  isa::GlobalMemory memory;
  place(step, plan, options.full_values, memory);
  StepCost cost;
  for (const StepLaunch& launch : step.launches) {
    ReadyLaunch ready = ready_launch(launch, gpu);
    const gpu::L2State l2 = cost.launches.empty() ? gpu::L2State::kCold : gpu::L2State::kAsLeft;
    const LaunchResult result = run_launch(ready, machine, options, memory, stdout, l2);
    cost.launches.push_back(cost_of(launch, result, gpu.params));
    if (!options.check) continue;
    cost.launches.back().checked = true;
    cost.launches.back().check = check_launch(launch, memory);
  }
  return cost;
}

}  // namespace stc::sim
