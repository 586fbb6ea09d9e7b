// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <mutex>
#include <set>

#include "sim/cudart/connection.h"
#include "sim/cudart/last_error.h"
#include "sim/cudart/streams.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

struct Stream {
  int priority = 0;
  unsigned flags = 0;
};
struct Event {
  bool timed = true, recorded = false;
  double time_ns = 0;
};

constexpr unsigned kDisableTiming = 2;
constexpr double kLeastElapsedMs = 0.0005;      // what CUDA calls the resolution of events; programs divide by the time
constexpr std::uintptr_t kPerThreadStream = 2;  // handles up to it are default streams

std::mutex& mutex() {
  static auto* const one = new std::mutex;
  return *one;
}
/// Handles that are valid now.
template <class T>
std::set<const void*>& live() {
  static auto* const all = new std::set<const void*>;
  return *all;
}
template <class T>
int create(T** handle, const T& value) {
  if (const int error = Connection::get().ready(); error != 0) return finish(error);
  const std::lock_guard lock(mutex());
  *handle = new T(value);
  live<T>().insert(*handle);
  return 0;
}
template <class T>
bool is_live(const void* handle) {
  const std::lock_guard lock(mutex());
  return live<T>().count(handle) != 0;
}
template <class T>
int destroy(T* handle) {
  if (const int error = Connection::get().ready(); error != 0) return finish(error);
  const std::lock_guard lock(mutex());
  if (live<T>().erase(handle) == 0) return finish(stc::remote::kInvalidHandle);
  return delete handle, 0;
}
int on_stream(const void* stream) { return finish(check_stream(stream)); }

int on_event(const Event* event) {
  if (const int error = Connection::get().ready(); error != 0) return finish(error);
  return is_live<Event>(event) ? 0 : finish(stc::remote::kInvalidHandle);
}

}  // namespace

int stc::cuda::check_stream(const void* stream) {
  if (const int error = Connection::get().ready(); error != 0) return error;
  const bool is_default = reinterpret_cast<std::uintptr_t>(stream) <= kPerThreadStream;
  return is_default || is_live<Stream>(stream) ? 0 : remote::kInvalidHandle;
}

extern "C" {

int cudaStreamCreate(Stream** stream) { return create(stream, Stream{}); }
int cudaStreamCreateWithFlags(Stream** stream, unsigned flags) { return create(stream, Stream{0, flags}); }
int cudaStreamCreateWithPriority(Stream** stream, unsigned flags, int priority) {
  return create(stream, Stream{priority, flags});
}
int cudaStreamDestroy(Stream* stream) { return destroy(stream); }
int cudaStreamSynchronize(const void* stream) { return on_stream(stream); }
int cudaStreamQuery(const void* stream) { return on_stream(stream); }
int cudaStreamWaitEvent(const void* stream, const Event* event, unsigned) {
  const int error = on_stream(stream);
  return error != 0 ? error : on_event(event);
}
int cudaStreamAddCallback(void* stream, void (*callback)(void*, int, void*), void* data, unsigned) {
  if (const int error = on_stream(stream); error != 0) return error;
  return callback(stream, 0, data), 0;
}
int cudaStreamGetFlags(const void* stream, unsigned* flags) {
  if (const int error = on_stream(stream); error != 0) return error;
  return *flags = is_live<Stream>(stream) ? static_cast<const Stream*>(stream)->flags : 0, 0;
}
int cudaStreamGetPriority(const void* stream, int* priority) {
  if (const int error = on_stream(stream); error != 0) return error;
  return *priority = is_live<Stream>(stream) ? static_cast<const Stream*>(stream)->priority : 0, 0;
}
int cudaStreamIsCapturing(const void* stream, int* status) {
  if (const int error = on_stream(stream); error != 0) return error;
  return *status = 0, 0;
}
int cudaStreamGetCaptureInfo(const void* stream, int* status, void*, void*, void*, void*, void*) {
  return cudaStreamIsCapturing(stream, status);
}
#if STC_CUDART_MAJOR == 12
int cudaStreamGetCaptureInfo_v2(const void* stream, int* status, void*, void*, void*, void*) {
  return cudaStreamIsCapturing(stream, status);
}
int cudaStreamGetCaptureInfo_v3(const void* stream, int* status, void*, void*, void*, void*, void*) {
  return cudaStreamIsCapturing(stream, status);
}
#endif

int cudaEventCreate(Event** event) { return create(event, Event{}); }
int cudaEventCreateWithFlags(Event** event, unsigned flags) {
  return create(event, Event{(flags & kDisableTiming) == 0, false, 0});
}
int cudaEventDestroy(Event* event) { return destroy(event); }
int cudaEventRecord(Event* event, const void* stream) {
  if (const int error = on_stream(stream); error != 0) return error;
  if (const int error = on_event(event); error != 0) return error;
  event->recorded = true;
  event->time_ns = Connection::get().time_ns();
  return 0;
}
int cudaEventRecordWithFlags(Event* event, const void* stream, unsigned) { return cudaEventRecord(event, stream); }
int cudaEventSynchronize(const Event* event) { return on_event(event); }
int cudaEventQuery(const Event* event) { return on_event(event); }
int cudaEventElapsedTime(float* milliseconds, const Event* start, const Event* end) {
  for (const Event* event : {start, end}) {
    if (const int error = on_event(event); error != 0) return error;
    if (!event->recorded || !event->timed) return finish(stc::remote::kInvalidHandle);
  }
  const double passed = (end->time_ns - start->time_ns) / 1e6;
  return *milliseconds = static_cast<float>(passed < 0 ? passed : std::max(passed, kLeastElapsedMs)), 0;
}
#if STC_CUDART_MAJOR == 12
int cudaEventElapsedTime_v2(float* milliseconds, const Event* start, const Event* end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}
#endif
}
