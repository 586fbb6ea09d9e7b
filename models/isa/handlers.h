// SPDX-License-Identifier: Apache-2.0
// One function per operation; execute.cpp maps opcodes to them.
#pragma once

namespace stc::isa {

struct Execution;

// moves, predicates, integer comparison
void execute_mov(Execution&);
void execute_sel(Execution&);
void execute_s2r(Execution&);
void execute_cs2r(Execution&);
void execute_p2r(Execution&);
void execute_r2p(Execution&);
void execute_isetp(Execution&);
void execute_plop3(Execution&);
void execute_lepc(Execution&);
// integer
void execute_iadd3(Execution&);
void execute_viadd(Execution&);
void execute_imad(Execution&);
void execute_imad_wide(Execution&);
void execute_imad_high(Execution&);
void execute_lea(Execution&);
void execute_lop3(Execution&);
void execute_shf(Execution&);
void execute_prmt(Execution&);
void execute_imnmx(Execution&);
void execute_iabs(Execution&);
void execute_flo(Execution&);
void execute_popc(Execution&);
void execute_brev(Execution&);
void execute_sgxt(Execution&);
void execute_bmsk(Execution&);
void execute_idp(Execution&);
// uniform datapath
void execute_umov(Execution&);
void execute_uldc(Execution&);
void execute_uiadd3(Execution&);
void execute_uimad(Execution&);
void execute_uimad_wide(Execution&);
void execute_ulea(Execution&);
void execute_ulop3(Execution&);
void execute_ushf(Execution&);
void execute_usel(Execution&);
void execute_uprmt(Execution&);
void execute_uisetp(Execution&);
void execute_uplop3(Execution&);
void execute_usgxt(Execution&);
void execute_ubmsk(Execution&);
void execute_uflo(Execution&);
void execute_upopc(Execution&);
void execute_ubrev(Execution&);
void execute_up2ur(Execution&);
void execute_ur2up(Execution&);
void execute_s2ur(Execution&);
// between lanes
void execute_shfl(Execution&);
void execute_vote(Execution&);
void execute_voteu(Execution&);
void execute_match(Execution&);
void execute_redux(Execution&);
void execute_elect(Execution&);
void execute_r2ur(Execution&);
// memory
void execute_ldg(Execution&);
void execute_stg(Execution&);
void execute_lds(Execution&);
void execute_sts(Execution&);
void execute_ldl(Execution&);
void execute_stl(Execution&);
void execute_ld(Execution&);
void execute_st(Execution&);
void execute_ldc(Execution&);
void execute_ldsm(Execution&);
void execute_stsm(Execution&);
void execute_movm(Execution&);
void execute_ldgsts(Execution&);
// control
void execute_bra(Execution&);
void execute_indirect(Execution&);
void execute_exit(Execution&);
void execute_bssy(Execution&);
void execute_bsync(Execution&);
void execute_break(Execution&);
void execute_bmov(Execution&);
void execute_warpsync(Execution&);
void execute_yield(Execution&);
void execute_bar(Execution&);
void execute_bpt(Execution&);
void execute_nothing(Execution&);

}  // namespace stc::isa
