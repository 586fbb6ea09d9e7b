// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/cudart/connection.h"
#include "sim/cudart/device_memory.h"
#include "sim/cudart/last_error.h"
#include "sim/cudart/stream_capture.h"
#include "sim/cudart/streams.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

constexpr unsigned kStreamFlags = 1, kEventFlags = 7;

}  // namespace

extern "C" {

int cudaStreamCreate(Stream** stream) { return finish(create_stream(stream, {})); }
int cudaStreamCreateWithFlags(Stream** stream, unsigned flags) {
  if (flags > kStreamFlags) return finish(stc::remote::kInvalidValue);
  return finish(create_stream(stream, {0, flags}));
}
int cudaStreamCreateWithPriority(Stream** stream, unsigned flags, int priority) {
  if (flags > kStreamFlags) return finish(stc::remote::kInvalidValue);
  return finish(create_stream(stream, {std::clamp(priority, kGreatestPriority, 0), flags}));
}
int cudaStreamDestroy(Stream* stream) { return finish(destroy_stream(stream)); }
int cudaStreamSynchronize(const void* stream) {
  const int error = check_stream(stream);
  return finish_wait(error != 0 ? error : forbid_in_capture_of(stream));
}
int cudaStreamQuery(const void* stream) { return cudaStreamSynchronize(stream); }
int cudaStreamWaitEvent(const void* stream, const Event* event, unsigned) { return finish(wait_event(stream, event)); }
int cudaStreamAddCallback(void* stream, void (*callback)(void*, int, void*), void* data, unsigned) {
  if (const int error = check_stream(stream); error != 0) return finish(error);
  if (const int error = forbid_in_capture_of(stream); error != 0) return finish(error);
  return callback(stream, 0, data), 0;
}
int cudaStreamGetFlags(const void* stream, unsigned* flags) {
  if (const int error = check_stream(stream); error != 0) return finish(error);
  return *flags = is_created(stream) ? static_cast<const Stream*>(stream)->flags : 0, 0;
}
int cudaStreamGetPriority(const void* stream, int* priority) {
  if (const int error = check_stream(stream); error != 0) return finish(error);
  return *priority = is_created(stream) ? static_cast<const Stream*>(stream)->priority : 0, 0;
}
int cudaStreamGetId(const void* stream, unsigned long long* number) { return finish(stream_number(stream, number)); }
int cudaStreamGetDevice(const void* stream, int* device) {
  if (const int error = check_stream(stream); error != 0) return finish(error);
  return *device = 0, 0;
}
/// Who sees managed memory first: a hint, for everything is done in order.
int cudaStreamAttachMemAsync(const void* stream, const void* pointer, std::size_t, unsigned flags) {
  constexpr unsigned kGlobal = 1, kHost = 2, kSingle = 4;
  if (const int error = check_stream(stream); error != 0) return finish(error);
  const bool known = flags == kGlobal || flags == kHost || (flags == kSingle && is_created(stream));
  return finish(known && place_of(pointer) == Place::kManaged ? 0 : stc::remote::kInvalidValue);
}
int cudaEventCreate(Event** event) { return finish(create_event(event, 0)); }
int cudaEventCreateWithFlags(Event** event, unsigned flags) {
  return finish((flags & ~kEventFlags) != 0 ? stc::remote::kInvalidValue : create_event(event, flags));
}
int cudaEventDestroy(Event* event) { return finish(destroy_event(event)); }
int cudaEventRecord(Event* event, const void* stream) { return finish(record_event(event, stream)); }
int cudaEventRecordWithFlags(Event* event, const void* stream, unsigned) { return cudaEventRecord(event, stream); }
int cudaEventSynchronize(const Event* event) { return finish_wait(query_event(event)); }
int cudaEventQuery(const Event* event) { return finish(query_event(event)); }
int cudaEventElapsedTime(float* milliseconds, const Event* start, const Event* end) {
  return finish(elapsed_time(milliseconds, start, end));
}
#if STC_CUDART_MAJOR == 12
int cudaEventElapsedTime_v2(float* milliseconds, const Event* start, const Event* end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}
#endif
}
