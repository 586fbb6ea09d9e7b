// SPDX-License-Identifier: Apache-2.0
// Decoding "hi64_lo64" as the vectors write it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "models/isa/text/listing.h"
#include "traces/cubin/decoder.h"

namespace stc::cubin::testing {

inline isa::Instruction decode(const std::string& words, std::uint32_t address = 0, int sm = 80) {
  const auto split = words.find('_');
  const std::uint64_t high = std::stoull(words.substr(0, split), nullptr, 16);
  const std::uint64_t low = std::stoull(words.substr(split + 1), nullptr, 16);
  return decode_instruction(low, high, {address, sm, "test"});
}

inline std::string text(const std::string& words, std::uint32_t address = 0, int sm = 80) {
  return isa::listing_text(decode(words, address, sm));
}

}  // namespace stc::cubin::testing
