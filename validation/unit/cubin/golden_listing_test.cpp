// SPDX-License-Identifier: Apache-2.0
// Every instruction of the golden listings prints as `cuobjdump -sass` prints it (whitespace aside).
// The listings are made by validation/golden/reduce_listing.py.
#include <fstream>
#include <sstream>

#include "traces/cubin/cubin_error.h"
#include "validation/unit/cubin/decode_helper.h"

namespace stc::cubin::testing {
namespace {

std::string words_of(std::istream& in) {
  std::string all;
  std::string word;
  while (in >> word) all += (all.empty() ? "" : " ") + word;
  return all;
}

void compare(const std::string& name, int expected_lines) {
  const std::string path = "validation/golden/sass_sm_" + name + ".txt";
  const int sm = std::stoi(name);
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

/// One bit of a compiled instruction flipped: the decoder reads it as the disassembler does, or refuses it. It never
/// reads something else, and never anything that the disassembler calls illegal.
void never_guesses(const std::string& name) {
  const std::string path = "validation/golden/flips_sm_" + name + ".txt";
  const int sm = std::stoi(name);
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  int agreed = 0;
  int refused = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream in(line);
    std::string address, low, high;
    in >> address >> low >> high;
    const std::string expected = words_of(in);
    try {
      std::istringstream own(text(high + "_" + low, static_cast<std::uint32_t>(std::stoul(address, nullptr, 16)), sm));
      EXPECT_EQ(words_of(own), expected) << high << "_" << low;
      ++agreed;
    } catch (const CubinError&) {
      ++refused;
    }
  }
  EXPECT_GT(agreed, name == "90a" ? 80 : 900);
  EXPECT_GT(refused, name == "90a" ? 200 : 500);
}

TEST(FlippedBits, Sm80) { never_guesses("80"); }
TEST(FlippedBits, Sm90) { never_guesses("90"); }
TEST(FlippedBits, Sm90a) { never_guesses("90a"); }
TEST(GoldenListing, Sm80) { compare("80", 1100); }
TEST(GoldenListing, Sm90) { compare("90", 1100); }
TEST(GoldenListing, Sm90a) { compare("90a", 150); }

}  // namespace
}  // namespace stc::cubin::testing
