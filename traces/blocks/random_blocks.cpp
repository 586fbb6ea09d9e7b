// SPDX-License-Identifier: Apache-2.0
#include "traces/blocks/random_blocks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "models/isa/register_use.h"
#include "traces/blocks/legal_codes.h"
#include "traces/blocks/safe_body.h"

namespace stc::blocks {
namespace {

using isa::Operand;

/// The same numbers everywhere, which distributions of the standard library do not promise.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  int below(int bound) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(bound)); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T, std::size_t kCount>
  T one_of(const std::array<T, kCount>& values) {
    return values[static_cast<std::size_t>(below(static_cast<int>(kCount)))];
  }
  template <class T>
  const T& one_of(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
  }

 private:
  std::mt19937_64 engine_;
};

constexpr int kScalars = 48, kNeverWritten = 16;  // R0 to R47, of which the first are only read
constexpr int kAccumulators = 48, kAccumulatorsEnd = 80, kFragments = 80, kRegisters = 104;
constexpr int kUniforms = 32, kPredicates = 4;

/// What is the same all through a block.
struct Character {
  int length = 0;
  int depends = 0;    ///< percent of sources that are a result of late
  int reuses = 0;     ///< percent of sources that the next instruction reads too, from the register-file cache
  int stalls = 0;     ///< percent of instructions with a longer stall than they need
  int yields = 0;     ///< percent
  int conflicts = 0;  ///< percent of shared accesses with lanes twice or four times as far apart as need be
  int bank = -1;      ///< of all sources; -1: any
  int chains = 8;     ///< accumulators that matrix instructions take in turn
};

Character draw_character(Dice& dice) {
  Character c;
  c.length = dice.one_of(std::array{12, 16, 24, 32, 48, 64});
  c.depends = dice.one_of(std::array{0, 0, 0, 10, 30, 70});
  c.reuses = dice.one_of(std::array{0, 0, 30, 80});
  c.stalls = dice.one_of(std::array{0, 0, 0, 20});
  c.yields = dice.one_of(std::array{0, 0, 0, 20});
  c.conflicts = dice.one_of(std::array{0, 0, 0, 30});
  c.bank = dice.one_of(std::array{-1, -1, -1, -1, 0, 1});
  c.chains = dice.one_of(std::array{8, 8, 4, 2, 1});
  return c;
}

class Generator {
 public:
  Generator(const InstructionPool& pool, const Mix& mix, std::uint64_t seed)
      : pool_(pool), mix_(mix), dice_(seed), character_(draw_character(dice_)) {}

  Block draw() {
    Block block;
    block.group = mix_.group;
    block.reserved = {kRegisters};
    while (static_cast<int>(block.body.size()) < character_.length) {
      block.body.push_back(made_safe(with_registers(draw_form()), block.reserved));
      spread_lanes(block.body.back(), block.reserved);
    }
    keep_for_reuse(block.body);
    for (Instruction& i : block.body) {
      if (dice_.chance(character_.stalls)) i.control.stall = static_cast<std::uint8_t>(1 + dice_.below(6));
      i.control.yield = dice_.chance(character_.yields) && i.control.reuse == 0;
    }
    name_scoreboards(block.body);
    return block;
  }

 private:
  Instruction draw_form() {
    int whole = 0;
    for (const auto& [kind, weight] : mix_.kinds) whole += weight;
    int at = dice_.below(whole);
    for (const auto& [kind, weight] : mix_.kinds) {
      at -= weight;
      if (at >= 0) continue;
      // A few forms a block, so that most blocks say something of a few of them.
      std::vector<Instruction>& forms = drawn_[kind];
      if (forms.size() < kFormsOfKind) forms.push_back(dice_.one_of(dice_.one_of(pool_.of(kind))));
      Instruction form = dice_.one_of(forms);
      form.control = {};
      form.control.stall = 1;
      return form;
    }
    return {};
  }

  static int aligned(int number, int count) {
    return count <= 1 ? number : number / (count > 2 ? 4 : 2) * (count > 2 ? 4 : 2);
  }

  int source(int count) {
    if (!recent_.empty() && dice_.chance(character_.depends)) return aligned(dice_.one_of(recent_), count);
    int number = dice_.below(kScalars);
    if (count == 1 && character_.bank >= 0) number = number / 2 * 2 + character_.bank;
    return aligned(number, count);
  }

  int result(int count) {
    const int number = aligned(kNeverWritten + dice_.below(kScalars - kNeverWritten), count);
    recent_.push_back(number);
    if (recent_.size() > kRecent) recent_.erase(recent_.begin());
    return number;
  }

  void name_operand(Operand& o, int count) {
    if (o.kind == Operand::Kind::kRegister && o.index != isa::kRegisterZero) {
      o.index = static_cast<std::uint8_t>(source(count));
    }
    if (o.kind == Operand::Kind::kUniform && o.index != isa::kUniformZero) {
      o.index = static_cast<std::uint8_t>(dice_.below(kUniforms) / 2 * 2);
    }
    o.reuse = false;
  }

  void name_matrix_registers(Instruction& i) {
    const int chain = next_chain_++ % character_.chains;
    const auto fragment = [this] { return static_cast<std::uint8_t>(kFragments + 4 * dice_.below(6)); };
    const bool accumulates = i.c.kind == Operand::Kind::kRegister && i.c.index != isa::kRegisterZero;
    i.dest = static_cast<std::uint8_t>(kAccumulators + 4 * chain);
    i.a.index = fragment();
    i.b.index = fragment();
    i.a.reuse = i.b.reuse = i.c.reuse = false;
    if (accumulates) i.c.index = i.dest;
  }

  Instruction with_registers(Instruction i) {
    if (!i.mma.sparse && kind_of(i) != Kind::kMatrix && kind_of(i) != Kind::kIntegerMatrix) {
      const isa::SourceCounts counts = isa::source_counts(i);
      name_operand(i.a, counts.a);
      name_operand(i.b, counts.b);
      name_operand(i.c, counts.c);
      if (i.mem.data_register != isa::kRegisterZero) {
        i.mem.data_register = static_cast<std::uint8_t>(source(std::max(1, i.mem.bytes / 4)));
      }
      name_result(i);
    } else {
      name_matrix_registers(i);
    }
    for (std::uint8_t* p : {&i.dest_predicate0, &i.dest_predicate1, &i.source_predicate0.index,
                            &i.source_predicate1.index, &i.source_predicate2.index}) {
      if (*p != isa::kPredicateTrue) *p = static_cast<std::uint8_t>(dice_.below(kPredicates));
    }
    const bool addresses = i.mem.address_register != isa::kRegisterZero;
    if (addresses) i.mem.offset = 16 * dice_.below(32);
    if (i.mem.shared_register != isa::kRegisterZero) i.mem.shared_offset = 16 * dice_.below(32);
    return i;
  }

  void name_result(Instruction& i) {
    const isa::RegisterUse use = isa::register_use(i);
    if (use.dest_count != 0) {
      // Fragments are what LDSM brings.
      const bool matrices = i.opcode == isa::Opcode::kLdsm;
      i.dest = static_cast<std::uint8_t>(matrices ? kFragments + 4 * dice_.below(6) : result(use.dests[0].count));
    } else if (kind_of(i) == Kind::kUniform && i.dest < isa::kUniformZero) {
      i.dest = static_cast<std::uint8_t>(dice_.below(kUniforms) / 2 * 2);
    }
  }

  void spread_lanes(Instruction& i, const Reserved& reserved) {
    if ((i.opcode != isa::Opcode::kLds && i.opcode != isa::Opcode::kSts) || i.mem.bytes > 8) return;
    if (!dice_.chance(character_.conflicts)) return;
    i.mem.address_register = static_cast<std::uint8_t>(reserved.shared(i.mem.bytes > 4 || dice_.chance(50) ? 4 : 3));
  }

  /// The next instruction reads the same register through the same operand, and the first does not change it.
  void keep_for_reuse(std::vector<Instruction>& body) {
    const auto fixed = [](const Instruction& i) {
      const Kind kind = kind_of(i);
      return kind == Kind::kAlu || kind == Kind::kFma || kind == Kind::kImad || kind == Kind::kHalf;
    };
    for (std::size_t k = 0; k + 1 < body.size(); ++k) {
      Instruction &i = body[k], &next = body[k + 1];
      if (!fixed(i) || !fixed(next) || isa::source_counts(next).c != 1) continue;
      const auto share = [&](Operand& of, Operand& with, int slot) {
        const bool registers = of.kind == Operand::Kind::kRegister && with.kind == Operand::Kind::kRegister;
        if (!registers || of.index == isa::kRegisterZero || with.index == isa::kRegisterZero || of.index == i.dest)
          return;
        if (!dice_.chance(character_.reuses)) return;
        with.index = of.index;
        of.reuse = true;
        i.control.reuse = static_cast<std::uint8_t>(i.control.reuse | 1 << slot);
      };
      share(i.a, next.a, 0);
      if (i.c.kind != Operand::Kind::kRegister) continue;  // whose second source may stand in slot C
      share(i.b, next.b, 1);
      share(i.c, next.c, 2);
    }
  }

  static constexpr std::size_t kFormsOfKind = 3, kRecent = 3;

  const InstructionPool& pool_;
  const Mix& mix_;
  Dice dice_;
  const Character character_;
  std::map<Kind, std::vector<Instruction>> drawn_;
  std::vector<int> recent_;
  int next_chain_ = 0;
};

constexpr std::array kMath = {Kind::kAlu,  Kind::kFma,    Kind::kImad,    Kind::kWide,
                              Kind::kHalf, Kind::kDouble, Kind::kSpecial, Kind::kUniform};
constexpr std::array kAddressMath = {Kind::kAlu, Kind::kFma, Kind::kImad, Kind::kWide, Kind::kUniform, Kind::kAlu};
constexpr std::array kMemory = {Kind::kSharedLoad, Kind::kMatrixLoad,  Kind::kSharedStore,
                                Kind::kGlobalLoad, Kind::kGlobalStore, Kind::kCopy,
                                Kind::kShuffle,    Kind::kSharedLoad,  Kind::kMatrixLoad};
constexpr std::array kMatrices = {Kind::kMatrix, Kind::kMatrix, Kind::kSparseMatrix, Kind::kSparseMatrix,
                                  Kind::kIntegerMatrix};

}  // namespace

std::vector<std::string> random_groups() {
  return {"single", "pair", "math", "memory", "matrix", "matrix_math", "matrix_memory"};
}

Mix draw_mix(const std::string& group, std::uint64_t seed) {
  Dice dice(seed ^ 0x9e3779b97f4a7c15u);
  Mix mix;
  mix.group = group;
  const auto add = [&](Kind kind, int weight) { mix.kinds.push_back({kind, weight}); };
  const auto some = [&](const auto& kinds, int count, int most) {
    for (int k = 0; k < count; ++k) add(dice.one_of(kinds), 1 + dice.below(most));
  };
  if (group == "single") {
    dice.chance(25) ? add(dice.one_of(kMemory), 1) : add(dice.one_of(kMath), 1);
  } else if (group == "pair") {
    some(kMath, 2, 3);
  } else if (group == "math") {
    some(kMath, 3 + dice.below(3), 4);
  } else if (group == "memory") {
    some(kMemory, 1 + dice.below(2), 3);
    some(kAddressMath, 1 + dice.below(3), 4);
  } else if (group == "matrix") {
    some(kMatrices, 1 + dice.below(2), 2);
  } else if (group == "matrix_math") {
    some(kMatrices, 1, 4);
    some(kAddressMath, 1 + dice.below(3), 4);
  } else {
    add(dice.one_of(kMatrices), 4 + dice.below(4));
    some(kMemory, 1 + dice.below(2), 2);
    some(kAddressMath, dice.below(3), 3);
  }
  return mix;
}

Block random_block(const InstructionPool& pool, const Mix& mix, std::uint64_t seed) {
  return Generator(pool, mix, seed).draw();
}

}  // namespace stc::blocks
