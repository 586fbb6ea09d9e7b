// SPDX-License-Identifier: Apache-2.0
// The kernels of sample_edges.cu through the program.
#include <fmt/format.h>

#include <cstring>

#include "sim/base/files.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Edges : public testing::TestWithParam<int> {
 protected:
  std::string run_file(const std::string& kernel, const std::string& args) {
    const std::string root = std::filesystem::current_path().string();
    return folder_.write("run.yaml",
                         "gpu: " + root + "/configs/gpus/" + (GetParam() == 80 ? "a100" : "h200") + ".yaml\nlaunch:\n" +
                             "  module: " + root + "/validation/functional/cubins/sm_" + std::to_string(GetParam()) +
                             "/sample_edges.cubin\n  kernel: " + kernel +
                             "\n  grid: [1]\n  block: [64]\n  buffers:\n    out: {bytes: 256}\n" +
                             "    in: {bytes: 256, fill: {sequence: {type: i32, start: 5, step: 1}}}\n  args: " + args +
                             "\n  save: {out: out.bin}\n");
  }
  ProgramResult run(const std::string& kernel, int apart, const std::string& option) {
    const std::string file = run_file(kernel, "[out, in, {i32: " + std::to_string(apart) + "}]");
    return run_stcsim({"run", file, "--set", "options." + option});
  }
  std::vector<int> out() {
    const std::vector<std::uint8_t> bytes = read_bytes(folder_.path("out.bin"));
    std::vector<int> values(bytes.size() / sizeof(int));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Sm, Edges, testing::Values(80, 90));

TEST_P(Edges, PoisonNamesWhoReadsACopyTooEarly) {
  for (const std::string option : {"poison=true", "check_dependences=true"}) {
    SCOPED_TRACE(option);
    EXPECT_EQ(run("copies_waited_for", 40, option).exit_code, 0);
    EXPECT_EQ(out()[1], 5 + 41);
    const ProgramResult never = run("copies_not_waited_for", 40, option);
    EXPECT_EQ(never.exit_code, 3);
    EXPECT_THAT(never.error,
                AllOf(HasSubstr("kernel 'copies_not_waited_for', instruction LDS"), HasSubstr("CTA (0, 0, 0), warp "),
                      HasSubstr("reads shared memory at 0x0"), HasSubstr("nobody has waited for the copy")));
    const ProgramResult unmet = run("copies_without_barrier", 40, option);
    EXPECT_EQ(unmet.exit_code, 3);
    EXPECT_THAT(unmet.error, HasSubstr("is known to have written it"));
    EXPECT_EQ(run("copies_without_barrier", 0, option).exit_code, 0);  // each its own
  }
  EXPECT_EQ(run("copies_not_waited_for", 40, "l2=cold").exit_code, 0);  // nothing is looked at
}

TEST_P(Edges, ParametersMayTakeMoreThan4KiB) {
  std::string words(std::size_t{4} * 1200, '\0');
  for (int i = 0; i < 1200; ++i) std::memcpy(&words[static_cast<std::size_t>(4 * i)], &i, sizeof i);
  std::string digits;
  for (const char c : words) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  const std::string file = run_file("wide_parameter", "[out, {hex: \"" + digits + "\"}, {i32: 19}]");
  const ProgramResult result = run_stcsim({"run", file});
  ASSERT_EQ(result.exit_code, 0) << result.error;
  EXPECT_EQ(out()[63], 63 * 19);
  EXPECT_EQ(run_stcsim({"run", run_file("wide_parameter", "[out, {i32: 1}, {i32: 19}]")}).exit_code, 2);
}

}  // namespace
}  // namespace stc::sim
