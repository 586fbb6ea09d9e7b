// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "models/core/architecture.h"
#include "models/isa/control_limits.h"
#include "models/isa/opcode_traits.h"
#include "traces/cubin/decoder.h"
#include "traces/cubin/instruction_members.h"
#include "traces/cubin/opcode_index.h"

namespace stc::cubin {
namespace {

constexpr int kControlLsb = 105;

/// The bits that no rule takes: opcode and control codes.
InstructionWords fixed_bits(unsigned opcode, const isa::Control& c) {
  const std::uint64_t control = c.stall | std::uint64_t{!c.yield} << 4 | std::uint64_t{c.write_scoreboard} << 5 |
                                std::uint64_t{c.read_scoreboard} << 8 | std::uint64_t{c.wait_mask} << 11 |
                                std::uint64_t{c.reuse & 7u} << 17;
  return {opcode & 0xfff, std::uint64_t{opcode >> 12} << 27 | control << (kControlLsb - 64)};
}

std::uint64_t mask_of(int width) { return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

InstructionWords with(const InstructionWords& words, const BitField& field, std::uint64_t value) {
  InstructionBits bits(words.low, words.high);
  bits.put(field, value);
  return {bits.word(0), bits.word(1)};
}

/// Words, and what the rule reads from them.
struct Trial {
  InstructionWords words;  ///< without bits that the rule does not take
  std::vector<BitField> fields;
  bool refused = true;
  int wrong_members = 0;
  int wrong_bits = 0;
  std::size_t first_wrong = kMostMembers;

  bool exact() const { return !refused && wrong_members == 0; }
  bool better_than(const Trial& o) const {
    return std::tie(refused, wrong_members, wrong_bits) < std::tie(o.refused, o.wrong_members, o.wrong_bits);
  }
};

/// The search for the fields of one row in one form.
class RowInverse {
 public:
  RowInverse(const isa::Instruction& wanted, const MemberValues& members, unsigned opcode)
      : wanted_(wanted),
        members_(members),
        opcode_(opcode),
        architecture_(architecture_of(wanted.sm)),
        row_(*find_row(opcode, architecture_.family)) {
    list_wide_values();
  }

  /// Field by field, `together` fields at once at most; exact if the instruction has this form.
  Trial solve(std::size_t together) {
    Trial best = attempt(fixed_bits(opcode_, wanted_.control));
    for (int sweep = 0; sweep < kSweeps && !best.exact(); ++sweep) {
      bool improved = improve_fields(best);
      for (std::size_t size = 2; size <= together && !improved; ++size) improved = improve_sets(size, best);
      if (!improved) break;
    }
    return best;
  }

 private:
  using Values = std::vector<std::uint64_t>;
  struct Choice {
    BitField field;
    Values values;
  };

  static constexpr int kSweeps = 8;
  static constexpr std::size_t kMostFields = 32;          ///< of a usual operation
  static constexpr int kNarrow = 7;                       ///< all values of fields so wide are tried
  static constexpr std::size_t kMostCombinations = 2048;  ///< of values of several fields

  Trial attempt(const InstructionWords& words) const {
    Trial trial;
    trial.fields.reserve(kMostFields);
    InstructionBits bits(words.low, words.high, trial.fields);
    isa::Instruction read;
    read.sm = wanted_.sm;
    read.address = wanted_.address;
    read.control = decode_control(words.high);
    try {
      apply_row(row_, opcode_, architecture_, bits, read);
      trial.refused = false;
    } catch (const UndecodableBits&) {
    }
    trial.words = {bits.taken_bits(0), bits.taken_bits(1)};
    const MemberValues found = members_of(read);
    for (std::size_t m = 0; m < found.size(); ++m) {
      if (found[m] == members_[m]) continue;
      if (trial.wrong_members++ == 0) trial.first_wrong = m;
      trial.wrong_bits += __builtin_popcount(found[m] ^ members_[m]);
    }
    return trial;
  }

  /// What a field of more bits than can be tried may hold: a member, or what follows from one.
  void list_wide_values() {
    const std::int64_t distance = std::int64_t{wanted_.target} - std::int64_t{wanted_.address} - isa::kInstructionBytes;
    const auto signed_offset = static_cast<std::uint64_t>(distance);
    for (const std::uint64_t offset : {signed_offset, std::uint64_t{wanted_.target}}) {
      for (const int shift : {0, 2}) {
        wide_.push_back(static_cast<std::uint64_t>(static_cast<std::int64_t>(offset) >> shift));
      }
    }
    for (const std::uint32_t member : members_) wide_.push_back(member);
    for (const isa::Operand* o : {&wanted_.a, &wanted_.b, &wanted_.c}) wide_.push_back(o->value / 4);
    for (const std::int32_t offset : {wanted_.mem.offset, wanted_.mem.shared_offset}) {
      wide_.push_back(static_cast<std::uint64_t>(std::int64_t{offset}));
    }
    wide_.push_back(isa::kRegisterZero);
    std::sort(wide_.begin(), wide_.end());
    wide_.erase(std::unique(wide_.begin(), wide_.end()), wide_.end());
  }

  Values values_for(const BitField& field) const {
    Values values;
    if (field.bits() <= kNarrow) {
      for (std::uint64_t value = 0; value <= mask_of(field.bits()); ++value) values.push_back(value);
      return values;
    }
    values = wide_;
    for (std::uint64_t& value : values) value &= mask_of(field.bits());
    return values;
  }

  /// Opcode and control codes are no matter of rules.
  static bool free(const BitField& field) {
    const bool opcode = field.lsb == 0 || (field.lsb == 91 && field.width == 1);
    return !opcode && field.lsb != kControlLsb;
  }

  bool improve_fields(Trial& best) {
    bool improved = false;
    for (std::size_t f = 0; f < best.fields.size() && !best.exact(); ++f) {
      const BitField field = best.fields[f];
      if (!free(field)) continue;
      for (const std::uint64_t value : values_for(field)) {
        improved |= take_if_better(with(best.words, field, value), best);
      }
    }
    return improved;
  }

  /// Fields that mean something only together, the sets with fewest combinations first.
  bool improve_sets(std::size_t size, Trial& best) {
    std::vector<Choice> choices;
    for (const BitField& field : best.fields) {
      if (free(field)) choices.push_back({field, values_for(field)});
    }
    std::stable_sort(choices.begin(), choices.end(),
                     [](const Choice& a, const Choice& b) { return a.values.size() < b.values.size(); });
    std::vector<const Choice*> set;
    return improve_sets_from(choices, 0, size, set, best);
  }

  bool improve_sets_from(const std::vector<Choice>& choices, std::size_t first, std::size_t size,
                         std::vector<const Choice*>& set, Trial& best) {
    if (set.size() == size) return try_all(set, best.words, 0, best);
    std::size_t combinations = 1;
    for (const Choice* choice : set) combinations *= choice->values.size();
    for (std::size_t c = first; c < choices.size(); ++c) {
      if (combinations * choices[c].values.size() > kMostCombinations) break;
      set.push_back(&choices[c]);
      const bool improved = improve_sets_from(choices, c + 1, size, set, best);
      set.pop_back();
      if (improved) return true;
    }
    return false;
  }

  bool try_all(const std::vector<const Choice*>& set, const InstructionWords& words, std::size_t first, Trial& best) {
    if (first == set.size()) return take_if_better(words, best);
    bool improved = false;
    for (const std::uint64_t value : set[first]->values) {
      improved |= try_all(set, with(words, set[first]->field, value), first + 1, best);
    }
    return improved;
  }

  bool take_if_better(const InstructionWords& words, Trial& best) {
    if (trials_left_ == 0) return false;
    --trials_left_;
    Trial trial = attempt(words);
    if (!trial.better_than(best)) return false;
    best = std::move(trial);
    return true;
  }

  const isa::Instruction& wanted_;
  const MemberValues& members_;
  unsigned opcode_;
  const Architecture& architecture_;
  const OpcodeRow& row_;
  std::vector<std::uint64_t> wide_;
  int trials_left_ = 20000;  ///< several times what any operation takes that has the form
};

/// Its own encoding first. Operations of two sources read alike whether the second stands in slot B or C: hardware has
/// B.
std::vector<unsigned> candidates(const isa::Instruction& i, CodeFamily family) {
  std::vector<unsigned> opcodes = opcodes_of(i.opcode, family);
  const auto in_slot_b = [](unsigned opcode) {
    const unsigned form = opcode >> 9 & 7;
    return form != 2 && form != 3 && form != 7;
  };
  std::stable_partition(opcodes.begin(), opcodes.end(), in_slot_b);
  const auto own = std::find(opcodes.begin(), opcodes.end(), i.encoding);
  if (own != opcodes.end()) std::rotate(opcodes.begin(), own, own + 1);
  return opcodes;
}

}  // namespace

InstructionWords encode_instruction(const isa::Instruction& i, const std::string& kernel) {
  const auto fail = [&](const std::string& reason) {
    throw UnencodableInstruction(fmt::format("kernel {}, address {:#06x}: cannot encode {} for sm_{}: {}", kernel,
                                             i.address, isa::traits_of(i.opcode).mnemonic, i.sm, reason));
  };
  if (i.control.stall > isa::kMostStallWithoutYield && !i.control.yield) {
    fail(fmt::format("no control code has a stall of {} cycles without yield", i.control.stall));
  }
  const MemberValues members = members_of(i);
  const std::vector<unsigned> opcodes = candidates(i, architecture_of(i.sm).family);
  std::optional<Trial> nearest;
  for (const std::size_t together : {1, 4}) {  // what is easily found is found in all forms first
    for (const unsigned opcode : opcodes) {
      Trial trial = RowInverse(i, members, opcode).solve(together);
      if (trial.exact()) return trial.words;
      if (!nearest || trial.better_than(*nearest)) nearest = std::move(trial);
    }
  }
  if (!nearest || nearest->first_wrong == kMostMembers) fail("it has no encoding");
  fail(fmt::format("no encoding has {} = {}", member_name(nearest->first_wrong), members[nearest->first_wrong]));
  return {};
}

}  // namespace stc::cubin
