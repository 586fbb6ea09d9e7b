// SPDX-License-Identifier: Apache-2.0
// Kernels of sample_exec_cta.cu whose threads communicate, against results computed here.
#include "validation/functional/kernel_fixture.h"

#include <array>
#include <map>
#include <numeric>
#include <random>

namespace stc::functional {
namespace {

class CtaKernels : public KernelFixture {
 protected:
  isa::Kernel kernel(const std::string& name) { return load("sample_exec_cta", name); }
};

std::vector<int> random_ints(std::size_t count, int below) {
  std::mt19937 random(11);
  std::vector<int> values(count);
  for (int& v : values) v = static_cast<int>(random() % static_cast<unsigned>(below));
  return values;
}

TEST_P(CtaKernels, SaxpyWithAGridStride) {
  std::vector<float> x(1000), y(1000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.1f * static_cast<float>(i), y[i] = 3.7f - static_cast<float>(i);
  const auto px = upload("x", x), py = upload("y", y), out = reserve("out", 4000);
  run(kernel("saxpy"), {3, 1, 1}, {96, 1, 1}, Arguments().add(2.5f).add(px).add(py).add(out).add(1000));
  const auto result = download<float>("out");
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(result[i], 2.5f * x[i] + y[i]) << i;
}

TEST_P(CtaKernels, BlockSumByShuffles) {
  const auto in = random_ints(2 * 256, 100000);
  const auto pin = upload("in", in), out = reserve("out", 8);
  run(kernel("block_sum"), {2, 1, 1}, {256, 1, 1}, Arguments().add(pin).add(out));
  const auto result = download<int>("out");
  EXPECT_EQ(result[0], std::accumulate(in.begin(), in.begin() + 256, 0));
  EXPECT_EQ(result[1], std::accumulate(in.begin() + 256, in.end(), 0));
}

TEST_P(CtaKernels, HistogramBySharedAtomics) {
  std::vector<unsigned char> in;
  for (const int v : random_ints(5000, 256)) in.push_back(static_cast<unsigned char>(v * v / 256));
  const auto pin = upload("in", in), bins = reserve("bins", 1024);
  run(kernel("histogram"), {4, 1, 1}, {128, 1, 1}, Arguments().add(pin).add(bins).add(5000));
  std::vector<unsigned> expected(256);
  for (const unsigned char v : in) ++expected[v];
  EXPECT_EQ(download<unsigned>("bins"), expected);
}

TEST_P(CtaKernels, PrefixSumInDynamicSharedMemory) {
  const auto in = random_ints(512, 1000);
  const auto pin = upload("in", in), out = reserve("out", 2048);
  run(kernel("prefix_sum"), {1, 1, 1}, {512, 1, 1}, Arguments().add(pin).add(out), 2048, 7);
  std::vector<int> expected(512);
  std::partial_sum(in.begin(), in.end(), expected.begin());
  EXPECT_EQ(download<int>("out"), expected);
}

TEST_P(CtaKernels, TransposeInTwoDimensions) {
  std::vector<short> in(64 * 64);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<short>(i * 7);
  const auto pin = upload("in", in), out = reserve("out", in.size() * 2);
  run(kernel("transpose"), {2, 2, 1}, {32, 8, 1}, Arguments().add(pin).add(out).add(64));
  const auto result = download<short>("out");
  for (std::size_t y = 0; y < 64; ++y) {
    for (std::size_t x = 0; x < 64; ++x) ASSERT_EQ(result[x * 64 + y], in[y * 64 + x]) << x << " " << y;
  }
}

TEST_P(CtaKernels, VotesMatchesAndReductionsOfAWarp) {
  std::vector<unsigned> v;
  for (const int r : random_ints(32, 100)) v.push_back(static_cast<unsigned>(r) + 1);
  const auto pin = upload("in", v), out = reserve("out", 32 * 12 * 4);
  run(kernel("warp_votes"), {1, 1, 1}, {32, 1, 1}, Arguments().add(pin).add(out));
  const auto result = download<unsigned>("out");
  const auto mask_of = [&](auto f) {
    unsigned mask = 0;
    for (unsigned i = 0; i < 32; ++i) mask |= f(i) ? 1u << i : 0u;
    return mask;
  };
  unsigned largest = 0, smallest = ~0u, sum = 0, thirds_or = 0, others_xor = 0;
  for (unsigned i = 0; i < 32; ++i) {
    largest = std::max(largest, v[i]), smallest = std::min(smallest, v[i]), sum += v[i];
    if (i % 3 == 0)
      thirds_or |= v[i];
    else
      others_xor ^= v[i];
  }
  const bool any77 = mask_of([&](unsigned i) { return v[i] == 77; }) != 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    SCOPED_TRACE(lane);
    const unsigned* row = &result[lane * 12];
    EXPECT_EQ(row[0], mask_of([&](unsigned i) { return v[i] & 1; }));
    EXPECT_EQ(row[1], (any77 ? 1u : 0u) + 2u);
    EXPECT_EQ(row[2], mask_of([&](unsigned i) { return v[i] % 5 == v[lane] % 5; }));
    EXPECT_EQ(row[3], 0xffffffffu + 1u);
    EXPECT_EQ(row[4], sum);
    EXPECT_EQ(row[5], largest ^ smallest);
    EXPECT_EQ(row[6], v[lane * 7 % 32] + (lane % 8 >= 3 ? v[lane - 3] : v[lane]));
    EXPECT_EQ(row[7], v[lane < 16 ? 5 : 21]);
    EXPECT_EQ(row[8], lane % 3 == 0 ? thirds_or : others_xor);
    EXPECT_EQ(row[9], lane % 3 == 0 ? mask_of([&](unsigned i) { return i % 3 == 0 && (v[i] & 2); }) : v[lane]);
    EXPECT_EQ(row[10], (1u << lane) - 1);
    EXPECT_EQ(row[11], 0xffffffffu);
  }
}

TEST_P(CtaKernels, VotesOverABarrier) {
  const auto in = random_ints(160, 8);
  const auto pin = upload("in", in), out = reserve("out", 640);
  run(kernel("barrier_votes"), {1, 1, 1}, {160, 1, 1}, Arguments().add(pin).add(out));
  int above = 0, fours = 0;
  for (const int v : in) above += v > 3, fours += v == 4;
  for (const int r : download<int>("out")) EXPECT_EQ(r, above * 1000000 + fours * 100 + 10);
}

TEST_P(CtaKernels, AtomicsOfEveryKind) {
  std::vector<unsigned> in;
  for (const int v : random_ints(256, 1 << 30)) in.push_back(static_cast<unsigned>(v) * 4u + 3u);
  std::vector<unsigned> words(12);
  words[1] = ~0u, words[5] = ~0u, words[9] = 300, words[10] = 0xffffffffu, words[3] = 0x7fffffffu,
  words[4] = 0x80000000u;
  const auto pin = upload("in", in), pw = upload("words", words), wide = reserve("wide", 24), floats = reserve("f", 4),
             doubles = reserve("d", 8), halves = reserve("h", 4), order = reserve("order", 1024);
  run(kernel("atomics"), {2, 1, 1}, {128, 1, 1},
      Arguments().add(pin).add(pw).add(wide).add(floats).add(doubles).add(halves).add(order));
  std::vector<unsigned> e = words;
  std::uint64_t sum = 0, largest = 0;
  float f = 0;
  double d = 0;
  for (const unsigned v : in) {
    e[0] += v, e[1] = std::min(e[1], v), e[2] = std::max(e[2], v);
    e[3] = static_cast<unsigned>(std::min(static_cast<int>(e[3]), static_cast<int>(v)));
    e[4] = static_cast<unsigned>(std::max(static_cast<int>(e[4]), static_cast<int>(v)));
    e[5] &= v | 0xff, e[6] |= v, e[7] ^= v;
    sum += v, largest = std::max<std::uint64_t>(largest, v);
    f += static_cast<float>(v & 15), d += v & 255;
  }
  const auto w = download<unsigned>("words");
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(w[i], e[i]) << i;
  EXPECT_EQ(w[8], 256u);
  EXPECT_EQ(w[9], 44u);
  EXPECT_EQ(w[11], 1u);
  EXPECT_EQ(download<unsigned>("order"), std::vector<unsigned>(256, 1u));
  EXPECT_EQ(download<std::uint64_t>("wide"), (std::vector<std::uint64_t>{sum << 20, largest << 31, sum}));
  EXPECT_EQ(download<float>("f")[0], f);
  EXPECT_EQ(download<double>("d")[0], d);
  EXPECT_EQ(download<unsigned>("h")[0], 0x58005c00u);  // 128.0, 256.0
}

TEST_P(CtaKernels, LanesTakeALockInTurn) {
  const auto lock = reserve("lock", 4), counter = reserve("counter", 4);
  run(kernel("lane_lock"), {1, 1, 1}, {32, 1, 1}, Arguments().add(lock).add(counter));
  EXPECT_EQ(download<int>("counter")[0], 32 * 33 / 2);
}

TEST_P(CtaKernels, GenericPointers) {
  const auto in = random_ints(64, 1000);
  const auto pin = upload("in", in), out = reserve("out", 256);
  run(kernel("generic_pointers"), {1, 1, 1}, {64, 1, 1}, Arguments().add(pin).add(out));
  const auto result = download<int>("out");
  for (std::size_t i = 0; i < 64; ++i) {
    const int v = in[i];
    const int expected = v % 3 == 0 ? in[63 - i] * 3 : v % 3 == 1 ? v + (v & 7) : in[i * 5 % 64];
    EXPECT_EQ(result[i], expected) << i;
  }
}

TEST_P(CtaKernels, ConstantTableWithALaneIndex) {
  const std::array<int, 16> table = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
  const auto in = random_ints(32, 1000);
  const auto pin = upload("in", in), out = reserve("out", 128);
  run(kernel("constant_table"), {1, 1, 1}, {32, 1, 1}, Arguments().add(pin).add(out));
  const auto result = download<int>("out");
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(result[i], table[static_cast<std::size_t>(in[i] & 15)] * 1000 + table[i >> 1]) << i;
  }
}

TEST_P(CtaKernels, AsynchronousCopiesFillWithZeros) {
  std::vector<int> in(256);
  std::iota(in.begin(), in.end(), 1);
  const auto pin = upload("in", in), out = reserve("out", 1024);
  run(kernel("async_copy"), {1, 1, 1}, {64, 1, 1}, Arguments().add(pin).add(out).add(40));
  const auto result = download<int>("out");
  for (std::size_t i = 0; i < 64; ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t from = 63 - i;
      EXPECT_EQ(result[i * 4 + k], from < 40 ? in[from * 4 + k] : 0) << i;
    }
  }
}

TEST_P(CtaKernels, MatricesAsFragments) {
  std::vector<std::uint16_t> in(256);
  std::iota(in.begin(), in.end(), std::uint16_t{1000});
  const auto pin = upload("in", in), out = reserve("out", 1024);
  run(kernel("load_matrices"), {1, 1, 1}, {32, 1, 1}, Arguments().add(pin).add(out));
  const auto result = download<std::uint32_t>("out");
  for (std::size_t matrix = 0; matrix < 4; ++matrix) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const auto element = [&](std::size_t row, std::size_t column) { return in[matrix * 64 + row * 8 + column]; };
      const std::size_t g = lane / 4, t = lane % 4;
      const std::uint32_t plain = element(g, 2 * t) | static_cast<std::uint32_t>(element(g, 2 * t + 1)) << 16;
      const std::uint32_t turned = element(2 * t, g) | static_cast<std::uint32_t>(element(2 * t + 1, g)) << 16;
      EXPECT_EQ(result[matrix * 32 + lane], plain) << matrix << " " << lane;
      EXPECT_EQ(result[128 + matrix * 32 + lane], turned) << matrix << " " << lane;
    }
  }
}

TEST_P(CtaKernels, FaultNamesPlaceAndNearestBuffer) {
  const std::vector<float> x(100);
  const auto px = upload("x", x), out = reserve("out", 400);
  try {
    run(kernel("saxpy"), {1, 1, 1}, {128, 1, 1}, Arguments().add(1.0f).add(px).add(px).add(out).add(128));
    FAIL() << "an out-of-bounds read went unnoticed";
  } catch (const isa::SimulatedFault& fault) {
    const std::string text = fault.what();
    for (const char* part : {"kernel 'saxpy'", "LDG", "CTA (0, 0, 0)", "warp 3", "lane 4", "out-of-bounds 4-byte read",
                             "0 bytes past the end of buffer 'x'"}) {
      EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in: " << text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, CtaKernels, ::testing::Values(80, 90));

}  // namespace
}  // namespace stc::functional
