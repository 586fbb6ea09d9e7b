// SPDX-License-Identifier: Apache-2.0
// Kernels that have nothing to do with GEMM or this repository's library run through the low-level run file, from the
// cubin that nvcc wrote, and give right results.
#include <cmath>
#include <cstring>
#include <random>

#include "sim/base/files.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

class OrdinaryKernels : public testing::TestWithParam<int> {
 protected:
  template <class T>
  void buffer(const std::string& name, const std::vector<T>& contents) {
    const auto* bytes = reinterpret_cast<const char*>(contents.data());
    folder_.write(name + ".in", std::string(bytes, contents.size() * sizeof(T)));
    buffers_ += "    " + name + ": {file: " + name + ".in}\n";
    saves_ += (saves_.empty() ? "" : ", ") + name + ": " + name + ".out";
  }
  /// `shape`: grid, block and the like, one line each.
  void run(const std::string& kernel, const std::vector<std::string>& shape, const std::string& arguments) {
    const std::string root = std::filesystem::current_path().string();
    const std::string sm = std::to_string(GetParam());
    std::string text = "gpu: " + root + "/configs/gpus/" + (GetParam() == 80 ? "a100" : "h200") + ".yaml\nlaunch:\n" +
                       "  module: " + root + "/validation/unit/sim/data/ordinary_sm_" + sm + ".cubin\n" +
                       "  kernel: " + kernel + "\n";
    for (const std::string& line : shape) text += "  " + line + "\n";
    text += "  buffers:\n" + buffers_ + "  args: " + arguments + "\n  save: {" + saves_ + "}\n";
    text += "options: {check_dependences: true}\n";
    const ProgramResult result = run_stcsim({"run", folder_.write("run.yaml", text)});
    ASSERT_EQ(result.exit_code, 0) << result.error;
  }
  template <class T>
  std::vector<T> result(const std::string& name) {
    const std::vector<std::uint8_t> bytes = read_bytes(folder_.path(name + ".out"));
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::vector<float> random_floats(std::size_t count, float low, float high) {
    std::uniform_real_distribution<float> distribution(low, high);
    std::vector<float> values(count);
    for (float& value : values) value = distribution(random_);
    return values;
  }
  std::mt19937_64 random_{7};
  TemporaryFolder folder_;
  std::string buffers_, saves_;
};
INSTANTIATE_TEST_SUITE_P(Sm, OrdinaryKernels, testing::Values(80, 90));

TEST_P(OrdinaryKernels, Reduction) {
  const std::vector<float> in = random_floats(10007, -1, 1);
  buffer("in", in);
  buffer<float>("sum", {0});
  run("reduce", {"grid: [7]", "block: [192]"}, "[in, sum, {i32: 10007}]");
  double expected = 0;
  for (const float value : in) expected += value;
  EXPECT_NEAR(result<float>("sum")[0], expected, 1e-3);
}

TEST_P(OrdinaryKernels, Softmax) {
  constexpr std::size_t kRows = 5, kColumns = 300;
  const std::vector<float> in = random_floats(kRows * kColumns, -20, 20);
  buffer("in", in);
  buffer("out", std::vector<float>(in.size()));
  run("softmax", {"grid: [5]", "block: [128]", "dynamic_shared_bytes: 512"}, "[in, out, {i32: 300}]");
  const auto out = result<float>("out");
  for (std::size_t row = 0; row < kRows; ++row) {
    const float* x = &in[row * kColumns];
    double sum = 0;
    for (std::size_t i = 0; i < kColumns; ++i) sum += std::exp(static_cast<double>(x[i]));
    for (std::size_t i = 0; i < kColumns; ++i) {
      const double expected = std::exp(static_cast<double>(x[i])) / sum;
      ASSERT_NEAR(out[row * kColumns + i], expected, 1e-5 * expected) << row << ", " << i;
    }
  }
}

TEST_P(OrdinaryKernels, Histogram) {
  std::vector<std::uint8_t> in(20001);
  std::vector<std::uint32_t> expected(256);
  for (std::uint8_t& value : in) ++expected[value = static_cast<std::uint8_t>(random_() % 64 * (random_() % 4))];
  buffer("in", in);
  buffer("bins", std::vector<std::uint32_t>(256));
  run("histogram", {"grid: [5]", "block: [160]"}, "[in, bins, {i32: 20001}]");
  EXPECT_EQ(result<std::uint32_t>("bins"), expected);
}

TEST_P(OrdinaryKernels, Transpose) {
  constexpr std::size_t kRows = 70, kColumns = 101;
  const std::vector<float> in = random_floats(kRows * kColumns, 0, 1);
  buffer("in", in);
  buffer("out", std::vector<float>(in.size()));
  run("transpose", {"grid: [4, 3]", "block: [32, 8]"}, "[in, out, {i32: 70}, {i32: 101}]");
  std::vector<float> expected(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) expected[i % kColumns * kRows + i / kColumns] = in[i];
  EXPECT_EQ(result<float>("out"), expected);
}

TEST_P(OrdinaryKernels, SixtyFourBitDivision) {
  std::vector<std::int64_t> a, b, quotient, remainder;
  std::vector<std::uint64_t> unsigned_quotient;
  const auto add = [&](std::int64_t x, std::int64_t y) {
    const bool divides = y != 0 && !(x == INT64_MIN && y == -1);
    if (!divides) y = 0;  // the kernel leaves these out
    a.push_back(x), b.push_back(y);
    quotient.push_back(divides ? x / y : 0);
    remainder.push_back(divides ? x % y : 0);
    unsigned_quotient.push_back(divides ? static_cast<std::uint64_t>(x) / static_cast<std::uint64_t>(y) : 0);
  };
  const std::int64_t special[] = {0, 1, -1, INT64_MAX, INT64_MIN, std::int64_t{1} << 32, 0xffffffff, 3, -7};
  for (const std::int64_t x : special) {
    for (const std::int64_t y : special) add(x, y);
  }
  while (a.size() < 1000) {  // of every length
    const auto x = static_cast<std::int64_t>(random_() >> (random_() % 60));
    const auto y = static_cast<std::int64_t>(random_() >> (random_() % 60));
    add(random_() % 2 != 0 ? x : -x, random_() % 2 != 0 ? y : -y);
  }
  buffer("a", a), buffer("b", b);
  for (const char* name : {"q", "r", "uq"}) buffer(name, std::vector<std::int64_t>(a.size()));
  run("divide", {"grid: [8]", "block: [128]"}, "[a, b, q, r, uq, {i32: 1000}]");
  EXPECT_EQ(result<std::int64_t>("q"), quotient);
  EXPECT_EQ(result<std::int64_t>("r"), remainder);
  EXPECT_EQ(result<std::uint64_t>("uq"), unsigned_quotient);
}

}  // namespace
}  // namespace stc::sim
