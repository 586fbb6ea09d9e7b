// SPDX-License-Identifier: Apache-2.0
#include "models/isa/resource_use.h"

#include <algorithm>
#include <utility>

#include "models/isa/mma/fragment_layout.h"
#include "models/isa/register_use.h"

namespace stc::isa {
namespace {

constexpr std::uint32_t kAllPredicates = 0x7f;

class Collector {
 public:
  explicit Collector(const Instruction& instruction)
      : in_(instruction),
        result_(traits_of(instruction.opcode).result),
        sources_(traits_of(instruction.opcode).sources) {}

  ResourceUse collect() {
    general_registers();
    uniform_registers();
    read_predicate(in_.guard, UseSlot::kGuard, in_.guard.uniform);
    const bool uniform = sets_uniform_predicates(in_.opcode);
    const bool uniform_sources = uniform && result_ != Result::kUniformVote;
    for (const PredicateOperand* p : {&in_.source_predicate0, &in_.source_predicate1, &in_.source_predicate2}) {
      read_predicate(*p, UseSlot::kOther, p->uniform || uniform_sources);
    }
    write_predicate(in_.dest_predicate0, uniform);
    write_predicate(in_.dest_predicate1, uniform);
    packed_predicates();
    return std::move(uses_);
  }

 private:
  void read(int resource, UseSlot slot) { uses_.reads.push_back({static_cast<std::uint16_t>(resource), slot}); }
  void write(int resource, int word) {
    uses_.writes.push_back({static_cast<std::uint16_t>(resource), static_cast<std::uint8_t>(word)});
  }

  void general_registers() {
    const RegisterUse use = register_use(in_);
    const bool wide_sum = sources_ == Sources::kWideSum;
    const bool matrix = sources_ == Sources::kMatrix;
    for (int s = 0; s < use.source_count; ++s) {
      const RegisterRange& range = use.sources[static_cast<std::size_t>(s)];
      // Metadata of wide indices fills more than the one register that register_use() counts.
      const bool metadata = matrix && in_.mma.sparse && range.slot == 3;
      const int count = metadata ? mma_tables(in_.mma).metadata_registers : range.count;
      for (int k = 0; k < count; ++k) {
        const bool high = wide_sum && range.slot == 2 && k == 1;
        read(range.first + k, high ? UseSlot::kCHigh : static_cast<UseSlot>(std::min<int>(range.slot, 4)));
      }
    }
    for (int d = 0; d < use.dest_count; ++d) {
      const RegisterRange& range = use.dests[static_cast<std::size_t>(d)];
      for (int k = 0; k < range.count; ++k) write(range.first + k, k);
    }
  }

  void read_uniform(int first, int count, UseSlot slot) {
    for (int k = 0; first != kUniformZero && k < count; ++k) read(kFirstUniform + first + k, slot);
  }

  void read_uniform_operand(const Operand& o, int count, UseSlot slot) {
    if (o.kind == Operand::Kind::kUniform) read_uniform(o.index, count, slot);
    if (o.kind == Operand::Kind::kConstantUniformBase) read_uniform(o.index, 2, slot);
  }

  int uniform_results() const {
    if (!is_uniform_operation(in_.opcode)) return 0;
    if (result_ == Result::kUniformBytes) return std::max(1, in_.mem.bytes / 4);
    const bool wide_sum = in_.opcode == Opcode::kUiadd3 && in_.mod.is_64bit;
    return result_ == Result::kUniformPair || wide_sum ? 2 : 1;
  }

  void uniform_registers() {
    const SourceCounts counts = source_counts(in_);
    read_uniform_operand(in_.a, counts.a, UseSlot::kA);
    read_uniform_operand(in_.b, counts.b, UseSlot::kB);
    read_uniform_operand(in_.c, counts.c, UseSlot::kC);
    read_uniform(in_.mem.uniform_register, in_.mem.uniform_is_64bit ? 2 : 1, UseSlot::kOther);
    read_uniform(in_.mem.descriptor, 2, UseSlot::kOther);
    if (in_.dest >= kUniformZero) return;
    for (int k = 0; k < uniform_results(); ++k) write(kFirstUniform + in_.dest + k, k);
  }

  static int predicate(int index, bool uniform) { return (uniform ? kFirstUniformPredicate : kFirstPredicate) + index; }
  void read_predicate(const PredicateOperand& p, UseSlot slot, bool uniform) {
    if (p.index != kPredicateTrue) read(predicate(p.index, uniform), slot);
  }
  void write_predicate(int index, bool uniform) {
    if (index != kPredicateTrue) write(predicate(index, uniform), 0);
  }

  /// P2R, R2P and their uniform twins: all predicates that the mask names.
  void packed_predicates() {
    const bool reads = sources_ == Sources::kPredicates;
    const bool writes = result_ == Result::kPredicates || result_ == Result::kUniformMasked;
    const bool uniform = sets_uniform_predicates(in_.opcode);
    if (!reads && !writes) return;
    const std::uint32_t mask = in_.b.kind == Operand::Kind::kImmediate ? in_.b.value : kAllPredicates;
    for (int p = 0; p < kPredicateTrue; ++p) {
      if ((mask >> p & 1) == 0) continue;
      if (reads) read(predicate(p, uniform), UseSlot::kOther);
      if (writes) write(predicate(p, uniform), 0);
    }
  }

  const Instruction& in_;
  const Result result_;
  const Sources sources_;
  ResourceUse uses_;
};

}  // namespace

std::string resource_name(int resource) {
  if (is_general(resource)) return "R" + std::to_string(resource);
  if (is_uniform_register(resource)) return "UR" + std::to_string(resource - kFirstUniform);
  if (is_predicate(resource)) return "P" + std::to_string(resource - kFirstPredicate);
  return "UP" + std::to_string(resource - kFirstUniformPredicate);
}

ResourceUse resource_use(const Instruction& instruction) { return Collector(instruction).collect(); }

}  // namespace stc::isa
