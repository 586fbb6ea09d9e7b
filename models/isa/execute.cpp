// SPDX-License-Identifier: Apache-2.0
#include "models/isa/execute.h"

#include <fmt/format.h>

#include "models/isa/execution.h"
#include "models/isa/handlers.h"
#include "models/isa/poison.h"
#include "models/isa/unset_symbols.h"

namespace stc::isa {

void register_fault(const Execution& x, int index) {
  throw_fault(x.instruction, x.warp, x.context, -1,
              fmt::format("register R{} is beyond the {} that the kernel declares", index, x.warp.r.size()));
}

void bindless_fault(const Execution& x) {
  throw_fault(x.instruction, x.warp, x.context, -1, "bindless constant buffers are not modelled");
}

const std::uint8_t* constant_data(const Execution& x, int bank, std::uint32_t offset, std::uint32_t bytes) {
  if (x.context.unset_symbols != nullptr) x.context.unset_symbols->constant_read(bank, offset, bytes);
  const std::vector<std::uint8_t>* data = nullptr;
  if (bank == 0) {
    data = &x.warp.cta->constant0;
  } else if (const auto found = x.context.kernel->constants.find(bank); found != x.context.kernel->constants.end()) {
    data = &found->second;
  }
  if (data == nullptr || std::uint64_t{offset} + bytes > data->size()) {
    throw_address_fault(x.instruction, x.warp, x.context, -1,
                        fmt::format("out-of-bounds {}-byte read of constant bank {} ({} bytes)", bytes, bank,
                                    data == nullptr ? 0 : data->size()),
                        Space::kConstant, offset);
  }
  return data->data() + offset;
}

namespace {

void execute_unknown(Execution& x) {
  throw_fault(x.instruction, x.warp, x.context, -1,
              fmt::format("illegal instruction: opcode 0x{:03x} has no execution rule", x.instruction.encoding));
}

void execute_matrix(Execution& x) {
  if (x.lanes != kAllLanes) {
    throw_fault(x.instruction, x.warp, x.context, -1,
                fmt::format("executed by lanes 0x{:08x}; all 32 must take part", x.lanes));
  }
  if (x.context.values == Values::kAddresses) return;
  if (x.instruction.opcode == Opcode::kDmma) {
    execute_dmma(x);
    return;
  }
  execute_mma(x.instruction, x.warp, *x.context.numerics);
}

using Table = std::array<Handler, static_cast<std::size_t>(Opcode::kOpcodeCount)>;

Table make_table() {
  Table table;
  table.fill(execute_unknown);
  const auto set = [&](Opcode opcode, Handler handler) { table[static_cast<std::size_t>(opcode)] = handler; };
  set(Opcode::kMov, execute_mov);
  set(Opcode::kCs2r, execute_cs2r);
  set(Opcode::kS2r, execute_s2r);
  set(Opcode::kS2ur, execute_s2ur);
  set(Opcode::kR2ur, execute_r2ur);
  set(Opcode::kSel, execute_sel);
  set(Opcode::kPrmt, execute_prmt);
  set(Opcode::kP2r, execute_p2r);
  set(Opcode::kR2p, execute_r2p);
  set(Opcode::kMovm, execute_movm);
  set(Opcode::kIadd3, execute_iadd3);
  set(Opcode::kViadd, execute_viadd);
  set(Opcode::kImad, execute_imad);
  set(Opcode::kImadWide, execute_imad_wide);
  set(Opcode::kImadHi, execute_imad_high);
  set(Opcode::kLea, execute_lea);
  set(Opcode::kLop3, execute_lop3);
  set(Opcode::kShf, execute_shf);
  set(Opcode::kIsetp, execute_isetp);
  set(Opcode::kPlop3, execute_plop3);
  set(Opcode::kPlop3Signs, execute_plop3_signs);
  set(Opcode::kImnmx, execute_imnmx);
  set(Opcode::kIabs, execute_iabs);
  set(Opcode::kFlo, execute_flo);
  set(Opcode::kPopc, execute_popc);
  set(Opcode::kBrev, execute_brev);
  set(Opcode::kSgxt, execute_sgxt);
  set(Opcode::kBmsk, execute_bmsk);
  set(Opcode::kIdp, execute_idp);
  set(Opcode::kLepc, execute_lepc);
  set(Opcode::kFadd, execute_fadd);
  set(Opcode::kFmul, execute_fmul);
  set(Opcode::kFfma, execute_ffma);
  set(Opcode::kFsetp, execute_fsetp);
  set(Opcode::kFset, execute_fset);
  set(Opcode::kFsel, execute_fsel);
  set(Opcode::kFmnmx, execute_fmnmx);
  set(Opcode::kFchk, execute_fchk);
  set(Opcode::kMufu, execute_mufu);
  set(Opcode::kHadd2, execute_hadd2);
  set(Opcode::kHmul2, execute_hmul2);
  set(Opcode::kHfma2, execute_hfma2);
  set(Opcode::kHfma2Mma, execute_hfma2);
  set(Opcode::kHset2, execute_hset2);
  set(Opcode::kHsetp2, execute_hsetp2);
  set(Opcode::kHmnmx2, execute_hmnmx2);
  set(Opcode::kDadd, execute_dadd);
  set(Opcode::kDmul, execute_dmul);
  set(Opcode::kDfma, execute_dfma);
  set(Opcode::kDsetp, execute_dsetp);
  set(Opcode::kF2fp, execute_f2fp);
  set(Opcode::kF2fpUnpackFp8, execute_f2fp_unpack_fp8);
  set(Opcode::kF2fpPackFp8, execute_f2fp_pack_fp8);
  set(Opcode::kF2fpTf32, execute_f2fp_tf32);
  set(Opcode::kF2f, execute_f2f);
  set(Opcode::kFrnd, execute_frnd);
  set(Opcode::kF2i, execute_f2i);
  set(Opcode::kI2f, execute_i2f);
  set(Opcode::kI2fp, execute_i2fp);
  set(Opcode::kI2i, execute_i2i);
  set(Opcode::kI2ip, execute_i2ip);
  set(Opcode::kF2ip, execute_f2ip);
  set(Opcode::kVimnmx, execute_vimnmx);
  set(Opcode::kViaddmnmx, execute_viaddmnmx);
  set(Opcode::kVimnmx3, execute_vimnmx3);
  set(Opcode::kVabsdiff, execute_vabsdiff);
  set(Opcode::kVabsdiff4, execute_vabsdiff4);
  set(Opcode::kAtomg, execute_atomg);
  set(Opcode::kAtom, execute_atom);
  set(Opcode::kRed, execute_red);
  set(Opcode::kAtoms, execute_atoms);
  set(Opcode::kQspc, execute_qspc);
  set(Opcode::kSyncsExchange, execute_syncs_exchange);
  set(Opcode::kSyncsArrive, execute_syncs_arrive);
  set(Opcode::kSyncsPhase, execute_syncs_phase);
  set(Opcode::kSyncsInvalidate, execute_syncs_invalidate);
  set(Opcode::kArrives, execute_arrives);
  set(Opcode::kB2r, execute_b2r);
  set(Opcode::kHmma, execute_matrix);
  set(Opcode::kImma, execute_matrix);
  set(Opcode::kDmma, execute_matrix);
  set(Opcode::kUmov, execute_umov);
  set(Opcode::kUldc, execute_uldc);
  set(Opcode::kUiadd3, execute_uiadd3);
  set(Opcode::kUimad, execute_uimad);
  set(Opcode::kUimadWide, execute_uimad_wide);
  set(Opcode::kUlea, execute_ulea);
  set(Opcode::kUlop3, execute_ulop3);
  set(Opcode::kUshf, execute_ushf);
  set(Opcode::kUsel, execute_usel);
  set(Opcode::kUprmt, execute_uprmt);
  set(Opcode::kUisetp, execute_uisetp);
  set(Opcode::kUplop3, execute_uplop3);
  set(Opcode::kUsgxt, execute_usgxt);
  set(Opcode::kUbmsk, execute_ubmsk);
  set(Opcode::kUflo, execute_uflo);
  set(Opcode::kUpopc, execute_upopc);
  set(Opcode::kUbrev, execute_ubrev);
  set(Opcode::kUp2ur, execute_up2ur);
  set(Opcode::kUr2up, execute_ur2up);
  set(Opcode::kVoteu, execute_voteu);
  set(Opcode::kRedux, execute_redux);
  set(Opcode::kElect, execute_elect);
  set(Opcode::kLdc, execute_ldc);
  set(Opcode::kLdg, execute_ldg);
  set(Opcode::kStg, execute_stg);
  set(Opcode::kLds, execute_lds);
  set(Opcode::kSts, execute_sts);
  set(Opcode::kLdsm, execute_ldsm);
  set(Opcode::kStsm, execute_stsm);
  set(Opcode::kLdl, execute_ldl);
  set(Opcode::kStl, execute_stl);
  set(Opcode::kLd, execute_ld);
  set(Opcode::kSt, execute_st);
  set(Opcode::kLdgsts, execute_ldgsts);
  set(Opcode::kShfl, execute_shfl);
  set(Opcode::kVote, execute_vote);
  set(Opcode::kMatch, execute_match);
  set(Opcode::kBar, execute_bar);
  set(Opcode::kBra, execute_bra);
  set(Opcode::kBrx, execute_indirect);
  set(Opcode::kJmp, execute_indirect);
  set(Opcode::kCall, execute_indirect);
  set(Opcode::kRet, execute_indirect);
  set(Opcode::kExit, execute_exit);
  set(Opcode::kKill, execute_exit);
  set(Opcode::kBssy, execute_bssy);
  set(Opcode::kBsync, execute_bsync);
  set(Opcode::kBreak, execute_break);
  set(Opcode::kBmov, execute_bmov);
  set(Opcode::kWarpsync, execute_warpsync);
  set(Opcode::kEndcollective, execute_endcollective);
  set(Opcode::kYield, execute_yield);
  set(Opcode::kNanosleep, execute_nanosleep);
  set(Opcode::kBpt, execute_bpt);
  for (const Opcode opcode :
       {Opcode::kLdgdepbar, Opcode::kDepbar, Opcode::kMembar, Opcode::kErrbar, Opcode::kCgaerrbar, Opcode::kCctl,
        Opcode::kCctll, Opcode::kFenceView, Opcode::kNop, Opcode::kPmtrig, Opcode::kAcqbulk,
        Opcode::kPreexit}) {  // the last two: no other grid runs, so there is none to wait for
    set(opcode, execute_nothing);
  }
  return table;
}

const Table kTable = make_table();

/// Lanes in which the guard holds. Uniform operations run once per warp; `uniform` guards name UPx.
STC_INLINE LaneMask guarded_lanes(const Instruction& instruction, const WarpState& warp) {
  const PredicateOperand& guard = instruction.guard;
  if (guard.index == kPredicateTrue) return guard.negate ? 0u : warp.active;
  return predicate_lanes(warp, guard) & warp.active;
}

STC_INLINE void clear(ExecuteResult& result, LaneMask lanes) {
  result.lanes = lanes;
  result.branched = false;
  result.switched = false;
  result.sleeps_until_ns = 0;
  result.exited = false;
  result.barrier = false;
  result.barrier_arrive_only = false;
  result.space = Space::kNone;
  result.is_write = false;
  result.is_atomic = false;
  result.access_lanes = 0;
  result.shared_lanes = 0;
  result.bytes_per_lane = 0;
  result.role = DataRole::kOther;
  result.driver_lanes = 0;
  result.phase_completed = false;
  result.arrives_after_copies = false;
}

}  // namespace

void execute(const Instruction& instruction, WarpState& warp, ExecuteContext& context, ExecuteResult& result) {
  const LaneMask lanes = guarded_lanes(instruction, warp);
  clear(result, lanes);
  const std::uint32_t next = instruction.address + kInstructionBytes;
  if (lanes == 0) {
    warp.pc = next;
  } else {
    Execution x{instruction, warp, context, result, lanes};
    if (context.poison != nullptr) context.poison->registers_read(x);
    kTable[static_cast<std::size_t>(instruction.opcode)](x);
    if (context.poison != nullptr) Poison::registers_written(instruction, warp, lanes);
    if (!x.advance_pc) return;
    warp.pc = next;
  }
  const auto& code = context.kernel->code;
  if (&instruction + 1 == code.data() + code.size()) {
    throw_fault(instruction, warp, context, -1, "runs past the last instruction of the kernel");
  }
}

}  // namespace stc::isa
