// SPDX-License-Identifier: Apache-2.0
// What travels between the modules of a tensor core: commands of the control, operands, products, sums.
// SystemC signals need comparison, printing and tracing; elements are register bits in the low end of a word.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <systemc>
#include <vector>

#include "models/arith/numerics.h"
#include "models/isa/fragment_layout.h"
#include "models/tensor_core/step_schedule.h"

namespace stc::tensor_core {

using Cycle = std::uint64_t;

/// A matrix instruction as it enters the unit. Register images are [registers][32].
struct MmaRequest {
  isa::MmaOp op;
  const arith::Numerics* numerics = nullptr;
  int selector = 0;
  std::vector<std::uint32_t> a, b, c, e;
  std::uint64_t tag = 0;  ///< the issuer's; comes back with D
};

/// A matrix instruction inside the unit.
struct Job {
  std::uint64_t sequence = 0;  ///< counts instructions; its set of buffers is sequence mod kJobs
  MmaRequest request;
  const isa::MmaTables* tables = nullptr;
  const StepSchedule* schedule = nullptr;
  Cycle issued = 0;
  Cycle first_step = 0;
  bool done = false;
};

/// Instructions that can be on their way at once; a deeper pipeline than any configuration allows.
constexpr std::size_t kJobs = 64;

inline std::size_t slot_of(const Job& job) { return job.sequence % kJobs; }

/// An entry of the job's schedule: a pass, a step or an addition. No job: nothing to do.
struct Command {
  const Job* job = nullptr;
  std::uint64_t sequence = 0;
  int number = -1;

  bool operator==(const Command& o) const { return job == o.job && sequence == o.sequence && number == o.number; }
  const TileStep& step() const { return job->schedule->steps[static_cast<std::size_t>(number)]; }
  const TileAddition& addition() const { return job->schedule->additions[static_cast<std::size_t>(number)]; }
  const std::vector<OperandRegister>& pass() const { return job->schedule->passes[static_cast<std::size_t>(number)]; }
};

/// Registers that a pass has brought for the accumulators: all of C, as far as it has arrived.
struct AccumulatorLoad {
  Command pass;
  std::vector<std::uint32_t> c;  ///< [16][8]
  bool operator==(const AccumulatorLoad& o) const { return pass == o.pass && c == o.c; }
};

/// What the buffers show to the selector in one step.
struct StepOperands {
  Command step;
  std::vector<std::uint32_t> weights;      ///< [tile rows][count]
  std::vector<std::uint32_t> activations;  ///< [tile columns][count][m]: the inputs of each multiplexer
  std::vector<std::uint32_t> metadata;     ///< [registers][32]
  bool operator==(const StepOperands& o) const {
    return step == o.step && weights == o.weights && activations == o.activations && metadata == o.metadata;
  }
};

/// Multiplexers of one multiplier. Weights of 32 bits (tf32, 1:2) have two, each choosing 16 bits; see
/// models/isa/half_select.h. All others have one, as wide as the activation.
inline int multiplexers_of(const isa::MmaOp& op) {
  return op.sparse && isa::bits_of(op.a) == 32 && op.pattern == isa::nvidia_pattern(op.a) ? 2 : 1;
}
/// Bits that steer one of them.
inline int select_bits(const isa::MmaOp& op) {
  return op.sparse ? op.pattern.index_bits() + multiplexers_of(op) - 1 : 0;
}

struct MuxSelects {
  Command step;
  std::vector<std::uint8_t> index;  ///< [tile rows][count][multiplexers]: which input; all zero when dense
  bool operator==(const MuxSelects& o) const { return step == o.step && index == o.index; }
};

/// Both inputs of every multiplier. Unit r * tile columns + c computes row r, column c of the tile.
struct MultiplierInputs {
  Command step;
  std::vector<std::uint32_t> weight;      ///< [units][count]
  std::vector<std::uint32_t> activation;  ///< [units][count]
  bool operator==(const MultiplierInputs& o) const {
    return step == o.step && weight == o.weight && activation == o.activation;
  }
};

/// Additions that begin in one cycle, one per adder in use, each with the accumulators or the sums of its tile.
struct Additions {
  std::vector<Command> commands;
  std::vector<std::uint32_t> values;  ///< [additions][units]
  bool operator==(const Additions& o) const { return commands == o.commands && values == o.values; }
};

inline std::ostream& operator<<(std::ostream& out, const Command& c) {
  return c.job == nullptr ? out << "idle" : out << c.sequence << ':' << c.number;
}
inline std::ostream& operator<<(std::ostream& out, const AccumulatorLoad& x) { return out << x.pass; }
inline std::ostream& operator<<(std::ostream& out, const StepOperands& x) { return out << x.step; }
inline std::ostream& operator<<(std::ostream& out, const MuxSelects& x) { return out << x.step; }
inline std::ostream& operator<<(std::ostream& out, const MultiplierInputs& x) { return out << x.step; }
inline std::ostream& operator<<(std::ostream& out, const Additions& x) { return out << x.commands.size(); }

// The modules trace what a person wants to see; signals need these to compile.
inline void sc_trace(sc_core::sc_trace_file* file, const Command& c, const std::string& name) {
  sc_core::sc_trace(file, c.number, name);
}
inline void sc_trace(sc_core::sc_trace_file* file, const AccumulatorLoad& x, const std::string& name) {
  sc_trace(file, x.pass, name);
}
inline void sc_trace(sc_core::sc_trace_file* file, const StepOperands& x, const std::string& name) {
  sc_trace(file, x.step, name);
}
inline void sc_trace(sc_core::sc_trace_file* file, const MuxSelects& x, const std::string& name) {
  sc_trace(file, x.step, name);
}
inline void sc_trace(sc_core::sc_trace_file* file, const MultiplierInputs& x, const std::string& name) {
  sc_trace(file, x.step, name);
}
inline void sc_trace(sc_core::sc_trace_file*, const Additions&, const std::string&) {}

}  // namespace stc::tensor_core
