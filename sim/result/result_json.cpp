// SPDX-License-Identifier: Apache-2.0
#include "sim/result/result_json.h"

#include <algorithm>
#include <cmath>

#include "sim/base/version.h"

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

Json bytes_json(const std::array<std::uint64_t, isa::kDataRoles>& bytes) {
  const auto of = [&](isa::DataRole role) { return bytes[static_cast<std::size_t>(role)]; };
  return {{"total", total_bytes(bytes)},
          {"weight_values", of(isa::DataRole::kWeight)},
          {"weight_metadata", of(isa::DataRole::kMetadata)},
          {"activations", of(isa::DataRole::kActivation)},
          {"outputs", of(isa::DataRole::kOutput)},
          {"other", of(isa::DataRole::kOther)}};
}

template <class Value>
Json spread(const std::vector<gpu::SmStatistics>& sms, Value value) {
  std::vector<double> values;
  values.reserve(sms.size());
  for (const gpu::SmStatistics& sm : sms) values.push_back(value(sm));
  if (values.empty()) return {{"min", 0}, {"median", 0}, {"max", 0}};
  std::sort(values.begin(), values.end());
  return {{"min", values.front()}, {"median", values[values.size() / 2]}, {"max", values.back()}};
}

Json kernel_json(const LaunchResult& launch) {
  Json json = {{"name", launch.name},
               {"module", launch.module},
               {"grid", {launch.grid.x, launch.grid.y, launch.grid.z}},
               {"block", {launch.block.x, launch.block.y, launch.block.z}},
               {"registers_per_thread", launch.registers},
               {"static_shared_bytes", launch.static_shared_bytes},
               {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
               {"ctas", launch.grid.count()},
               {"ctas_per_sm", launch.run.ctas_per_sm},
               {"occupancy", launch.run.occupancy},
               {"occupancy_limit", launch.run.occupancy_limit}};
  if (launch.gemm) {
    const GemmProblem& gemm = *launch.gemm;
    json["gemm"] = {{"m", gemm.m},
                    {"n", gemm.n},
                    {"k", gemm.k},
                    {"element", name_of(gemm.kernel.element)},
                    {"accumulator", name_of(gemm.kernel.accumulator)},
                    {"pattern", gemm.kernel.pattern_name()},
                    {"tile", {gemm.kernel.tile_m, gemm.kernel.tile_n, gemm.kernel.tile_k}},
                    {"warp_tile", {gemm.kernel.warp_m, gemm.kernel.warp_n}},
                    {"stages", gemm.kernel.stages}};
  }
  return json;
}

Json tensor_json(const LaunchResult& launch, const gpu::GpuParams& gpu) {
  const gpu::SmStatistics& total = launch.run.total;
  const double sub_core_cycles = static_cast<double>(launch.run.cycles) * gpu.sms * gpu.sm.sub_cores;
  const double busy = launch.tensor_busy_fraction(gpu);
  return {{"instructions", total.tensor_instructions},
          {"sparse_instructions", total.sparse_tensor_instructions},
          {"busy_fraction", busy},
          {"rate", sub_core_cycles > 0 ? static_cast<double>(total.tensor_instructions) / sub_core_cycles : 0.0},
          {"logical_macs", total.tensor_logical_macs},
          {"stored_macs", total.tensor_stored_macs}};
}

Json memory_json(const gpu::RunStatistics& run) {
  const gpu::MemoryStatistics& memory = run.memory;
  return {{"shared_wavefronts", run.total.shared_wavefronts},
          {"copy_wavefronts", run.total.copy_wavefronts},
          {"shared_conflict_wavefronts", run.total.shared_conflict_wavefronts},
          {"l1_sector_hits", run.total.l1_sector_hits},
          {"l2_requests", run.total.l2_requests},
          {"l2_sectors", run.total.l2_sectors},
          {"l2_sector_hits", memory.l2_sector_hits},
          {"l2_sector_misses", memory.l2_sector_misses},
          {"l2_hit_fraction", share(memory.l2_sector_hits, memory.l2_sector_hits + memory.l2_sector_misses)},
          {"l2_far_sectors", memory.l2_far_sectors},
          {"l2_coalesced_sectors", memory.coalesced_sectors},
          {"dram_read_sectors", memory.dram_read_sectors},
          {"dram_write_sectors", memory.dram_write_sectors}};
}

Json stalls_json(const gpu::RunStatistics& run) {
  Json json = Json::object();
  for (int i = 0; i < gpu::kStalls; ++i) {
    json[gpu::name_of(static_cast<gpu::Stall>(i))] = run.total.stalls[static_cast<std::size_t>(i)];
  }
  return json;
}

Json per_sm_json(const gpu::RunStatistics& run, const gpu::GpuParams& gpu) {
  const double sub_core_cycles = static_cast<double>(run.cycles) * gpu.sm.sub_cores;
  return {{"cycles_active", spread(run.per_sm, [](const auto& sm) { return static_cast<double>(sm.cycles_active); })},
          {"ctas", spread(run.per_sm, [](const auto& sm) { return static_cast<double>(sm.ctas); })},
          {"warp_instructions",
           spread(run.per_sm, [](const auto& sm) { return static_cast<double>(sm.warp_instructions); })},
          {"tensor_busy_fraction", spread(run.per_sm, [&](const auto& sm) {
             return sub_core_cycles > 0 ? static_cast<double>(sm.tensor_busy_cycles) / sub_core_cycles : 0.0;
           })}};
}

Json bound_json(const Bound& bound) {
  Json utilisation = Json::object();
  for (int i = 0; i < Bound::kResources; ++i) {
    utilisation[name_of(static_cast<Bound::Resource>(i))] = bound.utilisation[static_cast<std::size_t>(i)];
  }
  return {{"by", bound.by},
          {"utilisation", utilisation},
          {"launch_share", bound.launch},
          {"explanation", bound.explanation}};
}

Json check_json(const GemmCheck& check) {
  return {{"passed", check.passed},
          {"method", check.exact ? "exact" : "norm"},
          {"error", std::isfinite(check.error) ? Json(check.error) : Json(nullptr)},
          {"limit", check.limit},
          {"rows_checked", check.rows},
          {"rows", check.rows_in_all},
          {"first_mismatch", check.first_mismatch}};
}

Json unwritten_json(const std::vector<isa::UnwrittenRead>& reads) {
  Json json = Json::array();
  for (const isa::UnwrittenRead& read : reads) {
    json.push_back({{"of", isa::name_of(read.of)},
                    {read.of == isa::UnwrittenRead::Of::kRegister ? "register" : "address", read.place},
                    {"instruction_address", read.instruction},
                    {"instruction", read.mnemonic},
                    {"cta", {read.cta.x, read.cta.y, read.cta.z}},
                    {"warp", read.warp},
                    {"lane", read.lane}});
  }
  return json;
}

/// The figures of one launch: the top level of the result, and its "dense" part.
Json launch_json(const LaunchResult& launch, const gpu::GpuParams& gpu) {
  const gpu::RunStatistics& run = launch.run;
  Json json;
  json["kernel"] = kernel_json(launch);
  json["cycles"] = run.cycles;
  json["cycles_elapsed"] = run.cycles_elapsed;
  json["time_us"] = run.time_us();
  if (launch.gemm) json["tflops"] = launch.tflops();
  json["instructions"] = {{"warp", run.total.warp_instructions},
                          {"thread", run.total.thread_instructions},
                          {"warp_per_cycle_per_sm", share(run.total.warp_instructions, run.total.cycles_active)}};
  json["tensor"] = tensor_json(launch, gpu);
  Json bytes = Json::object();
  for (const Level& level : levels_of(run)) {
    bytes[level.key] = {{"read", bytes_json(level.bytes->read)}, {"write", bytes_json(level.bytes->write)}};
  }
  json["bytes"] = bytes;
  json["memory"] = memory_json(run);
  json["stalls"] = stalls_json(run);
  json["per_sm"] = per_sm_json(run, gpu);
  json["bound"] = bound_json(launch.bound);
  Json buffers = Json::object();
  for (const BufferResult& buffer : launch.buffers) {
    buffers[buffer.name] = {{"role", isa::name_of(buffer.role)},
                            {"bytes", buffer.bytes},
                            {"hash", buffer.hash.empty() ? Json(nullptr) : Json(buffer.hash)}};
  }
  json["buffers"] = buffers;
  json["unset_symbols"] = launch.unset_symbols;
  if (launch.unwritten_reads) json["unwritten_reads"] = unwritten_json(*launch.unwritten_reads);
  if (launch.check) json["check"] = check_json(*launch.check);
  return json;
}

Json weights_json(std::uint64_t dense, std::uint64_t values, std::uint64_t metadata) {
  Json json = {{"dense", dense}, {"sparse_values", values}, {"sparse_metadata", metadata}};
  json["metadata_per_value_byte"] = values == 0 ? Json(nullptr) : Json(share(metadata, values));
  json["saved_fraction"] = dense == 0 ? Json(nullptr) : Json(1.0 - share(values + metadata, dense));
  return json;
}

Json comparison_json(const LaunchResult& sparse, const LaunchResult& dense) {
  const auto weight = static_cast<std::size_t>(isa::DataRole::kWeight);
  const auto metadata = static_cast<std::size_t>(isa::DataRole::kMetadata);
  Json weights = Json::object();
  Json totals = Json::object();
  weights["storage"] =
      weights_json(dense.buffer_bytes(isa::DataRole::kWeight), sparse.buffer_bytes(isa::DataRole::kWeight),
                   sparse.buffer_bytes(isa::DataRole::kMetadata));
  const auto sparse_levels = levels_of(sparse.run);
  const auto dense_levels = levels_of(dense.run);
  for (std::size_t i = 0; i < sparse_levels.size(); ++i) {
    const gpu::LevelBytes& with = *sparse_levels[i].bytes;
    const gpu::LevelBytes& without = *dense_levels[i].bytes;
    weights[sparse_levels[i].key] = weights_json(without.read[weight], with.read[weight], with.read[metadata]);
    const std::uint64_t dense_total = total_bytes(without.read) + total_bytes(without.write);
    const std::uint64_t sparse_total = total_bytes(with.read) + total_bytes(with.write);
    totals[sparse_levels[i].key] = {
        {"dense", dense_total},
        {"sparse", sparse_total},
        {"saved_fraction", dense_total == 0 ? Json(nullptr) : Json(1.0 - share(sparse_total, dense_total))}};
  }
  return {{"speedup", share(dense.run.cycles, sparse.run.cycles)},
          {"speedup_elapsed", share(dense.run.cycles_elapsed, sparse.run.cycles_elapsed)},
          {"weight_bytes_read", weights},
          {"bytes_moved", totals}};
}

Json simulator_json(const RunResult& result) {
  const SimulationSpeed speed = result.speed();
  return {{"wall_s", speed.wall_s},
          {"cycles_per_s", speed.cycles_per_s},
          {"sm_cycles_per_s", speed.sm_cycles_per_s},
          {"warp_instructions_per_s", speed.warp_instructions_per_s},
          {"peak_mib", result.peak_mib}};
}

}  // namespace

nlohmann::ordered_json result_json(const RunResult& result) {
  Json json;
  json["schema"] = kResultSchema;
  json["source"] = "simulator";
  json["run_file"] = result.run_file;
  json["gpu"] = {{"name", result.gpu.name},
                 {"file", result.gpu_file},
                 {"sm_version", result.gpu.sm_version},
                 {"sms", result.gpu.sms},
                 {"clock_mhz", result.gpu.clock_mhz}};
  json.update(launch_json(result.launch, result.gpu));
  if (result.dense) {
    json["dense"] = launch_json(*result.dense, result.gpu);
    json["comparison"] = comparison_json(result.launch, *result.dense);
  }
  json["simulator"] = simulator_json(result);
  Json options = Json::object();
  for (const auto& [key, value] : result.options) options[key] = value;
  json["provenance"] = {{"version", version()},
                        {"git", git_revision()},
                        {"config_hash", result.config_hash},
                        {"kernel_hash", result.launch.kernel_hash},
                        {"options", options}};
  return json;
}

}  // namespace stc::sim
