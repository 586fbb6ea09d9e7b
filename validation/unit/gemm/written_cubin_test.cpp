// SPDX-License-Identifier: Apache-2.0
// Kernels that are built become machine code: the file that is written reads back as the same kernel, and what cannot
// be written is refused by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/control_limits.h"
#include "traces/cubin/cubin.h"
#include "traces/cubin/cubin_error.h"
#include "traces/cubin/cubin_writer.h"
#include "traces/cubin/elf_image.h"
#include "traces/cubin/instruction_members.h"
#include "traces/gemm/gemm_builder.h"
#include "traces/gemm/instructions.h"

namespace stc::cubin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct WrittenCase {
  const char* pattern;
  isa::NumberFormat type;
  int tile_k, warp, stages;
};

gemm::GemmSpec spec_for(const WrittenCase& c, int sm_version) {
  gemm::GemmSpec spec;
  spec.pattern = sparsity::Pattern::parse(c.pattern);
  spec.type = c.type;
  spec.tile_k = c.tile_k;
  spec.warp_m = spec.warp_n = c.warp;
  spec.tile_m = spec.tile_n = 2 * c.warp;
  spec.stages = c.stages;
  spec.sm_version = sm_version;
  return spec;
}

isa::Kernel read_back(const isa::Kernel& kernel) {
  return Cubin(write_cubin({kernel}), "written.cubin").decode(kernel.name);
}

void expect_same_kernel(const isa::Kernel& found, const isa::Kernel& wanted) {
  ASSERT_EQ(found.code.size(), wanted.code.size());
  for (std::size_t i = 0; i < found.code.size(); ++i) {
    ASSERT_EQ(members_of(found.code[i]), members_of(wanted.code[i])) << wanted.name << " " << found.code[i].address;
  }
  EXPECT_EQ(found.sm_version, wanted.sm_version);
  EXPECT_GE(found.registers, wanted.registers);
  EXPECT_LE(found.registers, wanted.registers + isa::kHardwareRegisters);
  EXPECT_EQ(found.barriers, wanted.barriers);
  EXPECT_EQ(found.max_threads, wanted.max_threads);
  EXPECT_EQ(found.static_shared_bytes, wanted.static_shared_bytes);
  EXPECT_EQ(found.parameter_base, wanted.parameter_base);
  EXPECT_EQ(found.parameter_bytes, wanted.parameter_bytes);
  EXPECT_EQ(found.constant0, wanted.constant0);
  ASSERT_EQ(found.parameters.size(), wanted.parameters.size());
  for (std::size_t p = 0; p < found.parameters.size(); ++p) {
    EXPECT_EQ(found.parameters[p].offset, wanted.parameters[p].offset);
    EXPECT_EQ(found.parameters[p].bytes, wanted.parameters[p].bytes);
  }
}

TEST(WrittenCubin, ReadsBackAsTheSameKernel) {
  using isa::NumberFormat;
  for (const WrittenCase& c :
       {WrittenCase{"dense", NumberFormat::f16, 64, 64, 3}, WrittenCase{"2:4", NumberFormat::f16, 64, 64, 3},
        WrittenCase{"2:4", NumberFormat::bf16, 64, 32, 4}, WrittenCase{"dense", NumberFormat::s8, 128, 32, 2},
        WrittenCase{"2:4", NumberFormat::s8, 128, 64, 3}, WrittenCase{"dense", NumberFormat::tf32, 32, 64, 3},
        WrittenCase{"1:2", NumberFormat::tf32, 32, 64, 3}}) {
    for (const int sm_version : {80, 90}) {
      const isa::Kernel kernel = gemm::build_gemm(spec_for(c, sm_version));
      expect_same_kernel(read_back(kernel), kernel);
    }
  }
}

TEST(WrittenCubin, HoldsSeveralKernels) {
  const WrittenCase dense{"dense", isa::NumberFormat::f16, 64, 32, 3}, sparse{"2:4", isa::NumberFormat::f16, 64, 32, 3};
  isa::Kernel first = gemm::build_gemm(spec_for(dense, 90)), second = gemm::build_gemm(spec_for(sparse, 90));
  second.static_shared_bytes = 4096;
  const Cubin module(write_cubin({first, second}), "both.cubin");
  ASSERT_EQ(module.kernels().size(), 2u);
  expect_same_kernel(module.decode(first.name), first);
  expect_same_kernel(module.decode(second.name), second);
}

/// As CUDA 13's compiler has it: the registers stand in .nv.info alone, a text names its symbol.
TEST(WrittenCubin, TextsNameTheirSymbol) {
  const isa::Kernel kernel = gemm::build_gemm(spec_for({"dense", isa::NumberFormat::f16, 64, 32, 3}, 90));
  const ElfImage image(write_cubin({kernel}), "written.cubin");
  const Section* const text = image.find(".text." + kernel.name);
  ASSERT_NE(text, nullptr);
  ASSERT_LT(text->info, image.symbols().size());
  EXPECT_EQ(image.symbols()[text->info].name, kernel.name);
}

std::string refusal(const std::vector<isa::Kernel>& kernels) {
  try {
    write_cubin(kernels);
  } catch (const CubinError& error) {
    return error.what();
  }
  return "written";
}

TEST(WrittenCubin, RefusesByName) {
  const isa::Kernel kernel = gemm::build_gemm(spec_for({"dense", isa::NumberFormat::f16, 64, 32, 3}, 80));
  const auto refused = [&](void (*change)(isa::Kernel&)) {
    isa::Kernel changed = kernel;
    change(changed);
    return refusal({changed});
  };
  EXPECT_THAT(refused([](isa::Kernel& k) { k.local_bytes = 8; }), HasSubstr("local memory cannot be written"));
  EXPECT_THAT(refused([](isa::Kernel& k) { k.variables.resize(1); }), HasSubstr("variables of its module"));
  EXPECT_THAT(refused([](isa::Kernel& k) { k.constants[2] = {1}; }), HasSubstr("a constant bank but"));
  EXPECT_THAT(refused([](isa::Kernel& k) { k.constant0[0] = 1; }), HasSubstr("constants beside its parameters"));
  EXPECT_THAT(refused([](isa::Kernel& k) { k.externals.resize(1); }), HasSubstr("calls of the driver's functions"));
  EXPECT_THAT(refused([](isa::Kernel& k) { k.max_cluster_ctas = 2; }), HasSubstr("a size of clusters"));
  EXPECT_THAT(refused([](isa::Kernel& k) { k.parameter_bytes = 5000; }), HasSubstr("4 KiB of parameters"));
  EXPECT_THAT(refused([](isa::Kernel& k) { k.code.clear(); }), HasSubstr("one without code"));
  EXPECT_THAT(refusal({}), HasSubstr("without kernels"));
  isa::Kernel other = kernel;
  other.sm_version = 90;
  EXPECT_THAT(refusal({kernel, other}), HasSubstr("one cubin has one architecture"));
}

/// An H200 takes an instruction for illegal that names one of the last two registers that its kernel states.
TEST(WrittenCubin, StatesTheRegistersThatHardwareKeeps) {
  isa::Kernel kernel = gemm::build_gemm(spec_for({"dense", isa::NumberFormat::f16, 64, 32, 3}, 90));
  const auto with_last_register = [&kernel](int number) {
    isa::Instruction last = gemm::mov(number, gemm::immediate(0));
    last.address = kernel.code.front().address;
    kernel.code.front() = last;
    return kernel;
  };
  EXPECT_EQ(read_back(with_last_register(200)).registers, 203);
  EXPECT_EQ(read_back(with_last_register(252)).registers, 255);
  EXPECT_THAT(refusal({with_last_register(253)}), HasSubstr("registers beyond R252"));
}

/// Drivers load no file without: an H200's says that the image is invalid.
TEST(WrittenCubin, SaysWhoWroteIt) {
  const isa::Kernel kernel = gemm::build_gemm(spec_for({"dense", isa::NumberFormat::f16, 64, 32, 3}, 90));
  const ElfImage image(write_cubin({kernel}), "written.cubin");
  EXPECT_NE(image.find(".note.nv.tkinfo"), nullptr);
  EXPECT_EQ(image.find(".nv.shared." + kernel.name), nullptr) << "it has no shared memory of its own";
}

/// What no tensor core has, no cubin can ask for.
TEST(WrittenCubin, RefusesPatternsThatNoGpuHas) {
  const isa::Kernel kernel = gemm::build_gemm(spec_for({"2:8", isa::NumberFormat::f16, 128, 64, 3}, 80));
  EXPECT_THAT(refusal({kernel}), AllOf(HasSubstr("cannot encode HMMA for sm_80"), HasSubstr("no encoding has mma.")));
}

/// Control codes say so only up to 11 cycles.
TEST(WrittenCubin, LongStallsYield) {
  isa::Kernel kernel = gemm::build_gemm(spec_for({"dense", isa::NumberFormat::f16, 64, 32, 3}, 80));
  kernel.code.front().control.stall = 12;
  kernel.code.front().control.yield = false;
  EXPECT_THAT(refusal({kernel}), HasSubstr("no control code has a stall of 12 cycles without yield"));
}

}  // namespace
}  // namespace stc::cubin
