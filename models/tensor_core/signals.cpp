// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/signals.h"

#include "models/tensor_core/trace_names.h"

namespace stc::tensor_core {
namespace {

std::ostream& print(std::ostream& out, const Operation& of, int number) {
  return of.valid ? out << of.op.name() << " #" << of.sequence << ':' << number : out << "idle";
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const MmaRequest& x) {
  return x.valid ? out << x.op.name() << " tag " << x.tag : out << "idle";
}
std::ostream& operator<<(std::ostream& out, const MmaResults& x) {
  if (!x.any()) return out << "idle";
  for (const MmaResult& result : x.ended) {
    if (result.valid) out << "D of tag " << result.tag << ' ';
  }
  return out;
}
std::ostream& operator<<(std::ostream& out, const Arrival& x) { return print(out, x.of, x.pass); }
std::ostream& operator<<(std::ostream& out, const Step& x) { return print(out, x.of, x.number); }
std::ostream& operator<<(std::ostream& out, const AccumulatorLoad& x) { return print(out, x.of, x.pass); }
std::ostream& operator<<(std::ostream& out, const StepOperands& x) { return out << x.step; }
std::ostream& operator<<(std::ostream& out, const MuxSelects& x) { return out << x.step; }
std::ostream& operator<<(std::ostream& out, const MultiplierInputs& x) { return out << x.step; }
std::ostream& operator<<(std::ostream& out, const Additions& x) { return out << x.commands.size() << " additions"; }

void sc_trace(sc_core::sc_trace_file* file, const MmaRequest& x, const std::string& name) {
  sc_core::sc_trace(file, x.valid, name + ".valid");
  sc_core::sc_trace(file, x.tag, name + ".tag");
  sc_core::sc_trace(file, x.op.m, name + ".m");
  sc_core::sc_trace(file, x.op.n, name + ".n");
  sc_core::sc_trace(file, x.op.k, name + ".k");
  sc_core::sc_trace(file, x.op.sparse, name + ".sparse");
  sc_core::sc_trace(file, x.selector, name + ".selector");
}

void sc_trace(sc_core::sc_trace_file* file, const MmaResults& x, const std::string& name) {
  for (std::size_t i = 0; i < x.ended.size(); ++i) {
    const MmaResult& result = x.ended[i];
    const std::string path = fmt::format("{}{}", name, i);
    sc_core::sc_trace(file, result.valid, path + ".valid");
    sc_core::sc_trace(file, result.tag, path + ".tag");
    for (std::size_t word = 0; word < result.d.size(); ++word) {
      sc_core::sc_trace(file, result.d[word],
                        path + "." + result_name(static_cast<int>(word / 32), static_cast<int>(word % 32)));
    }
  }
}

void sc_trace(sc_core::sc_trace_file* file, const Operation& x, const std::string& name) {
  sc_core::sc_trace(file, x.valid, name + ".valid");
  sc_core::sc_trace(file, x.sequence, name + ".sequence");
  sc_core::sc_trace(file, x.op.k, name + ".k");
  sc_core::sc_trace(file, x.op.sparse, name + ".sparse");
  sc_core::sc_trace(file, x.selector, name + ".selector");
}

void sc_trace(sc_core::sc_trace_file* file, const Arrival& x, const std::string& name) {
  sc_trace(file, x.of, name);
  sc_core::sc_trace(file, x.pass, name + ".pass");
}

void sc_trace(sc_core::sc_trace_file* file, const Step& x, const std::string& name) {
  sc_trace(file, x.of, name);
  sc_core::sc_trace(file, x.number, name + ".number");
  sc_core::sc_trace(file, x.tile.row, name + ".row");
  sc_core::sc_trace(file, x.tile.column, name + ".column");
  sc_core::sc_trace(file, x.stored, name + ".stored");
  sc_core::sc_trace(file, x.count, name + ".count");
}

void sc_trace(sc_core::sc_trace_file* file, const AccumulatorLoad& x, const std::string& name) {
  sc_trace(file, x.of, name);
  sc_core::sc_trace(file, x.pass, name + ".pass");
}
void sc_trace(sc_core::sc_trace_file* file, const StepOperands& x, const std::string& name) {
  sc_trace(file, x.step, name);
}
void sc_trace(sc_core::sc_trace_file* file, const MuxSelects& x, const std::string& name) {
  sc_trace(file, x.step, name);
}
void sc_trace(sc_core::sc_trace_file* file, const MultiplierInputs& x, const std::string& name) {
  sc_trace(file, x.step, name);
}
void sc_trace(sc_core::sc_trace_file*, const Additions&, const std::string&) {}

}  // namespace stc::tensor_core
