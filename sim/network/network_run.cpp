// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sim/base/files.h"
#include "sim/base/json_text.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/base/work_off.h"
#include "sim/convolution/simulate.h"
#include "sim/network/network_kernels.h"
#include "sim/result/remembered.h"
#include "sim/run/run_launch.h"
#include "sim/run/worker_machines.h"

namespace stc::sim {
namespace {

/// A launch to be simulated: what is asked, apart from how often.
struct NetworkJob {
  std::size_t gpu = 0;
  const LayerWork* work = nullptr;
  const ConvolutionKernel* kernel = nullptr;  ///< of a product
  std::string key, name;
  double cost = 0;
};

/// Outputs that the fullest SM computes, times what a tile costs beside its products: operands per product rise as its
/// sides shrink.
double load_of(const ConvolutionKernel& kernel, const ConvolutionLayer& layer, int sms) {
  constexpr double kOperands = 24;  // in elements of a side; it ranks tiles, and times come from the simulation alone
  const double tile_m = kernel.gemm.tile_m, tile_n = kernel.gemm.tile_n;
  const std::int64_t fullest = (kernel.ctas(layer) + sms - 1) / sms;
  return static_cast<double>(fullest) * tile_m * tile_n * (1 + kOperands / tile_m + kOperands / tile_n);
}

std::vector<const ConvolutionKernel*> promising(const NetworkFile& network, const LayerWork& work, bool sparse,
                                                int sms) {
  std::vector<const ConvolutionKernel*> kernels;
  for (const ConvolutionKernel& kernel : network.products.kernels()) {
    const bool fits = kernel.gemm.element == ElementType::f16 && kernel.sparse() == sparse;
    if (fits && why_unfit(kernel, *work.product).empty()) kernels.push_back(&kernel);
  }
  std::stable_sort(kernels.begin(), kernels.end(), [&](const ConvolutionKernel* a, const ConvolutionKernel* b) {
    return load_of(*a, *work.product, sms) < load_of(*b, *work.product, sms);
  });
  kernels.resize(std::min(kernels.size(), static_cast<std::size_t>(network.tiles)));
  return kernels;
}

std::string question_of(const NetworkJob& job) {
  if (job.kernel != nullptr) {
    const ConvolutionLayer& l = *job.work->product;
    return fmt::format("{} {} {} {} {} {} {} {} {} {}", job.kernel->name(), l.n, l.h, l.w, l.c, l.k, l.r, l.s, l.stride,
                       l.pad);
  }
  const NetworkCall& call = job.work->call;
  std::string text =
      fmt::format("{} {} {} {} {}", call.kernel, call.grid[0], call.grid[1], call.grid[2], fmt::join(call.sizes, " "));
  for (const CallBuffer& buffer : call.buffers) text += fmt::format(" {}", buffer.bytes);
  return text;
}

class NetworkRunner {
 public:
  NetworkRunner(const NetworkFile& network)
      : network_(network), kernels_(NetworkKernels::load(network.kernels_folder)), machines_(network.gpus) {}

  NetworkResult run(int jobs) {
    plan();
    require_launchable();
    NetworkResult result;
    Memory memory("networks.jsonl", "network");
    memory.use([&](const ResultJournal<NetworkCost>& journal) {
      for (const NetworkJob& job : jobs_) {
        if (const NetworkCost* known = journal.find(job.key)) costs_[job.key] = *known;
      }
    });
    std::deque<std::size_t> missing;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (costs_.count(jobs_[i].key) == 0) missing.push_back(i);
    }
    result.simulated = missing.size();
    result.remembered = jobs_.size() - missing.size();
    simulate(missing, jobs, memory);
    collect(result);
    return result;
  }

 private:
  using Memory = Remembered<NetworkCost>;

  const GpuConfig& gpu(const NetworkJob& job) const { return network_.gpus[job.gpu].config; }

  /// Each different launch once, the dearest first.
  void plan() {
    std::map<std::string, bool> seen;
    each_job([&](NetworkJob job) {
      if (seen.emplace(job.key, true).second) jobs_.push_back(std::move(job));
    });
    std::stable_sort(jobs_.begin(), jobs_.end(),
                     [](const NetworkJob& a, const NetworkJob& b) { return a.cost > b.cost; });
  }

  template <class Use>
  void each_job(const Use& use) {
    for (std::size_t g = 0; g < network_.gpus.size(); ++g) {
      for (const NetworkPlan& plan : network_.plans) {
        for (const LayerWork& work : plan.layers) {
          for (NetworkJob& job : jobs_of(g, work)) use(std::move(job));
        }
      }
    }
  }

  std::vector<NetworkJob> jobs_of(std::size_t g, const LayerWork& work) {
    constexpr double kPerByte = 50;  // a byte moved takes about as long as so many operations
    std::vector<NetworkJob> jobs;
    if (!work.product)
      jobs.push_back({g, &work, nullptr, "", work.call.kernel, kPerByte * static_cast<double>(work.call.bytes())});
    for (const bool sparse : {false, true}) {
      if (!work.product || (sparse && !work.prunable)) continue;
      for (const ConvolutionKernel* kernel : promising(network_, work, sparse, network_.gpus[g].config.params.sms)) {
        jobs.push_back({g, &work, kernel, "", kernel->name(), work.operations()});
      }
    }
    for (NetworkJob& job : jobs) job.key = key_of(job);
    return jobs;
  }

  std::string key_of(const NetworkJob& job) {
    const int sm = gpu(job).params.sm_version;
    const std::string& file = job.kernel != nullptr ? job.kernel->gemm.cubins.at(sm)
                                                    : kernels_.cubin(kernels_.find(job.work->call.kernel), sm);
    std::string& hash = hashes_[file];
    if (hash.empty()) hash = file_hash(file);
    const std::string all =
        fmt::format("{} {} {} {} {}", question_of(job), hash, gpu(job).hash, network_.warm_l2, program_hash());
    return content_hash(all.data(), all.size());
  }

  ReadyLaunch ready(const NetworkJob& job) const {
    PreparedLaunch prepared = prepare_call(job.work->call, kernels_, gpu(job).params.sm_version);
    const std::string& place = job.work->place;
    prepared.places = {place, place, place, place, place, place, place};
    return make_ready(std::move(prepared), gpu(job), job.name);
  }

  /// Whatever a launch would be refused for shows before the long work.
  void require_launchable() const {
    for (const NetworkJob& job : jobs_) {
      if (job.kernel == nullptr) ready(job);
    }
  }

  NetworkCost simulate(const NetworkJob& job) {
    if (job.kernel != nullptr) {
      const LaunchResult launch =
          simulate_convolution(*job.work->product, *job.kernel, gpu(job), machines_[job.gpu], network_.warm_l2);
      return network_cost(launch, gpu(job).params, job.name, job.kernel->sparse());
    }
    RunOptions options;
    options.full_values = false;
    options.warm_l2 = network_.warm_l2;
    isa::GlobalMemory memory;
    ReadyLaunch launch = ready(job);
    return network_cost(run_launch(launch, machines_[job.gpu], options, memory), gpu(job).params, job.name, false);
  }

  void simulate(const std::deque<std::size_t>& missing, int jobs, const Memory& memory) {
    if (missing.empty()) return;
    LocalCrew crew(std::min(jobs, static_cast<int>(missing.size())),
                   [&](const std::string& job) { return json_text(simulate(jobs_[std::stoul(job)]).json()); });
    WorkProgress progress("launches", missing.size(), cost_of(jobs_, missing));
    const auto answered = [&](const WorkerPool::Answer& answer) {
      const NetworkJob& job = jobs_[answer.id];
      if (answer.failed) throw std::runtime_error(fmt::format("{} with {}: {}", job.work->name, job.name, answer.text));
      progress.finished(job.cost);
      costs_[job.key] = NetworkCost::from_json(parse_json(answer.text));
      memory.add(job.key, "launch", question_of(job), costs_[job.key]);
    };
    work_off(missing, crew, answered, shown_until_stopped(progress, "simulated; they are remembered"));
  }

  void collect(NetworkResult& result) {
    for (std::size_t g = 0; g < network_.gpus.size(); ++g) {
      for (std::size_t p = 0; p < network_.plans.size(); ++p) {
        NetworkOutcome outcome{g, p, {}};
        for (const LayerWork& work : network_.plans[p].layers) outcome.layers.push_back(fastest(jobs_of(g, work)));
        result.outcomes.push_back(std::move(outcome));
      }
    }
  }

  LayerCost fastest(const std::vector<NetworkJob>& jobs) {
    LayerCost found;
    found.tried = jobs.size();
    std::optional<NetworkCost> dense;
    for (const NetworkJob& job : jobs) {
      const NetworkCost& cost = costs_.at(job.key);
      std::optional<NetworkCost>& best = cost.sparse ? found.sparse : dense;
      if (!best || cost.limited_us < best->limited_us) best = cost;
    }
    found.dense = dense.value();
    return found;
  }

  const NetworkFile& network_;
  NetworkKernels kernels_;
  WorkerMachines machines_;
  std::vector<NetworkJob> jobs_;
  std::map<std::string, NetworkCost> costs_;   ///< by key
  std::map<std::string, std::string> hashes_;  ///< of cubins by path
};

}  // namespace

NetworkTotal NetworkOutcome::total(const NetworkPlan& of, Weights weights) const {
  NetworkTotal total;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const LayerWork& work = of.layers[i];
    const NetworkCost& cost = weights == Weights::kDense    ? layers[i].dense
                              : weights == Weights::kSparse ? layers[i].with_sparse()
                                                            : layers[i].faster();
    total.time_us += work.count * cost.time_us;
    total.limited_us += work.count * cost.limited_us;
    total.joules += work.count * cost.joules;
    if (work.prunable) total.prunable_us += work.count * cost.time_us;
    total.weight_bytes += work.count * work.weight_bytes(cost.sparse);
    total.launches += work.count;
  }
  return total;
}

double NetworkOutcome::speedup(const NetworkPlan& of) const {
  return total(of, Weights::kDense).time_us / total(of, Weights::kFaster).time_us;
}

double NetworkOutcome::ideal_speedup(const NetworkPlan& of) const {
  const NetworkTotal dense = total(of, Weights::kDense);
  return dense.time_us / (dense.time_us - dense.prunable_us / 2);
}

NetworkResult run_network(const NetworkFile& network, int jobs) { return NetworkRunner(network).run(jobs); }

}  // namespace stc::sim
