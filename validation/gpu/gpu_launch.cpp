// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/gpu_launch.h"

#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace stc::silicon {
namespace {

constexpr std::size_t kFlushFactor = 4;  // times the size of L2

std::size_t flush_kib(const DeviceFacts& facts) {
  return (kFlushFactor * static_cast<std::size_t>(facts.l2_bytes)) >> 10;
}

std::string symbol_of(const sim::PreparedLaunch& prepared) {
  if (prepared.built) throw std::runtime_error("a built program runs on no GPU: name a kernel of the library");
  if (prepared.kernel.empty()) throw std::runtime_error(prepared.module + ": the run file must name a kernel");
  return prepared.kernel;
}

}  // namespace

int cubin_version(const DeviceFacts& facts) { return facts.sm_version >= 90 ? 90 : 80; }

std::string module_for(const DeviceFacts& facts, const std::string& module) {
  const std::string wanted = "sm_" + std::to_string(cubin_version(facts));
  std::filesystem::path other;
  for (const std::filesystem::path& part : std::filesystem::path(module)) {
    other /= part == "sm_80" || part == "sm_90" ? std::filesystem::path(wanted) : part;
  }
  return std::filesystem::exists(other) ? other.string() : module;
}

L2Flush::L2Flush(const DeviceFacts& facts, const std::string& kernels)
    : module_(kernels + "/sm_" + std::to_string(cubin_version(facts)) + "/micro_global.cubin"),
      function_(module_.function("micro_ldg_128_cg")),
      region_(flush_kib(facts) << 10),
      clocks_(std::size_t{1} << 20) {
  region_.clear();
  arguments_.add_pointer(clocks_.address());
  arguments_.add_pointer(region_.address());
  arguments_.add_i32(static_cast<std::int32_t>(flush_kib(facts)));
  // A round of a CTA is 16 loads of 16 bytes by each of its 1024 threads; each CTA reads its share of the region.
  constexpr std::size_t kRoundKib = 256;
  const std::size_t share = flush_kib(facts) / static_cast<std::size_t>(facts.sms);
  arguments_.add_i32(static_cast<std::int32_t>((share + kRoundKib - 1) / kRoundKib));
  shape_.grid[0] = static_cast<unsigned>(facts.sms);
  shape_.block[0] = 1024;
}

void L2Flush::operator()() { launch(function_, shape_, arguments_); }

GpuLaunch::GpuLaunch(const sim::PreparedLaunch& prepared) : prepared_(prepared), module_(prepared.module) {
  std::vector<CUdeviceptr> addresses;
  for (const sim::PreparedBuffer& buffer : prepared.buffers) {
    owned_.push_back(std::make_unique<DeviceBuffer>(std::max<std::size_t>(buffer.data.size(), 1)));
    addresses.push_back(owned_.back()->address());
  }
  prepare(addresses);
  restore();
}

GpuLaunch::GpuLaunch(const sim::PreparedLaunch& prepared, const std::vector<CUdeviceptr>& buffers)
    : prepared_(prepared), module_(prepared.module) {
  prepare(buffers);
}

void GpuLaunch::prepare(const std::vector<CUdeviceptr>& addresses) {
  function_ = module_.function(symbol_of(prepared_));
  STC_CUDA(cuFuncGetAttribute(&registers_, CU_FUNC_ATTRIBUTE_NUM_REGS, function_));
  for (const sim::Argument& argument : prepared_.arguments) {
    std::uint64_t word = 0;
    if (argument.buffer.empty()) {
      if (argument.bytes.size() > sizeof word)
        throw std::runtime_error("arguments of more than 8 bytes are not passed");
      std::memcpy(&word, argument.bytes.data(), argument.bytes.size());
    } else {
      for (std::size_t i = 0; i < addresses.size(); ++i) {
        if (prepared_.buffers[i].name == argument.buffer) word = addresses[i] + argument.offset;
      }
    }
    arguments_.add_word(word);
  }
  const isa::Dim3 grid = prepared_.grid, block = prepared_.block;
  shape_.grid[0] = grid.x, shape_.grid[1] = grid.y, shape_.grid[2] = grid.z;
  shape_.block[0] = block.x, shape_.block[1] = block.y, shape_.block[2] = block.z;
  shape_.dynamic_shared_bytes = prepared_.dynamic_shared_bytes;
}

void GpuLaunch::restore() {
  for (std::size_t i = 0; i < owned_.size(); ++i)
    owned_[i]->write(prepared_.buffers[i].data.data(), prepared_.buffers[i].data.size());
}

void GpuLaunch::run() { launch(function_, shape_, arguments_); }

double GpuLaunch::timed_run() {
  stopwatch_.start();
  run();
  stopwatch_.stop();
  return stopwatch_.microseconds();
}

std::vector<std::uint8_t> GpuLaunch::contents(const std::string& buffer) const {
  for (std::size_t i = 0; i < owned_.size(); ++i) {
    if (prepared_.buffers[i].name != buffer) continue;
    std::vector<std::uint8_t> data(prepared_.buffers[i].data.size());
    owned_[i]->read(data.data(), data.size());
    return data;
  }
  throw std::runtime_error("the launch has no buffer '" + buffer + "'");
}

}  // namespace stc::silicon
