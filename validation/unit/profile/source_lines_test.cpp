// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/source_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "sim/base/files.h"
#include "traces/cubin/cubin.h"
#include "traces/cubin/cubin_error.h"

namespace stc::cubin {
namespace {

constexpr const char* kLines = "validation/unit/profile/data/lines.cubin";

/// File names without folders: the compiler wrote those of its machine.
std::string name_of_file(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::vector<std::uint32_t> lines_of(const SourceLines& lines, const std::vector<std::uint32_t>& addresses) {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t address : addresses) found.push_back(lines.at(address).line);
  return found;
}

// Of functions inlined into one another the innermost line, and the way to it.
TEST(SourceLines, OfInlinedFunctions) {
  const SourceLines lines = open_cubin(kLines).source_lines("inlined");
  EXPECT_EQ(lines_of(lines, {0x00, 0x10, 0x50, 0x60, 0x70, 0x80, 0x90, 0xa0}),
            (std::vector<std::uint32_t>{15, 16, 16, 3, 3, 7, 17, 18}));
  const SourceLine line = lines.at(0x70);  // y * y
  EXPECT_EQ(name_of_file(line.file), "lines.cu");
  ASSERT_EQ(line.called_from.size(), 2u);
  EXPECT_EQ(name_of_file(line.called_from[0].first), "lines.cu");
  EXPECT_EQ(line.called_from[0].second, 7u);
  EXPECT_EQ(line.called_from[1].second, 17u);
  EXPECT_EQ(lines.at(0x80).called_from.size(), 1u);
  EXPECT_TRUE(lines.at(0x90).called_from.empty());
}

// Each kernel has lines of its own, though all begin at address 0; functions that it calls stand behind it.
TEST(SourceLines, OfTheOtherKernelAndAFunctionThatItCalls) {
  const SourceLines lines = open_cubin(kLines).source_lines("calls");
  EXPECT_EQ(lines_of(lines, {0x00, 0x10, 0x40, 0xa0, 0xb0, 0xf0, 0x140, 0x180}),
            (std::vector<std::uint32_t>{20, 22, 22, 23, 24, 25, 11, 12}));
}

TEST(SourceLines, AreUnknownWithoutATable) {
  const SourceLines lines = open_cubin("traces/kernels/sm_80/f16_sp24_128x128x64_w64x32_s3.cubin")
                                .source_lines("f16_sp24_128x128x64_w64x32_s3");
  EXPECT_TRUE(lines.empty());
  EXPECT_EQ(lines.at(0).file, "");
}

// Any byte of the table may be wrong: then lines are, or the file is refused, and nothing else happens.
TEST(SourceLines, OfDamagedTablesAreRefusedOrWrong) {
  const std::vector<std::uint8_t> bytes = sim::read_bytes(kLines);
  const char name[] = "lines.cu";
  const auto table = std::search(bytes.begin(), bytes.end(), name, name + sizeof name) - bytes.begin();
  ASSERT_LT(table, static_cast<std::ptrdiff_t>(bytes.size()));
  int refused = 0;
  for (std::ptrdiff_t at = table - 64; at < table + 200; ++at) {
    for (const int value : {0x00, 0x7f, 0x80, 0xff}) {
      std::vector<std::uint8_t> damaged = bytes;
      damaged[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(value);
      try {
        Cubin(damaged, "damaged.cubin").source_lines("inlined").at(0x70);
      } catch (const CubinError& error) {
        EXPECT_EQ(std::string(error.what()).find("damaged.cubin: "), 0u);
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace stc::cubin
