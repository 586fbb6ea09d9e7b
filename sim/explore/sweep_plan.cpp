// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "models/core/integers.h"
#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/launch/built_kernel.h"
#include "sim/run/run_launch.h"
#include "traces/gemm/gemm_builder.h"

namespace stc::sim {
namespace {

std::string tile_text(const SweepTile& tile) {
  return fmt::format("{}x{}x{} (warp {}x{}, {} stages)", tile.m, tile.n, tile.k, tile.warp_m, tile.warp_n, tile.stages);
}

class Planner {
 public:
  explicit Planner(Sweep sweep) {
    plan_.sweep = std::move(sweep);
    if (!plan_.sweep.compiled) return;
    manifest_ = Manifest::load(plan_.sweep.kernels_folder);
    manifest_->add_patterns(plan_.sweep.kernels_folder);
  }

  SweepPlan run() {
    for (std::size_t i = 0; i < plan_.sweep.cases.size(); ++i) plan_case(i);
    return std::move(plan_);
  }

 private:
  void plan_case(std::size_t index) {
    const SweepCase& one = plan_.sweep.cases[index];
    const std::size_t before = plan_.points.size(), unfit_before = plan_.unfit.size();
    for (const std::size_t tile : one.tiles) {
      try {
        add_point(index, tile);
      } catch (const UserError& error) {
        plan_.unfit.push_back({index, tile, error.what()});
      }
    }
    if (plan_.points.size() > before) return;
    std::string reasons;
    for (std::size_t i = unfit_before; i < plan_.unfit.size(); ++i) {
      reasons +=
          fmt::format("\n  tile {}: {}", tile_text(plan_.sweep.tiles[plan_.unfit[i].tile]), plan_.unfit[i].reason);
    }
    throw UserError(fmt::format("{}: pattern {}{} in {}, shape {}, on {}: no tile can run{}", one.place,
                                one.pattern.name(), one.reference ? " (the reference of the speedups)" : "",
                                isa::name_of(one.type), plan_.sweep.shapes[one.shape].name,
                                plan_.sweep.gpus[one.gpu].name, reasons));
  }

  void add_point(std::size_t index, std::size_t tile_index) {
    const SweepCase& one = plan_.sweep.cases[index];
    const GpuVariant& gpu = plan_.sweep.gpus[one.gpu];
    const SweepShape& shape = plan_.sweep.shapes[one.shape];
    SweepPoint point;
    point.of_case = index;
    point.tile = tile_index;
    point.problem.kernel = kernel_of(one, plan_.sweep.tiles[tile_index]);
    const LibraryKernel& kernel = point.problem.kernel;
    point.problem.m = sized(shape, "m", shape.m, kernel.tile_m, kernel);
    point.problem.n = sized(shape, "n", shape.n, kernel.tile_n, kernel);
    point.problem.k = sized(shape, "k", shape.k, kernel.tile_k, kernel);
    point.host_bytes = host_bytes(point.problem, false);
    require_host_memory(point.host_bytes, fmt::format("{}: m = {}, n = {}, k = {}", shape.place, point.problem.m,
                                                      point.problem.n, point.problem.k));
    const std::string kernel_hash = fitting_kernel(kernel, one.gpu);
    point.name = fmt::format("{} {} {}x{}x{} {}", gpu.name, shape.name, point.problem.m, point.problem.n,
                             point.problem.k, kernel.name);
    const std::string all =
        fmt::format("{}x{}x{} l2={} kernel={} {} gpu={} program={}", point.problem.m, point.problem.n, point.problem.k,
                    plan_.sweep.warm_l2 ? "warm" : "cold", kernel.name, kernel_hash, gpu.config.hash, program_hash());
    point.key = content_hash(all.data(), all.size());
    const double stored = static_cast<double>(kernel.stored) / kernel.group;
    // Most of the work is in warp instructions: matrix instructions and loads of both operands.
    point.cost = static_cast<double>(point.problem.m) * point.problem.n * point.problem.k * (stored + 0.5);
    plan_.points.push_back(std::move(point));
  }

  LibraryKernel kernel_of(const SweepCase& one, const SweepTile& tile) const {
    if (plan_.sweep.compiled) return compiled_kernel(one, tile);
    gemm::GemmSpec spec;
    spec.pattern = one.pattern;
    spec.type = one.type;
    spec.tile_m = tile.m;
    spec.tile_n = tile.n;
    spec.warp_m = tile.warp_m;
    spec.warp_n = tile.warp_n;
    spec.stages = tile.stages;
    spec.sm_version = plan_.sweep.gpus[one.gpu].config.params.sm_version;
    spec.tile_k = round_up<int>(tile.k, instruction_of(one).k);
    return built_kernel(spec, tile.place);
  }

  LibraryKernel compiled_kernel(const SweepCase& one, const SweepTile& tile) const {
    for (const LibraryKernel& kernel : manifest_->kernels) {
      const bool same_tile = kernel.tile_m == tile.m && kernel.tile_n == tile.n && kernel.tile_k == tile.k &&
                             kernel.warp_m == tile.warp_m && kernel.warp_n == tile.warp_n &&
                             kernel.stages == tile.stages;
      if (same_tile && kernel.pattern() == one.pattern &&
          name_of(kernel.element) == std::string(isa::name_of(one.type))) {
        return kernel;
      }
    }
    throw UserError(fmt::format("{}: the kernel library has no {} kernel with pattern {} and tile {}", tile.place,
                                isa::name_of(one.type), one.pattern.name(), tile_text(tile)));
  }

  int sized(const SweepShape& shape, const char* key, int size, int unit, const LibraryKernel& kernel) const {
    if (size % unit == 0) return size;
    if (plan_.sweep.pad) return round_up(size, unit);
    throw UserError(
        fmt::format("{}: {} = {} is no multiple of {}, the tile of {} (options: {{pad: true}} pads it to {})",
                    shape.place, key, size, unit, kernel.name, round_up(size, unit)));
  }

  /// Makes the launch of a single tile ready, which finds everything that the GPU would refuse. Returns the kernel's
  /// hash. Kernel and GPU repeat in many points, so the answer is kept.
  const std::string& fitting_kernel(const LibraryKernel& kernel, std::size_t gpu) {
    const auto key = std::make_pair(gpu, kernel.name);
    const auto known = kernels_.find(key);
    if (known != kernels_.end()) {
      if (!known->second.refusal.empty()) throw UserError(known->second.refusal);
      return known->second.hash;
    }
    Fit fit;
    try {
      GemmProblem one_tile;
      one_tile.kernel = kernel;
      one_tile.m = kernel.tile_m;
      one_tile.n = kernel.tile_n;
      one_tile.k = kernel.tile_k;
      const GpuConfig& config = plan_.sweep.gpus[gpu].config;
      fit.hash = make_ready(prepare_gemm(one_tile, config.params.sm_version, nullptr), config, kernel.name).kernel_hash;
    } catch (const UserError& error) {
      fit.refusal = error.what();
    } catch (const std::invalid_argument& error) {
      fit.refusal = error.what();
    }
    const Fit& kept = kernels_.emplace(key, fit).first->second;
    if (!kept.refusal.empty()) throw UserError(kept.refusal);
    return kept.hash;
  }

  struct Fit {
    std::string hash;
    std::string refusal;
  };
  SweepPlan plan_;
  std::optional<Manifest> manifest_;
  std::map<std::pair<std::size_t, std::string>, Fit> kernels_;
};

}  // namespace

isa::MmaOp instruction_of(const SweepCase& one) {
  try {
    return gemm::matrix_instruction(one.pattern, one.type);
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("{}: {}", one.place, error.what()));
  }
}

std::vector<UnfitReason> unfit_reasons(const SweepPlan& plan) {
  std::vector<UnfitReason> reasons;
  const auto note = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const UnfitTile& tile : plan.unfit) {
    auto same = std::find_if(reasons.begin(), reasons.end(), [&](const auto& r) { return r.reason == tile.reason; });
    if (same == reasons.end()) same = reasons.insert(reasons.end(), UnfitReason{tile.reason, {}, {}, 0});
    const SweepCase& question = plan.sweep.cases[tile.of_case];
    note(same->gpus, plan.sweep.gpus[question.gpu].name);
    note(same->patterns, question.pattern.name());
    ++same->questions;
  }
  return reasons;
}

std::string identity_of(const SweepPlan& plan) {
  std::string all;
  for (const SweepPoint& point : plan.points) all += point.name + " " + point.key + "\n";
  return content_hash(all.data(), all.size());
}

void require_memory_for(const SweepPlan& plan, int jobs) {
  std::vector<double> sizes;
  for (const auto& point : plan.points) sizes.push_back(point.host_bytes);
  require_host_memory_at_once(std::move(sizes), jobs);
}

SweepPlan plan_sweep(Sweep sweep) { return Planner(std::move(sweep)).run(); }

}  // namespace stc::sim
