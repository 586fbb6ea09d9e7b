// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/special_register.h"

#include <fmt/format.h>

#include "models/isa/state/address_space.h"
#include "models/isa/text/listing.h"

namespace stc::isa {
namespace {

enum SpecialRegister : int {
  kLaneId = 0x00,
  kVirtCfg = 0x02,  // bits 14:8: warp slots of the SM
  kVirtId = 0x03,   // bits 14:8: warp slot
  kTid = 0x20,      // x | y << 16 | z << 26
  kTidX = 0x21,
  kTidY = 0x22,
  kTidZ = 0x23,
  kCtaIdX = 0x25,
  kCtaIdY = 0x26,
  kCtaIdZ = 0x27,
  kSharedWindowHigh = 0x2f,
  kSharedBytes = 0x32,
  kLocalHighOffset = 0x37,  // the lowest address of the stack, which code of -O0 and -G compares with R1
  kEqMask = 0x38,
  kLtMask = 0x39,
  kLeMask = 0x3a,
  kGtMask = 0x3b,
  kGeMask = 0x3c,
  kVirtualSmId = 0x43,
  kVirtualSmIdOld = 0x48,
  kClockLow = 0x50,
  kClockHigh = 0x51,
  kTimerLow = 0x52,
  kTimerHigh = 0x53,
  kCgaCtaId = 0x88,
  kZero = 0xff
};
constexpr std::uint32_t kWarpSlots = 64;

std::uint32_t uniform_value(const Execution& x, int number) {
  const CtaState& cta = *x.warp.cta;
  switch (number) {
    case kVirtCfg: return kWarpSlots << 8;
    case kVirtId: return static_cast<std::uint32_t>(x.context.warp_slot) << 8;
    case kCtaIdX: return cta.index.x;
    case kCtaIdY: return cta.index.y;
    case kCtaIdZ: return cta.index.z;
    case kSharedWindowHigh: return static_cast<std::uint32_t>(kSharedWindow >> 32);
    case kSharedBytes: return rounded_shared_bytes(static_cast<std::uint32_t>(cta.shared.size()));
    case kVirtualSmId:
    case kVirtualSmIdOld: return static_cast<std::uint32_t>(x.context.sm_id);
    case kClockLow: return static_cast<std::uint32_t>(x.context.cycle);
    case kClockHigh: return static_cast<std::uint32_t>(x.context.cycle >> 32);
    case kTimerLow: return static_cast<std::uint32_t>(x.context.global_timer_ns);
    case kTimerHigh: return static_cast<std::uint32_t>(x.context.global_timer_ns >> 32);
    case kCgaCtaId: return cta.cluster_rank;
    case kLocalHighOffset:  // local memory begins at 0 (address_space.h)
    case kZero: return 0;
    default:
      throw_fault(x.instruction, x.warp, x.context, -1,
                  fmt::format("special register {} (0x{:02x}) is not modelled",
                              special_register_name(static_cast<std::uint8_t>(number)), number));
  }
}

}  // namespace

bool models_special_register(int number) {
  switch (number) {
    case kLaneId:
    case kVirtCfg:
    case kVirtId:
    case kTid:
    case kTidX:
    case kTidY:
    case kTidZ:
    case kCtaIdX:
    case kCtaIdY:
    case kCtaIdZ:
    case kSharedWindowHigh:
    case kSharedBytes:
    case kLocalHighOffset:
    case kEqMask:
    case kLtMask:
    case kLeMask:
    case kGtMask:
    case kGeMask:
    case kVirtualSmId:
    case kVirtualSmIdOld:
    case kClockLow:
    case kClockHigh:
    case kTimerLow:
    case kTimerHigh:
    case kCgaCtaId:
    case kZero: return true;
    default: return false;
  }
}

void read_special_register(const Execution& x, int number, Vector& value) {
  const Dim3 block = x.warp.cta->block;
  const std::uint32_t first = static_cast<std::uint32_t>(x.warp.index_in_cta) * kWarpSize;
  const auto tid = [&](std::uint32_t lane, int axis) {
    const std::uint32_t linear = first + lane;
    if (axis == 0) return linear % block.x;
    if (axis == 1) return linear / block.x % block.y;
    return linear / block.x / block.y;
  };
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const std::uint32_t bit = 1u << lane;
    switch (number) {
      case kLaneId: value[lane] = lane; break;
      case kTid: value[lane] = tid(lane, 0) | tid(lane, 1) << 16 | tid(lane, 2) << 26; break;
      case kTidX: value[lane] = tid(lane, 0); break;
      case kTidY: value[lane] = tid(lane, 1); break;
      case kTidZ: value[lane] = tid(lane, 2); break;
      case kEqMask: value[lane] = bit; break;
      case kLtMask: value[lane] = bit - 1; break;
      case kLeMask: value[lane] = bit | (bit - 1); break;
      case kGtMask: value[lane] = ~(bit | (bit - 1)); break;
      case kGeMask: value[lane] = ~(bit - 1); break;
      default: broadcast(uniform_value(x, number), value); return;
    }
  }
}

std::uint64_t read_special_register_64(const Execution& x, int number) {
  if (number == kZero) return 0;
  return std::uint64_t{uniform_value(x, number + 1)} << 32 | uniform_value(x, number);
}

}  // namespace stc::isa
