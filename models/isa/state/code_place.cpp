// SPDX-License-Identifier: Apache-2.0
#include "models/isa/state/code_place.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/isa/state/address_space.h"

namespace stc::isa {
namespace {

/// The place that holds `address`, or nullptr.
const CodePlace* place_at(const Kernel& kernel, std::uint64_t address) {
  const auto& places = kernel.code_places;
  const auto after = std::upper_bound(places.begin(), places.end(), address,
                                      [](std::uint64_t a, const CodePlace& place) { return a < place.address; });
  if (after == places.begin() || address - after[-1].address >= after[-1].bytes) return nullptr;
  return &after[-1];
}

}  // namespace

std::optional<std::uint32_t> pc_of(const Kernel& kernel, std::uint64_t address) {
  if (kernel.code_places.empty()) {
    if (address >> 32 != kCodeWindow >> 32) return std::nullopt;
    return static_cast<std::uint32_t>(address);
  }
  const CodePlace* const place = place_at(kernel, address);
  if (place == nullptr || !place->missing.empty()) return std::nullopt;
  return place->pc + static_cast<std::uint32_t>(address - place->address);
}

std::uint64_t address_of(const Kernel& kernel, std::uint32_t pc) {
  for (const CodePlace& place : kernel.code_places) {
    if (place.missing.empty() && pc >= place.pc && pc - place.pc < place.bytes) return place.address + pc - place.pc;
  }
  return kCodeWindow | pc;
}

std::string describe_code(const Kernel& kernel, std::uint64_t address) {
  if (address < kCodeWindow || address >= kCodeEnd) return fmt::format("0x{:x}, which is no code", address);
  const CodePlace* const place = place_at(kernel, address);
  if (place != nullptr && !place->missing.empty()) return fmt::format("0x{:x}, {}", address, place->missing);
  return fmt::format("0x{:x}, where the kernel's module has no function that its kernels call through pointers",
                     address);
}

}  // namespace stc::isa
