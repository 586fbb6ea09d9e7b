// SPDX-License-Identifier: Apache-2.0
#include "sim/run/launch_sequence.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/gpu/gpu.h"
#include "models/isa/state/simulated_fault.h"
#include "models/isa/values/execute.h"

namespace stc::sim {
namespace {

// What isa::place_variables and isa::place_grid_workspace call them.
constexpr char kConstantBank[] = "constant bank 3", kGridWorkspace[] = "grid workspace";

std::string name_in(const std::string& module, const std::string& name) {
  return fmt::format("{} of {}", name, module);
}

void rename(isa::GlobalMemory& memory, const std::string& from, const std::string& to) {
  if (isa::Allocation* const found = memory.find(from)) found->name = to;
}

std::string in_step(const ReadyLaunch& ready, const char* what) {
  return ready.step.empty() ? what : fmt::format("{}: {}", ready.step, what);
}

bool is_constant(const std::vector<isa::ModuleVariable>& variables, const std::string& name) {
  return std::any_of(variables.begin(), variables.end(), [&](const isa::ModuleVariable& variable) {
    return variable.name == name && variable.constant_offset.has_value();
  });
}

/// Constants stay as they were set, unless they are set again.
void inherit_constants(const std::vector<ReadyLaunch>& before, ReadyLaunch& ready) {
  for (auto earlier = before.rbegin(); earlier != before.rend(); ++earlier) {
    if (earlier->prepared.module != ready.prepared.module) continue;
    for (const SymbolValue& symbol : earlier->symbols) {
      const auto same = [&](const SymbolValue& own) { return own.name == symbol.name; };
      const bool own = std::any_of(ready.symbols.begin(), ready.symbols.end(), same);
      if (!own && is_constant(ready.kernel.variables, symbol.name)) ready.symbols.push_back(symbol);
    }
    return;  // which has those of the launches before it
  }
}

}  // namespace

std::vector<ReadyLaunch> make_ready_sequence(const LaunchPlan& plan, const GpuConfig& gpu) {
  std::vector<ReadyLaunch> steps;
  for (std::size_t i = 0; i <= plan.before.size(); ++i) {
    LaunchPlan step = i < plan.before.size() ? plan.before[i] : plan;
    step.before.clear();
    step.buffers = i == 0 ? plan.buffers : std::vector<BufferPlan>();
    ReadyLaunch ready = make_ready(prepare_launch(step), gpu);
    inherit_constants(steps, ready);
    if (!plan.before.empty()) ready.step = fmt::format("launch {}/{}", i + 1, plan.before.size() + 1);
    steps.push_back(std::move(ready));
  }
  return steps;
}

/// Two modules may have variables of one name.
void LaunchSequence::enter_module(const ReadyLaunch& ready) {
  if (left_ && left_->module != ready.prepared.module) {
    for (const std::string& name : left_->names) rename(memory_, name, name_in(left_->module, name));
  }
  rename(memory_, kGridWorkspace, fmt::format("{} {}", kGridWorkspace, count_));
  Left own{ready.prepared.module, {kConstantBank}};
  for (const isa::ModuleVariable& variable : ready.kernel.variables) {
    if (!variable.constant_offset && buffers_.count(variable.name) == 0) own.names.push_back(variable.name);
  }
  for (const std::string& name : own.names) rename(memory_, name_in(own.module, name), name);
  left_ = std::move(own);
}

LaunchResult LaunchSequence::run(ReadyLaunch& ready) {
  for (const PreparedBuffer& buffer : ready.prepared.buffers) buffers_.insert(buffer.name);
  enter_module(ready);
  const auto caches = count_ == 0 ? std::nullopt : std::optional(gpu::L2State::kAsLeft);
  ++count_;
  try {
    return run_launch(ready, machine_, options_, memory_, printed_, caches, &heap_);
  } catch (const isa::SimulatedFault& fault) {
    throw isa::SimulatedFault(in_step(ready, fault.what()));
  } catch (const gpu::Deadlock& deadlock) {
    throw gpu::Deadlock(in_step(ready, deadlock.what()));
  }
}

}  // namespace stc::sim
