// SPDX-License-Identifier: Apache-2.0
#include "sim/run/best_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/result/remembered.h"
#include "sim/run/run_launch.h"

namespace stc::sim {
namespace {

constexpr int kShortDepth = 512;  ///< elements of k in the shorter of two runs; the other is twice as deep
constexpr int kWidestProbe = 16;  ///< CTAs in n: the group in which the library's kernels walk over D

struct Ranking {
  std::vector<KernelEstimate> kernels;

  nlohmann::ordered_json json() const {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const KernelEstimate& one : kernels) list.push_back({{"kernel", one.kernel}, {"cycles", one.cycles}});
    return list;
  }
  static Ranking from_json(const nlohmann::ordered_json& json) {
    Ranking ranking;
    for (const auto& one : json) {
      ranking.kernels.push_back({one.at("kernel").get<std::string>(), one.at("cycles").get<double>()});
    }
    return ranking;
  }
};

Remembered<Ranking> rankings() { return {"best_kernels.jsonl", "choice of kernels"}; }

/// As near to `ctas` CTAs as whole rows come, not more; wide ones first.
std::pair<int, int> rows_and_columns(int ctas, int most_rows, int most_columns) {
  std::pair<int, int> best{1, 1};
  for (int columns = 1; columns <= std::min(most_columns, ctas); ++columns) {
    const int rows = std::min(ctas / columns, most_rows);
    if (rows * columns >= best.first * best.second) best = {rows, columns};
  }
  return best;
}

std::string text_of(const GemmQuestion& question) {
  return fmt::format("{} {} {}x{}x{}{}", name_of(question.element), question.pattern, question.m, question.n,
                     question.k, question.warm_l2 ? " warm" : "");
}

}  // namespace

BestKernel::BestKernel(const GpuConfig& gpu, const Manifest& manifest, gpu::Machine& machine)
    : gpu_(gpu), manifest_(manifest), machine_(machine) {}

std::vector<LibraryKernel> BestKernel::candidates(const GemmQuestion& question) const {
  std::vector<LibraryKernel> fitting;
  std::vector<std::string> others;
  for (const LibraryKernel& kernel : manifest_.kernels) {
    if (kernel.cubins.count(gpu_.params.sm_version) == 0) continue;
    const std::string kind = fmt::format("{} {}", name_of(kernel.element), kernel.pattern_name());
    if (std::find(others.begin(), others.end(), kind) == others.end()) others.push_back(kind);
    if (kernel.element != question.element || kernel.pattern_name() != question.pattern) continue;
    if (question.m % kernel.tile_m != 0 || question.n % kernel.tile_n != 0 || question.k % kernel.tile_k != 0) continue;
    fitting.push_back(kernel);
  }
  if (!fitting.empty()) return fitting;
  const std::string kind = fmt::format("{} {}", name_of(question.element), question.pattern);
  if (std::find(others.begin(), others.end(), kind) == others.end()) {
    throw UserError(fmt::format("{}: {}", question.place, unknown_word("kind of kernel", kind, others)));
  }
  throw UserError(fmt::format("{}: m = {}, n = {}, k = {} are multiples of no tile of the library's {} kernels",
                              question.place, question.m, question.n, question.k, kind));
}

double BestKernel::cycles(const LibraryKernel& kernel, const Probe& probe, bool warm_l2) {
  GemmProblem problem;
  problem.kernel = kernel;
  problem.m = probe.m * kernel.tile_m;
  problem.n = probe.n * kernel.tile_n;
  problem.k = probe.k * kernel.tile_k;
  RunOptions options;
  options.full_values = false;
  options.warm_l2 = warm_l2;
  ReadyLaunch ready = make_ready(prepare_gemm(problem, gpu_.params.sm_version, nullptr), gpu_, kernel.name);
  ready.step = step_;
  isa::GlobalMemory memory;
  return static_cast<double>(run_launch(ready, machine_, options, memory).run.cycles);
}

double BestKernel::at_depth(const LibraryKernel& kernel, const Probe& probe, bool warm_l2) {
  const int near = std::max(1, kShortDepth / kernel.tile_k), far = 2 * near;
  if (probe.k <= far) return cycles(kernel, probe, warm_l2);
  const double first = cycles(kernel, {probe.m, probe.n, near}, warm_l2);
  const double second = cycles(kernel, {probe.m, probe.n, far}, warm_l2);
  return second + (second - first) / (far - near) * (probe.k - far);
}

int BestKernel::resident_ctas(const LibraryKernel& kernel) const {
  GemmProblem one_tile;
  one_tile.kernel = kernel;
  one_tile.m = kernel.tile_m;
  one_tile.n = kernel.tile_n;
  one_tile.k = kernel.tile_k;
  const ReadyLaunch ready = make_ready(prepare_gemm(one_tile, gpu_.params.sm_version, nullptr), gpu_, kernel.name);
  const gpu::Occupancy fit =
      gpu::occupancy(gpu_.params, ready.kernel, ready.prepared.block, ready.prepared.dynamic_shared_bytes);
  if (kernel.cluster == 0) return fit.ctas_per_sm * gpu_.params.sms;
  const auto together = static_cast<std::uint64_t>(kernel.cluster);
  const std::uint64_t ctas = together * gpu::resident_clusters(gpu_.params, together, fit);
  return static_cast<int>(std::min(ctas, static_cast<std::uint64_t>(gpu_.params.sms)));
}

/// CTAs that take tile after tile: of a further one each, the next tile is fetched while this one's is multiplied and
/// written.
double BestKernel::estimate_persistent(const LibraryKernel& kernel, const Probe& whole, int resident, bool warm_l2) {
  const int together = kernel.cluster, most_rows = (whole.m + together - 1) / together;
  const auto probe = [&](int tiles, int depth) {
    const auto [rows, columns] = rows_and_columns(tiles / together, most_rows, whole.n);
    return Probe{std::min(rows * together, whole.m), columns, depth};
  };
  const std::int64_t tiles = std::int64_t{most_rows} * together * whole.n, rounds = (tiles + resident - 1) / resident;
  if (rounds == 1) return at_depth(kernel, whole, warm_l2);
  const int near = std::min(whole.k, std::max(1, kShortDepth / kernel.tile_k));
  const double all = at_depth(kernel, probe(resident, whole.k), warm_l2);
  const double once = cycles(kernel, probe(resident, near), warm_l2);
  const double twice = cycles(kernel, probe(2 * resident, near), warm_l2);
  const double step = whole.k == near ? 0 : (all - once) / (whole.k - near);
  return all + static_cast<double>(rounds - 1) * (twice - once + step * (whole.k - near));
}

double BestKernel::estimate(const LibraryKernel& kernel, const GemmQuestion& question) {
  const Probe whole{question.m / kernel.tile_m, question.n / kernel.tile_n, question.k / kernel.tile_k};
  const int resident = resident_ctas(kernel);
  if (kernel.cluster != 0) return estimate_persistent(kernel, whole, resident, question.warm_l2);
  const std::int64_t ctas = std::int64_t{whole.m} * whole.n;
  if (ctas <= resident) return at_depth(kernel, whole, question.warm_l2);
  const auto round = [&](int count) {
    const auto [rows, columns] = rows_and_columns(count, whole.m, std::min(whole.n, kWidestProbe));
    return at_depth(kernel, {rows, columns, whole.k}, question.warm_l2);
  };
  const auto last = static_cast<int>(ctas % resident);
  const std::int64_t rounds = ctas / resident;
  return static_cast<double>(rounds) * round(resident) + (last != 0 ? round(last) : 0.0);
}

std::string BestKernel::key_of(const GemmQuestion& question, const std::vector<LibraryKernel>& kernels) const {
  std::string all = text_of(question) + gpu_.hash;
  for (const LibraryKernel& kernel : kernels) all += file_hash(kernel.cubins.at(gpu_.params.sm_version));
  all += program_hash();
  return content_hash(all.data(), all.size());
}

std::vector<KernelEstimate> BestKernel::rank(const GemmQuestion& question) {
  const std::vector<LibraryKernel> kernels = candidates(question);
  const std::string key = key_of(question, kernels);
  if (const auto known = rankings().find(key)) return known->kernels;
  std::vector<KernelEstimate> ranked;
  ranked.reserve(kernels.size());
  for (const LibraryKernel& kernel : kernels) {
    step_ = fmt::format("trying kernel {}/{}", ranked.size() + 1, kernels.size());
    ranked.push_back({kernel.name, estimate(kernel, question)});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const KernelEstimate& a, const KernelEstimate& b) { return a.cycles < b.cycles; });
  rankings().add(key, "question", text_of(question), {ranked});
  return ranked;
}

}  // namespace stc::sim
