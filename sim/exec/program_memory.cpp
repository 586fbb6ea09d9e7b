// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/program_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "sim/base/error.h"

namespace stc::sim {
namespace {

constexpr std::uint64_t kGranule = std::uint64_t{2} << 20;  // as isa::GlobalMemory spaces its buffers

/// Where the next block may begin: at least a granule of nothing lies between.
std::uint64_t behind(std::uint64_t end) { return (end + 2 * kGranule - 1) / kGranule * kGranule; }

}  // namespace

SharedPages::SharedPages(int file, std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
  void* const mapped = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (mapped == MAP_FAILED) throw UserError(fmt::format("cannot map {} bytes that the program shares", bytes));
  data_ = static_cast<std::uint8_t*>(mapped);
}

SharedPages::~SharedPages() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

SharedPages::SharedPages(SharedPages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}

SharedPages& SharedPages::operator=(SharedPages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

ProgramMemory::ProgramMemory(std::uint64_t first, std::uint64_t end, std::uint64_t capacity)
    : first_(first), end_(end), capacity_(capacity) {}

std::uint64_t ProgramMemory::place_for(std::uint64_t bytes) const {
  std::uint64_t place = first_;
  for (const auto& [address, block] : blocks_) {
    if (behind(place + bytes) <= address) return place;
    place = behind(address + block.data.size());
  }
  return place + bytes <= end_ ? place : 0;
}

std::uint64_t ProgramMemory::allocate(std::uint64_t bytes) {
  if (bytes > left()) return 0;
  const std::uint64_t address = place_for(bytes);
  if (address == 0) return 0;
  Block block;
  block.name = fmt::format("allocation {}", ++count_);
  try {
    block.data = isa::BufferBytes::zeros(bytes);
  } catch (const std::bad_alloc&) {
    return 0;
  }
  used_ += bytes;
  blocks_[address] = std::move(block);
  return address;
}

bool ProgramMemory::free(std::uint64_t address) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || found->second.name.rfind("allocation ", 0) != 0) return false;
  used_ -= found->second.data.size();
  blocks_.erase(found);
  return true;
}

bool ProgramMemory::share(std::uint64_t address, int file) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end()) {
    ::close(file);
    return false;
  }
  Block& block = found->second;
  block.shared = SharedPages(file, block.data.size());
  std::copy(block.data.begin(), block.data.end(), block.shared.data());
  return true;
}

std::pair<std::uint64_t, const ProgramMemory::Block*> ProgramMemory::find(std::uint64_t address) const {
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return {0, nullptr};
  const auto& [first, block] = *std::prev(after);
  // An empty block has an address, too.
  if (address - first >= std::max<std::size_t>(block.data.size(), 1)) return {0, nullptr};
  return {first, &block};
}

std::uint8_t* ProgramMemory::translate(std::uint64_t address, std::uint64_t bytes) {
  const auto [first, found] = find(address);
  if (found == nullptr || bytes > found->data.size() || address - first > found->data.size() - bytes) return nullptr;
  return blocks_[first].bytes() + (address - first);
}

ProgramMemory::Block* ProgramMemory::variable(int module, const std::string& name, std::uint64_t* address) {
  for (auto& [first, block] : blocks_) {
    if (block.module != module || block.name != name) continue;
    if (address != nullptr) *address = first;
    return &block;
  }
  return nullptr;
}

void ProgramMemory::drop_module(int module) {
  for (auto block = blocks_.begin(); block != blocks_.end();) {
    block = block->second.module == module ? blocks_.erase(block) : std::next(block);
  }
}

void ProgramMemory::take_managed_variables(ProgramMemory& from) {
  for (auto& [address, block] : from.blocks_) {
    if (block.module != kNoModule && block.shared.data() != nullptr) blocks_[address] = std::move(block);
  }
}

isa::GlobalMemory ProgramMemory::lend(int module) {
  isa::GlobalMemory memory;
  for (auto& [address, block] : blocks_) {
    if (block.shared.data() != nullptr) std::memcpy(block.data.data(), block.shared.data(), block.data.size());
    const bool foreign = block.module != kNoModule && block.module != module;
    memory.allocate_at(address, foreign ? fmt::format("{} of module {}", block.name, block.module) : block.name,
                       std::move(block.data), DataRole::kOther);
  }
  return memory;
}

void ProgramMemory::take_back(isa::GlobalMemory& memory, int module, const std::set<std::string>& variables,
                              const std::set<std::string>& others) {
  for (const isa::Allocation& allocation : memory.allocations()) {
    const bool variable = variables.count(allocation.name) != 0;
    auto found = blocks_.find(allocation.address);
    if (found == blocks_.end()) {
      if (!variable && others.count(allocation.name) == 0) continue;
      found = blocks_.emplace(allocation.address, Block{}).first;
      found->second.name = allocation.name;
      found->second.module = variable ? module : kNoModule;
    }
    Block& block = found->second;
    block.data = std::move(memory.find(allocation.name)->data);
    if (block.shared.data() != nullptr && std::memcmp(block.data.data(), block.shared.data(), block.data.size()) != 0) {
      std::memcpy(block.shared.data(), block.data.data(), block.data.size());
    }
  }
}

}  // namespace stc::sim
