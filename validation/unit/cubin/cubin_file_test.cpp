// SPDX-License-Identifier: Apache-2.0
// Reading whole files: resources, constants, variables, and every way in which a file can be broken.
#include "traces/cubin/cubin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "traces/cubin/cubin_error.h"

namespace stc::cubin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string sample(const std::string& name, int sm) {
  return "validation/functional/cubins/sm_" + std::to_string(sm) + "/sample_" + name + ".cubin";
}

std::vector<std::uint8_t> bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string error_of(std::vector<std::uint8_t> bytes) {
  try {
    read_cubin(std::move(bytes), "broken.cubin");
  } catch (const CubinError& error) {
    return error.what();
  }
  return "";
}

/// The words of a kernel's code as they lie in the file.
std::vector<std::uint64_t> words_of(const Cubin& module, const std::string& kernel) {
  std::vector<std::uint64_t> words;
  for (const CodeLine& line : module.look_into(kernel).lines) words.insert(words.end(), {line.low, line.high});
  return words;
}

const isa::Kernel& kernel_named(const std::vector<isa::Kernel>& kernels, const std::string& name) {
  for (const isa::Kernel& k : kernels) {
    if (k.name == name) return k;
  }
  throw std::runtime_error("no kernel " + name);
}

class BothArchitectures : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Sm, BothArchitectures, ::testing::Values(80, 90));

TEST_P(BothArchitectures, Resources) {
  const int sm = GetParam();
  const auto kernels = list_kernels(sample("memory", sm));
  ASSERT_EQ(kernels.size(), 7u);
  const isa::Kernel& widths = kernel_named(kernels, "memory_widths");
  EXPECT_EQ(widths.sm_version, sm);
  EXPECT_EQ(widths.static_shared_bytes, 64u * (16 + 8 + 4 + 2 + 1));
  EXPECT_EQ(widths.barriers, 1);
  EXPECT_EQ(widths.max_threads, 1024u);
  EXPECT_EQ(widths.parameter_base, sm == 80 ? 0x160u : 0x210u);
  ASSERT_EQ(widths.parameters.size(), 11u);
  EXPECT_EQ(widths.parameters[3].offset, 24u);
  EXPECT_EQ(widths.parameters[3].bytes, 8u);
  EXPECT_EQ(widths.parameter_bytes, 88u);
  EXPECT_EQ(widths.constant0.size(), widths.parameter_base + widths.parameter_bytes);
  EXPECT_TRUE(widths.code.empty());
  const isa::Kernel& async = kernel_named(kernels, "memory_async");
  EXPECT_EQ(async.parameters[2].bytes, 4u);
  EXPECT_EQ(async.static_shared_bytes, 0u);
  EXPECT_EQ(kernel_named(kernels, "memory_generic").local_bytes, 64u);
}

TEST_P(BothArchitectures, CodeIsCompleteAndInOrder) {
  const Cubin module = open_cubin(sample("control", GetParam()));
  for (const isa::Kernel& listed : module.kernels()) {
    if (listed.name == "control_special") continue;  // reads %gridid, which nobody knows
    const isa::Kernel k = module.decode(listed.name);
    ASSERT_FALSE(k.code.empty());
    for (std::size_t index = 0; index < k.code.size(); ++index) {
      ASSERT_EQ(k.code[index].address, isa::kInstructionBytes * index);
      ASSERT_NE(k.code[index].opcode, isa::Opcode::kInvalid);
    }
  }
}

TEST_P(BothArchitectures, ConstantBanks) {
  const isa::Kernel k = open_cubin(sample("memory", GetParam())).decode("memory_constants");
  const auto& table = k.constants.at(3);  // memory_doubles may come before or after memory_table
  ASSERT_EQ(table.size(), 256u * 4 + 4 * 8);
  const std::vector<std::uint8_t> expected{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0};
  EXPECT_NE(std::search(table.begin(), table.end(), expected.begin(), expected.end()), table.end());
}

TEST_P(BothArchitectures, DeviceVariablesAreNamed) {
  const isa::Kernel k = open_cubin(sample("memory", GetParam())).decode("memory_constants");
  ASSERT_EQ(k.variables.size(), 3u);  // that which it names first, then those of the module that a host may set
  EXPECT_EQ(k.variables[0].name, "memory_global");
  EXPECT_EQ(k.variables[0].bytes, 256u);
  EXPECT_TRUE(k.variables[0].initial.empty());
  ASSERT_EQ(k.address_patches.size(), 1u);
  EXPECT_EQ(k.address_patches[0].bank, 4);
  EXPECT_EQ(k.address_patches[0].offset, 0u);
}

TEST_P(BothArchitectures, RecursionGetsTheDefaultStack) {
  const auto kernels = list_kernels(sample("control", GetParam()));
  EXPECT_EQ(kernel_named(kernels, "control_calls").local_bytes, 1024u);
}

TEST_P(BothArchitectures, UnknownInstructionFailsOnlyItsKernel) {
  auto bytes = bytes_of(sample("control", GetParam()));
  const Cubin whole(bytes, "whole.cubin");
  const std::string first = whole.kernels()[0].name;
  const auto words = words_of(whole, first);
  // Its first instruction is at the start of its text: find the words in the file and spoil the opcode.
  std::vector<std::uint8_t> pattern(16);
  std::memcpy(pattern.data(), words.data(), 16);
  const auto at = std::search(bytes.begin(), bytes.end(), pattern.begin(), pattern.end());
  ASSERT_NE(at, bytes.end());
  at[0] = 0xff;
  at[1] = 0xff;
  const Cubin spoilt(bytes, "spoilt.cubin");
  EXPECT_EQ(spoilt.kernels().size(), whole.kernels().size());
  EXPECT_NO_THROW(spoilt.decode(whole.kernels()[1].name));
  try {
    spoilt.decode(first);
    FAIL() << "decoded";
  } catch (const CubinError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("spoilt.cubin"), HasSubstr("kernel " + first), HasSubstr("0x0000"),
                                    HasSubstr("unknown opcode")));
  }
}

TEST(BrokenFile, WhatItIsInstead) {
  EXPECT_THAT(error_of({}), AllOf(HasSubstr("broken.cubin"), HasSubstr("empty"), HasSubstr("nvcc -cubin")));
  EXPECT_THAT(error_of({'h', 'e', 'l', 'l', 'o'}), AllOf(HasSubstr("ELF header"), HasSubstr("nvcc -cubin")));
  EXPECT_THAT(error_of(bytes_of("/proc/self/exe")), AllOf(HasSubstr("machine type"), HasSubstr("not a host program")));
  EXPECT_THROW(open_cubin("no/such/file.cubin"), CubinError);
}

TEST(BrokenFile, OtherArchitecture) {
  auto bytes = bytes_of(sample("memory", 90));
  bytes[0x31] = 86;  // e_flags bits 15:8
  EXPECT_THAT(error_of(bytes), HasSubstr("compiled for sm_86"));
}

TEST(BrokenFile, UnknownKernel) {
  try {
    open_cubin(sample("memory", 80)).decode("memory_width");
    FAIL() << "found";
  } catch (const CubinError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("kernel memory_width"), HasSubstr("memory_widths")));
  }
}

/// Second word of every sized record with this attribute in .nv.info: one per function.
std::vector<std::uint8_t> with_attribute(std::vector<std::uint8_t> bytes, std::uint8_t attribute, std::uint32_t value) {
  const std::uint8_t pattern[] = {4, attribute, 8, 0};
  int changed = 0;
  for (auto at = bytes.begin();; at += 4, ++changed) {
    at = std::search(at, bytes.end(), std::begin(pattern), std::end(pattern));
    if (at == bytes.end()) break;
    std::memcpy(&at[8], &value, 4);
  }
  EXPECT_GT(changed, 0);
  return bytes;
}

TEST_P(BothArchitectures, ResourcesBeyondTheHardware) {
  const auto whole = bytes_of(sample("memory", GetParam()));
  EXPECT_EQ(error_of(with_attribute(whole, 0x2f, 255)), "");
  EXPECT_THAT(error_of(with_attribute(whole, 0x2f, 256)), HasSubstr("256 registers"));
  EXPECT_THAT(error_of(with_attribute(whole, 0x2f, 0xfb26ec21)), HasSubstr("4213632033 registers"));
  EXPECT_EQ(error_of(with_attribute(whole, 0x11, 512 << 10)), "");
  EXPECT_THAT(error_of(with_attribute(whole, 0x11, (512 << 10) + 1)), HasSubstr("524289 bytes of local memory"));
}

TEST_P(BothArchitectures, CodeMustEndForGood) {
  auto bytes = bytes_of(sample("control", GetParam()));
  const Cubin whole(bytes, "whole.cubin");
  const std::string first = whole.kernels()[0].name;
  const isa::Kernel kernel = whole.decode(first);
  std::size_t last = kernel.code.size() - 1;
  while (kernel.code[last].opcode == isa::Opcode::kNop) --last;
  const auto words = words_of(whole, first);
  std::vector<std::uint8_t> text(words.size() * 8);
  std::memcpy(text.data(), words.data(), text.size());
  const auto at = std::search(bytes.begin(), bytes.end(), text.begin(), text.end());
  ASSERT_NE(at, bytes.end());
  at[static_cast<std::ptrdiff_t>(16 * last) + 1] &= 0x0f;  // the guard becomes P0
  EXPECT_THAT(error_of(bytes), AllOf(HasSubstr("kernel " + first), HasSubstr("does not end with a jump or EXIT")));
}

TEST_P(BothArchitectures, TruncatedAnywhere) {
  const auto whole = bytes_of(sample("memory", GetParam()));
  ASSERT_EQ(error_of(whole), "");
  for (std::size_t size = 0; size < whole.size(); size += 64) {
    const std::string error = error_of({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
    EXPECT_THAT(error, HasSubstr("broken.cubin: ")) << "truncated to " << size;
  }
}

TEST_P(BothArchitectures, GarbledAnywhere) {
  const auto whole = bytes_of(sample("memory", GetParam()));
  std::mt19937 random(1);
  int failures = 0;
  for (int round = 0; round < 3000; ++round) {
    auto bytes = whole;
    for (int flip = 0; flip < 3; ++flip) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    const std::string error = error_of(bytes);  // anything but CubinError ends the test
    if (!error.empty()) ++failures;
  }
  EXPECT_GT(failures, 300);
}

TEST_P(BothArchitectures, GarbledHeaders) {
  const auto whole = bytes_of(sample("memory", GetParam()));
  std::uint64_t table = 0;
  std::memcpy(&table, whole.data() + 0x28, 8);
  std::mt19937 random(2);
  for (int round = 0; round < 3000; ++round) {
    auto bytes = whole;
    const bool in_table = round % 2 == 0;
    const std::size_t begin = in_table ? table : 0;
    const std::size_t span = in_table ? whole.size() - table : 64;
    bytes[begin + random() % span] = static_cast<std::uint8_t>(random());
    error_of(bytes);
  }
}

}  // namespace
}  // namespace stc::cubin
