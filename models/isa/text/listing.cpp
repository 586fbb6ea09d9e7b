// SPDX-License-Identifier: Apache-2.0
#include "models/isa/text/listing.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "models/isa/text/mnemonic.h"
#include "models/isa/text/opcode_text.h"
#include "models/isa/text/operand_text.h"

namespace stc::isa {
namespace {

constexpr std::array<OpcodeText, kOpcodeCount> kOperands = {
#define STC_OPCODE(name, handler, unit, latency, result, sources, decoder, mnemonic, modifiers_of, operands_of) \
  operands::operands_of,
#include "models/isa/opcodes.def"
};

// In the order of their numbers; nullptr: no name.
constexpr const char* kSpecialRegisters[] = {
    "SR_LANEID",
    "SR_CLOCK",
    "SR_VIRTCFG",
    "SR_VIRTID",
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    "SR_ORDERING_TICKET",
    "SR_PRIM_TYPE",
    "SR_INVOCATION_ID",
    "SR_Y_DIRECTION",
    "SR_THREAD_KILL",
    "SM_SHADER_TYPE",
    "SR_DIRECTCBEWRITEADDRESSLOW",
    "SR_DIRECTCBEWRITEADDRESSHIGH",
    "SR_DIRECTCBEWRITEENABLED",
    "SR_SW_SCRATCH",
    "SR_MACHINE_ID_1",
    "SR_MACHINE_ID_2",
    "SR_MACHINE_ID_3",
    "SR_AFFINITY",
    "SR_INVOCATION_INFO",
    "SR_WSCALEFACTOR_XY",
    "SR_WSCALEFACTOR_Z",
    "SR_TID",
    "SR_TID.X",
    "SR_TID.Y",
    "SR_TID.Z",
    nullptr,
    "SR_CTAID.X",
    "SR_CTAID.Y",
    "SR_CTAID.Z",
    "SR_NTID",
    "SR_CirQueueIncrMinusOne",
    "SR_NLATC",
    nullptr,
    "SR_SM_SPA_VERSION",
    "SR_MULTIPASSSHADERINFO",
    "SR_LWINHI",
    "SR_SWINHI",
    "SR_SWINLO",
    "SR_SWINSZ",
    "SR_SMEMSZ",
    "SR_SMEMBANKS",
    "SR_LWINLO",
    "SR_LWINSZ",
    "SR_LMEMLOSZ",
    "SR_LMEMHIOFF",
    "SR_EQMASK",
    "SR_LTMASK",
    "SR_LEMASK",
    "SR_GTMASK",
    "SR_GEMASK",
    "SR_REGALLOC",
    "SR_BARRIERALLOC",
    nullptr,
    "SR_GLOBALERRORSTATUS",
    "SR_CGAERRORSTATUS",
    "SR_WARPERRORSTATUS",
    "SR_VIRTUALSMID",
    "SR_VIRTUALENGINEID",
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    "SR_CLOCKLO",
    "SR_CLOCKHI",
    "SR_GLOBALTIMERLO",
    "SR_GLOBALTIMERHI",
    "SR_ESR_PC",
    "SR_ESR_PC_HI",
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    "SR_HWTASKID",
    "SR_CIRCULARQUEUEENTRYINDEX",
    "SR_CIRCULARQUEUEENTRYADDRESSLOW",
    "SR_CIRCULARQUEUEENTRYADDRESSHIGH",
    "SR_PM0",
    "SR_PM_HI0",
    "SR_PM1",
    "SR_PM_HI1",
    "SR_PM2",
    "SR_PM_HI2",
    "SR_PM3",
    "SR_PM_HI3",
    "SR_PM4",
    "SR_PM_HI4",
    "SR_PM5",
    "SR_PM_HI5",
    "SR_PM6",
    "SR_PM_HI6",
    "SR_PM7",
    "SR_PM_HI7",
    "SR_SNAP_PM0",
    "SR_SNAP_PM_HI0",
    "SR_SNAP_PM1",
    "SR_SNAP_PM_HI1",
    "SR_SNAP_PM2",
    "SR_SNAP_PM_HI2",
    "SR_SNAP_PM3",
    "SR_SNAP_PM_HI3",
    "SR_SNAP_PM4",
    "SR_SNAP_PM_HI4",
    "SR_SNAP_PM5",
    "SR_SNAP_PM_HI5",
    "SR_SNAP_PM6",
    "SR_SNAP_PM_HI6",
    "SR_SNAP_PM7",
    "SR_SNAP_PM_HI7",
    "SR_VARIABLE_RATE",
    "__HIR0X000",
    "SR_WARPGROUP_INFO",
    "SR_WARPGROUPID",
    "SR_CgaCtaId",
    "SR_GpcLocalCgaId",
    nullptr,
    "SR_CTARegPoolSz",
};

}  // namespace

std::string listing_text(const Instruction& i) {
  std::string text;
  const bool guarded = i.guard.index != kPredicateTrue || i.guard.negate;
  if (guarded) text = "@" + operands::predicate_name(i.guard) + " ";
  text += mnemonic(i);
  const std::string of_operands = kOperands[static_cast<std::size_t>(i.opcode)](i);
  return of_operands.empty() ? text : text + " " + of_operands;
}

std::string control_text(const Control& c) {
  std::string mask;
  for (int sb = 0; sb < kScoreboards; ++sb) mask += (c.wait_mask >> sb) & 1 ? static_cast<char>('0' + sb) : '-';
  const auto scoreboard = [](std::uint8_t sb) { return sb == kNoScoreboard ? std::string("-") : std::to_string(sb); };
  return fmt::format("B{}:R{}:W{}:{}:S{:02}", mask, scoreboard(c.read_scoreboard), scoreboard(c.write_scoreboard),
                     c.yield ? 'Y' : '-', c.stall);
}

std::string special_register_name(std::uint8_t number) {
  if (number == 0xff) return "SRZ";
  const char* const name = number < std::size(kSpecialRegisters) ? kSpecialRegisters[number] : nullptr;
  return name != nullptr ? name : fmt::format("SR{}", number);
}

}  // namespace stc::isa
