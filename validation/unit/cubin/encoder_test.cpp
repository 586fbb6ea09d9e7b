// SPDX-License-Identifier: Apache-2.0
// The encoder is the decoder's inverse: compiled instructions come back bit for bit, changed ones member by member, and
// what has no encoding is refused by name.
#include "traces/cubin/encoder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "traces/cubin/cubin.h"
#include "traces/cubin/instruction_members.h"
#include "validation/unit/cubin/decode_helper.h"

namespace stc::cubin::testing {
namespace {

using isa::Instruction;
using ::testing::AllOf;
using ::testing::HasSubstr;

struct GoldenLine {
  std::uint32_t address = 0;
  InstructionWords words;
};

std::vector<GoldenLine> golden_lines(const std::string& file) {
  std::ifstream in("validation/golden/" + file);
  EXPECT_TRUE(in) << file;
  std::vector<GoldenLine> all;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    GoldenLine g;
    fields >> std::hex >> g.address >> g.words.low >> g.words.high;
    all.push_back(g);
  }
  return all;
}

/// Without what the encoder must not look at.
Instruction without_words(Instruction i) {
  i.low = i.high = 0;
  return i;
}

void expect_same_bits(const Instruction& i) {
  try {
    const InstructionWords found = encode_instruction(without_words(i), "test");
    EXPECT_EQ(found.low, i.low) << isa::listing_text(i);
    EXPECT_EQ(found.high, i.high) << isa::listing_text(i);
  } catch (const CubinError& error) {
    ADD_FAILURE() << error.what() << ": " << isa::listing_text(i);
  }
}

int listed_instructions_come_back(const std::string& file, int sm) {
  int count = 0;
  for (const GoldenLine& g : golden_lines(file)) {
    try {
      expect_same_bits(decode_instruction(g.words.low, g.words.high, {g.address, sm, "test"}));
      ++count;
    } catch (const UndecodableInstruction&) {
      // Of flipped bits: what the decoder refuses, too.
    }
  }
  return count;
}

TEST(Encoder, ListedInstructionsComeBackBitForBit) {
  EXPECT_GE(listed_instructions_come_back("sass_sm_80.txt", 80), 1100);
  EXPECT_GE(listed_instructions_come_back("sass_sm_90.txt", 90), 1100);
  EXPECT_GE(listed_instructions_come_back("sass_sm_90a.txt", 90), 150);
}

/// Every instruction of every cubin in the tree; what stands in several places is encoded once.
int compiled_instructions_come_back(int sm) {
  int count = 0;
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (const char* folder : {"traces/kernels", "validation"}) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".cubin") files.push_back(entry.path());
    }
    for (const auto& file : files) {
      std::vector<Cubin> module;
      try {
        module.push_back(open_cubin(file.string()));
      } catch (const CubinError&) {
        continue;  // of tests: a module without kernels
      }
      if (module.front().sm_version() != sm) continue;
      for (const isa::Kernel& kernel : module.front().kernels()) {
        for (const CodeLine& line : module.front().look_into(kernel.name).lines) {
          if (!line.instruction) continue;  // what is not modelled
          ++count;
          if (seen.emplace(line.low, line.high).second) expect_same_bits(*line.instruction);
        }
      }
    }
  }
  return count;
}

TEST(Encoder, CompiledInstructionsOfSm80ComeBackBitForBit) { EXPECT_GE(compiled_instructions_come_back(80), 262000); }
TEST(Encoder, CompiledInstructionsOfSm90ComeBackBitForBit) { EXPECT_GE(compiled_instructions_come_back(90), 299000); }

// ---- changed instructions ----

/// A register, immediate, predicate or control code of `i` becomes another one.
void mutate(Instruction& i, std::mt19937_64& random) {
  const auto below = [&](std::uint64_t bound) { return static_cast<std::uint32_t>(random() % bound); };
  const auto change = [&](isa::Operand& o) {
    if (o.kind == isa::Operand::Kind::kRegister) o.index = static_cast<std::uint8_t>(below(256));
    if (o.kind == isa::Operand::Kind::kUniform) o.index = static_cast<std::uint8_t>(below(64));
    if (o.kind == isa::Operand::Kind::kImmediate) o.value = static_cast<std::uint32_t>(random());
    if (o.kind == isa::Operand::Kind::kConstant) o.value = 4 * below(16384);
  };
  switch (below(9)) {
    case 0: i.control.stall = static_cast<std::uint8_t>(below(12)); break;
    case 1: i.control.yield = true; break;
    case 2: i.control.write_scoreboard = static_cast<std::uint8_t>(below(8)); break;
    case 3: i.control.wait_mask = static_cast<std::uint8_t>(below(64)); break;
    case 4: i.guard = {static_cast<std::uint8_t>(below(8)), below(2) != 0, i.guard.uniform}; break;
    case 5: i.dest = static_cast<std::uint8_t>(below(i.dest < 64 ? 64 : 256)); break;
    case 6: change(i.a); break;
    case 7: change(i.b); break;
    case 8: change(i.c); break;
  }
}

/// Either all members come back, or the instruction is refused. Returns whether it was encoded.
bool comes_back(const Instruction& wanted) {
  InstructionWords words;
  try {
    words = encode_instruction(without_words(wanted), "test");
  } catch (const UnencodableInstruction& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot encode")) << isa::listing_text(wanted);
    return false;
  }
  const Instruction found = decode_instruction(words.low, words.high, {wanted.address, wanted.sm, "test"});
  EXPECT_EQ(members_of(found), members_of(wanted)) << isa::listing_text(wanted) << "; " << isa::listing_text(found);
  return true;
}

void changed_instructions_come_back(const std::string& file, int sm) {
  std::mt19937_64 random(20 + sm);
  int encoded = 0, tried = 0;
  for (const GoldenLine& g : golden_lines(file)) {
    Instruction i = decode_instruction(g.words.low, g.words.high, {g.address, sm, "test"});
    if (random() % 4 != 0) continue;
    for (int n = 0; n < 3; ++n) mutate(i, random);
    ++tried;
    encoded += comes_back(i) ? 1 : 0;
  }
  EXPECT_GT(tried, 200);
  EXPECT_GT(encoded, tried * 3 / 4);  // the others: operands of kinds or sizes that the operation has not
}

TEST(Encoder, ChangedInstructionsOfSm80ComeBackOrAreRefused) { changed_instructions_come_back("sass_sm_80.txt", 80); }
TEST(Encoder, ChangedInstructionsOfSm90ComeBackOrAreRefused) { changed_instructions_come_back("sass_sm_90.txt", 90); }

/// Signs of matrix operands and queries of uniform pointers, of which no listing has all.
TEST(Encoder, RareFormsComeBackBitForBit) {
  for (const char* words : {"000e22000c000100_00000004ffff79aa", "000e66000c080500_00000204ffff79aa",
                            "002e34000000013c_0000002e123c723f", "0000640000000f34_c000002e1418723f"}) {
    expect_same_bits(decode(words, 0, 80));
  }
  for (const char* words :
       {"000e660008000100_00000204ffff79aa", "004e240000000108_000000060404723f", "0000e20000001208_4000002e1418723f",
        "0000e20000002f08_c000002e1418723f", "00205e0000003848_800000602048723f"}) {
    expect_same_bits(decode(words, 0, 90));
  }
}

// ---- refusals ----

std::string refusal(const Instruction& i) {
  try {
    encode_instruction(i, "scale");
  } catch (const UnencodableInstruction& error) {
    return error.what();
  }
  return "encoded";
}

constexpr char kIadd3[] = "000fca0007ffe0ff_0000000502037210";  // IADD3 R3, R2, R5, RZ

TEST(Encoder, NamesWhatHasNoEncoding) {
  Instruction i = decode(kIadd3, 0x120);
  EXPECT_EQ(refusal(i), "encoded");
  i.a.absolute = true;
  EXPECT_THAT(refusal(i), AllOf(HasSubstr("kernel scale, address 0x0120"), HasSubstr("IADD3 for sm_80"),
                                HasSubstr("no encoding has a.absolute = 1")));
  i = decode(kIadd3);
  i.mod.saturate = true;
  EXPECT_THAT(refusal(i), HasSubstr("no encoding has mod.saturate = 1"));
}

TEST(Encoder, RefusesOperationsOfTheOtherFamily) {
  Instruction i = decode(kIadd3);
  i.opcode = isa::Opcode::kViadd;
  EXPECT_THAT(refusal(i), AllOf(HasSubstr("VIADD for sm_80"), HasSubstr("it has no encoding")));
}

/// The encoded opcode is a wish: an operand of another kind takes another form.
TEST(Encoder, FindsTheFormForTheOperands) {
  Instruction i = decode(kIadd3);
  i.b = {};
  i.b.kind = isa::Operand::Kind::kImmediate;
  i.b.index = isa::kRegisterZero;
  i.b.value = 0x12345678;
  const InstructionWords words = encode_instruction(i, "test");
  EXPECT_EQ(words.low, 0x1234567802037810u);
}

}  // namespace
}  // namespace stc::cubin::testing
