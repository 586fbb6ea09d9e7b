// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/arguments.h"

#include <cstring>

#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Argument> parse_arguments(const std::string& list) {
  std::vector<Argument> arguments;
  for (const ConfigNode& node : ConfigNode::parse("args: " + list, "f.yaml", {}).at("args").elements()) {
    arguments.push_back(read_argument(node));
  }
  return arguments;
}

std::vector<std::uint8_t> pack(const std::string& list, const std::vector<isa::KernelParameter>& parameters) {
  return pack_arguments(
      parse_arguments(list), parameters, "gemm", [](const std::string&) { return 0x1122334455667788ULL; },
      "f.yaml:1:1: args");
}

TEST(PackArguments, PlacesBytesAtTheKernelsOffsets) {
  EXPECT_THAT(pack("[{i32: -2}, A]", {{0, 4}, {8, 8}}),
              ElementsAre(0xfe, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11));
  EXPECT_THAT(pack("[{f16: 1}, {hex: 0a0B}]", {{0, 2}, {2, 2}}), ElementsAre(0x00, 0x3c, 0x0a, 0x0b));
  EXPECT_THAT(pack("[{buffer: A, offset: 8}]", {{0, 8}})[0], 0x90);
}

TEST(PackArguments, StructsHoldPointers) {
  const std::string hex(2 * 24, '5');
  const auto bytes =
      pack("[{i32: 1}, {hex: '" + hex + "', at: {0x10: A, 1: {buffer: A, offset: 8}}}]", {{0, 4}, {8, 24}});
  ASSERT_EQ(bytes.size(), 32U);
  EXPECT_EQ(bytes[8], 0x55);
  EXPECT_THAT(std::vector(bytes.begin() + 9, bytes.begin() + 17),
              ElementsAre(0x90, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11));
  EXPECT_EQ(bytes[17], 0x55);
  EXPECT_THAT(std::vector(bytes.begin() + 24, bytes.end()),
              ElementsAre(0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11));
}

TEST(PackArguments, CountMustBeTheKernels) {
  EXPECT_EQ(user_error([] {
              pack("[A]", {{0, 8}, {8, 4}});
            }),
            "f.yaml:1:1: args: kernel gemm takes 2 arguments, but 1 is given");
}

TEST(PackArguments, SizesMustBeTheKernels) {
  EXPECT_EQ(user_error([] {
              pack("[A, {i64: 7}]", {{0, 8}, {8, 4}});
            }),
            "f.yaml:1:11: args.1: argument 2 (i64: 7) has 8 bytes, but parameter 2 of kernel gemm has 4");
}

TEST(PackArguments, TensorMapsAreTheDrivers) {
  // The first row of measured/h200/tensor_maps.csv.
  auto bytes = pack("[{tensor_map: {buffer: A, type: f16, sizes: [64, 64], box: [64, 8]}}]", {{0, 128}});
  ASSERT_EQ(bytes.size(), 128U);
  const auto word = [&](std::size_t at) {
    std::uint32_t value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  EXPECT_EQ(word(0), 0x55667788u);
  EXPECT_EQ(word(4), 0x11223344u);
  EXPECT_EQ(word(8), 0x310u);
  EXPECT_EQ(word(12), 8u);
  EXPECT_EQ(word(0x20), 63u);
  EXPECT_EQ(word(0x34), 0x3f000000u);
  EXPECT_EQ(word(0x38), 7u);
  EXPECT_EQ(word(0x40), 0x400u);
  bytes = pack(
      "[{tensor_map: {buffer: A, offset: 16, type: f64, sizes: [16, 4], strides: [256], box: [8, 4], steps: [1, 2], "
      "swizzle: 64, promotion: 256, fill: nan}}]",
      {{0, 128}});
  EXPECT_EQ(word(0), 0x55667798u);
  EXPECT_EQ(word(8), 2u << 13 | 1u << 15 | 3u << 17 | 9u << 7 | 1u << 4);
  EXPECT_EQ(word(0x34), 7u << 24 | 1u << 3);
}

TEST(ReadArgument, TensorMapsThatTheDriverRefusesAreExplained) {
  const auto error = [](const std::string& more) {
    return user_error([&] { parse_arguments("[{tensor_map: {buffer: A, type: f16, " + more + "}}]"); });
  };
  EXPECT_EQ(error("sizes: [64, 64], box: [60, 8]"),
            "f.yaml:1:9: args.0.tensor_map is no tensor map: the box has 120 bytes in dimension 0, no multiple of 16");
  EXPECT_THAT(error("sizes: [64, 64], box: [64, 8], swizzle: 48"),
              HasSubstr("args.0.tensor_map.swizzle is 48, but must be 0, 32, 64 or 128"));
  EXPECT_THAT(error("sizes: [64, 64], box: [64]"), HasSubstr("box has 1 numbers, but must have 2"));
  EXPECT_THAT(error("sizes: [60, 64], box: [64, 8]"),
              HasSubstr("stride 120 of dimension 1 is no multiple of 16 below 2^40"));
  EXPECT_THAT(error("sizes: [1, 1, 1, 1, 1, 1], box: [8]"), HasSubstr("must have one to five numbers"));
  EXPECT_THAT(error("sizes: [64], box: [64], offset: 8"), HasSubstr("address 0x8 is no multiple of 16"));
  EXPECT_THAT(error("sizes: [4294967296, 4294967296, 4], box: [64, 8, 1]"),
              HasSubstr("is no multiple of 16 below 2^40"));
  const auto whole = [] {
    parse_arguments("[{tensor_map: {buffer: A, type: u16, sizes: [64], box: [64], fill: nan}}]");
  };
  EXPECT_THAT(user_error(whole), HasSubstr("NaN fills no elements of type u16"));
}

TEST(ReadArgument, BadOnesAreExplained) {
  EXPECT_THAT(user_error([] { parse_arguments("[{i33: 1}]"); }), HasSubstr("unknown key of args.0: 'i33'"));
  EXPECT_THAT(user_error([] { parse_arguments("[{i8: 200}]"); }), HasSubstr("must lie in -128 .. 127"));
  EXPECT_THAT(user_error([] { parse_arguments("[{i8: 1, i16: 2}]"); }), HasSubstr("one type with its value"));
  EXPECT_THAT(user_error([] { parse_arguments("[{hex: 0g}]"); }), HasSubstr("hexadecimal"));
  const auto held = [](const std::string& at) {
    return user_error([&] { parse_arguments("[{hex: '00112233445566778899', at: {" + at + "}}]"); });
  };
  EXPECT_THAT(held("3: A"), HasSubstr("'3' must be an offset with 8 bytes behind it in 10"));
  EXPECT_THAT(held("-1: A"), HasSubstr("'-1' must be an offset"));
  EXPECT_THAT(held("x: A"), HasSubstr("'x' must be an offset"));
  EXPECT_THAT(held("0: A, 2: B"), HasSubstr("the addresses at 0 and 2 overlap"));
  EXPECT_THAT(held("0: {i32: 1}"), HasSubstr("unknown key"));
}

}  // namespace
}  // namespace stc::sim
