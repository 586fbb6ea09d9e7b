// SPDX-License-Identifier: Apache-2.0
// What `stcsim inspect` prints.
#include "sim/commands/inspect.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/files.h"
#include "traces/cubin/cubin.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string inspected(const InspectOptions& options) {
  ::testing::internal::CaptureStdout();
  const int code = inspect(options);
  const std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(code, kOk);
  return text;
}

InspectOptions of(const std::string& file) {
  InspectOptions options;
  options.file = file;
  return options;
}

const char kGemmModule[] = "traces/kernels/sm_80/f16_sp24_128x128x64_w64x32_s3.cubin";
const char kMemory[] = "validation/functional/cubins/sm_90/sample_memory.cubin";

TEST(Inspect, ResourcesOfAGemm) {
  const std::string text = inspected(of(kGemmModule));
  EXPECT_THAT(text, HasSubstr("kernel f16_sp24_128x128x64_w64x32_s3"));
  EXPECT_THAT(text, HasSubstr("threads <= 256"));
  EXPECT_THAT(text, HasSubstr("parameters 44 B in c[0x0], at 0x160: 8 B, 0x168: 8 B"));
  EXPECT_THAT(text, HasSubstr(" HMMA.SP.16832.F32\n"));
  EXPECT_EQ(text.find("/*0000*/"), std::string::npos);
}

TEST(Inspect, ListingHasControlCodes) {
  InspectOptions options = of(kMemory);
  options.kernel = "memory_async";
  options.listing = true;
  const std::string text = inspected(options);
  EXPECT_THAT(text, HasSubstr("/*0000*/  B------:R-:W-:-:S"));
  EXPECT_THAT(text, HasSubstr("LDGSTS.E.BYPASS.LTC128B.128 [R12+0x1000], desc[UR6][R4.64+-0x800]"));
  EXPECT_EQ(text.find("memory_widths"), std::string::npos);
}

TEST(Inspect, JsonNamesEveryKernel) {
  InspectOptions options = of(kMemory);
  options.json = true;
  const auto json = nlohmann::json::parse(inspected(options));
  ASSERT_EQ(json["kernels"].size(), 7u);
  for (const auto& kernel : json["kernels"]) {
    EXPECT_EQ(kernel["sm"], 90);
    EXPECT_EQ(kernel["undecodable_instructions"], 0);
    EXPECT_GT(kernel["instructions"], 0);
  }
}

/// The kernel of kGemmModule with other opcodes (13 bits) in front.
std::string with_opcodes(const TemporaryFolder& folder, const std::vector<unsigned>& opcodes) {
  std::vector<std::uint8_t> bytes = sim::read_bytes(kGemmModule);
  const cubin::Cubin module(bytes, kGemmModule);
  const cubin::CodeLine line = module.look_into(module.kernels().front().name).lines.front();
  const auto* const first = reinterpret_cast<const std::uint8_t*>(&line.low);
  auto at = std::search(bytes.begin(), bytes.end(), first, first + 8);
  for (const unsigned opcode : opcodes) {
    at[0] = static_cast<std::uint8_t>(opcode);
    at[1] = static_cast<std::uint8_t>((at[1] & 0xf0) | (opcode >> 8 & 0xf));
    at[11] = static_cast<std::uint8_t>((at[11] & ~0x08) | (opcode >> 12) << 3);
    at += 16;
  }
  return folder.write("bad.cubin", std::string(bytes.begin(), bytes.end()));
}

TEST(Inspect, SaysWhatIsNotModelled) {
  const TemporaryFolder folder;
  InspectOptions options = of(with_opcodes(folder, {0x15f0, 0x1c5, 0x1b4, 0xb60, 0xfff}));
  for (const bool listing : {false, true}) {
    options.listing = listing;
    const std::string text = inspected(options);
    EXPECT_THAT(text, HasSubstr("cannot run: uses wgmma (2 instructions), TMA (1), textures (1), unknown instruction "
                                "0xfff (1), which are not modelled; first at 0x0000: cannot decode opcode 0x15f0"));
    EXPECT_EQ(text.find("/*0010*/") != std::string::npos, listing);
  }
  options.json = true;
  const auto kernel = nlohmann::json::parse(inspected(options))["kernels"][0];
  EXPECT_EQ(kernel["undecodable_instructions"], 5);
  EXPECT_EQ(kernel["unmodelled"][0]["feature"], "wgmma");
  EXPECT_EQ(kernel["unmodelled"][0]["instructions"], 2);
  EXPECT_EQ(kernel["unmodelled"][1]["first"], 0x20);
}

TEST(Inspect, WarpgroupsAreShown) {
  InspectOptions options = of("validation/functional/cubins/sm_90/sample_warpgroup.cubin");
  options.kernel = "warpgroup_sparse";
  options.listing = true;
  const std::string text = inspected(options);
  EXPECT_THAT(text, AllOf(HasSubstr("HGMMA.SP.64x8x32.F32.BF16 R24, gdesc[UR8].negA.tnspA, R24, UP0, R28, 0x1"),
                          HasSubstr("WARPGROUP.DEPBAR.LE gsb0, 0x0")));
  EXPECT_EQ(text.find("cannot run"), std::string::npos);
  options.json = true;
  const auto kernel = nlohmann::json::parse(inspected(options))["kernels"][0];
  EXPECT_EQ(kernel["undecodable_instructions"], 0);
}

TEST(Inspect, AllOfHopperThatIsShownRuns) {
  for (const char* file : {"sample_warpgroup.cubin", "sample_bulk.cubin"}) {
    const std::string text = inspected(of(std::string("validation/functional/cubins/sm_90/") + file));
    EXPECT_EQ(text.find("cannot run"), std::string::npos) << text;
  }
}

TEST(Inspect, FunctionsThatAKernelReaches) {
  for (const char* sm : {"sm_80", "sm_90"}) {
    InspectOptions options = of(std::string("validation/functional/cubins/") + sm + "/sample_linked.cubin");
    const std::string text = inspected(options);
    EXPECT_THAT(text, HasSubstr("cannot run: uses dynamic parallelism"));
    options.kernel = "linked_pointers";
    options.listing = true;
    EXPECT_THAT(inspected(options), AllOf(HasSubstr("reaches loud at 0x"), HasSubstr("  loud:\n"),
                                          HasSubstr("CALL.ABS.NOINC R6"), HasSubstr("RET.ABS.NODEC R20 0x0")));
  }
}

TEST(Inspect, ErrorsAreTheUsers) {
  EXPECT_THROW(inspect(of("no/such.cubin")), UserError);
  InspectOptions options = of(kMemory);
  options.kernel = "memory";
  EXPECT_THROW(inspect(options), UserError);
}

}  // namespace
}  // namespace stc::sim
