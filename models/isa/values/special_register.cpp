// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/special_register.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "models/isa/state/address_space.h"
#include "models/isa/text/listing.h"

namespace stc::isa {
namespace {

constexpr std::uint32_t kWarpSlots = 64;
constexpr int kVirtId = 0x03, kZero = 0xff;

std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high_word(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

std::uint32_t thread_index(const Execution& x, std::uint32_t lane, int axis) {
  const Dim3 block = x.warp.cta->block;
  const std::uint32_t linear = static_cast<std::uint32_t>(x.warp.index_in_cta) * kWarpSize + lane;
  if (axis == 0) return linear % block.x;
  if (axis == 1) return linear / block.x % block.y;
  return linear / block.x / block.y;
}

/// A register with one value for the warp, or one for each lane.
struct SpecialRegister {
  int number;
  std::uint32_t (*of_warp)(const Execution& x);
  std::uint32_t (*of_lane)(const Execution& x, std::uint32_t lane) = nullptr;
  bool place_or_time = false;  ///< differs with where and when a warp runs
};

// clang-format off
/// All that are modelled.
constexpr SpecialRegister kRegisters[] = {
    {0x02, [](const Execution&) { return kWarpSlots << 8; }},  // virtcfg; bits 14:8: warp slots of the SM
    {kVirtId, [](const Execution& x) { return static_cast<std::uint32_t>(x.context.warp_slot) << 8; }, nullptr, true},  // virtid; the warp's slot
    {0x25, [](const Execution& x) { return x.warp.cta->index.x; }},  // ctaid.x
    {0x26, [](const Execution& x) { return x.warp.cta->index.y; }},  // ctaid.y
    {0x27, [](const Execution& x) { return x.warp.cta->index.z; }},  // ctaid.z
    {0x2f, [](const Execution&) { return high_word(kSharedWindow); }},  // high word of the shared window
    {0x32, [](const Execution& x) { return rounded_shared_bytes(static_cast<std::uint32_t>(x.warp.cta->shared.size())); }},  // bytes of shared memory
    // The lowest address of the stack, which code of -O0 and -G compares with R1: local memory begins at 0.
    {0x37, [](const Execution&) { return 0u; }},
    {0x43, [](const Execution& x) { return static_cast<std::uint32_t>(x.context.sm_id); }, nullptr, true},  // smid
    {0x48, [](const Execution& x) { return static_cast<std::uint32_t>(x.context.sm_id); }, nullptr, true},  // smid of older compilers
    {0x50, [](const Execution& x) { return low_word(x.context.cycle); }, nullptr, true},  // clock
    {0x51, [](const Execution& x) { return high_word(x.context.cycle); }, nullptr, true},  // clock_hi
    {0x52, [](const Execution& x) { return low_word(x.context.global_timer_ns); }, nullptr, true},  // globaltimer_lo
    {0x53, [](const Execution& x) { return high_word(x.context.global_timer_ns); }, nullptr, true},  // globaltimer_hi
    {0x88, [](const Execution& x) { return x.warp.cta->cluster_rank; }},  // rank in the cluster
    {kZero, [](const Execution&) { return 0u; }},
    {0x00, nullptr, [](const Execution&, std::uint32_t lane) { return lane; }},  // laneid
    {0x20, nullptr, [](const Execution& x, std::uint32_t lane) {  // tid: x | y << 16 | z << 26
       return thread_index(x, lane, 0) | thread_index(x, lane, 1) << 16 | thread_index(x, lane, 2) << 26;
     }},
    {0x21, nullptr, [](const Execution& x, std::uint32_t lane) { return thread_index(x, lane, 0); }},  // tid.x
    {0x22, nullptr, [](const Execution& x, std::uint32_t lane) { return thread_index(x, lane, 1); }},  // tid.y
    {0x23, nullptr, [](const Execution& x, std::uint32_t lane) { return thread_index(x, lane, 2); }},  // tid.z
    {0x38, nullptr, [](const Execution&, std::uint32_t lane) { return 1u << lane; }},  // eqmask
    {0x39, nullptr, [](const Execution&, std::uint32_t lane) { return (1u << lane) - 1; }},  // ltmask
    {0x3a, nullptr, [](const Execution&, std::uint32_t lane) { return (2u << lane) - 1; }},  // lemask
    {0x3b, nullptr, [](const Execution&, std::uint32_t lane) { return ~((2u << lane) - 1); }},  // gtmask
    {0x3c, nullptr, [](const Execution&, std::uint32_t lane) { return ~((1u << lane) - 1); }},  // gemask
};
// clang-format on

const SpecialRegister* find_register(int number) {
  const auto* const found = std::find_if(std::begin(kRegisters), std::end(kRegisters),
                                         [number](const SpecialRegister& one) { return one.number == number; });
  return found == std::end(kRegisters) ? nullptr : found;
}

std::uint32_t value_of_warp(const Execution& x, int number) {
  const SpecialRegister* const one = find_register(number);
  if (one != nullptr && one->of_warp != nullptr) return one->of_warp(x);
  throw_fault(x.instruction, x.warp, x.context, -1,
              fmt::format("special register {} (0x{:02x}) is not modelled",
                          special_register_name(static_cast<std::uint8_t>(number)), number));
}

}  // namespace

bool models_special_register(int number) { return find_register(number) != nullptr; }

bool comes_through_memory_queue(int number) {
  const SpecialRegister* const one = find_register(number);
  return one != nullptr && (one->of_lane != nullptr || number == kVirtId);
}

bool tells_place_or_time(int number) {
  const SpecialRegister* const one = find_register(number);
  return one != nullptr && one->place_or_time;
}

void read_special_register(const Execution& x, int number, Vector& value) {
  const SpecialRegister* const one = find_register(number);
  if (one == nullptr || one->of_lane == nullptr) {
    broadcast(value_of_warp(x, number), value);
    return;
  }
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) value[lane] = one->of_lane(x, lane);
}

std::uint64_t read_special_register_64(const Execution& x, int number) {
  if (number == kZero) return 0;
  return std::uint64_t{value_of_warp(x, number + 1)} << 32 | value_of_warp(x, number);
}

}  // namespace stc::isa
