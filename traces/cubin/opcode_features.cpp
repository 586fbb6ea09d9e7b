// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/opcode_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "models/isa/opcode_traits.h"

namespace stc::cubin {
namespace {

/// Bits 8:0 of opcodes; the other four only choose among operand forms here.
struct FeatureRow {
  unsigned base;
  const char* feature;
};

constexpr FeatureRow kFeatures[] = {
    {0x1f0, "wgmma"},                          // HGMMA
    {0x1f1, "wgmma"},                          // IGMMA
    {0x1f2, "wgmma"},                          // BGMMA
    {0x1f3, "wgmma"},                          // QGMMA
    {0x1c5, "wgmma"},                          // WARPGROUP.ARRIVE, WARPGROUP.DEPBAR
    {0x1c8, "setmaxnreg"},                     // USETMAXREG
    {0x1b4, "TMA"},                            // UTMALDG
    {0x1b5, "TMA"},                            // UTMASTG
    {0x1b6, "TMA"},                            // UTMAREDG
    {0x1b7, "TMA"},                            // UTMACMDFLUSH
    {0x1b8, "TMA"},                            // UTMAPF
    {0x1b9, "TMA"},                            // UTMACCTL
    {0x1ba, "TMA"},                            // UBLKCP
    {0x1bb, "TMA"},                            // UBLKRED
    {0x1bc, "TMA"},                            // UBLKPF
    {0x1a7, "mbarrier"},                       // SYNCS.ARRIVE, SYNCS.PHASECHK
    {0x1b0, "mbarrier"},                       // ARRIVES
    {0x1b1, "mbarrier"},                       // SYNCS.CCTL
    {0x1b2, "mbarrier"},                       // SYNCS.EXCH
    {0x1c6, "fences of the async proxy"},      // FENCE.VIEW.ASYNC
    {0x1c7, "states of cluster barriers"},     // UCGABAR_GET, UCGABAR_SET
    {0x1bd, "st.async"},                       // STAS
    {0x1be, "red.async"},                      // REDAS
    {0x02d, "programmatic dependent launch"},  // PREEXIT
    {0x02e, "programmatic dependent launch"},  // ACQBULK
    {0x160, "textures"},                       // TEX
    {0x161, "textures"},                       // TEX, bindless
    {0x163, "textures"},                       // TLD4
    {0x164, "textures"},                       // TLD4, bindless
    {0x166, "textures"},                       // TLD
    {0x167, "textures"},                       // TLD, bindless
    {0x169, "textures"},                       // TMML
    {0x16a, "textures"},                       // TMML, bindless
    {0x16c, "textures"},                       // TXD
    {0x16d, "textures"},                       // TXD, bindless
    {0x16f, "textures"},                       // TXQ
    {0x170, "textures"},                       // TXQ, bindless
    {0x172, "textures"},                       // FOOTPRINT
    {0x173, "textures"},                       // FOOTPRINT, bindless
    {0x193, "surfaces"},                       // SUATOM, its surface in a constant or uniform register
    {0x194, "surfaces"},                       // SUATOM
    {0x195, "surfaces"},                       // SUATOM.CAS, likewise
    {0x196, "surfaces"},                       // SUATOM.CAS
    {0x197, "surfaces"},                       // SULD.P, likewise
    {0x198, "surfaces"},                       // SULD.P
    {0x199, "surfaces"},                       // SULD.D, likewise
    {0x19a, "surfaces"},                       // SULD.D
    {0x19b, "surfaces"},                       // SUST.P, likewise
    {0x19c, "surfaces"},                       // SUST.P
    {0x19d, "surfaces"},                       // SUST.D, likewise
    {0x19e, "surfaces"},                       // SUST.D
    {0x1a4, "multimem.ld_reduce"},             // LDGMC
    {0x1a5, "multimem.ld_reduce"},             // LDGMC of floating-point numbers
    {0x001, "pmevent"},                        // PMTRIG
    {0x07a, "FP8 matrix instructions"},        // QMMA
    {0x126, "graphics instructions"},          // IPA
    {0x147, "jumps by uniform predicates"},    // BRA.U
    {0x14a, "absolute jumps"},                 // JMP
    {0x14c, "absolute jumps"},                 // JMX
    {0x152, "moves of the return address"},    // RPCMOV.32
    {0x153, "moves of the return address"},    // RPCMOV.32 to a register
    {0x154, "moves of the return address"},    // RPCMOV
    {0x157, "64-bit moves to barriers"},       // BMOV.64
};

}  // namespace

std::string feature_of_opcode(unsigned opcode) {
  const auto row = std::find_if(std::begin(kFeatures), std::end(kFeatures),
                                [&](const FeatureRow& candidate) { return candidate.base == (opcode & 0x1ff); });
  return row != std::end(kFeatures) ? row->feature : fmt::format("unknown instruction {:#05x}", opcode);
}

std::string feature_of_form(isa::Opcode opcode) {
  const std::string mnemonic = isa::traits_of(opcode).mnemonic;
  return "a form of " + mnemonic.substr(0, mnemonic.find('.'));
}

}  // namespace stc::cubin
