// SPDX-License-Identifier: Apache-2.0
// Streams and events of the driver's interface.
#include "sim/cudart/streams.h"

using namespace stc::cuda;  // the names below are the ABI's

extern "C" {

int cuStreamCreate(Stream** stream, unsigned flags) { return create_stream(stream, {0, flags}); }
int cuStreamCreateWithPriority(Stream** stream, unsigned flags, int priority) {
  return create_stream(stream, {priority, flags});
}
int cuStreamDestroy_v2(Stream* stream) { return destroy_stream(stream); }
int cuStreamSynchronize(const void* stream) { return check_stream(stream); }
int cuStreamQuery(const void* stream) { return check_stream(stream); }
int cuStreamWaitEvent(const void* stream, const Event* event, unsigned) {
  const int error = check_stream(stream);
  return error != 0 ? error : check_event(event);
}
int cuStreamIsCapturing(const void* stream, int* status) { return *status = 0, check_stream(stream); }
int cuEventCreate(Event** event, unsigned flags) { return create_event(event, flags); }
int cuEventDestroy_v2(Event* event) { return destroy_event(event); }
int cuEventRecord(Event* event, const void* stream) { return record_event(event, stream); }
int cuEventSynchronize(const Event* event) { return check_event(event); }
int cuEventQuery(const Event* event) { return check_event(event); }
int cuEventElapsedTime_v2(float* milliseconds, const Event* start, const Event* end) {
  return elapsed_time(milliseconds, start, end);
}
int cuEventElapsedTime(float* milliseconds, const Event* start, const Event* end) {
  return elapsed_time(milliseconds, start, end);
}
}
