// SPDX-License-Identifier: Apache-2.0
// `stcsim formats` as a user runs it.
#include <nlohmann/json.hpp>

#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::HasSubstr;

ProgramResult formats(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "formats");
  return run_stcsim(arguments);
}

TEST(FormatsProgram, TableJsonAndCsvAgree) {
  const TemporaryFolder folder;
  const ProgramResult result = formats({"--rows", "64", "--columns", "64", "--patterns", "2:4,1:4", "--json",
                                        folder.path("f.json"), "--csv", folder.path("f.csv")});
  ASSERT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.output, HasSubstr("12.50 %"));
  std::ifstream stream(folder.path("f.json"));
  const nlohmann::json json = nlohmann::json::parse(stream);
  EXPECT_EQ(json.at("prunings").at(0).at("bytes").at("nm_metadata"), 64 * 64 / 8);
  EXPECT_EQ(json.at("prunings").at(0).at("index_overhead"), 0.125);
  std::ifstream csv(folder.path("f.csv"));
  int lines = 0;
  for (std::string line; std::getline(csv, line);) ++lines;
  EXPECT_EQ(lines, 1 + static_cast<int>(json.at("prunings").size()));
}

TEST(FormatsProgram, SameSeedSameBytes) {
  const std::vector<std::string> arguments = {"--rows", "64", "--columns", "64", "--json", "-"};
  EXPECT_EQ(formats(arguments).output, formats(arguments).output);
}

TEST(FormatsProgram, BadInputIsNamed) {
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& text) {
    const ProgramResult result = formats(arguments);
    EXPECT_EQ(result.exit_code, 2) << text;
    EXPECT_THAT(result.error, HasSubstr(text));
    EXPECT_EQ(result.output, "");
  };
  refused({"--weights", "/dev/zero"}, "/dev/zero: is a device, pipe or socket, a file is needed");
  refused({"--patterns", "5:4"}, "N is greater than M");
  refused({"--patterns", "0:4"}, "N is 0");
  refused({"--patterns", "2:33"}, "M is 33, but may be at most 32");
  refused({"--patterns", "two"}, "\"two\" is not a pattern");
  refused({"--patterns", "2:6"}, "1024 columns, not a multiple of 6");
  refused({"--type", "f61"}, "did you mean 'f16'?");
  refused({"--weights", "no_such.npy"}, "no_such.npy: no such file");
  refused({"--distribution", "norml"}, "did you mean 'normal'?");
  refused({"--index-bits", "8"}, "8 bits cannot number 1024 x 1024");
  refused({"--json", "/proc/no/f.json"}, "cannot be written");
  refused({"--json", "-", "--csv", "-"}, "only one");
  for (const char* list : {"2:4,", ",2:4", ",", "2:4,,4:8"}) refused({"--patterns", list}, "has an empty entry");
  refused({"--patterns", "2:4,4:8,2:4"}, "--patterns: '2:4' is given twice");
  refused({"--patterns", ""}, "--patterns: is empty");
  refused({"--index-bits", "010"}, "--index-bits: must be one of 8, 16, 32, 64, but is '010'");
  refused({"--rows", "010"}, "--rows: must be a whole number in 1 .. 65536, but is '010'");
  refused({"--json", "same", "--csv", "same"}, "this run writes another output to it");
}

}  // namespace
}  // namespace stc::sim
