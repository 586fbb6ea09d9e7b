// SPDX-License-Identifier: Apache-2.0
// The functions of sample_exec.h: the simulated GPU and the host must give the same words.
#include "validation/functional/kernel_fixture.h"
#include "validation/kernels/sample_exec.h"

#include <random>

namespace stc::functional {
namespace {

using Function = std::uint64_t (*)(std::uint64_t, std::uint64_t);

struct Sample {
  const char* name;
  Function host;
};

#define SAMPLE_ROW(name) {#name, sample::name},
const Sample kSamples[] = {SAMPLE_EXEC_FUNCTIONS(SAMPLE_ROW)};
#undef SAMPLE_ROW

/// Edge patterns of integers and of both halves as floats, paired with one another, then random words.
std::vector<std::pair<std::uint64_t, std::uint64_t>> operands() {
  const std::uint64_t edges[] = {0,
                                 1,
                                 2,
                                 3,
                                 0x7fffffff,
                                 0x80000000,
                                 0xffffffff,
                                 0x100000000,
                                 0x7fffffffffffffff,
                                 0x8000000000000000,
                                 0xffffffffffffffff,
                                 0x3f8000003f800000,
                                 0x00000001bf800000,
                                 0x7f8000007f800000,
                                 0xff800000ff7fffff,
                                 0x7fc000007fc00000,
                                 0x0080000000800000,
                                 0x3ff0000000000000,
                                 0x7ff0000000000000,
                                 0x0010000000000000,
                                 0x4330000000000001,
                                 0x000fffffffffffff,
                                 0x807fffff00400000,
                                 0x4b0000014b800001,
                                 0xc1e0000000200000};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const std::uint64_t a : edges) {
    for (const std::uint64_t b : edges) pairs.emplace_back(a, b);
  }
  std::mt19937_64 random(7);
  while (pairs.size() < 3000) {
    std::uint64_t a = random(), b = random();
    switch (pairs.size() % 4) {
      case 1: a >>= random() % 64, b >>= random() % 64; break;
      case 2:  // floats of moderate size in both halves
        a = (a & 0x83ffffff83ffffff) | 0x3c0000003c000000, b = (b & 0x83ffffff83ffffff) | 0x3c0000003c000000;
        break;
      case 3: b = a ^ (std::uint64_t{1} << (random() % 64)); break;
      default: break;
    }
    pairs.emplace_back(a, b);
  }
  return pairs;
}

class LaneFunctions : public KernelFixture {};

TEST_P(LaneFunctions, GiveTheHostsWords) {
  const auto pairs = operands();
  std::vector<std::uint64_t> a, b;
  for (const auto& [x, y] : pairs) a.push_back(x), b.push_back(y);
  const std::uint64_t pa = upload("a", a), pb = upload("b", b);
  for (const Sample& sample : kSamples) {
    SCOPED_TRACE(sample.name);
    const std::uint64_t out = reserve(sample.name, a.size() * 8);
    const auto n = static_cast<int>(a.size());
    Arguments arguments;
    arguments.add(pa).add(pb).add(out).add(n);
    try {
      run(load("sample_exec_lanes", sample.name), {static_cast<unsigned>((n + 127) / 128), 1, 1}, {128, 1, 1},
          arguments);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
      continue;
    }
    const auto results = download<std::uint64_t>(sample.name);
    int wrong = 0;
    for (std::size_t i = 0; i < a.size() && wrong < 3; ++i) {
      const std::uint64_t expected = sample.host(a[i], b[i]);
      if (results[i] == expected) continue;
      ++wrong;
      ADD_FAILURE() << sample.name << "(0x" << std::hex << a[i] << ", 0x" << b[i] << ") = 0x" << results[i]
                    << ", expected 0x" << expected;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, LaneFunctions, ::testing::Values(80, 90));

}  // namespace
}  // namespace stc::functional
