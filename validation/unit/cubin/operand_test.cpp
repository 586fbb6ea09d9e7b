// SPDX-License-Identifier: Apache-2.0
// Members of the decoded instruction, for what the listing alone does not prove.
#include "traces/cubin/cubin_error.h"
#include "traces/cubin/opcode_features.h"
#include "validation/unit/cubin/decode_helper.h"

namespace stc::cubin::testing {
namespace {

using isa::Opcode;
using Kind = isa::Operand::Kind;

TEST(Operands, ImmediateAsThirdSourceMovesTheSecondToTheHighField) {
  const auto i = decode("00000000078e0210_0000004013127424");
  EXPECT_EQ(i.opcode, Opcode::kImad);
  EXPECT_EQ(i.b.kind, Kind::kRegister);
  EXPECT_EQ(i.b.index, 16);
  EXPECT_EQ(i.c.kind, Kind::kImmediate);
  EXPECT_EQ(i.c.value, 0x40u);
}

TEST(Operands, ConstantBankAndOffset) {
  const auto i = decode("00000000078e02ff_80007200ff137624");
  EXPECT_EQ(i.c.kind, Kind::kConstant);
  EXPECT_EQ(i.c.bank, 0);
  EXPECT_EQ(i.c.value, 0x1c8u);
  EXPECT_TRUE(i.c.negate);
  EXPECT_TRUE(i.mod.is_signed);
}

TEST(Operands, Hfma2ExchangesAPairOnSm90) {
  EXPECT_EQ(text("000fe20000400c04_0000000007077231", 0, 90), "HFMA2 R7, R7.H1_H1, R0.H0_NH1, R4");
  EXPECT_EQ(decode("000fe20000400c04_0000000007077431", 0, 90).mod.swizzle_b, 4);  // an immediate as C
  EXPECT_THROW(decode("000fe20000400c04_2000000007077231", 0, 90), cubin::CubinError);
  EXPECT_THROW(decode("000fe20000400c04_0000000007077231", 0, 80), cubin::CubinError);
}

TEST(Operands, ReuseFollowsTheLogicalSlot) {
  // Form 2: B lies in the high field; its reuse bit is still that of B.
  const auto ffma = decode("080fe2000000000f_bd563cae0a097423");
  EXPECT_FALSE(ffma.a.reuse);
  EXPECT_TRUE(ffma.b.reuse);
  // DADD is an addition in the C slot.
  const auto dadd = decode("100fe2000000001c_0000000016167229");
  EXPECT_TRUE(dadd.b.reuse);
  EXPECT_EQ(dadd.b.index, 28);
}

TEST(Operands, CarriesAndComplement) {
  const auto i = decode("1000000000fe4c05_ffffffff07517810");
  EXPECT_TRUE(i.mod.extended);
  EXPECT_TRUE(i.c.negate);
  EXPECT_EQ(i.source_predicate0.index, 1);
  EXPECT_EQ(i.source_predicate1.index, 2);
  EXPECT_EQ(i.dest_predicate0, isa::kPredicateTrue);
}

TEST(Operands, UniformDatapathNamesUniformRegistersAndPredicates) {
  const auto i = decode("0000000008000000_00000004000a0c82");
  EXPECT_EQ(i.opcode, Opcode::kUmov);
  EXPECT_TRUE(i.guard.uniform);
  EXPECT_EQ(i.guard.index, 0);
  EXPECT_EQ(i.dest, 10);
  EXPECT_EQ(i.b.kind, Kind::kUniform);
}

TEST(MemoryOperands, ConstantOffsetsAreSignedBehindARegister) {
  for (const int sm : {80, 90}) {
    EXPECT_EQ(text("000e240000000800_00a0000000047b82", 0, sm), "LDC R4, c[0x2][R0+-0x8000]");
    EXPECT_EQ(decode("000e240000000800_00a0000000047b82", 0, sm).b.value, 0xffff8000u);
    EXPECT_EQ(decode("000e240000000800_00a00000ff047b82", 0, sm).b.value, 0x8000u);  // RZ
    EXPECT_EQ(text("000fe20008000800_00fffc0005047abb", 0, sm), "ULDC UR4, c[0x3][UR5+-0x10]");
    EXPECT_EQ(decode("000fe20008000800_00fffc0005047abb", 0, sm).b.value, 0xfffffff0u);
  }
}

TEST(MemoryOperands, DescriptorIsNotAddedToTheAddress) {
  const auto i = decode("000000200c1e1900_0000000402027981");
  EXPECT_EQ(i.mem.descriptor, 4);
  EXPECT_EQ(i.mem.uniform_register, isa::kUniformZero);
  EXPECT_TRUE(i.mem.address_64bit);
  EXPECT_EQ(i.mem.bytes, 4);
  // The same without the descriptor bit: the uniform pair is part of the address.
  const auto plain = decode("000000000c1e0d00_0000800414840981");
  EXPECT_EQ(plain.mem.descriptor, isa::kUniformZero);
  EXPECT_EQ(plain.mem.uniform_register, 4);
  EXPECT_TRUE(plain.mem.uniform_is_64bit);
  EXPECT_EQ(plain.mem.offset, 0x80);
  EXPECT_EQ(plain.mem.bytes, 16);
}

TEST(MemoryOperands, AsynchronousCopyHasTwoSides) {
  const auto i = decode("0000002009101d4c_0900080094907fae");
  EXPECT_EQ(i.mem.shared_register, 144);
  EXPECT_EQ(i.mem.shared_offset, 0x9000);
  EXPECT_EQ(i.mem.address_register, 148);
  EXPECT_EQ(i.mem.offset, -0x800);
  EXPECT_EQ(i.mem.bytes, 16);
  EXPECT_TRUE(i.mem.bypass_l1);
  EXPECT_EQ(i.mem.prefetch_bytes_log2, 7);
  EXPECT_EQ(i.source_predicate0.index, 2);
  const auto shared = decode("000000000b900d4b_0000000024450dae");
  EXPECT_TRUE(shared.mem.uniform_on_shared_side);
  EXPECT_EQ(shared.mem.uniform_register, 11);
  const auto ca = decode("0000002008121948_000000001e567fae");
  EXPECT_FALSE(ca.mem.bypass_l1);
  EXPECT_EQ(ca.mem.bytes, 4);
}

TEST(MemoryOperands, CompareAndSwapNamesBothRegisters) {
  const auto i = decode("000f2200001ee119_000010180e0473a9");
  EXPECT_EQ(i.mem.atomic, isa::AtomicOp::kCas);
  EXPECT_EQ(i.mem.compare_register, 24);
  EXPECT_EQ(i.mem.data_register, 25);
  EXPECT_EQ(i.mem.offset, 0x10);
}

/// Words of nvcc 13.0 and, with an offset, changed; texts of nvdisasm 13.1.
TEST(MemoryOperands, AddressSpacesOfUniformPointers) {
  EXPECT_EQ(text("000e22000c000100_00000004ffff79aa", 0, 80), "QSPC.E.G P0, RZ, [UR4]");
  EXPECT_EQ(text("000e66000c080500_00000004ffff79aa", 0, 80), "QSPC.E.S P4, RZ, [UR4]");
  EXPECT_EQ(text("000e22000c000100_00000204ffff79aa", 0, 80), "QSPC.E.G P0, RZ, [UR4+0x2]");
  EXPECT_EQ(text("000e660008000100_00000004ffff79aa", 0, 90), "QSPC.E.G P0, RZ, [RZ.U32+UR4]");
  EXPECT_EQ(text("000e660008000100_00000204ffff79aa", 0, 90), "QSPC.E.G P0, RZ, [RZ.U32+UR4+0x2]");
  for (const int sm : {80, 90}) {
    const auto i = decode(sm == 80 ? "000ea2000c060300_00000004ffff79aa" : "000f220008060300_00000004ffff79aa", 0, sm);
    EXPECT_EQ(i.mem.uniform_register, 4);
    EXPECT_TRUE(i.mem.uniform_is_64bit);
    EXPECT_THROW(decode("000e22000c000100_0000000402ff79aa", 0, sm), CubinError);  // R2 beside it
  }
}

/// Words of nvcc 13.0: shared memory of the cluster at an address that all lanes share.
TEST(MemoryOperands, UniformPointersAreOfTwoRegisters) {
  for (const char* const words :
       {"000ea20008100900_00000004ff047980", "0001e40008100904_00000002ff007985", "0001e600081ee104_00000002ffff798a",
        "000ea2000c1ee104_00000004ff04798a", "000fe20008100d04_00000008ff007985"}) {
    const auto i = decode(words, 0, 90);
    EXPECT_EQ(i.mem.uniform_register, 4);
    EXPECT_TRUE(i.mem.uniform_is_64bit) << words;
    EXPECT_EQ(i.mem.address_register, isa::kRegisterZero);
  }
}

TEST(MemoryOperands, DependenceBarrierSet) {
  const auto i = decode("0000000000000000_0000801e0000791a");
  EXPECT_EQ(i.mod.depbar_scoreboard, 0);
  EXPECT_EQ(i.mod.depbar_count, 0);
  EXPECT_EQ(i.mod.depbar_wait_zero, 0b011110);
}

TEST(BranchTargets, Sm80CountsFromTheNextInstruction) {
  EXPECT_EQ(decode("000fee000383ffff_fffff20000008947", 0x2360, 80).target, 0x1570u);
}

TEST(BranchTargets, Sm90SplitsTheOffset) {
  EXPECT_EQ(decode("000fde000383ffff_fffffff000708947", 0x2520, 90).target, 0x16f0u);
  // The padding after the last instruction branches to itself.
  EXPECT_EQ(decode("000fc0000383ffff_fffffffc00fc7947", 0x100, 90).target, 0x100u);
}

/// Words and texts of nvdisasm 13.1.
TEST(AbsoluteCalls, OfBothArchitectures) {
  EXPECT_EQ(text("000fea0003c00000_0000010000007943", 0, 80), "CALL.ABS.NOINC 0x100");
  EXPECT_EQ(text("000fea0003c00000_0000000000ff7943", 0, 90), "CALL.ABS.NOINC 0x3fc");
  for (const int sm : {80, 90}) {
    EXPECT_EQ(text("020fea0003c00000_0000000006007343", 0, sm), "CALL.ABS.NOINC R6");
    EXPECT_EQ(text("000fec0003e00000_0000000014007950", 0, sm), "RET.ABS.NODEC R20 0x0");
  }
  EXPECT_EQ(decode("000fea0003c00000_0000000006007343").mod.variant, 1);
  EXPECT_THROW(decode("000fec0003e00000_0000000414007950"), UndecodableInstruction);  // R20 + 4
}

TEST(AbsoluteCalls, AddressesOfCode) {
  EXPECT_EQ(text("000fe20000000000_000000000006734e", 0x60, 80), "LEPC R6");
  EXPECT_EQ(text("000fce0000000000_000000001014794e", 0x90, 90), "LEPC R20, 0xb0");
}

TEST(Warpsync, CollectiveOfAllLanes) {
  EXPECT_EQ(text("000fea0003c00000_0000000000147948", 0x750, 90), "WARPSYNC.COLLECTIVE.ALL 0x7b0");
  EXPECT_EQ(text("000fea0003800000_0000000000007948", 0, 90), "WARPSYNC.ALL");
}

/// Every operation has a name for refusals of forms that are not modelled.
TEST(Features, OfOpcodesAndForms) {
  EXPECT_EQ(feature_of_opcode(0x19f3), "wgmma");
  EXPECT_EQ(feature_of_opcode(0x13ba), "TMA");
  for (const unsigned opcode : {0x99au, 0x1f99u, 0x1f9du, 0xb99u, 0xb9du}) {
    EXPECT_EQ(feature_of_opcode(opcode), "surfaces") << opcode;
  }
  EXPECT_EQ(feature_of_opcode(0x19a4), "multimem.ld_reduce");
  EXPECT_EQ(feature_of_opcode(0x19a5), "multimem.ld_reduce");
  EXPECT_EQ(feature_of_opcode(0x801), "pmevent");
  EXPECT_EQ(feature_of_opcode(0x352), "moves of the return address");
  EXPECT_EQ(feature_of_opcode(0x353), "moves of the return address");
  EXPECT_EQ(feature_of_opcode(0xfff), "unknown instruction 0xfff");
  EXPECT_EQ(feature_of_form(Opcode::kBar), "a form of BAR");
  for (std::size_t opcode = 1; opcode < isa::kOpcodeCount; ++opcode) {
    EXPECT_GT(feature_of_form(static_cast<Opcode>(opcode)).size(), std::string("a form of ").size());
  }
}

TEST(Operand, SumsOfUniformPairs) {
  EXPECT_EQ(text("000fe2000fffe03f_0000000404067897", 0, 90), "UIADD3.64 UR6, UR4, 0x4, URZ");
  EXPECT_EQ(text("000fce000fffe03f_0000000a080a7297", 0, 90), "UIADD3.64 UR10, UR8, UR10, URZ");
  EXPECT_THROW(text("000fe2000fffe03f_8000000404067897", 0, 90), CubinError);
  EXPECT_THROW(text("000fe2000ffde03f_0000000404067897", 0, 90), CubinError);
}

TEST(Operand, DifferencesOfBytesAreAddedUpIfSaidSo) {
  EXPECT_EQ(text("000fe400000e000b_000000040d057215"), "VABSDIFF4.U8 R5, R13, R4, R11");
  EXPECT_EQ(text("000fe400000e080b_000000040d077215"), "VABSDIFF4.U8.ACC R7, R13, R4, R11");
  EXPECT_EQ(text("000fe400000e0a0b_000000040d097215"), "VABSDIFF4.ACC R9, R13, R4, R11");
}

TEST(Operand, DependentGridsOfSm90HaveNoOperands) {
  EXPECT_EQ(text("000fe20000000000_000000000000782e", 0, 90), "ACQBULK");
  EXPECT_EQ(text("000fe20000000000_000000000000782d", 0, 90), "PREEXIT");
}

TEST(Forms, PacksMinimaAndTheirPredicates) {
  EXPECT_EQ(text("010fc800000048ff_00000006ff06723e"), "F2FP.RELU.MERGE_C R6, R6, RZ");
  EXPECT_EQ(text("008fc8000001d8ff_00000004ff04723e", 0, 90), "F2FP.RELU.BF16.F32.MERGE_C.RZ R4, R4, RZ");
  EXPECT_EQ(text("008fe200048032ff_00000006ff0c723e", 0, 90), "F2FP.SATFINITE.E4M3.F16.UNPACK_B_MERGE_C R12, R6, RZ");
  EXPECT_EQ(text("004fe20004802aff_00000006ff0c723e", 0, 90),
            "F2FP.SATFINITE.RELU.E5M2.F16.UNPACK_B_MERGE_C R12, R6, RZ");
  EXPECT_EQ(text("008fca0003840200_4000000b000b7209", 0, 90), "FMNMX.XORSIGN R11, |R0|, |R11|, PT");
  EXPECT_EQ(text("004fca0003a60200_400000110c117240", 0, 90), "HMNMX2.BF16_V2.NAN.XORSIGN R17, |R12|, |R17|, PT");
  EXPECT_EQ(text("004fc80007900300_000000130c0c7248", 0, 90), "VIMNMX.S16x2 R12, P0, P1, R12, R19, !PT");
}

/// Words of nvcc 13.0: literals of 16 bits, the upper half of a third source, halves of an XORSIGN.
TEST(Forms, OfSixteenBits) {
  EXPECT_EQ(text("000fe20000000a00_0000b95500047908"), "MUFU.EX2.F16 R4, -0.66650390625");
  EXPECT_EQ(text("000e220000000a00_00003fc100057908", 0, 90), "MUFU.EX2.BF16 R5, 1.5078125");
  EXPECT_THROW(decode("000e220000000a00_00013fc100057908", 0, 90), CubinError);
  EXPECT_EQ(decode("000fc40000000109_00005b0000097a39").mod.byte_select, 2);
  EXPECT_EQ(text("040fe4000000150f_000186a0060f7839", 0, 90), "I2IP.S8.S32.SAT R15, R6.reuse, 0x186a0, R15.H1");
  EXPECT_THROW(decode("0c0fe4000000650b_0000000d0c0b7239", 0, 90), CubinError);  // of four bits
  const auto minimum = decode("001fe2000b840a00_6000000400007c40", 0, 90);
  EXPECT_EQ(minimum.mod.variant, 2);
  EXPECT_EQ(minimum.mod.swizzle_a, 2);
  EXPECT_EQ(minimum.mod.swizzle_b, 2);
}

TEST(Forms, OfFiniteResults) {
  EXPECT_TRUE(decode("000fca00000020ff_00005b0005057a3e").mod.saturate);
  EXPECT_EQ(text("001fca00000028ff_000000050405723e", 0, 90), "F2FP.SATFINITE.RELU.F16.F32.PACK_AB R5, R4, R5");
  EXPECT_EQ(text("000fe200080060ff_00000004ff007c3e", 0, 90), "F2FP.SATFINITE.F16.F32.MERGE_C R0, UR4, RZ");
}

TEST(Forms, OfHalvesVectorsAndQuads) {
  EXPECT_EQ(text("000e240000002600_1000000000057308"), "MUFU.TANH.F16 R5, R0.H1");
  EXPECT_EQ(text("004ff00000000900_0000000000047308", 0, 90), "MUFU.EX2.F16 R4, R0");
  EXPECT_EQ(text("004ff00000002600_1000000000057308", 0, 90), "MUFU.TANH.BF16 R5, R0.H1");
  EXPECT_EQ(text("000fca0007a00006_0000000500057247", 0, 90), "VHMNMX.BF16_V2 R5, R0, R5, R6, !PT");
  EXPECT_EQ(text("000fe8000c10eb84_00000004020079a6", 0, 90), "REDG.E.ADD.BF16x8.RN.STRONG.GPU desc[UR4][R2.64], R4");
  EXPECT_EQ(text("000ea400081ef7c4_00000004020479a3", 0, 90),
            "ATOMG.E.ADD.F32x4.FTZ.RN.STRONG.GPU PT, R4, desc[UR4][R2.64], R4");
  EXPECT_EQ(text("000ea800001ee90c_00000008020873a9", 0, 90), "ATOMG.E.CAS.128.STRONG.GPU PT, R8, [R2], R8, R12");
  EXPECT_EQ(text("004e280004000800_000000040904738c", 0, 90), "ATOMS.EXCH.128 R4, [R9], R4");
}

}  // namespace
}  // namespace stc::cubin::testing
