// SPDX-License-Identifier: Apache-2.0
// Streams and events of the driver's interface.
#include "sim/cudart/streams.h"

#include "sim/cudart/context.h"
#include "sim/cudart/stream_capture.h"

using namespace stc::cuda;  // the names below are the ABI's

extern "C" {

int cuStreamCreate(Stream** stream, unsigned flags) { return create_stream(stream, {0, flags}); }
int cuStreamCreateWithPriority(Stream** stream, unsigned flags, int priority) {
  return create_stream(stream, {priority, flags});
}
int cuStreamDestroy_v2(Stream* stream) { return destroy_stream(stream); }
int cuStreamSynchronize(const void* stream) {
  const int error = check_stream(stream);
  return error != 0 ? error : forbid_in_capture_of(stream);
}
int cuStreamQuery(const void* stream) { return cuStreamSynchronize(stream); }
int cuStreamWaitEvent(const void* stream, const Event* event, unsigned) { return wait_event(stream, event); }
int cuStreamIsCapturing(const void* stream, int* status) { return capture_status(stream, status); }
int cuStreamGetFlags(const void* stream, unsigned* flags) {
  if (const int error = check_stream(stream); error != 0) return error;
  return *flags = is_created(stream) ? static_cast<const Stream*>(stream)->flags : 0, 0;
}
int cuStreamGetPriority(const void* stream, int* priority) {
  if (const int error = check_stream(stream); error != 0) return error;
  return *priority = is_created(stream) ? static_cast<const Stream*>(stream)->priority : 0, 0;
}
int cuStreamGetId(const void* stream, unsigned long long* number) { return stream_number(stream, number); }
int cuStreamGetCtx(const void* stream, void** context) {
  if (const int error = check_stream(stream); error != 0) return error;
  return *context = context_in_use(), 0;
}
int cuStreamAddCallback(void* stream, void (*callback)(void*, int, void*), void* data, unsigned) {
  if (const int error = check_stream(stream); error != 0) return error;
  if (const int error = forbid_in_capture_of(stream); error != 0) return error;
  return callback(stream, 0, data), 0;
}
int cuEventCreate(Event** event, unsigned flags) { return create_event(event, flags); }
int cuEventDestroy_v2(Event* event) { return destroy_event(event); }
int cuEventRecord(Event* event, const void* stream) { return record_event(event, stream); }
int cuEventSynchronize(const Event* event) { return query_event(event); }
int cuEventQuery(const Event* event) { return query_event(event); }
int cuEventElapsedTime_v2(float* milliseconds, const Event* start, const Event* end) {
  return elapsed_time(milliseconds, start, end);
}
int cuEventElapsedTime(float* milliseconds, const Event* start, const Event* end) {
  return elapsed_time(milliseconds, start, end);
}
}
