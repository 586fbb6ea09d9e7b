// SPDX-License-Identifier: Apache-2.0
#include "models/memory/external_memory.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "models/memory/address_hash.h"

namespace stc::memory {
namespace {

std::uint8_t sectors_of(const MemoryChannel::Request& request) {
  const auto first = static_cast<unsigned>(request.address % kLineBytes / kSectorBytes);
  return static_cast<std::uint8_t>(((1u << request.bytes / kSectorBytes) - 1) << first);
}

}  // namespace

ExternalMemory::ExternalMemory(sc_core::sc_module_name name, int channels) : sc_module(name) {
  if (channels < 1) throw std::invalid_argument("a device memory needs a channel");
  for (int i = 0; i < channels; ++i) {
    auto& channel = *channels_.emplace_back(std::make_unique<MemoryChannel>(("channel" + std::to_string(i)).c_str()));
    channel.written_bytes = [this](std::uint64_t address, std::uint8_t* data, std::uint32_t bytes) {
      const std::uint8_t* from = values_ != nullptr ? values_->translate(address, bytes) : nullptr;
      if (from != nullptr) {
        std::memcpy(data, from, bytes);
      } else {
        std::memset(data, 0, bytes);
      }
    };
    channel.on_read = [this](const MemoryChannel::Request& request) {
      misses_.fill(request.address / kLineBytes, sectors_of(request));
    };
  }
}

Tick ExternalMemory::read(const DeviceAccess& access, Tick leaves, Tick& waited) {
  const auto asked = static_cast<std::uint8_t>(access.sectors & ~misses_.on_their_way(access.line));
  if (asked == 0) return 0;
  misses_.add(access.line, asked);
  send(to_ticks(sc_core::sc_time_stamp()) + leaves + waited, access, asked, false);
  return 0;
}

void ExternalMemory::write(const DeviceAccess& access, Tick&) {
  send(to_ticks(sc_core::sc_time_stamp()), access, access.sectors, true);
}

void ExternalMemory::send(Tick begin, const DeviceAccess& access, std::uint8_t sectors, bool write) {
  MemoryChannel& channel = *channels_[channel_of(access.line, Divider(channels_.size()))];
  for (std::uint32_t first = 0; first < kLineBytes / kSectorBytes; ++first) {
    if ((sectors >> first & 1) == 0) continue;
    std::uint32_t end = first + 1;
    while ((sectors >> end & 1) != 0) ++end;
    const std::uint32_t bytes = (end - first) * kSectorBytes;
    channel.send(begin, {access.line * kLineBytes + std::uint64_t{first} * kSectorBytes, bytes, write});
    count(access.role, end - first, write, begin);
    first = end;
  }
}

bool ExternalMemory::idle() const {
  return std::all_of(channels_.begin(), channels_.end(), [](const auto& channel) { return channel->idle(); });
}

void ExternalMemory::reset(std::uint64_t, isa::GlobalMemory* values, const HbmParams&) {
  values_ = values;
  misses_.clear();
  for (auto& channel : channels_) channel->reset();
  statistics_ = {};
}

}  // namespace stc::memory
