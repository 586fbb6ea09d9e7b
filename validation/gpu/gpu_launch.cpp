// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/gpu_launch.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "sim/base/error.h"
#include "traces/cubin/cubin.h"

namespace stc::silicon {
namespace {

std::string symbol_of(const sim::PreparedLaunch& prepared) {
  if (prepared.built) throw std::runtime_error("a built program runs on no GPU: name a kernel of the library");
  if (prepared.kernel.empty()) throw std::runtime_error(prepared.module + ": the run file must name a kernel");
  return prepared.kernel;
}

}  // namespace

std::string module_for(const DeviceFacts& facts, const std::string& module) {
  const std::string wanted = "sm_" + std::to_string(cubin_version(facts));
  std::filesystem::path other;
  for (const std::filesystem::path& part : std::filesystem::path(module)) {
    other /= part == "sm_80" || part == "sm_90" ? std::filesystem::path(wanted) : part;
  }
  return std::filesystem::exists(other) ? other.string() : module;
}

GpuLaunch::GpuLaunch(const sim::PreparedLaunch& prepared)
    : prepared_(prepared), module_(std::make_shared<Module>(prepared.module)) {
  place_buffers();
  prepare(addresses_);
  read_variables();
  restore();
}

/// A buffer with the name of a variable is that variable, wherever the driver has put it.
void GpuLaunch::place_buffers() {
  std::vector<PlacedMemory::Range> ranges;
  for (const sim::PreparedBuffer& buffer : prepared_.buffers) {
    if (buffer.address && module_->variable(buffer.name) == 0) ranges.push_back({*buffer.address, buffer.data.size()});
  }
  if (!ranges.empty()) placed_ = std::make_unique<PlacedMemory>(ranges);
  for (const sim::PreparedBuffer& buffer : prepared_.buffers) {
    if (buffer.address) {
      const CUdeviceptr variable = module_->variable(buffer.name);
      addresses_.push_back(variable != 0 ? variable : *buffer.address);
      continue;
    }
    owned_.push_back(std::make_unique<DeviceBuffer>(std::max<std::size_t>(buffer.data.size(), 1)));
    addresses_.push_back(owned_.back()->address());
  }
}

GpuLaunch::GpuLaunch(const sim::PreparedLaunch& prepared, const std::vector<CUdeviceptr>& buffers)
    : prepared_(prepared), module_(std::make_shared<Module>(prepared.module)) {
  prepare(buffers);
}

GpuLaunch::GpuLaunch(const sim::PreparedLaunch& prepared, const std::vector<std::unique_ptr<GpuLaunch>>& before)
    : prepared_(prepared), home_(before.front().get()) {
  for (const auto& one : before) {
    if (one->prepared_.module == prepared.module) module_ = one->module_;
  }
  if (module_ == nullptr) module_ = std::make_shared<Module>(prepared.module);
  prepare({});
  read_variables();
}

void GpuLaunch::prepare(const std::vector<CUdeviceptr>& addresses) {
  addresses_ = addresses;
  function_ = module_->function(symbol_of(prepared_));
  STC_CUDA(cuFuncGetAttribute(&registers_, CU_FUNC_ATTRIBUTE_NUM_REGS, function_));
  STC_CUDA(cuFuncGetAttribute(&static_shared_bytes_, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function_));
  const auto address = [&](const std::string& buffer, std::uint64_t offset) { return address_of(buffer) + offset; };
  for (const sim::Argument& argument : prepared_.arguments) {
    if (!argument.buffer.empty()) {
      arguments_.add_pointer(address(argument.buffer, argument.offset));
      continue;
    }
    std::vector<std::uint8_t> bytes = argument.bytes;
    for (const sim::HeldPointer& held : argument.pointers) {
      const std::uint64_t word = address(held.buffer, held.offset);
      std::memcpy(bytes.data() + held.at, &word, sizeof word);
    }
    arguments_.add_bytes(bytes);
  }
  CUdevice device;
  int sms = 0;
  STC_CUDA(cuCtxGetDevice(&device));
  STC_CUDA(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
  const isa::Dim3 grid = sim::grid_on(prepared_, sms), block = prepared_.block;
  shape_.grid[0] = grid.x, shape_.grid[1] = grid.y, shape_.grid[2] = grid.z;
  shape_.block[0] = block.x, shape_.block[1] = block.y, shape_.block[2] = block.z;
  shape_.dynamic_shared_bytes = prepared_.dynamic_shared_bytes;
  shape_.cooperative = prepared_.cooperative;
  if (prepared_.cluster) shape_.cluster = {prepared_.cluster->x, prepared_.cluster->y, prepared_.cluster->z};
  shape_.non_portable_cluster = prepared_.non_portable_cluster;
}

void GpuLaunch::read_variables() {
  const std::vector<isa::ModuleVariable> known = cubin::open_cubin(prepared_.module).variables();
  symbols_ = sim::resolve_symbols(prepared_.symbols, known, prepared_.module);
  for (const isa::ModuleVariable& variable : known) {
    const auto set = std::find_if(symbols_.begin(), symbols_.end(),
                                  [&](const sim::SymbolValue& symbol) { return symbol.name == variable.name; });
    std::vector<std::uint8_t> data = set != symbols_.end() ? set->data : variable.initial;
    data.resize(variable.bytes);
    variables_.push_back({variable.name, std::move(data)});
  }
}

void GpuLaunch::set_symbols() {
  for (const sim::SymbolValue& symbol : symbols_) {
    if (!module_->set_variable(symbol.name, symbol.data)) {
      throw std::runtime_error(prepared_.module + ": the driver finds no variable " + symbol.name);
    }
  }
}

void GpuLaunch::restore() {
  for (const sim::SymbolValue& variable : variables_) {
    const auto is_it = [&](const sim::SymbolValue& symbol) { return symbol.name == variable.name; };
    // The driver keeps no name of a variable that no kernel uses; only one that the run file sets must be there.
    if (!module_->set_variable(variable.name, variable.data) && std::any_of(symbols_.begin(), symbols_.end(), is_it)) {
      throw std::runtime_error(prepared_.module + ": the driver finds no variable " + variable.name);
    }
  }
  for (std::size_t i = 0; i < prepared_.buffers.size(); ++i) {
    std::vector<std::uint8_t> data = prepared_.buffers[i].data.to_vector();
    for (const sim::HeldPointer& held : prepared_.buffers[i].pointers) {
      const std::uint64_t word = address_of(held.buffer) + held.offset;
      std::memcpy(data.data() + held.at, &word, sizeof word);
    }
    STC_CUDA(cuMemcpyHtoD(addresses_[i], data.data(), data.size()));
  }
}

std::uint64_t GpuLaunch::address_of(const std::string& buffer) const {
  for (std::size_t i = 0; i < home_->addresses_.size(); ++i) {
    if (buffers()[i].name == buffer) return home_->addresses_[i];
  }
  throw std::runtime_error("the launch has no buffer '" + buffer + "'");
}

std::optional<isa::Dim3> GpuLaunch::cluster() const {
  if (prepared_.cluster) return prepared_.cluster;
  const auto fixed = [&](CUfunction_attribute which) {
    int value = 0;
    STC_CUDA(cuFuncGetAttribute(&value, which, function_));
    return static_cast<std::uint32_t>(value);
  };
  const isa::Dim3 size{fixed(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH),
                       fixed(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT),
                       fixed(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH)};
  return size.x == 0 ? std::nullopt : std::optional(size);
}

void GpuLaunch::run() { launch(function_, shape_, arguments_); }

double GpuLaunch::timed_run() {
  stopwatch_.start();
  run();
  stopwatch_.stop();
  return stopwatch_.microseconds();
}

std::vector<std::uint8_t> GpuLaunch::contents(const std::string& buffer) const {
  const auto is_it = [&](const sim::PreparedBuffer& one) { return one.name == buffer; };
  const auto found = std::find_if(buffers().begin(), buffers().end(), is_it);
  CUdeviceptr from = 0;
  std::size_t bytes = 0;
  if (found != buffers().end()) {
    from = address_of(buffer);
    bytes = found->data.size();
  }
  for (std::size_t i = 0; i < prepared_.symbols.size() && from == 0; ++i) {
    if (prepared_.symbols[i].name != buffer) continue;
    from = module_->variable(symbols_[i].name);
    bytes = symbols_[i].data.size();
  }
  if (from == 0) throw std::runtime_error("the launch has no buffer or variable '" + buffer + "'");
  std::vector<std::uint8_t> data(bytes);
  STC_CUDA(cuMemcpyDtoH(data.data(), from, bytes));
  return data;
}

}  // namespace stc::silicon
