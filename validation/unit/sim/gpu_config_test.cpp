// SPDX-License-Identifier: Apache-2.0
#include "sim/config/gpu_config.h"

#include "sim/base/files.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kA100 = "configs/gpus/a100.yaml";

/// The A100's file with one piece of text replaced.
std::string edited(const TemporaryFolder& folder, const std::string& from, const std::string& to) {
  std::string text = read_text(kA100);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return folder.write("edited.yaml", text.replace(at, from.size(), to));
}

/// A machine that nobody described is nothing, and no A100 by accident.
TEST(GpuConfig, StructsHaveNoValuesOfTheirOwn) {
  gpu::GpuParams params;
  const ParameterLister lister = parameters_of(params);
  for (const Parameter& parameter : lister.parameters()) {
    const bool empty =
        std::visit([](const auto* value) { return *value == std::decay_t<decltype(*value)>(); }, parameter.target);
    EXPECT_TRUE(empty) << parameter.path << " begins as " << value_text(parameter.target);
  }
}

TEST(GpuConfig, EveryParameterHasAValueAndEvidence) {
  GpuConfig config = read_gpu_config(kA100);
  EXPECT_EQ(config.params.sms, 108);
  const ParameterLister lister = parameters_of(config.params);
  EXPECT_GT(lister.parameters().size(), 20u);
  for (const Parameter& parameter : lister.parameters()) {
    EXPECT_FALSE(config.evidence[parameter.path].empty()) << parameter.path;
    EXPECT_FALSE(parameter.meaning.empty()) << parameter.path;
  }
}

TEST(GpuConfig, UnknownKeyNamesPlaceAndNearest) {
  const TemporaryFolder folder;
  const std::string file = edited(folder, "sms: {", "smss: {");
  EXPECT_THAT(
      user_error([&] { read_gpu_config(file); }),
      AllOf(HasSubstr("edited.yaml:5:1: unknown key 'smss'; did you mean 'sms'?"), HasSubstr("Allowed: base, name,")));
}

TEST(GpuConfig, WrongUnitIsAnError) {
  const TemporaryFolder folder;
  const std::string file = edited(folder, "unit: MHz", "unit: GHz");
  EXPECT_THAT(user_error([&] { read_gpu_config(file); }), HasSubstr("clock_mhz.unit is 'GHz', but must be 'MHz'"));
}

TEST(GpuConfig, EvidenceMustNotBeEmptyOrMissing) {
  const TemporaryFolder folder;
  EXPECT_THAT(
      user_error([&] { read_gpu_config(folder.write("a.yaml", "sms: {value: 1, unit: SMs, evidence: \" \"}\n")); }),
      HasSubstr("a.yaml:1:28: sms.evidence must not be empty"));
  EXPECT_THAT(user_error([&] { read_gpu_config(folder.write("b.yaml", "sms: {value: 1, unit: SMs}\n")); }),
              HasSubstr("key 'evidence' of sms is missing"));
  EXPECT_THAT(user_error([&] { read_gpu_config(folder.write("c.yaml", "sms: 1\n")); }),
              HasSubstr("sms must state value, unit and evidence"));
}

TEST(GpuConfig, RangeIsChecked) {
  const TemporaryFolder folder;
  EXPECT_THAT(user_error([&] { read_gpu_config(folder.write("a.yaml", "sms: {value: 0, unit: SMs, evidence: x}\n")); }),
              HasSubstr("sms.value is 0, but must lie in 1 .. 1024"));
}

TEST(GpuConfig, VersionsWithoutKernelsAreNamed) {
  EXPECT_THAT(user_error([] {
                read_gpu_config("configs/gpus/a100.yaml", {{"sm_version", "85"}});
              }),
              HasSubstr("sm_version is 85, but must be 80 (A100) or 90 (H100, H200)"));
}

TEST(GpuConfig, MissingParameterIsNamed) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("a.yaml", "name: x\nsm_version: {value: 80, unit: compute capability x 10, evidence: x}\n");
  EXPECT_THAT(user_error([&] { read_gpu_config(file); }), HasSubstr("a.yaml: parameter 'sms' [SMs] is missing"));
}

TEST(GpuConfig, EnergyMustBeStatedAndPositive) {
  const TemporaryFolder folder;
  const std::string base = std::filesystem::absolute(kA100).string();
  EXPECT_THAT(user_error([&] {
                read_gpu_config(folder.write("a.yaml", "base: " + base +
                                                           "\nenergy:\n  tensor:\n    f16_mac: {value: -0.1, unit: pJ, "
                                                           "evidence: x}\n"));
              }),
              HasSubstr("a.yaml:4:15: energy.tensor.f16_mac.value is -0.1, but must lie in 0 .. 10000"));
  EXPECT_THAT(user_error([] {
                read_gpu_config(kA100, {{"energy.memory.l2_bit", "-1"}});
              }),
              HasSubstr("must lie in 0 .. 10000"));
  std::ifstream file(kA100);
  std::string text, line;
  while (std::getline(file, line)) {
    if (line.find("dram_write_bit") == std::string::npos) text += line + "\n";
  }
  EXPECT_THAT(user_error([&] { read_gpu_config(folder.write("b.yaml", text)); }),
              HasSubstr("b.yaml: parameter 'energy.memory.dram_write_bit' [pJ] is missing"));
}

TEST(GpuConfig, BaseIsTakenOverAndReplaced) {
  const TemporaryFolder folder;
  const std::string base = std::filesystem::absolute(kA100).string();
  const GpuConfig derived = read_gpu_config(
      folder.write("half.yaml", "base: " + base + "\nname: half\nsms: {value: 54, unit: SMs, evidence: half of it}\n"));
  EXPECT_EQ(derived.params.sms, 54);
  EXPECT_EQ(derived.params.name, "half");
  EXPECT_EQ(derived.evidence.at("sms"), "half of it");
  EXPECT_EQ(derived.params.sm.sub_cores, 4);
  EXPECT_NE(derived.hash, read_gpu_config(kA100).hash);
}

TEST(GpuConfig, BaseThatLeadsBackIsAnError) {
  const TemporaryFolder folder;
  folder.write("b.yaml", "base: a.yaml\n");
  EXPECT_THAT(user_error([&] { read_gpu_config(folder.write("a.yaml", "base: b.yaml\n")); }), HasSubstr("leads back"));
}

TEST(GpuConfig, CommandLineSetsAValueWithEvidence) {
  const GpuConfig config = read_gpu_config(kA100, {{"sm.sub_cores", "2"}});
  EXPECT_EQ(config.params.sm.sub_cores, 2);
  EXPECT_EQ(config.evidence.at("sm.sub_cores"), "command line");
  EXPECT_THAT(user_error([] {
                read_gpu_config(kA100, {{"sm.subcores", "2"}});
              }),
              HasSubstr("--set gpu.sm.subcores=2: unknown GPU parameter 'sm.subcores'; did you mean 'sm.sub_cores'?"));
  EXPECT_THAT(user_error([] { read_gpu_config(kA100, {{"sm.sub_cores", "99"}}); }), HasSubstr("must lie in 1 .. 16"));
}

TEST(GpuConfig, AllFilesLoad) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("configs/gpus")) {
    if (entry.path().extension() != ".yaml") continue;
    EXPECT_NO_THROW(read_gpu_config(entry.path().string())) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 2);
}

TEST(DescribeGpu, ShowsValueUnitMeaningAndEvidence) {
  const std::string text = describe_gpu(read_gpu_config(kA100));
  EXPECT_THAT(text, AllOf(HasSubstr("clock_mhz"), HasSubstr("1410 MHz"), HasSubstr("Streaming multiprocessors"),
                          HasSubstr("evidence: published: NVIDIA A100 whitepaper")));
}

}  // namespace
}  // namespace stc::sim
