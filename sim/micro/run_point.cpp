// SPDX-License-Identifier: Apache-2.0
#include "sim/micro/run_point.h"

#include <algorithm>
#include <cstring>

#include "models/gpu/machine/machine.h"
#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/median.h"
#include "sim/base/text.h"
#include "sim/launch/arguments.h"
#include "traces/cubin/cubin.h"

namespace stc::micro {
namespace {

struct Interval {  // micro_common.cuh
  std::uint64_t start, stop, operations, sm;
};

std::uint64_t bytes_out(const Point& p) {
  const std::uint64_t warps = std::uint64_t{p.ctas} * p.warps;
  switch (p.kind) {
    case Kind::kInterval: return sizeof(Interval) * warps;
    case Kind::kClocks: return std::uint64_t{4} * p.samples * warps;
    case Kind::kLatency: return 4 * (std::uint64_t{p.samples} + 1) * p.ctas;
    case Kind::kCtas: return std::uint64_t{32} * p.ctas;
  }
  return 0;
}

template <typename Word>
std::vector<Word> words(const isa::BufferBytes& bytes) {
  std::vector<Word> out(bytes.size() / sizeof(Word));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(Word));
  return out;
}

void read_intervals(const Point& p, const isa::BufferBytes& bytes, Outcome& out) {
  const auto intervals = words<Interval>(bytes);
  std::vector<double> spans, own;
  for (std::size_t cta = 0; cta < p.ctas; ++cta) {
    std::uint64_t begin = ~std::uint64_t{0}, end = 0;
    for (std::size_t warp = 0; warp < p.warps; ++warp) {
      const Interval& i = intervals[cta * p.warps + warp];
      if (i.stop == 0) continue;  // a warp that takes no part
      begin = std::min(begin, i.start), end = std::max(end, i.stop);
      own.push_back(static_cast<double>(i.stop - i.start));
    }
    if (end == 0) continue;  // a CTA that takes no part
    if (spans.empty()) out.operations = intervals[cta * p.warps].operations;
    spans.push_back(static_cast<double>(end - begin));
  }
  if (spans.empty()) throw sim::UserError(p.kernel + ": the kernel wrote no clocks");
  out.simulated = {*std::max_element(spans.begin(), spans.end()), sim::median(spans), sim::median(own)};
}

void read_samples(const Point& p, const isa::BufferBytes& bytes, Outcome& out) {
  const auto values = words<std::uint32_t>(bytes);
  if (p.kind == Kind::kClocks) {  // relative to the warp that began first
    std::uint32_t origin = values[0];
    for (std::size_t i = 0; i < values.size(); i += p.samples) origin = std::min(origin, values[i]);
    for (const std::uint32_t value : values) out.simulated.push_back(static_cast<double>(value - origin));
    return;
  }
  if (p.samples == 0) return;  // a kernel that only takes time
  const std::size_t width = std::size_t{p.samples} + 1;
  for (std::size_t cta = 0; cta < p.ctas; ++cta) {
    const std::vector<double> cycles(values.begin() + static_cast<std::ptrdiff_t>(cta * width),
                                     values.begin() + static_cast<std::ptrdiff_t>(cta * width + p.samples));
    out.simulated.push_back(sim::median(cycles));
  }
}

void read_ctas(const isa::BufferBytes& bytes, Outcome& out) {
  const auto values = words<std::uint64_t>(bytes);  // four per CTA: start, stop, SM and timer
  for (std::size_t i = 0; i < values.size(); i += 4)
    out.simulated.push_back(static_cast<double>(values[i + 1] - values[i]));
}

}  // namespace

const isa::Kernel& Runner::kernel(const Point& point) {
  const std::string file =
      cubins_ + "/sm_" + std::to_string(machine_.params().sm_version) + "/" + point.cubin + ".cubin";
  if (kernel_name_ != file + point.kernel) {
    std::vector<std::uint8_t>& bytes = files_[file];
    if (bytes.empty()) bytes = sim::read_bytes(file);
    kernel_ = cubin::Cubin(bytes, file).decode(point.kernel);
    kernel_name_ = file + point.kernel;
  }
  return kernel_;
}

Outcome Runner::run(const Point& point) {
  isa::Kernel code = kernel(point);
  isa::GlobalMemory memory;
  memory.allocate("out", bytes_out(point));
  if (point.data_bytes > 0) memory.allocate("data", point.data_bytes);
  isa::place_variables(code, memory);

  std::vector<sim::Argument> arguments;
  for (const std::string& word : sim::split(point.args, ' ')) {
    if (word.empty()) continue;
    const auto number = sim::parse_integer(word);
    arguments.push_back(number ? sim::Argument::i32(static_cast<std::int32_t>(*number))
                               : sim::Argument::address_of(word));
  }
  gpu::Launch launch;
  launch.kernel = &code;
  launch.grid.x = point.ctas;
  launch.block.x = 32 * point.warps;
  launch.dynamic_shared_bytes = point.shared_bytes;
  launch.parameters = sim::pack_arguments(arguments, code.parameters, point.kernel,
                                          [&](const std::string& name) { return memory.find(name)->address; });
  launch.memory = &memory;
  launch.options.values = isa::Values::kAddresses;
  launch.options.check_dependences = check_dependences_;
  // Far beyond what was measured, a point is wrong however it ends.
  const double measured = *std::max_element(point.measured.begin(), point.measured.end());
  launch.options.max_cycles = 2'000'000 + static_cast<std::uint64_t>(20 * measured);
  if (!point.flushed) {
    if (point.data_bytes > 0) machine_.run(launch);
    launch.options.l2 = gpu::L2State::kAsLeft;
  }
  Outcome out;
  out.run = machine_.run(launch);
  const isa::BufferBytes& bytes = memory.find("out")->data;
  switch (point.kind) {
    case Kind::kInterval: read_intervals(point, bytes, out); break;
    case Kind::kClocks:
    case Kind::kLatency: read_samples(point, bytes, out); break;
    case Kind::kCtas: read_ctas(bytes, out); break;
  }
  return out;
}

}  // namespace stc::micro
