// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/result/result_json.h"
#include "sim/result/result_table.h"
#include "validation/gpus.h"
#include "validation/unit/sim/json_schema.h"

namespace stc::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kWeight = static_cast<std::size_t>(DataRole::kWeight);
constexpr std::size_t kMetadata = static_cast<std::size_t>(DataRole::kMetadata);

JsonSchema schema() { return JsonSchema(nlohmann::json(result_schema())); }

LaunchResult sample_launch(bool sparse) {
  LaunchResult launch;
  launch.name = sparse ? "f16_sp24_64x64x64_w32x32_s4" : "f16_dense_64x64x64_w32x32_s4";
  launch.module = "k.cubin";
  launch.kernel_hash = "0";
  launch.grid = {4, 1, 1};
  launch.block = {128, 1, 1};
  launch.run.cycles = sparse ? 1000 : 1600;
  launch.run.cycles_elapsed = sparse ? 4000 : 4600;
  launch.run.clock_mhz = 1000;
  launch.run.ctas_per_sm = 1;
  launch.run.occupancy = 2;
  launch.run.occupancy_limit = "registers";
  launch.run.total.cycles_active = 108 * 900;
  launch.run.total.tensor_busy_cycles = 108 * 4 * 720;
  launch.run.total.warp_instructions = 5000;
  launch.run.total.stalls[static_cast<std::size_t>(Stall::kIssued)] = 5000;
  launch.run.total.stalls[static_cast<std::size_t>(Stall::kAsyncCopy)] = 15000;
  launch.run.memory.dram.read[kWeight] = sparse ? 4096 : 8192;
  launch.run.memory.dram.read[kMetadata] = sparse ? 512 : 0;
  launch.run.per_sm.resize(108);
  launch.buffers = {{"A", DataRole::kWeight, sparse ? 4096u : 8192u, "00"},
                    {"E", DataRole::kMetadata, sparse ? 512u : 0u, ""}};
  gpu::SamplingReport sampling;
  sampling.ctas_simulated = 3;
  sampling.ctas_skipped = 1;
  sampling.loop_error = sampling.end_error = 0.01;
  launch.run.sampling = sampling;
  launch.unset_symbols = {"image::gamma"};
  launch.unwritten_reads = {{isa::UnwrittenRead::Of::kRegister, 5, 0x120, "STG.E", {1, 2, 3}, 4, 9},
                            {isa::UnwrittenRead::Of::kShared, 64, 0x80, "LDS", {0, 0, 0}, 0, 0}};
  GemmProblem gemm;
  gemm.m = gemm.n = gemm.k = 64;
  launch.gemm = gemm;
  GemmCheck check;
  check.passed = true;
  launch.check = check;
  return launch;
}

RunResult sample() {
  RunResult result;
  result.gpu = validation::a100();
  result.run_file = "run.yaml";
  result.gpu_file = "gpu.yaml";
  result.options = {{"values", "full"}};
  result.launch = sample_launch(true);
  result.dense = sample_launch(false);
  for (LaunchResult* launch : {&result.launch, &*result.dense}) launch->bound = find_bound(result.gpu, launch->run);
  return result;
}

TEST(ResultJson, FollowsTheSchema) {
  EXPECT_THAT(schema().violations(nlohmann::json(result_json(sample()))), IsEmpty());
  RunResult plain = sample();
  plain.dense.reset();
  plain.launch.gemm.reset();
  plain.launch.check.reset();
  plain.launch.run.sampling.reset();
  plain.launch.unset_symbols.clear();
  plain.launch.unwritten_reads.reset();
  EXPECT_THAT(schema().violations(nlohmann::json(result_json(plain))), IsEmpty());
}

// What a GPU's launch gives: no counters, a measurement.
TEST(ResultJson, AMeasuredResultFollowsTheSameSchema) {
  RunResult measured = sample();
  measured.source = RunResult::Source::kGpu;
  measured.dense.reset();
  measured.launch.measured = Measurement{5.5, 5.0, 6.0, 20, true};
  measured.launch.unwritten_reads.reset();
  const nlohmann::json document = result_json(measured);
  EXPECT_THAT(schema().violations(document), IsEmpty());
  EXPECT_DOUBLE_EQ(document["time_us"], 5.5);
  EXPECT_EQ(document["measurement"]["runs"], 20);
  for (const char* counted : {"cycles", "cycles_elapsed", "memory", "stalls", "bound", "unset_symbols", "simulator"}) {
    EXPECT_FALSE(document.contains(counted)) << counted;
  }
}

TEST(ResultJson, EveryCounterIsInItsGroupAndSpreadOverTheSms) {
  RunResult result = sample();
  gpu::RunStatistics& run = result.launch.run;
  std::uint64_t value = 1000;
  for (const auto& counter : sm_counters()) {
    run.per_sm[3].*counter.value = value;
    run.total.*counter.value = 3 * value++;
  }
  for (const auto& counter : memory_counters()) run.memory.*counter.value = value++;
  const nlohmann::json document = result_json(result);
  value = 1000;
  for (const auto& counter : sm_counters()) {
    EXPECT_EQ(document["per_sm"][counter.name]["max"], value) << counter.name;
    if (*counter.group != '\0') {
      EXPECT_EQ(document[counter.group][counter.key], 3 * value) << counter.name;
    }
    ++value;
  }
  for (const auto& counter : memory_counters()) EXPECT_EQ(document[counter.group][counter.key], value++);
}

TEST(ResultJson, TheSchemaIsNoRubberStamp) {
  nlohmann::json document = result_json(sample());
  document["cycles"] = "many";
  document["surprise"] = 1;
  document.erase("provenance");
  document["bytes"]["dram"]["read"]["total"] = -1;
  EXPECT_EQ(schema().violations(document).size(), 4u);
}

void expect_units(const nlohmann::json& node, const std::string& path) {
  if (node.is_object()) {
    const auto type = node.find("type");
    const bool number =
        type != node.end() && (*type == "number" || *type == "integer" ||
                               (type->is_array() && ((*type)[0] == "number" || (*type)[0] == "integer")));
    if (number) {
      EXPECT_FALSE(node.value("unit", "").empty()) << path;
    }
  }
  if (node.is_structured()) {
    for (const auto& [key, child] : node.items()) expect_units(child, path + "/" + key);
  }
}

TEST(ResultSchema, EveryNumberHasAUnit) { expect_units(nlohmann::json(result_schema()), ""); }

TEST(ResultJson, FiguresAreDerivedAsDocumented) {
  const nlohmann::json document = result_json(sample());
  EXPECT_DOUBLE_EQ(document["time_us"], 4);
  EXPECT_DOUBLE_EQ(document["tflops"], 2.0 * 64 * 64 * 64 / 4 * 1e-6);
  EXPECT_DOUBLE_EQ(document["comparison"]["speedup"], 1.6);
  EXPECT_DOUBLE_EQ(document["comparison"]["weight_bytes_read"]["dram"]["metadata_per_value_byte"], 0.125);
  EXPECT_DOUBLE_EQ(document["comparison"]["weight_bytes_read"]["dram"]["saved_fraction"], 0.4375);
  EXPECT_TRUE(document["comparison"]["weight_bytes_read"]["l2"]["saved_fraction"].is_null());
  EXPECT_TRUE(document["buffers"]["E"]["hash"].is_null());
}

TEST(ResultTable, SaysWhatASmallGridLeavesOfTheOccupancy) {
  const RunResult result = sample();  // four CTAs on 108 SMs
  EXPECT_THAT(result_table(result),
              testing::HasSubstr("at most 1 at once on an SM, which has room for 2 (limit: registers); 108 SMs"));
  const auto kernel = result_json(result)["kernel"];
  EXPECT_EQ(kernel["ctas_per_sm"], 1);
  EXPECT_EQ(kernel["occupancy"], 2);
  EXPECT_EQ(kernel["occupancy_limit"], "registers");
}

TEST(ResultTable, NamesTheFiguresThatPeopleLookFor) {
  EXPECT_THAT(
      result_table(sample()),
      AllOf(HasSubstr("1,000 from first CTA to last"), HasSubstr("43.75 %"), HasSubstr("12.50 %"),
            HasSubstr("1.600 in cycles"), HasSubstr("75.0 %  async_copy"), HasSubstr("bound by"), HasSubstr("check")));
}

TEST(ResultTable, SaysWhatOfASampledRunWasSimulated) {
  EXPECT_THAT(result_table(sample()),
              AllOf(HasSubstr("sampled            3 of 4 CTAs"), HasSubstr("error of cycles    about 2.00 %")));
  RunResult whole = sample();
  whole.launch.run.sampling.reset();
  EXPECT_THAT(result_table(whole), testing::Not(HasSubstr("sampled")));
}

// find_bound: one machine of one SM with one sub-core, so that fractions are plain.
gpu::GpuParams small_gpu() {
  gpu::GpuParams gpu = validation::a100();
  gpu.sms = 1;
  gpu.sm.sub_cores = 1;
  gpu.sm.lsu.wavefront_interval = 1;
  gpu.memory.crossbar.read_bytes_per_cycle = 64;
  gpu.memory.crossbar.sm_read_bytes_per_cycle = 64;
  gpu.memory.hbm.bytes_per_cycle = 10;
  return gpu;
}

gpu::RunStatistics run_of(std::uint64_t active) {
  gpu::RunStatistics run;
  run.cycles = 1000;
  run.cycles_elapsed = 1000;
  run.total.cycles_active = active;
  run.total.stalls[static_cast<std::size_t>(Stall::kBarrier)] = 10;
  return run;
}

TEST(Bound, TheBusiestResourceFromSixtyPercentOn) {
  gpu::RunStatistics run = run_of(1000);
  run.total.tensor_busy_cycles = 600;
  run.total.shared_wavefronts = 590;
  EXPECT_EQ(find_bound(small_gpu(), run).by, "tensor");
  run.total.tensor_busy_cycles = 599;
  EXPECT_EQ(find_bound(small_gpu(), run).by, "latency");
  run.memory.dram.read[kWeight] = 7000;
  EXPECT_EQ(find_bound(small_gpu(), run).by, "dram");
  run.total.l2.read[kWeight] = 64 * 800;
  EXPECT_EQ(find_bound(small_gpu(), run).by, "l2");
  run.total.warp_instructions = 900;
  EXPECT_EQ(find_bound(small_gpu(), run).by, "issue");
}

TEST(Bound, LaunchWhenSmsAreMostlyEmpty) {
  gpu::RunStatistics run = run_of(500);
  run.total.tensor_busy_cycles = 500;
  EXPECT_EQ(find_bound(small_gpu(), run).by, "launch");
  run.total.cycles_active = 501;
  EXPECT_EQ(find_bound(small_gpu(), run).by, "tensor");
}

TEST(Bound, LatencyNamesTheLargestStall) {
  EXPECT_THAT(find_bound(small_gpu(), run_of(1000)).explanation, HasSubstr("100.0 % are lost to barrier"));
}

}  // namespace
}  // namespace stc::sim
