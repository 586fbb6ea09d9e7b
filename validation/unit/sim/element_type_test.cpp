// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/element_type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace stc::sim {
namespace {

/// Whole numbers for every type; for floats what is not normal, a quiet NaN with bits of its own among them, as well.
std::vector<float> values_for(ElementType type) {
  std::vector<float> values = {0.0F, 1.0F, 2.0F, 100.0F};
  if (is_integer(type)) return values;
  float nan = 0;
  const std::uint32_t bits = 0xffe12345U;
  std::memcpy(&nan, &bits, sizeof nan);
  values.insert(values.end(), {-0.0F, 1.0F / 3, 0x1p-140F, 1e30F, HUGE_VALF, nan});
  return values;
}

class ElementTypes : public testing::TestWithParam<std::string> {};

TEST_P(ElementTypes, ManyAreEncodedAsEachIs) {
  const ElementType type = *element_type_of(GetParam());
  const std::vector<float> values = values_for(type);
  const std::vector<std::uint8_t> bytes = encode_elements(values, type);
  const auto width = static_cast<std::size_t>(bytes_of(type));
  ASSERT_EQ(bytes.size(), values.size() * width);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &bytes[i * width], width);
    EXPECT_EQ(bits, encode(type, static_cast<double>(values[i]))) << values[i];
  }
}

TEST_P(ElementTypes, ManyAreRoundedAsEachIs) {
  const ElementType type = *element_type_of(GetParam());
  const std::vector<float> values = values_for(type);
  std::vector<float> rounded = values;
  round_elements(rounded, type);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto one = static_cast<float>(decode(type, encode(type, static_cast<double>(values[i]))));
    EXPECT_EQ(std::memcmp(&rounded[i], &one, sizeof one), 0) << values[i];
  }
}

INSTANTIATE_TEST_SUITE_P(All, ElementTypes, testing::ValuesIn(element_type_names()),
                         [](const auto& type) { return type.param; });

}  // namespace
}  // namespace stc::sim
