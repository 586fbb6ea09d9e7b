// SPDX-License-Identifier: Apache-2.0
// Conversions of device printf against the host's.
#include "models/isa/driver/device_format.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace stc::isa {
namespace {

/// Arguments in order; the widths that the format asked for are kept.
struct Arguments {
  std::vector<std::uint64_t> values;
  std::vector<unsigned> widths;
};

FormattedText format(const std::string& text, Arguments& arguments) {
  std::size_t next = 0;
  return format_arguments(
      text,
      [&](unsigned bytes) {
        arguments.widths.push_back(bytes);
        return arguments.values.at(next++);
      },
      [](std::uint64_t address) { return "text" + std::to_string(address); });
}

std::uint64_t bits(double value) {
  std::uint64_t word;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

TEST(DeviceFormat, SizesFollowLengths) {
  Arguments a{{1, 2, 3, 4, 5, 6, bits(1.5), 7, 8}, {}};
  const FormattedText line = format("%d %ld %lld %u %lu %zu %f %c|%s", a);
  EXPECT_EQ(line.text, "1 2 3 4 5 6 1.500000 \x07|text8");
  EXPECT_EQ(a.widths, (std::vector<unsigned>{4, 8, 8, 4, 8, 8, 8, 4, 8}));
  EXPECT_EQ(line.arguments, 9);
  EXPECT_EQ(line.unknown, "");
}

TEST(DeviceFormat, SignsAndFlags) {
  Arguments a{{0xffffffffu, ~std::uint64_t{0}, 255, 255, bits(-0.0), 0x1000}, {}};
  EXPECT_EQ(format("%+d|%ld|%#x|%08X|%g|%p", a).text, "-1|-1|0xff|000000FF|-0|0x1000");
}

TEST(DeviceFormat, WidthsFromArguments) {
  Arguments a{{6, 42, 0xfffffffau, 7, 3, bits(2.0)}, {}};
  const FormattedText line = format("%*d|%*d|%.*f", a);
  EXPECT_EQ(line.text, "    42|7     |2.000");
  EXPECT_EQ(line.arguments, 6);
}

TEST(DeviceFormat, WithoutArguments) {
  Arguments none;
  EXPECT_EQ(format("100%% of it\n", none).text, "100% of it\n");
  EXPECT_EQ(format("", none).arguments, 0);
}

TEST(DeviceFormat, UnknownConversionsAreNamed) {
  for (const char* unknown : {"%q", "%n", "%5%", "%", "%-3"}) {
    Arguments a{{1, 1}, {}};
    EXPECT_EQ(format(std::string("x ") + unknown, a).unknown, unknown);
  }
}

TEST(DeviceFormat, WidthsAreBounded) {
  Arguments a{{1}, {}};
  EXPECT_EQ(format("%99999999d", a).text.size(), 4096u);
}

}  // namespace
}  // namespace stc::isa
