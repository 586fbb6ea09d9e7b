// SPDX-License-Identifier: Apache-2.0
#include "sim/crossover/study_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/core/integers.h"
#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"

namespace stc::sim {
namespace {

/// The tile part of a library name: "128x128x64_w64x64_s3" of "f16_sp24_128x128x64_w64x64_s3".
bool has_tile(const LibraryKernel& kernel, const std::vector<std::string>& tiles) {
  return tiles.empty() || std::any_of(tiles.begin(), tiles.end(), [&](const std::string& tile) {
           return kernel.name.size() > tile.size() &&
                  kernel.name.compare(kernel.name.size() - tile.size() - 1, std::string::npos, "_" + tile) == 0;
         });
}

class StudyPlanner {
 public:
  explicit StudyPlanner(Study study) {
    plan_.study = std::move(study);
    manifest_ = Manifest::load(plan_.study.kernels_folder);
    library_ = load_spmm_library(plan_.study.kernels_folder);
  }

  StudyPlan run() {
    const Study& study = plan_.study;
    for (std::size_t gpu = 0; gpu < study.gpus.size(); ++gpu) {
      for (std::size_t shape = 0; shape < study.shapes.size(); ++shape) {
        for (std::size_t contender = 0; contender < study.contenders.size(); ++contender) {
          plan_contender(gpu, shape, contender);
        }
      }
    }
    return std::move(plan_);
  }

 private:
  void plan_contender(std::size_t gpu, std::size_t shape, std::size_t contender) {
    const bool unstructured = plan_.study.contenders[contender].kind == ContenderKind::kUnstructured;
    const std::vector<double> densities =
        unstructured ? plan_.study.densities_of(plan_.study.shapes[shape]) : std::vector<double>{1.0};
    for (const double density : densities) {
      StudyCase one{gpu, shape, contender, density, {}};
      std::vector<std::string> refusals;
      if (unstructured || plan_.study.contenders[contender].element == "f32") {
        add_spmm(one, refusals);
      } else {
        add_gemms(one, refusals);
      }
      if (one.points.empty()) refuse(one, refusals);
      plan_.cases.push_back(std::move(one));
    }
  }

  [[noreturn]] void refuse(const StudyCase& one, const std::vector<std::string>& refusals) const {
    const StudyShape& shape = plan_.study.shapes[one.shape];
    throw UserError(fmt::format(
        "{} ({}): fits no kernel of {}{}", shape.place, shape.sizes(), plan_.study.contenders[one.contender].name,
        refusals.empty() ? ", of which the library has none" : ":\n  " + join(refusals, "\n  ")));
  }

  /// Of those kernels that differ in their width only, the widest that fits; sgemm and bitmap: all that fit.
  void add_spmm(StudyCase& one, std::vector<std::string>& refusals) {
    const Contender& contender = plan_.study.contenders[one.contender];
    const std::string format = contender.format == "dense" ? "sgemm" : contender.format;
    const bool try_all = format == "sgemm" || format == "bitmap";
    std::vector<const SpmmKernel*> fitting;
    for (const SpmmKernel& kernel : library_) {
      if (name_of(kernel.format) != format || name_of(kernel.element) != contender.element) continue;
      const StudyShape shape = sizes_for(kernel, plan_.study.shapes[one.shape]);
      std::string why = why_unfit(kernel, shape.m, shape.n, shape.k);
      if (why.empty()) why = too_wide(kernel, shape, one.gpu);
      if (why.empty()) why = wrong_side(kernel, shape);
      if (!why.empty()) {
        refusals.push_back(kernel.name + ": " + why);
      } else if (try_all || fitting.empty() || kernel.tile_n > fitting[0]->tile_n) {
        if (!try_all) fitting.clear();
        fitting.push_back(&kernel);
      }
    }
    for (const SpmmKernel* kernel : fitting) add_point(one, *kernel);
  }

  /// csc multiplies by the sparse matrix from the right, and a file's is on the left.
  static std::string wrong_side(const SpmmKernel& kernel, const StudyShape& shape) {
    if (kernel.format != SpmmFormat::kCsc || (shape.weights.empty() && shape.matrix.empty())) return "";
    return "has the sparse matrix on the right, but the file is that of A";
  }

  /// The sums of a row lie in shared memory.
  std::string too_wide(const SpmmKernel& kernel, const StudyShape& shape, std::size_t gpu) const {
    const auto most = plan_.study.gpus[gpu].config.params.sm.occupancy.shared_bytes_per_cta;
    if (kernel.format != SpmmFormat::kCsrCsr || std::int64_t{shape.n} * 4 <= most) return "";
    return fmt::format("n = {} is more than {}, for which shared memory has room", shape.n, most / 4);
  }

  /// sgemm: grown to whole tiles where the study says so.
  StudyShape sizes_for(const SpmmKernel& kernel, StudyShape shape) const {
    if (kernel.format != SpmmFormat::kSgemm || !plan_.study.pad) return shape;
    shape.m = round_up(shape.m, kernel.tile_m);
    shape.n = round_up(shape.n, kernel.tile_n);
    shape.k = round_up(shape.k, 16);
    return shape;
  }

  void add_gemms(StudyCase& one, std::vector<std::string>& refusals) {
    const Contender& contender = plan_.study.contenders[one.contender];
    const StudyShape& shape = plan_.study.shapes[one.shape];
    const std::string prefix = contender.element + "_" + contender.format + "_";
    for (const LibraryKernel& kernel : manifest_.kernels) {
      if (kernel.name.rfind(prefix, 0) != 0 || !has_tile(kernel, plan_.study.gemm_tiles)) continue;
      GemmProblem problem;
      problem.kernel = kernel;
      problem.m = shape.m;
      problem.n = shape.n;
      problem.k = shape.k;
      problem.seed = plan_.study.seed;
      problem.integers = true;
      problem.low = -4;
      problem.high = 4;
      const std::string why = size_refusal(problem);
      if (why.empty()) {
        add_point(one, problem);
      } else {
        refusals.push_back(kernel.name + ": " + why);
      }
    }
  }

  /// Pads where the study says so.
  std::string size_refusal(GemmProblem& problem) const {
    const LibraryKernel& kernel = problem.kernel;
    for (const auto& [name, size, unit] :
         {std::make_tuple("m", &problem.m, kernel.tile_m), std::make_tuple("n", &problem.n, kernel.tile_n),
          std::make_tuple("k", &problem.k, kernel.tile_k)}) {
      if (*size % unit == 0) continue;
      if (!plan_.study.pad) {
        return fmt::format("{} = {} is no multiple of {} (options: {{pad: true}} pads it)", name, *size, unit);
      }
      *size = round_up(*size, unit);
    }
    return "";
  }

  void add_point(StudyCase& one, const GemmProblem& problem) {
    StudyPoint point;
    point.gemm = problem;
    point.host_bytes = host_bytes(problem, plan_.study.full_values);
    point.cost = 0.15 * problem.m * problem.n * problem.k * problem.kernel.stored / problem.kernel.group;
    add(one, std::move(point), problem.kernel.cubins, problem.m, problem.n, problem.k);
  }

  void add_point(StudyCase& one, const SpmmKernel& kernel) {
    const StudyShape shape = sizes_for(kernel, plan_.study.shapes[one.shape]);
    const double m = shape.m, n = shape.n, k = shape.k;
    StudyPoint point;
    point.spmm = kernel;
    // Operands as numbers and as buffers, and entries while they are sorted.
    point.host_bytes = 8 * (k * n + m * n) + 40 * m * k * one.density;
    point.cost = m * n * k * one.density;
    add(one, std::move(point), kernel.cubins, shape.m, shape.n, shape.k);
  }

  void add(StudyCase& one, StudyPoint point, const std::map<int, std::string>& cubins, int m, int n, int k) {
    const Study& study = plan_.study;
    const GpuVariant& gpu = study.gpus[one.gpu];
    const StudyShape& shape = study.shapes[one.shape];
    const auto cubin = cubins.find(gpu.config.params.sm_version);
    if (cubin == cubins.end()) {
      throw UserError(fmt::format("{}: {} has no cubin for sm_{} of GPU {}", study.file, point.kernel(),
                                  gpu.config.params.sm_version, gpu.name));
    }
    const std::string& data = shape.weights.empty() ? shape.matrix : shape.weights;
    point.gpu = one.gpu;
    point.shape = one.shape;
    point.density = one.density;
    point.m = m;
    point.n = n;
    point.k = k;
    point.name = fmt::format("{} {} density {:.4g} {}", gpu.name, shape.name, one.density, point.kernel());
    const std::string all = fmt::format(
        "{}x{}x{} {}x{}x{} density={} data={} seed={} values={} l2={} kernel={} {} gpu={} program={}", shape.m, shape.n,
        shape.k, m, n, k, one.density, data.empty() ? "" : hash_of(data), study.seed, study.full_values, study.warm_l2,
        point.kernel(), hash_of(cubin->second), gpu.config.hash, program_hash());
    point.key = content_hash(all.data(), all.size());
    one.points.push_back(plan_.points.size());
    plan_.points.push_back(std::move(point));
  }

  const std::string& hash_of(const std::string& file) {
    const auto [known, is_new] = hashes_.try_emplace(file);
    if (is_new) known->second = file_hash(file);
    return known->second;
  }

  StudyPlan plan_;
  Manifest manifest_;
  std::vector<SpmmKernel> library_;
  std::map<std::string, std::string> hashes_;
};

}  // namespace

StudyPlan plan_study(Study study) { return StudyPlanner(std::move(study)).run(); }

void require_memory_for(const StudyPlan& plan, int jobs) {
  std::vector<double> sizes;
  for (const auto& point : plan.points) sizes.push_back(point.host_bytes);
  require_host_memory_at_once(std::move(sizes), jobs);
}

}  // namespace stc::sim
