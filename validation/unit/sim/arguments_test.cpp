// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/arguments.h"

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
