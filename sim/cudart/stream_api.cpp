// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/connection.h"
#include "sim/cudart/last_error.h"
#include "sim/cudart/streams.h"

using namespace stc::cuda;  // the names below are the ABI's

extern "C" {

int cudaStreamCreate(Stream** stream) { return finish(create_stream(stream, {})); }
int cudaStreamCreateWithFlags(Stream** stream, unsigned flags) { return finish(create_stream(stream, {0, flags})); }
int cudaStreamCreateWithPriority(Stream** stream, unsigned flags, int priority) {
  return finish(create_stream(stream, {priority, flags}));
}
int cudaStreamDestroy(Stream* stream) { return finish(destroy_stream(stream)); }
int cudaStreamSynchronize(const void* stream) { return finish(check_stream(stream)); }
int cudaStreamQuery(const void* stream) { return finish(check_stream(stream)); }
int cudaStreamWaitEvent(const void* stream, const Event* event, unsigned) {
  const int error = check_stream(stream);
  return finish(error != 0 ? error : check_event(event));
}
int cudaStreamAddCallback(void* stream, void (*callback)(void*, int, void*), void* data, unsigned) {
  if (const int error = check_stream(stream); error != 0) return finish(error);
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
int cudaStreamIsCapturing(const void* stream, int* status) {
  if (const int error = check_stream(stream); error != 0) return finish(error);
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

int cudaEventCreate(Event** event) { return finish(create_event(event, 0)); }
int cudaEventCreateWithFlags(Event** event, unsigned flags) { return finish(create_event(event, flags)); }
int cudaEventDestroy(Event* event) { return finish(destroy_event(event)); }
int cudaEventRecord(Event* event, const void* stream) { return finish(record_event(event, stream)); }
int cudaEventRecordWithFlags(Event* event, const void* stream, unsigned) { return cudaEventRecord(event, stream); }
int cudaEventSynchronize(const Event* event) { return finish(check_event(event)); }
int cudaEventQuery(const Event* event) { return finish(check_event(event)); }
int cudaEventElapsedTime(float* milliseconds, const Event* start, const Event* end) {
  return finish(elapsed_time(milliseconds, start, end));
}
#if STC_CUDART_MAJOR == 12
int cudaEventElapsedTime_v2(float* milliseconds, const Event* start, const Event* end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}
#endif
}
