// SPDX-License-Identifier: Apache-2.0
// step_vectors N:M f16|s8 TILES SEED: what the SystemC metadata unit, operand selector and dot-product array of an A100
// do in random steps, as input of a simulation of rtl/ (step_check.cpp). The first line: k, stored elements of a row,
// index bits, selectors, lanes used and registers of the pattern's instruction. Then a line a step: place, metadata,
// weights, activations, accumulators, selects, selected activations, sums, each as 32-bit words, lowest first. Products
// of integers are added up in the last step of a tile here: accumulators of its other steps but the first are "+", what
// came out of the step before, and their sums but the last "-".
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <string>

#include "models/tensor_core/dot_product_array.h"
#include "models/tensor_core/metadata_unit.h"
#include "models/tensor_core/operand_selector.h"
#include "models/tensor_core/step_schedule.h"
#include "traces/gemm/gemm_builder.h"
#include "validation/gpus.h"

namespace stc::tensor_core {
namespace {

using Random = std::mt19937_64;
using Words = std::vector<std::uint32_t>;

/// Bits of any f16, or one near 1, or one of few values, so that sums cancel.
std::uint32_t some_f16(Random& random) {
  const auto bits = static_cast<std::uint32_t>(random());
  switch (bits >> 28) {
    case 0: return bits & 0xffffu;
    case 1: return bits & 0x83ffu;
    case 2: return (bits & 0x8000u) | 0x3c00u;
    case 3: return 0;
    default: return (bits & 0x8fffu) | 0x3000u;
  }
}

std::uint32_t some_f32(Random& random) {
  const auto bits = static_cast<std::uint32_t>(random());
  switch (random() % 8) {
    case 0: return bits;
    case 1: return bits & 0x807fffffu;
    case 2: return 0;
    default: return (bits & 0x81ffffffu) | 0x3e000000u;
  }
}

/// Any 8 bits, the ends of their range more often; with their sign in all 32, as the unit holds integers.
std::uint32_t some_s8(Random& random) {
  const auto bits = static_cast<std::uint32_t>(random());
  const std::uint32_t low = bits >> 29 == 0 ? 0x80u : bits >> 29 == 1 ? 0x7fu : bits & 0xffu;
  return low | (low >= 0x80u ? 0xffffff00u : 0u);
}

/// Fields of `bits` bits side by side.
Words joined(const std::vector<std::uint32_t>& fields, int bits) {
  Words words((fields.size() * static_cast<std::size_t>(bits) + 31) / 32);
  std::size_t at = 0;
  for (const std::uint32_t field : fields) {
    for (int i = 0; i < bits; ++i, ++at) words[at / 32] |= (field >> i & 1u) << at % 32;
  }
  return words;
}

void print(const Words& words) {
  for (const std::uint32_t word : words) std::printf(" %x", word);
}

struct Unit : sc_core::sc_module {
  explicit Unit(const isa::MmaOp& op)
      : sc_module(sc_core::sc_module_name("unit")),
        metadata("metadata"),
        selector("selector"),
        array("array", validation::a100().numerics) {
    metadata.operands(operands), metadata.selects(selects);
    selector.operands(operands), selector.selects(selects), selector.inputs(inputs);
    array.inputs(inputs), array.accumulators(additions), array.sums(sums);
    of = {true, 0, op, 0};
  }

  void settle() { sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS)); }

  sc_core::sc_signal<StepOperands> operands;
  sc_core::sc_signal<MuxSelects> selects;
  sc_core::sc_signal<MultiplierInputs> inputs;
  sc_core::sc_signal<Additions> additions, sums;
  MetadataUnit metadata;
  OperandSelector selector;
  DotProductArray array;
  Operation of;
};

/// All slices of k of one tile of one instruction, a step each.
void print_tile(Unit& unit, Random& random) {
  const isa::MmaOp& op = unit.of.op;
  const sparsity::MetadataLayout layout = isa::metadata_layout(op);
  const StepSchedule schedule = step_schedule(op, validation::a100().sm.tensor_core);
  unit.of.selector = static_cast<int>(random() % static_cast<unsigned>(layout.selectors()));
  ++unit.of.sequence;
  Words metadata(static_cast<std::size_t>(layout.registers() * layout.kLanes));
  std::vector<std::uint8_t> indices(16u * static_cast<std::size_t>(layout.indices_per_row()));
  for (auto& index : indices) index = static_cast<std::uint8_t>(random() % static_cast<unsigned>(op.pattern.m));
  for (auto& word : metadata) word = static_cast<std::uint32_t>(random());
  layout.pack(indices.data(), unit.of.selector, metadata.data());

  const int tile = static_cast<int>(random() % static_cast<unsigned>(schedule.tiles()));
  const int slices = op.stored_k() / schedule.multipliers;
  const int bits = isa::bits_of(op.a);
  const bool integer = isa::is_integer(op.a);
  const auto element = [&] { return integer ? some_s8(random) : some_f16(random); };
  Words accumulators;
  for (const TileStep& slice : schedule.steps) {
    if (slice.tile != tile) continue;
    StepOperands in;
    in.step = {unit.of,
               static_cast<int>(&slice - schedule.steps.data()),
               {slice.tile, slice.row, slice.column, schedule.tile_rows, schedule.tile_columns},
               slice.stored,
               slice.count};
    for (int i = 0; i < schedule.tile_rows * slice.count; ++i) in.weights.push_back(element());
    const int candidates = schedule.tile_columns * slice.count * op.pattern.mux_inputs();
    for (int i = 0; i < candidates; ++i) in.activations.push_back(element());
    in.metadata = metadata;
    unit.operands.write(in);
    unit.settle();
    Additions add;
    Addition command;
    command.of = unit.of, command.tile = in.step.tile, command.block = slice.stored / slice.count;
    command.end = slice.stored + slice.count;
    add.commands.push_back(command);
    const bool first = slice.stored == 0, last = command.end == op.stored_k();
    if (first || !integer) {
      accumulators.clear();
      for (int i = 0; i < schedule.tile_rows * schedule.tile_columns; ++i) {
        accumulators.push_back(integer ? static_cast<std::uint32_t>(random()) : some_f32(random));
      }
    }
    add.values = accumulators;
    unit.additions.write(add);
    unit.settle();
    std::vector<std::uint32_t> selects(unit.selects.read().index.begin(), unit.selects.read().index.end());
    std::printf("%x", (unit.of.selector * 2 + slice.row / 8) * slices + slice.stored / slice.count);
    print(metadata), print(joined(in.weights, bits)), print(joined(in.activations, bits));
    integer && !first ? static_cast<void>(std::printf(" +")) : print(add.values);
    print(joined(selects, select_bits(op))), print(joined(unit.inputs.read().activation, bits));
    integer && !last ? static_cast<void>(std::printf(" -")) : print(unit.sums.read().values);
    std::printf("\n");
  }
}

int run(int count, char** words) {
  const bool integer = count == 5 && std::string(words[2]) == "s8";
  if (count != 5 || (!integer && std::string(words[2]) != "f16")) {
    std::fprintf(stderr, "usage: step_vectors N:M f16|s8 TILES SEED\n");
    return 2;
  }
  const isa::MmaOp op = gemm::matrix_instruction(sparsity::Pattern::parse(words[1]),
                                                 integer ? isa::NumberFormat::s8 : isa::NumberFormat::f16);
  const sparsity::MetadataLayout layout = isa::metadata_layout(op);
  const int lanes = 4 / layout.selectors();
  std::printf("%x %x %x %x %x %x\n", static_cast<unsigned>(op.k), static_cast<unsigned>(op.stored_k()),
              static_cast<unsigned>(select_bits(op)), static_cast<unsigned>(layout.selectors()),
              static_cast<unsigned>(lanes), static_cast<unsigned>(layout.registers()));
  Unit unit(op);
  Random random(std::strtoull(words[4], nullptr, 10));
  for (int i = 0; i < std::atoi(words[3]); ++i) print_tile(unit, random);
  return 0;
}

}  // namespace
}  // namespace stc::tensor_core

int main(int count, char** words) {
  try {
    return stc::tensor_core::run(count, words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "step_vectors: %s\n", error.what());
    return 2;
  }
}
