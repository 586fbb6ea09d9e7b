// SPDX-License-Identifier: Apache-2.0
// Every instruction of the golden listings prints as `cuobjdump -sass` prints it (whitespace aside).
// The listings are made by validation/golden/reduce_listing.py.
#include <fstream>
#include <sstream>

#include "validation/unit/cubin/decode_helper.h"

namespace stc::cubin::testing {
namespace {

std::string words_of(std::istream& in) {
  std::string all;
  std::string word;
  while (in >> word) all += (all.empty() ? "" : " ") + word;
  return all;
}

void compare(int sm, int expected_lines) {
  const std::string path = "validation/golden/sass_sm_" + std::to_string(sm) + ".txt";
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  int compared = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream in(line);
    std::string address, low, high;
    in >> address >> low >> high;
    const std::string expected = words_of(in);
    std::string found;
    try {
      std::istringstream own(text(high + "_" + low, static_cast<std::uint32_t>(std::stoul(address, nullptr, 16)), sm));
      found = words_of(own);
    } catch (const std::exception& error) {
      found = error.what();
    }
    EXPECT_EQ(found, expected) << high << "_" << low;
    ++compared;
  }
  EXPECT_GE(compared, expected_lines);
}

TEST(GoldenListing, Sm80) { compare(80, 1100); }
TEST(GoldenListing, Sm90) { compare(90, 1100); }

}  // namespace
}  // namespace stc::cubin::testing
