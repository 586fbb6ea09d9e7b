// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/program_session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "models/gpu/machine/machine.h"
#include "models/isa/text/kernel_name.h"
#include "sim/exec/device_facts.h"
#include "sim/exec/launch_capture.h"

namespace stc::sim {

using remote::Packet;
using remote::Request;

namespace {

constexpr std::uint64_t kDefaultSharedBytes = 48 << 10;  // static and dynamic, before a kernel opts in to more

remote::FunctionFacts facts_of(const isa::Kernel& kernel, const ProgramModule& module) {
  remote::FunctionFacts facts{};
  facts.registers = static_cast<std::uint32_t>(kernel.registers);
  facts.static_shared_bytes = kernel.static_shared_bytes;
  facts.local_bytes = kernel.local_bytes;
  const auto bank = kernel.constants.find(isa::kVariableBank);
  facts.constant_bytes = bank == kernel.constants.end() ? 0 : static_cast<std::uint32_t>(bank->second.size());
  facts.max_threads = kernel.max_threads;
  facts.parameter_bytes = kernel.parameter_bytes;
  facts.image_version = static_cast<std::uint32_t>(module.image_version());
  if (kernel.cluster) facts.cluster = {kernel.cluster->x, kernel.cluster->y, kernel.cluster->z};
  return facts;
}

/// Bytes of dynamic shared memory.
std::uint64_t default_limit(const isa::Kernel& kernel) {
  return kDefaultSharedBytes - std::min<std::uint64_t>(kDefaultSharedBytes, kernel.static_shared_bytes);
}

}  // namespace

ProgramSession::Answer ProgramSession::handle(Request request, Packet& packet, int file) {
  Answer made;
  try {
    answer(request, packet, made.packet, file);
  } catch (const RequestError& error) {
    made.error = error.error;
    if (*error.what() != '\0') gpu_.log.note(error.what());
  } catch (const ImageError& error) {
    made.error = error.error;
    gpu_.log.note(error.what());
  }
  return made;
}

void ProgramSession::answer(Request request, Packet& in, Packet& out, int file) {
  if (file >= 0 && request != Request::kShare) ::close(file);
  switch (request) {
    case Request::kHello: return hello(in, out);
    case Request::kUnsupported: gpu_.log.unsupported.insert(in.get_text()); return;
    case Request::kLoadModule: return load_module(in, out);
    case Request::kUnloadModule: {
      const auto number = in.get<std::uint64_t>();
      state().memory.drop_module(module(number).number());
      for (ProgramFunction& of : functions_) of.module = of.module == modules_[number].get() ? nullptr : of.module;
      modules_[number].reset();
      return;
    }
    case Request::kFindFunction: return find_function(in, out);
    case Request::kSetFunction: return set_function(in);
    case Request::kFindVariable: return find_variable(in, out);
    case Request::kAllocate: {
      const std::uint64_t address = state().memory.allocate(in.get<std::uint64_t>());
      if (address == 0) throw RequestError(remote::kOutOfMemory, "");
      out.put(address);
      return;
    }
    case Request::kFree:
      if (!state().memory.free(in.get<std::uint64_t>())) throw RequestError(remote::kInvalidValue, "");
      return;
    case Request::kShare:
      if (file < 0) throw remote::BadPacket();
      if (!state().memory.share(in.get<std::uint64_t>(), file)) throw RequestError(remote::kInvalidValue, "");
      return;
    case Request::kWrite: return write(in);
    case Request::kRead: return read(in, out);
    case Request::kCopy: return copy(in);
    case Request::kFill: return fill(in);
    case Request::kFindAddress: {
      const auto [address, block] = state().memory.find(in.get<std::uint64_t>());
      if (block == nullptr) throw RequestError(remote::kInvalidValue, "");
      out.put(address).put(std::uint64_t{block->data.size()});
      return;
    }
    case Request::kMemoryLeft:
      out.put(state().memory.left()).put(device_facts(gpu_.config.params).memory_bytes);
      return;
    case Request::kOccupancy: return occupancy(in, out);
    case Request::kClusters: return clusters(in, out);
    case Request::kSetLimit: return set_limit(in);
    case Request::kReset: return reset();
    case Request::kLaunch: return launch(in, out);
  }
  throw remote::BadPacket();
}

void ProgramSession::hello(Packet& in, Packet& out) {
  process_ = in.get<std::int32_t>();
  const remote::DeviceFacts facts = device_facts(gpu_.config.params);
  const auto first = in.get<std::uint64_t>();
  if (state_ != nullptr || first < remote::kFirstAddress || first > remote::kEndAddress - remote::kWindowBytes) {
    throw remote::BadPacket();
  }
  window_ = first;
  state_ = std::make_unique<ProgramState>(ProgramState{fresh_memory(), {}});
  ++gpu_.log.processes;
  out.put(facts);
}

ProgramMemory ProgramSession::fresh_memory() const {
  return {window_, window_ + remote::kWindowBytes, device_facts(gpu_.config.params).memory_bytes};
}

/// As an H200 does it: managed variables and what was set of functions stay. So do modules, which find their other
/// variables as they were compiled.
void ProgramSession::reset() {
  ProgramMemory memory = fresh_memory();
  memory.take_managed_variables(state().memory);
  state_ = std::make_unique<ProgramState>(ProgramState{std::move(memory), {}});
}

ProgramState& ProgramSession::state() {
  if (state_ == nullptr) throw remote::BadPacket();
  return *state_;
}

ProgramModule& ProgramSession::module(std::uint64_t number) {
  if (number >= modules_.size() || modules_[number] == nullptr) throw RequestError(remote::kInvalidHandle, "");
  return *modules_[number];
}

ProgramFunction& ProgramSession::function(std::uint64_t number) {
  if (number >= functions_.size() || functions_[number].module == nullptr) {
    throw RequestError(remote::kInvalidHandle, "");
  }
  return functions_[number];
}

const isa::Kernel& ProgramSession::resources(const ProgramFunction& function) {
  return *function.module->resources(function.symbol);  // looked for when the function was found
}

void ProgramSession::load_module(Packet& in, Packet& out) {
  const std::vector<std::uint8_t> bytes = in.get_list<std::uint8_t>();
  const ChosenImage image = choose_image(bytes, gpu_.config.params.sm_version);
  const auto number = modules_.size();
  auto loaded = std::make_unique<ProgramModule>(static_cast<int>(number), image);
  find_room_for_code(*loaded);
  modules_.push_back(std::move(loaded));
  out.put(std::uint64_t{number});
}

/// A module that is loaded twice would have its code in one place twice.
void ProgramSession::find_room_for_code(ProgramModule& loaded) const {
  const auto in_the_way = [&](const std::unique_ptr<ProgramModule>& other) {
    return other != nullptr && other->addresses().overlaps(loaded.addresses());
  };
  for (;;) {
    const auto other = std::find_if(modules_.begin(), modules_.end(), in_the_way);
    if (other == modules_.end()) return;
    loaded.move_code_behind(**other);
  }
}

void ProgramSession::find_function(Packet& in, Packet& out) {
  const auto of = in.get<std::uint64_t>();
  const std::string symbol = in.get_text();
  ProgramModule& home = module(of);
  const isa::Kernel* const kernel = home.resources(symbol);
  if (kernel == nullptr) throw RequestError(remote::kNotFound, "");
  const auto [known, fresh] = numbers_.emplace(std::pair{of, symbol}, functions_.size());
  if (fresh) {
    functions_.push_back({&home, symbol, default_limit(*kernel), false});
  }
  out.put(known->second).put(facts_of(*kernel, home));
  std::vector<remote::ParameterPlace> places;
  for (const isa::KernelParameter& p : kernel->parameters) places.push_back({p.offset, p.bytes});
  out.put_list(places);
}

void ProgramSession::set_function(Packet& in) {
  ProgramFunction& of = function(in.get<std::uint64_t>());
  const auto setting = in.get<remote::FunctionSetting>();
  const auto value = in.get<std::int64_t>();
  if (setting == remote::FunctionSetting::kNonPortableCluster) {
    of.non_portable_cluster = value != 0;
    return;
  }
  const std::int64_t most = std::int64_t{gpu_.config.params.sm.occupancy.shared_bytes_per_cta} -
                            std::int64_t{resources(of).static_shared_bytes};
  if (value < 0 || value > most) throw RequestError(remote::kInvalidValue, "");
  of.dynamic_limit = static_cast<std::uint64_t>(value);
}

void ProgramSession::find_variable(Packet& in, Packet& out) {
  ProgramModule& home = module(in.get<std::uint64_t>());
  const ProgramModule::Place place = home.find_variable(in.get_text(), state().memory);
  if (place.address == 0) throw RequestError(remote::kNotFound, "");
  out.put(place.address).put(place.bytes);
}

std::uint8_t* ProgramSession::bytes_at(std::uint64_t address, std::uint64_t bytes) {
  std::uint8_t* const place = state().memory.translate(address, bytes);
  if (place == nullptr) throw RequestError(remote::kInvalidValue, "");
  return place;
}

void ProgramSession::write(Packet& in) {
  const auto address = in.get<std::uint64_t>();
  const auto bytes = in.get<std::size_t>();
  std::memcpy(bytes_at(address, bytes), in.take(bytes), bytes);
}

void ProgramSession::read(Packet& in, Packet& out) {
  const auto address = in.get<std::uint64_t>();
  const auto bytes = in.get<std::uint64_t>();
  out.put_bytes(bytes_at(address, bytes), bytes);
}

void ProgramSession::copy(Packet& in) {
  const auto to = in.get<std::uint64_t>(), from = in.get<std::uint64_t>(), bytes = in.get<std::uint64_t>();
  std::memmove(bytes_at(to, bytes), bytes_at(from, bytes), bytes);
}

void ProgramSession::fill(Packet& in) {
  const auto address = in.get<std::uint64_t>(), bytes = in.get<std::uint64_t>();
  const auto value = in.get<std::uint32_t>(), width = in.get<std::uint32_t>();
  if ((width != 1 && width != 2 && width != 4) || address % width != 0 || bytes % width != 0) {
    throw RequestError(remote::kInvalidValue, "");
  }
  std::uint8_t* const place = bytes_at(address, bytes);
  if (width == 1) {
    std::memset(place, static_cast<int>(value), bytes);
    return;
  }
  for (std::uint64_t at = 0; at < bytes; at += width) std::memcpy(place + at, &value, width);
}

void ProgramSession::occupancy(Packet& in, Packet& out) {
  const ProgramFunction& of = function(in.get<std::uint64_t>());
  const auto threads = in.get<std::uint32_t>();
  const auto dynamic = in.get<std::uint64_t>();
  isa::Kernel kernel = resources(of);
  kernel.max_threads = std::numeric_limits<decltype(kernel.max_threads)>::max();  // an H200 does not look at them here
  std::int32_t ctas = 0;  // which the runtime answers for blocks that do not fit
  try {
    if (dynamic <= of.dynamic_limit) {
      ctas =
          gpu::occupancy(gpu_.config.params, kernel, {threads, 1, 1}, static_cast<std::uint32_t>(dynamic)).ctas_per_sm;
    }
  } catch (const gpu::LaunchError&) {
  }
  out.put(ctas);
}

void ProgramSession::clusters(Packet& in, Packet& out) {
  const ProgramFunction& of = function(in.get<std::uint64_t>());
  const auto shape = in.get<remote::LaunchShape>();
  std::int32_t clusters = 0;
  try {
    const isa::Dim3 block{shape.block.x, shape.block.y, shape.block.z};
    const gpu::Occupancy fit = gpu::occupancy(gpu_.config.params, resources(of), block,
                                              static_cast<std::uint32_t>(shape.dynamic_shared_bytes));
    const isa::Dim3 cluster{shape.cluster.x, shape.cluster.y, shape.cluster.z};
    const std::uint64_t ctas = std::max<std::uint64_t>(1, cluster.count());
    clusters = static_cast<std::int32_t>(gpu::resident_clusters(gpu_.config.params, ctas, fit));
  } catch (const gpu::LaunchError&) {
  }
  out.put(clusters);
}

void ProgramSession::set_limit(Packet& in) {
  const auto limit = in.get<remote::Limit>();
  const auto bytes = in.get<std::uint64_t>();
  if (limit == remote::Limit::kStack) {
    if (bytes > isa::kMostLocalBytes) throw RequestError(remote::kInvalidValue, "");
    state().stack_bytes = static_cast<std::uint32_t>(bytes);
    return;
  }
  if (state().heap) throw RequestError(remote::kInvalidValue, "");  // too late: a kernel has used it
  state().heap_bytes = bytes;
}

void ProgramSession::launch(Packet& in, Packet& out) {
  const ProgramFunction& of = function(in.get<std::uint64_t>());
  const auto shape = in.get<remote::LaunchShape>();
  const std::vector<std::uint8_t> parameters = in.get_list<std::uint8_t>();
  LaunchRecord record;
  record.number = ++gpu_.log.count;
  record.process = process_;
  record.result.name = of.symbol;
  record.result.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
  record.result.block = {shape.block.x, shape.block.y, shape.block.z};
  record.timed = gpu_.settings.is_timed(record.number);
  std::string printed;
  try {
    if (parameters.size() > resources(of).parameter_bytes) throw remote::BadPacket();
    require_launchable(gpu_.config, of, resources(of), shape);
    std::optional<LaunchCapture> capture;
    if (record.timed && !gpu_.settings.capture.empty()) {
      capture.emplace(gpu_.settings.capture, record.number, state(), of);
      capture->before(gpu_.config.file, of, shape, resources(of).parameters, parameters);
    }
    try {
      simulate(record, of, shape, parameters, printed);
      if (capture) capture->after();
    } catch (...) {
      if (capture) capture->commit();  // a launch that fails or is stopped is one that somebody wants to look at
      throw;
    }
    if (capture) capture->commit();
  } catch (const RequestError& error) {
    record.failure = error.what();
    record.error = error.error;
    gpu_.log.note(fmt::format("launch {}, {}: {}", record.number, isa::readable_name(of.symbol), error.what()));
  }
  out.put(static_cast<std::int32_t>(record.error)).put(time_ns_).put_text(printed);
  gpu_.log.launches.push_back(std::move(record));
}

void ProgramSession::simulate(LaunchRecord& record, const ProgramFunction& of, const remote::LaunchShape& shape,
                              const std::vector<std::uint8_t>& parameters, std::string& printed) {
  const bool cold = gpu_.settings.cold || gpu_.log.timed == 0;
  record.result =
      run_program_launch(gpu_.machine, state(), of, shape, parameters, record.timed,
                         cold ? gpu::L2State::kCold : gpu::L2State::kAsLeft, gpu_.go_on, printed, gpu_.profile);
  if (record.timed) ++gpu_.log.timed;
  time_ns_ += record.result.time_us() * 1e3;
}

}  // namespace stc::sim
