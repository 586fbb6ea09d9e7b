// SPDX-License-Identifier: Apache-2.0
// What travels between the modules of a tensor core, and through its ports: requests, commands of the control,
// operands, products, sums, results. Signals carry all that their reader needs. SystemC asks them for comparison,
// printing and tracing; elements are register bits in the low end of a word.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <systemc>
#include <vector>

#include "models/isa/mma/fragment_layout.h"
#include "models/tensor_core/step_schedule.h"

namespace stc::tensor_core {

/// Rising edges of the unit's clock, counted.
using Cycle = std::uint64_t;

/// A matrix instruction at the unit's door. Register images are [registers][32].
struct MmaRequest {
  bool valid = false;
  std::uint64_t tag = 0;  ///< the issuer's; comes back with D
  isa::MmaOp op;
  int selector = 0;  ///< of a sparse instruction's metadata
  std::vector<std::uint32_t> a, b, c, e;
  bool operator==(const MmaRequest& o) const {
    return valid == o.valid && tag == o.tag && op == o.op && selector == o.selector && a == o.a && b == o.b &&
           c == o.c && e == o.e;
  }
};

/// Words of the largest D: 16 x 8 elements of 32 bits.
constexpr std::size_t kResultWords = 128;

/// D of an instruction that is complete.
struct MmaResult {
  bool valid = false;
  std::uint64_t tag = 0;                        ///< of the request
  std::array<std::uint32_t, kResultWords> d{};  ///< register image; words beyond D's registers are zero
  std::string error;                            ///< why the unit cannot compute the instruction; empty: D is there
  bool operator==(const MmaResult& o) const { return valid == o.valid && tag == o.tag && d == o.d && error == o.error; }
};

/// D of all instructions that end in one cycle: long ones and short ones issued behind them may meet. Valid ones first.
struct MmaResults {
  std::array<MmaResult, 4> ended;
  bool any() const { return ended.front().valid; }
  bool operator==(const MmaResults& o) const { return ended == o.ended; }
};

/// Instructions that can be on their way at once; a deeper pipeline than any configuration allows.
constexpr std::size_t kJobs = 64;

/// The instruction that a signal inside the unit belongs to. Not valid: nothing to do.
struct Operation {
  bool valid = false;
  std::uint64_t sequence = 0;  ///< counts instructions; its set of buffers is sequence mod kJobs
  isa::MmaOp op;
  int selector = 0;
  bool operator==(const Operation& o) const {
    return valid == o.valid && sequence == o.sequence && op == o.op && selector == o.selector;
  }
  std::size_t slot() const { return sequence % kJobs; }
};

/// The outputs [row, row + rows) x [column, column + columns) that the units compute at once.
struct OutputTile {
  int number = -1;
  int row = 0, column = 0, rows = 0, columns = 0;
  bool operator==(const OutputTile& o) const {
    return number == o.number && row == o.row && column == o.column && rows == o.rows && columns == o.columns;
  }
};

/// The registers of one collection pass, which are here at the end of this cycle.
struct Arrival {
  Operation of;
  int pass = -1;
  std::vector<OperandRegister> registers;
  std::vector<std::uint32_t> words;  ///< [registers][32]
  bool operator==(const Arrival& o) const {
    return of == o.of && pass == o.pass && registers == o.registers && words == o.words;
  }
};

/// One step of the array: stored elements [stored, stored + count) of k for one tile.
struct Step {
  Operation of;
  int number = -1;
  OutputTile tile;
  int stored = 0, count = 0;
  bool operator==(const Step& o) const {
    return of == o.of && number == o.number && tile == o.tile && stored == o.stored && count == o.count;
  }
};

/// The products of one block of k are added to the accumulators of one tile.
struct Addition {
  Operation of;
  int number = -1;
  OutputTile tile;
  int block = 0;      ///< also the adder that does it
  int end = 0;        ///< stored elements below this one have been added afterwards
  Cycle leaves = 0;   ///< first cycle in which the sum can be used
  bool last = false;  ///< D is complete then
  bool operator==(const Addition& o) const {
    return of == o.of && number == o.number && tile == o.tile && block == o.block && end == o.end &&
           leaves == o.leaves && last == o.last;
  }
};

/// Registers that a pass has brought for the accumulators: all of C, as far as it has arrived.
struct AccumulatorLoad {
  Operation of;
  int pass = -1;
  std::vector<std::uint32_t> c;  ///< [16][8]
  bool operator==(const AccumulatorLoad& o) const { return of == o.of && pass == o.pass && c == o.c; }
};

/// What the buffers show to the selector in one step.
struct StepOperands {
  Step step;
  std::vector<std::uint32_t> weights;      ///< [tile rows][count]
  std::vector<std::uint32_t> activations;  ///< [tile columns][count][m]: the inputs of each multiplexer
  std::vector<std::uint32_t> metadata;     ///< [registers][32]
  bool operator==(const StepOperands& o) const {
    return step == o.step && weights == o.weights && activations == o.activations && metadata == o.metadata;
  }
};

/// Multiplexers of one multiplier. Weights of 32 bits (tf32, 1:2) have two, each choosing 16 bits; see
/// models/isa/values/half_select.h. All others have one, as wide as the activation.
inline int multiplexers_of(const isa::MmaOp& op) {
  return op.sparse && isa::bits_of(op.a) == 32 && op.pattern == isa::nvidia_pattern(op.a) ? 2 : 1;
}
/// Bits that steer one of them.
inline int select_bits(const isa::MmaOp& op) {
  return op.sparse ? op.pattern.index_bits() + multiplexers_of(op) - 1 : 0;
}

struct MuxSelects {
  Step step;
  std::vector<std::uint8_t> index;  ///< [tile rows][count][multiplexers]: which input; all zero when dense
  bool operator==(const MuxSelects& o) const { return step == o.step && index == o.index; }
};

/// Both inputs of every multiplier. Unit r * tile columns + c computes row r, column c of the tile.
struct MultiplierInputs {
  Step step;
  std::vector<std::uint32_t> weight;      ///< [units][count]
  std::vector<std::uint32_t> activation;  ///< [units][count]
  bool operator==(const MultiplierInputs& o) const {
    return step == o.step && weight == o.weight && activation == o.activation;
  }
};

/// Additions that begin in one cycle, one per adder in use, each with the accumulators or the sums of its tile.
struct Additions {
  std::vector<Addition> commands;
  std::vector<std::uint32_t> values;  ///< [additions][units]
  bool operator==(const Additions& o) const { return commands == o.commands && values == o.values; }
};

std::ostream& operator<<(std::ostream& out, const MmaRequest& x);
std::ostream& operator<<(std::ostream& out, const MmaResults& x);
std::ostream& operator<<(std::ostream& out, const Arrival& x);
std::ostream& operator<<(std::ostream& out, const Step& x);
std::ostream& operator<<(std::ostream& out, const AccumulatorLoad& x);
std::ostream& operator<<(std::ostream& out, const StepOperands& x);
std::ostream& operator<<(std::ostream& out, const MuxSelects& x);
std::ostream& operator<<(std::ostream& out, const MultiplierInputs& x);
std::ostream& operator<<(std::ostream& out, const Additions& x);

// A waveform shows every field that has a fixed place; the modules trace the elements of what has not.
void sc_trace(sc_core::sc_trace_file* file, const MmaRequest& x, const std::string& name);
void sc_trace(sc_core::sc_trace_file* file, const MmaResults& x, const std::string& name);
void sc_trace(sc_core::sc_trace_file* file, const Operation& x, const std::string& name);
void sc_trace(sc_core::sc_trace_file* file, const Arrival& x, const std::string& name);
void sc_trace(sc_core::sc_trace_file* file, const Step& x, const std::string& name);
void sc_trace(sc_core::sc_trace_file* file, const AccumulatorLoad& x, const std::string& name);
void sc_trace(sc_core::sc_trace_file* file, const StepOperands& x, const std::string& name);
void sc_trace(sc_core::sc_trace_file* file, const MuxSelects& x, const std::string& name);
void sc_trace(sc_core::sc_trace_file* file, const MultiplierInputs& x, const std::string& name);
void sc_trace(sc_core::sc_trace_file* file, const Additions& x, const std::string& name);

}  // namespace stc::tensor_core
