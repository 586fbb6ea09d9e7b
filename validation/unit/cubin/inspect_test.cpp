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

const char kGemm[] = "traces/kernels/sm_80/f16_sp24_128x128x64_w64x32_s3.cubin";
const char kMemory[] = "validation/functional/cubins/sm_90/sample_memory.cubin";

TEST(Inspect, ResourcesOfAGemm) {
  const std::string text = inspected(of(kGemm));
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

TEST(Inspect, UnknownInstructionIsAnErrorAfterTheListing) {
  // The first instruction of the file's kernel, with an opcode that does not exist.
  std::vector<std::uint8_t> bytes = sim::read_bytes(kGemm);
  const cubin::Cubin module(bytes, kGemm);
  const std::vector<std::uint64_t> words = module.words(module.kernels().front().name);
  const auto* const first = reinterpret_cast<const std::uint8_t*>(words.data());
  const auto at = std::search(bytes.begin(), bytes.end(), first, first + 16);
  ASSERT_NE(at, bytes.end());
  at[0] = 0xff;
  at[1] |= 0x0f;
  const TemporaryFolder folder;
  InspectOptions options = of(folder.write("bad.cubin", std::string(bytes.begin(), bytes.end())));
  for (const bool listing : {false, true}) {
    options.listing = listing;
    ::testing::internal::CaptureStdout();
    const std::string error = user_error([&] { inspect(options); });
    const std::string text = ::testing::internal::GetCapturedStdout();
    EXPECT_THAT(error, AllOf(HasSubstr("bad.cubin"), HasSubstr("kernel f16_sp24_128x128x64_w64x32_s3"),
                             HasSubstr("0x0000"), HasSubstr("opcode 0xfff")));
    EXPECT_THAT(text, HasSubstr("1 instruction(s) cannot be decoded"));
    EXPECT_EQ(text.find("/*0010*/") != std::string::npos, listing);
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
