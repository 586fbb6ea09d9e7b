// SPDX-License-Identifier: Apache-2.0
// The examples of CONTRIBUTING.md are true: what they show stands in the files that they name, or works when tried.
#include <cctype>
#include <filesystem>
#include <set>
#include <sstream>

#include "sim/base/files.h"
#include "sim/config/gpu_config.h"
#include "validation/gpus.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

/// The fenced blocks of a section, as they stand there.
std::vector<std::string> code_blocks(const std::string& heading) {
  std::istringstream page(read_text("CONTRIBUTING.md"));
  std::vector<std::string> blocks;
  std::string line;
  while (line != heading && std::getline(page, line)) {
  }
  bool inside = false;
  while (std::getline(page, line) && line.rfind("## ", 0) != 0) {
    const std::size_t text = line.find_first_not_of(' ');
    if (text != std::string::npos && line.compare(text, 3, "```") == 0) {
      if (!inside) blocks.emplace_back();
      inside = !inside;
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

std::string without_blanks(const std::string& text) {
  std::istringstream words(text);
  std::string word, all;
  while (words >> word) all += word;
  return all;
}

struct Example {
  const char* heading;
  std::vector<const char*> files;  ///< one of each block, in their order
};
void PrintTo(const Example& example, std::ostream* out) { *out << example.heading; }

class Contributing : public testing::TestWithParam<Example> {};

TEST_P(Contributing, ShowsWhatTheFilesSay) {
  const std::vector<std::string> blocks = code_blocks(GetParam().heading);
  ASSERT_EQ(blocks.size(), GetParam().files.size());
  for (std::size_t n = 0; n < blocks.size(); ++n) {
    const std::string shown = without_blanks(blocks[n]);
    ASSERT_GT(shown.size(), 20u);
    EXPECT_NE(without_blanks(read_text(GetParam().files[n])).find(shown), std::string::npos)
        << blocks[n] << "is not in " << GetParam().files[n];
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, Contributing,
                         testing::Values(Example{"## Adding a statistic", {"models/core/counters.def"}},
                                         Example{"## Adding an option of a run",
                                                 {"sim/launch/run_options.h", "sim/launch/run_options.cpp"}},
                                         Example{"## Adding an opcode",
                                                 {"models/isa/opcodes.def", "models/isa/values/execute_uniform.cpp",
                                                  "traces/cubin/opcodes_integer.cpp"}}));

/// Sources below models, traces and sim that hold `name`, in any case.
std::set<std::string> sources_with(const std::string& name) {
  std::set<std::string> found;
  for (const char* top : {"models", "traces", "sim"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(top)) {
      const std::string suffix = entry.path().extension().string();
      if (suffix != ".h" && suffix != ".cpp" && suffix != ".def") continue;
      std::string text = read_text(entry.path().string());
      for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      if (text.find(name) != std::string::npos) found.insert(entry.path().string());
    }
  }
  return found;
}

TEST(ContributedNames, StandInNoOtherFile) {
  using testing::UnorderedElementsAre;
  EXPECT_THAT(sources_with("ubrev"),
              UnorderedElementsAre("models/isa/opcodes.def", "models/isa/values/execute_uniform.cpp",
                                   "traces/cubin/opcodes_integer.cpp"));
  // The last two tell of it and show it per instruction.
  EXPECT_THAT(sources_with("shared_conflict_wavefronts"),
              UnorderedElementsAre("models/core/counters.def", "models/sm/memory_access.cpp",
                                   "models/sm/streaming_multiprocessor.h", "sim/profile/instruction_counts.cpp"));
  // The last two use it.
  EXPECT_THAT(sources_with("malloc_heap_bytes"),
              UnorderedElementsAre("sim/launch/run_options.h", "sim/launch/run_options.cpp", "sim/run/run_launch.cpp",
                                   "sim/launch/launch_writer.cpp"));
}

TEST(ContributedGpu, IsOneFile) {
  const std::vector<std::string> blocks = code_blocks("## Adding a GPU");
  ASSERT_EQ(blocks.size(), 1u);
  const TemporaryFolder folder;
  folder.write("a100.yaml", read_text("configs/gpus/a100.yaml"));
  const GpuConfig gpu = read_gpu_config(folder.write("new.yaml", blocks.front()));
  gpu::GpuParams expected = validation::a100();
  expected.name = "NVIDIA A100 PCIe 80GB";
  expected.memory.hbm.bytes_per_cycle = 1212;
  gpu::GpuParams found = gpu.params;
  const ParameterLister shown = parameters_of(found), taken_over = parameters_of(expected);
  for (std::size_t i = 0; i < shown.parameters().size(); ++i) {
    const Parameter& parameter = shown.parameters()[i];
    EXPECT_EQ(value_text(parameter.target), value_text(taken_over.parameters()[i].target)) << parameter.path;
  }
  EXPECT_THAT(gpu.evidence.at("memory.hbm.bytes_per_cycle"), testing::HasSubstr("data sheet"));
}

}  // namespace
}  // namespace stc::sim
