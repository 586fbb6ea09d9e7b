// SPDX-License-Identifier: Apache-2.0
// Streams and events. Everything is done in the order of the calls before they return, which is one of the orders that
// CUDA allows; so a stream has nothing to keep, and an event the simulated time.
#pragma once

namespace stc::cuda {

struct Stream {
  int priority = 0;
  unsigned flags = 0;
  unsigned long long number = 0;
};
struct Event {
  bool timed = true, recorded = false;
  double time_ns = 0;
};
constexpr unsigned kDisableTiming = 2;  ///< flag of an event
constexpr int kGreatestPriority = -5;

/// Each returns an error of the runtime, 0 for success; that for an invalid handle where it is none.
int create_stream(Stream** stream, const Stream& value);
int destroy_stream(Stream* stream);
bool is_default_stream(const void* stream);
/// The default streams are streams, too.
/// After the device was reset: handles from before give error 709.
void forget_streams_and_events();
int check_stream(const void* stream);
/// A number that no other stream has had.
int stream_number(const void* stream, unsigned long long* number);
bool is_created(const void* stream);
int create_event(Event** event, unsigned flags);
int destroy_event(Event* event);
int check_event(const Event* event);
int record_event(Event* event, const void* stream);
int wait_event(const void* stream, const Event* event);
/// Of an event that has been recorded: everything is done. In a capture it is no such event.
int query_event(const Event* event);
int elapsed_time(float* milliseconds, const Event* start, const Event* end);

}  // namespace stc::cuda
