// SPDX-License-Identifier: Apache-2.0
#include "sim/convolution/advice.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace stc::sim {
namespace {

constexpr int kShort = 4;  // k-tiles: as many as the pipeline of a CTA is deep

double weights_share(const LevelBytes& bytes, bool with_writes) {
  const auto of = [](const std::array<std::uint64_t, kDataRoles>& roles, DataRole role) {
    return static_cast<double>(roles[static_cast<std::size_t>(role)]);
  };
  const double weights = of(bytes.read, DataRole::kWeight) + of(bytes.read, DataRole::kMetadata);
  const double all = static_cast<double>(total_bytes(bytes.read) + (with_writes ? total_bytes(bytes.write) : 0));
  return all > 0 ? weights / all : 0;
}

double percent(double share) { return 100 * share; }

Advice of_gain(const KernelTime& dense) {
  if (dense.bound == "tensor") {
    return {Use::kYes, "multiplying",
            fmt::format("Multiplying limits the dense kernel ({:.0f} % of the time), and 2:4 halves it.",
                        percent(dense.tensor_busy))};
  }
  if (dense.bound == "dram") {
    return {Use::kYes, "weights from DRAM",
            fmt::format("Device memory limits the dense kernel; {:.0f} % of its bytes are weights, which 2:4 halves.",
                        percent(dense.weights_of_dram))};
  }
  if (dense.bound == "l2" || dense.bound == "shared_memory") {
    return {Use::kYes, dense.bound == "l2" ? "weights from L2" : "shared memory",
            fmt::format("{} limits the dense kernel; weights are {:.0f} % of what L2 delivers, and 2:4 halves them.",
                        dense.bound == "l2" ? "L2" : "Shared memory", percent(dense.weights_of_l2))};
  }
  if (dense.bound == "launch") {
    return {Use::kYes, "long k, few CTAs",
            fmt::format("Few of the SMs work ({} CTAs), each through {} k-tiles, which become shorter.", dense.ctas,
                        dense.tiles_k)};
  }
  return {Use::kYes, "k-tiles are shorter",
          fmt::format("Nothing is exhausted; a CTA passes {} k-tiles, each with half the weights and half the "
                      "instructions.",
                      dense.tiles_k)};
}

Advice of_no_gain(const KernelTime& sparse, int sms) {
  if (sparse.bound == "dram") {
    return {Use::kNo, "DRAM: activations",
            fmt::format("Device memory limits; activations and outputs, which 2:4 leaves alone, are {:.0f} % of its "
                        "bytes.",
                        100 - percent(sparse.weights_of_dram))};
  }
  if (sparse.tiles_k <= kShort) {
    return {Use::kNo, fmt::format("short k: {} k-tile{}", sparse.tiles_k, sparse.tiles_k == 1 ? "" : "s"),
            fmt::format("A CTA has {} k-tile{}: filling the pipeline and writing D take longer than multiplying.",
                        sparse.tiles_k, sparse.tiles_k == 1 ? "" : "s")};
  }
  if (sparse.bound == "launch" || sparse.ctas < sms) {
    return {Use::kNo, fmt::format("{} CTAs on {} SMs", sparse.ctas, sms),
            fmt::format("Much of the time is launch and idle SMs: {} CTAs on {} SMs.", sparse.ctas, sms)};
  }
  if (sparse.bound == "l2") {
    return {Use::kNo, "L2: activations",
            fmt::format("L2 limits; activations, which 2:4 leaves alone, are {:.0f} % of what it delivers.",
                        100 - percent(sparse.weights_of_l2))};
  }
  return {Use::kNo, sparse.bound == "shared_memory" ? "shared memory" : "latency",
          fmt::format("Half the multiplications, but as many activations to bring: {}.", sparse.explanation)};
}

}  // namespace

nlohmann::ordered_json KernelTime::json() const {
  return {{"kernel", kernel},
          {"sparse", sparse},
          {"cycles_elapsed", cycles},
          {"time_us", time_us},
          {"tensor_busy", tensor_busy},
          {"ctas", ctas},
          {"tiles_k", tiles_k},
          {"bound", bound},
          {"explanation", explanation},
          {"weights_of_dram", weights_of_dram},
          {"weights_of_l2", weights_of_l2}};
}

KernelTime KernelTime::from_json(const nlohmann::ordered_json& json) {
  KernelTime time;
  time.kernel = json.at("kernel").get<std::string>();
  time.sparse = json.at("sparse").get<bool>();
  time.cycles = json.at("cycles_elapsed").get<std::uint64_t>();
  time.time_us = json.at("time_us").get<double>();
  time.tensor_busy = json.at("tensor_busy").get<double>();
  time.ctas = json.at("ctas").get<std::int64_t>();
  time.tiles_k = json.at("tiles_k").get<int>();
  time.bound = json.at("bound").get<std::string>();
  time.explanation = json.at("explanation").get<std::string>();
  time.weights_of_dram = json.at("weights_of_dram").get<double>();
  time.weights_of_l2 = json.at("weights_of_l2").get<double>();
  return time;
}

KernelTime kernel_time(const LaunchResult& launch, const gpu::GpuParams& gpu, const ConvolutionKernel& kernel,
                       const ConvolutionLayer& layer) {
  KernelTime time;
  time.kernel = kernel.name();
  time.sparse = kernel.sparse();
  time.cycles = launch.run.cycles_elapsed;
  time.time_us = launch.time_us();
  time.tensor_busy = tensor_busy_fraction(launch.run, gpu);
  time.ctas = kernel.ctas(layer);
  time.tiles_k = kernel.tiles_k(layer);
  time.bound = launch.bound.by;
  time.explanation = launch.bound.explanation;
  for (const Level& level : levels_of(launch.run)) {
    if (std::string(level.key) == "dram") time.weights_of_dram = weights_share(*level.bytes, true);
    if (std::string(level.key) == "l2") time.weights_of_l2 = weights_share(*level.bytes, false);
  }
  return time;
}

const char* name_of(Use use) { return use == Use::kYes ? "yes" : use == Use::kNo ? "no" : "even"; }

Advice advise(const KernelTime& dense, const KernelTime& sparse, int sms) {
  const double speedup = static_cast<double>(dense.cycles) / static_cast<double>(sparse.cycles);
  Advice advice = speedup >= kClearGain ? of_gain(dense) : of_no_gain(sparse, sms);
  if (speedup < kClearGain && speedup > 1 / kClearGain) advice.use = Use::kEven;
  return advice;
}

}  // namespace stc::sim
