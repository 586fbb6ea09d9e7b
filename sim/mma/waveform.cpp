// SPDX-License-Identifier: Apache-2.0
#include "sim/mma/waveform.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <systemc>

#include "models/core/time_base.h"
#include "models/isa/mma/element_format.h"
#include "models/sm/issue_info.h"
#include "models/tensor_core/tensor_core.h"
#include "sim/base/error.h"
#include "sim/base/files.h"

namespace stc::sim {
namespace {

constexpr int kLeadIn = 2;   // idle cycles before the issue
constexpr int kLeadOut = 3;  // and after D

sc_core::sc_time cycles(int count) { return to_time(static_cast<Tick>(count) * kTicksPerCycle); }

/// Offers one instruction, counts cycles from the one in which it enters on, and takes D.
class Stimulus : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Stimulus);
  Stimulus(sc_core::sc_module_name name, tensor_core::MmaRequest instruction, Waveform& out)
      : sc_module(name),
        clock("clock"),
        request("request"),
        result("result"),
        offered_(std::move(instruction)),
        out_(out) {
    SC_METHOD(tick);
    sensitive << clock.pos();
    dont_initialize();
  }
  void trace(sc_core::sc_trace_file* file) const override { sc_core::sc_trace(file, cycle_, "cycle"); }

  sc_core::sc_in<bool> clock;
  sc_core::sc_out<tensor_core::MmaRequest> request;
  sc_core::sc_in<tensor_core::MmaResults> result;

 private:
  void tick() {
    ++cycle_;
    // The unit takes at the edge of cycle 0 what was put on the wires at the edge before.
    request.write(cycle_ == -1 ? offered_ : tensor_core::MmaRequest{});
    if (!result.read().any()) return;
    const auto& d = result.read().ended.front().d;
    out_.d.assign(d.begin(), d.begin() + std::ptrdiff_t{offered_.op.c_registers()} * 32);
    out_.latency = cycle_;
  }

  const tensor_core::MmaRequest offered_;
  Waveform& out_;
  int cycle_ = -kLeadIn - 1;
};

/// Closes and removes the file in which SystemC collects the waveform.
class TraceFile {
 public:
  TraceFile() : path_((std::filesystem::temp_directory_path() / fmt::format("stcsim_wave_{}", ::getpid())).string()) {
    // Its remark about the time unit is no news for the user.
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    file_ = sc_core::sc_create_vcd_trace_file(path_.c_str());
    file_->set_time_unit(100, sc_core::SC_PS);
  }
  ~TraceFile() {
    close();
    std::error_code ignored;
    std::filesystem::remove(path_ + ".vcd", ignored);
  }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  sc_core::sc_trace_file* get() { return file_; }
  std::vector<std::uint8_t> contents() {
    close();
    return read_bytes(path_ + ".vcd");
  }

 private:
  void close() {
    if (file_ != nullptr) sc_core::sc_close_vcd_trace_file(file_);
    file_ = nullptr;
  }
  std::string path_;
  sc_core::sc_trace_file* file_;
};

}  // namespace

tensor_core::WarpgroupSchedule warpgroup_schedule(const isa::MmaOp& op, const sm::WarpgroupParams& params) {
  tensor_core::WarpgroupSchedule schedule;
  schedule.op = op;
  schedule.bytes_per_cycle = params.operand_bytes_per_cycle;
  schedule.columns_per_cycle = params.columns_per_cycle;
  // Its end is that of the SM's model, which says nothing of the way from products to accumulators.
  schedule.latency = sm::warpgroup_timing(op, true, params).latency - schedule.step_cycle(schedule.steps() - 1);
  return schedule;
}

namespace {

/// Lets the instruction begin in cycle 0 and sees when it has ended.
class WarpgroupStimulus : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(WarpgroupStimulus);
  WarpgroupStimulus(sc_core::sc_module_name name, Waveform& out)
      : sc_module(name), clock("clock"), request("request"), result("result"), out_(out) {
    SC_METHOD(tick);
    sensitive << clock.pos();
    dont_initialize();
  }
  void trace(sc_core::sc_trace_file* file) const override { sc_core::sc_trace(file, cycle_, "cycle"); }

  sc_core::sc_in<bool> clock;
  sc_core::sc_out<bool> request;
  sc_core::sc_in<bool> result;

 private:
  void tick() {
    ++cycle_;
    request.write(cycle_ == -1);
    // What is on the wire now was put there in the cycle before.
    if (result.read()) out_.latency = cycle_ - 1;
  }
  Waveform& out_;
  int cycle_ = -kLeadIn - 1;
};

Waveform record_warpgroup(const WaveformRequest& request) {
  const MmaCase& mma = *request.mma;
  const tensor_core::WarpgroupSchedule schedule = warpgroup_schedule(mma.op, request.warpgroup);
  Waveform out;
  TraceFile trace;
  sc_core::sc_clock clock("clock", cycles(1));
  sc_core::sc_signal<bool> offered("offered"), result("result");
  tensor_core::WarpgroupCores unit("warpgroup", schedule, *request.numerics, mma.in);
  WarpgroupStimulus stimulus("stimulus", out);
  unit.clock(clock), stimulus.clock(clock);
  unit.request(offered), stimulus.request(offered);
  unit.result(result), stimulus.result(result);
  sc_core::sc_trace(trace.get(), clock, "clock");
  stimulus.trace(trace.get());
  unit.trace_inside(trace.get());
  sc_core::sc_start(cycles(kLeadIn + schedule.complete() + kLeadOut));
  out.d = unit.d();
  out.vcd = trace.contents();
  return out;
}

}  // namespace

Waveform record_waveform(const WaveformRequest& request) {
  const MmaCase& mma = *request.mma;
  if (mma.op.warpgroup) return record_warpgroup(request);
  if (isa::is_fp8(mma.op.a)) {
    throw UserError(
        fmt::format("--vcd: this GPU has no instruction {}; compilers emulate it by several others", mma.op.name()));
  }
  try {
    tensor_core::tile_of(request.params);
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("--vcd: {}", error.what()));
  }
  Waveform out;
  TraceFile trace;
  sc_core::sc_clock clock("clock", cycles(1));
  sc_core::sc_signal<tensor_core::MmaRequest> offered("offered");
  sc_core::sc_signal<bool> ready("ready");
  sc_core::sc_signal<tensor_core::MmaResults> result("result");
  tensor_core::TensorCore unit("tensor_core", request.params, *request.numerics);
  Stimulus stimulus("stimulus", {true, 0, mma.op, mma.selector, mma.a, mma.b, mma.c, mma.e}, out);
  unit.clock(clock), stimulus.clock(clock);
  unit.request(offered), stimulus.request(offered);
  unit.result(result), stimulus.result(result);
  unit.ready(ready);
  sc_core::sc_trace(trace.get(), clock, "clock");
  stimulus.trace(trace.get());
  unit.trace_inside(trace.get(), mma.op);
  sc_core::sc_start(cycles(kLeadIn + tensor_core::step_schedule(mma.op, request.params).complete() + kLeadOut));
  out.vcd = trace.contents();
  return out;
}

std::string save_file_of(const std::string& vcd_file) {
  std::filesystem::path save(vcd_file);
  if (save.extension() != ".vcd") throw UserError(fmt::format("--vcd {}: the name must end in .vcd", vcd_file));
  return save.replace_extension(".gtkw").string();
}

std::string write_waveform(const WaveformRequest& request) {
  const std::filesystem::path vcd(request.file);
  std::string save = save_file_of(request.file);
  require_outputs({vcd.string(), save});
  Waveform waveform = record_waveform(request);
  const isa::MmaOp& op = request.mma->op;
  const std::string name = vcd.filename().string();
  OutputFiles files;
  files.add(vcd.string(), std::move(waveform.vcd));
  files.add_text(save, op.warpgroup ? gtkwave_save_file(warpgroup_schedule(op, request.warpgroup), name)
                                    : gtkwave_save_file(tensor_core::step_schedule(op, request.params), name));
  files.commit();
  return save;
}

}  // namespace stc::sim
