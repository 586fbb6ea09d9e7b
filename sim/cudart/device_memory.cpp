// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/device_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "sim/cudart/connection.h"

namespace stc::cuda {
namespace {

using remote::Packet;
using remote::Request;

struct SharedRange {
  std::size_t bytes;
  SharedKind kind;
};

std::mutex& memory_mutex() {
  static auto* const one = new std::mutex;
  return *one;
}
std::map<std::uint64_t, SharedRange>& shared_ranges() {
  static auto* const all = new std::map<std::uint64_t, SharedRange>;
  return *all;
}

/// Bytes of the host's memory by their address.
std::map<std::uint64_t, std::size_t>& registered_ranges() {
  static auto* const all = new std::map<std::uint64_t, std::size_t>;
  return *all;
}

/// Nothing may lie there again, whoever follows an old pointer faults.
void unmap(std::uint64_t address, std::size_t bytes) {
  [[maybe_unused]] void* const nothing =
      ::mmap(reinterpret_cast<void*>(address), std::max<std::size_t>(bytes, 1), PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

bool fits(Place place, bool device) { return device ? place != Place::kHost : place != Place::kDevice; }

}  // namespace

Place place_of(const void* address) {
  if (!Connection::get().is_device(address)) return Place::kHost;
  const std::lock_guard lock(memory_mutex());
  const auto after = shared_ranges().upper_bound(number_of(address));
  if (after == shared_ranges().begin()) return Place::kDevice;
  const auto& [first, range] = *std::prev(after);
  if (number_of(address) - first >= std::max<std::size_t>(range.bytes, 1)) return Place::kDevice;
  return range.kind == SharedKind::kPinned ? Place::kPinned : Place::kManaged;
}

int allocate(std::size_t bytes, std::uint64_t* address) {
  Packet answer;
  const int error = Connection::get().ask(Request::kAllocate, Packet().put(std::uint64_t{bytes}), answer);
  if (error == 0) *address = answer.get<std::uint64_t>();
  return error;
}

int share_with_host(std::uint64_t address, std::size_t bytes, SharedKind kind) {
  const std::size_t mapped = std::max<std::size_t>(bytes, 1);
  const int file = ::memfd_create("stcsim", MFD_CLOEXEC);
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(mapped)) != 0) return remote::kOutOfMemory;
  const bool done = ::mmap(reinterpret_cast<void*>(address), mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                           file, 0) != MAP_FAILED;
  Packet answer;
  Connection::Transfer transfer;
  transfer.file = file;
  const int error =
      done ? Connection::get().ask(Request::kShare, Packet().put(address), answer, transfer) : remote::kOutOfMemory;
  ::close(file);
  if (error != 0) {
    unmap(address, mapped);
    return error;
  }
  const std::lock_guard lock(memory_mutex());
  shared_ranges()[address] = {bytes, kind};
  return 0;
}

int allocate_shared(std::size_t bytes, SharedKind kind, std::uint64_t* address) {
  if (const int error = allocate(bytes, address); error != 0) return error;
  return share_with_host(*address, bytes, kind);
}

int free_memory(std::uint64_t address) {
  if (address == 0) return Connection::get().ready();
  if (const int error = Connection::get().tell(Request::kFree, Packet().put(address)); error != 0) return error;
  const std::lock_guard lock(memory_mutex());
  const auto found = shared_ranges().find(address);
  if (found == shared_ranges().end()) return 0;
  unmap(address, found->second.bytes);
  shared_ranges().erase(found);
  return 0;
}

bool register_host(const void* pointer, std::size_t bytes) {
  const std::lock_guard lock(memory_mutex());
  return registered_ranges().emplace(number_of(pointer), bytes).second;
}
bool unregister_host(const void* pointer) {
  const std::lock_guard lock(memory_mutex());
  return registered_ranges().erase(number_of(pointer)) != 0;
}
bool is_registered(const void* pointer) {
  const std::lock_guard lock(memory_mutex());
  const auto after = registered_ranges().upper_bound(number_of(pointer));
  return after != registered_ranges().begin() &&
         number_of(pointer) - std::prev(after)->first < std::prev(after)->second;
}

void forget_memory() {
  const std::lock_guard lock(memory_mutex());
  for (auto range = shared_ranges().begin(); range != shared_ranges().end();) {
    if (range->second.kind == SharedKind::kManagedVariable) {
      ++range;
      continue;
    }
    unmap(range->first, range->second.bytes);
    range = shared_ranges().erase(range);
  }
  registered_ranges().clear();
}

int copy(void* to, const void* from, std::size_t bytes, CopyKind kind) {
  Connection& connection = Connection::get();
  if (const int error = connection.reached(); error != 0) return error;
  if (kind < kHostToHost || kind > kByAddress) return 21;  // cudaErrorInvalidMemcpyDirection
  if (bytes == 0) return 0;
  if (const int error = connection.ready(); error != 0) return error;
  if (to == nullptr || from == nullptr) return remote::kInvalidValue;
  const Place target = place_of(to), source = place_of(from);
  if (kind != kByAddress && kind != kHostToHost) {  // an H200 looks at neither pointer of host to host
    const bool to_device = kind == kHostToDevice || kind == kDeviceToDevice;
    const bool from_device = kind == kDeviceToHost || kind == kDeviceToDevice;
    if (!fits(target, to_device) || !fits(source, from_device)) return remote::kInvalidValue;
  }
  Packet answer;
  Connection::Transfer transfer;
  if (target != Place::kDevice && source != Place::kDevice) {
    std::memmove(to, from, bytes);
    return 0;
  }
  if (target == Place::kDevice && source == Place::kDevice) {
    return connection.tell(Request::kCopy, Packet().put(number_of(to)).put(number_of(from)).put(std::uint64_t{bytes}));
  }
  if (target == Place::kDevice) {
    transfer.tail = from;
    transfer.tail_bytes = bytes;
    return connection.ask(Request::kWrite, Packet().put(number_of(to)).put(bytes), answer, transfer);
  }
  transfer.to = to;
  transfer.to_bytes = bytes;
  return connection.ask(Request::kRead, Packet().put(number_of(from)).put(std::uint64_t{bytes}), answer, transfer);
}

int fill(std::uint64_t address, std::uint32_t value, std::uint32_t width, std::size_t bytes) {
  if (bytes == 0) return Connection::get().reached();
  return Connection::get().tell(Request::kFill, Packet().put(address).put(std::uint64_t{bytes}).put(value).put(width));
}

}  // namespace stc::cuda
