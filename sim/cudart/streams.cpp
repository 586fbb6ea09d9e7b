// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/streams.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>

#include "sim/cudart/connection.h"
#include "sim/cudart/stream_capture.h"

namespace stc::cuda {
namespace {

constexpr double kLeastElapsedMs = 0.0005;  // what CUDA calls the resolution of events; programs divide by the time
constexpr int kContextDestroyed = 709;
constexpr std::uintptr_t kPerThreadStream = 2;  // handles up to it are default streams

std::mutex& streams_mutex() {
  static auto* const one = new std::mutex;
  return *one;
}
/// Handles that are valid now.
template <class T>
std::set<const void*>& live() {
  static auto* const all = new std::set<const void*>;
  return *all;
}
/// Those that a reset of the device has ended; they are never deleted, so that no new one has their place.
template <class T>
std::set<const void*>& dead() {
  static auto* const all = new std::set<const void*>;
  return *all;
}
template <class T>
int check(const void* handle) {
  const std::lock_guard lock(streams_mutex());
  if (live<T>().count(handle) != 0) return 0;
  return dead<T>().count(handle) != 0 ? kContextDestroyed : remote::kInvalidHandle;
}
template <class T>
int create(T** handle, const T& value) {
  if (handle == nullptr) return remote::kInvalidValue;
  if (const int error = Connection::get().ready(); error != 0) return error;
  const std::lock_guard lock(streams_mutex());
  *handle = new T(value);
  live<T>().insert(*handle);
  return 0;
}
template <class T>
bool is_live(const void* handle) {
  const std::lock_guard lock(streams_mutex());
  return live<T>().count(handle) != 0;
}
template <class T>
int destroy(T* handle) {
  if (const int error = Connection::get().ready(); error != 0) return error;
  const std::lock_guard lock(streams_mutex());
  if (live<T>().erase(handle) != 0) return delete handle, 0;
  return dead<T>().count(handle) != 0 ? kContextDestroyed : remote::kInvalidHandle;
}

}  // namespace

int create_stream(Stream** stream, const Stream& value) {
  static std::atomic<unsigned long long> numbers{kPerThreadStream};
  return create(stream, {value.priority, value.flags, ++numbers});
}
int stream_number(const void* stream, unsigned long long* number) {
  if (number == nullptr) return remote::kInvalidValue;
  if (const int error = check_stream(stream); error != 0) return error;
  const auto handle = reinterpret_cast<std::uintptr_t>(stream);
  const bool legacy = handle < kPerThreadStream;  // by either of its handles
  *number = is_created(stream) ? static_cast<const Stream*>(stream)->number : legacy ? 1 : kPerThreadStream;
  return 0;
}
int destroy_stream(Stream* stream) {
  if (is_live<Stream>(stream)) forget_stream(stream);
  return destroy(stream);
}
bool is_default_stream(const void* stream) { return reinterpret_cast<std::uintptr_t>(stream) <= kPerThreadStream; }
bool is_created(const void* stream) { return is_live<Stream>(stream); }
int check_stream(const void* stream) {
  if (const int error = Connection::get().ready(); error != 0) return error;
  return is_default_stream(stream) ? 0 : check<Stream>(stream);
}

void forget_streams_and_events() {
  const std::lock_guard lock(streams_mutex());
  dead<Stream>().merge(live<Stream>());
  dead<Event>().merge(live<Event>());
  live<Stream>().clear();
  live<Event>().clear();
}

int create_event(Event** event, unsigned flags) {
  return create(event, Event{(flags & kDisableTiming) == 0, false, 0});
}
int destroy_event(Event* event) { return destroy(event); }
int check_event(const Event* event) {
  if (const int error = Connection::get().ready(); error != 0) return error;
  return check<Event>(event);
}
int record_event(Event* event, const void* stream) {
  if (const int error = check_stream(stream); error != 0) return error;
  if (const int error = check_event(event); error != 0) return error;
  if (record_in_capture(event, stream)) return 0;
  event->recorded = true;
  event->time_ns = Connection::get().time_ns();
  return 0;
}
int wait_event(const void* stream, const Event* event) {
  if (const int error = check_stream(stream); error != 0) return error;
  if (const int error = check_event(event); error != 0) return error;
  return wait_in_capture(stream, event);
}
int query_event(const Event* event) {
  const int error = check_event(event);
  return error != 0 ? error : forbid_captured(event);
}
int elapsed_time(float* milliseconds, const Event* start, const Event* end) {
  if (milliseconds == nullptr) return remote::kInvalidValue;
  for (const Event* event : {start, end}) {
    if (const int error = query_event(event); error != 0) return error;
    if (!event->recorded || !event->timed) return remote::kInvalidHandle;
  }
  const double passed = (end->time_ns - start->time_ns) / 1e6;
  return *milliseconds = static_cast<float>(passed < 0 ? passed : std::max(passed, kLeastElapsedMs)), 0;
}

}  // namespace stc::cuda
