// SPDX-License-Identifier: Apache-2.0
// Evidence: what an H200 answered to the calls of validation/unit/exec/program_graph_scenarios.cpp; that of streams which
// were not joined, of foreign events and of two captures that meet is what CUDA's header says.
#include "sim/cudart/stream_capture.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "sim/cudart/connection.h"
#include "sim/cudart/streams.h"

namespace stc::cuda {
namespace {

constexpr unsigned kNonBlocking = 1;  // flag of a stream that does not wait for the legacy stream
constexpr int kCaptureMerge = 902;

/// How much of each stream's work something comes after.
using Clock = std::map<const Stream*, std::size_t>;

struct Capture {
  Graph* graph = nullptr;
  const Stream* origin = nullptr;
  int mode = kCaptureGlobal;
  std::thread::id thread;
  bool broken = false;
  std::map<const Stream*, Clock> streams;
};
struct CapturedEvent {
  std::shared_ptr<Capture> capture;
  Clock clock;
};

struct Captures {
  std::recursive_mutex mutex;
  std::vector<std::shared_ptr<Capture>> live;
  std::map<const Event*, CapturedEvent> events;
};
std::atomic<int> captures_made{0};  // most programs make none
thread_local int thread_mode = kCaptureGlobal;

Captures& captures() {
  static auto* const all = new Captures;
  return *all;
}

std::shared_ptr<Capture> capture_of(const void* stream) {
  for (const auto& one : captures().live) {
    if (one->streams.count(static_cast<const Stream*>(stream)) != 0) return one;
  }
  return nullptr;
}

void merge(Clock& into, const Clock& from) {
  for (const auto& [stream, count] : from) into[stream] = std::max(into[stream], count);
}

/// Breaks the captures that `is_meant`; whether there was one.
template <class Choose>
bool break_captures(const Choose& is_meant) {
  if (captures_made == 0) return false;
  const std::lock_guard lock(captures().mutex);
  bool found = false;
  for (const auto& one : captures().live) {
    if (!is_meant(*one)) continue;
    one->broken = found = true;
  }
  return found;
}

/// Work of the legacy stream waits for that of all blocking ones.
int submit_to_default(const Work& work) {
  const auto is_blocking = [](const Capture& one) { return (one.origin->flags & kNonBlocking) == 0; };
  return break_captures(is_blocking) ? kCaptureImplicit : work();
}

/// Whether all work of the capture comes before what its first stream does next.
bool is_joined(const Capture& capture) {
  const Clock& origin = capture.streams.at(capture.origin);
  return std::all_of(capture.streams.begin(), capture.streams.end(), [&](const auto& one) {
    const auto& [stream, clock] = one;
    const auto own = clock.find(stream), seen = origin.find(stream);
    return own == clock.end() || (seen != origin.end() && seen->second >= own->second);
  });
}

}  // namespace

int submit(const void* stream, NodeKind kind, const Work& work, const std::shared_ptr<KernelCall>& kernel) {
  if (is_default_stream(stream)) return submit_to_default(work);
  if (const int error = check_stream(stream); error != 0) return error;
  if (captures_made == 0) return work();
  {
    const std::lock_guard lock(captures().mutex);
    if (const auto capture = capture_of(stream); capture != nullptr) {
      if (capture->broken) return kCaptureInvalidated;
      const auto* const own = static_cast<const Stream*>(stream);
      ++capture->streams[own][own];
      return add_node(capture->graph, nullptr, kind, nullptr, 0, work, kernel);
    }
  }
  return work();
}

int begin_capture(void* stream, int mode) {
  if (const int error = check_stream(stream); error != 0) return error;
  if (mode < kCaptureGlobal || mode > kCaptureRelaxed) return remote::kInvalidValue;
  if (is_default_stream(stream)) return kCaptureUnsupported;
  const std::lock_guard lock(captures().mutex);
  if (capture_of(stream) != nullptr) return kCaptureIllegalState;
  const auto capture = std::make_shared<Capture>();
  if (const int error = create_graph(&capture->graph); error != 0) return error;
  capture->origin = static_cast<const Stream*>(stream);
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->streams[capture->origin];
  captures().live.push_back(capture);
  ++captures_made;
  return 0;
}

int end_capture(void* stream, Graph** graph) {
  if (const int error = check_stream(stream); error != 0) return error;
  const std::lock_guard lock(captures().mutex);
  const auto capture = capture_of(stream);
  if (capture == nullptr) return kCaptureIllegalState;
  if (capture->origin != stream) return capture->broken = true, kCaptureUnmatched;
  auto& live = captures().live;
  live.erase(std::find(live.begin(), live.end(), capture));
  const int error = capture->broken ? kCaptureInvalidated : is_joined(*capture) ? 0 : kCaptureUnjoined;
  if (error != 0) destroy_graph(capture->graph);
  if (graph != nullptr) *graph = error == 0 ? capture->graph : nullptr;
  return error;
}

int capture_status(const void* stream, int* status) {
  if (const int error = check_stream(stream); error != 0) return error;
  const std::lock_guard lock(captures().mutex);
  const auto capture = capture_of(stream);
  *status = capture == nullptr ? kCaptureNone : capture->broken ? kCaptureBroken : kCaptureActive;
  return 0;
}

Graph* captured_graph(const void* stream) {
  const std::lock_guard lock(captures().mutex);
  const auto capture = capture_of(stream);
  return capture != nullptr && !capture->broken ? capture->graph : nullptr;
}

int exchange_capture_mode(int* mode) {
  if (*mode < kCaptureGlobal || *mode > kCaptureRelaxed) return remote::kInvalidValue;
  std::swap(*mode, thread_mode);
  return 0;
}

int forbid_in_captures() {
  const auto is_meant = [](const Capture& one) {
    if (thread_mode == kCaptureRelaxed || one.mode == kCaptureRelaxed) return false;
    const bool all_threads = one.mode == kCaptureGlobal && thread_mode == kCaptureGlobal;
    return all_threads || one.thread == std::this_thread::get_id();
  };
  return break_captures(is_meant) ? kCaptureUnsupported : 0;
}
int forbid_in_capture_of(const void* stream) {
  const auto is_meant = [&](const Capture& one) { return one.streams.count(static_cast<const Stream*>(stream)) != 0; };
  return break_captures(is_meant) ? kCaptureUnsupported : 0;
}
int forbid_while_capturing() {
  return break_captures([](const Capture&) { return true; }) ? kCaptureUnsupported : 0;
}

bool record_in_capture(Event* event, const void* stream) {
  if (captures_made == 0) return false;
  const std::lock_guard lock(captures().mutex);
  captures().events.erase(event);
  const auto capture = capture_of(stream);
  if (capture == nullptr) return false;
  captures().events[event] = {capture, capture->streams[static_cast<const Stream*>(stream)]};
  return true;
}

int wait_in_capture(const void* stream, const Event* event) {
  if (captures_made == 0) return 0;
  const std::lock_guard lock(captures().mutex);
  const auto own = capture_of(stream);
  const auto known = captures().events.find(event);
  if (known == captures().events.end()) {
    if (own == nullptr || !event->recorded) return 0;
    return own->broken = true, kCaptureIsolation;
  }
  const auto& [capture, clock] = known->second;
  const auto& live = captures().live;
  if (std::find(live.begin(), live.end(), capture) == live.end()) return remote::kInvalidValue;
  if (is_default_stream(stream)) return capture->broken = true, kCaptureImplicit;
  if (own != nullptr && own != capture) return own->broken = capture->broken = true, kCaptureMerge;
  merge(capture->streams[static_cast<const Stream*>(stream)], clock);
  return 0;
}

int forbid_captured(const Event* event) {
  if (captures_made == 0) return 0;
  const std::lock_guard lock(captures().mutex);
  const auto known = captures().events.find(event);
  if (known == captures().events.end()) return 0;
  const auto& live = captures().live;
  if (std::find(live.begin(), live.end(), known->second.capture) == live.end()) return remote::kInvalidValue;
  return known->second.capture->broken = true, kCapturedEvent;
}

void forget_captures() {
  const std::lock_guard lock(captures().mutex);
  for (const auto& one : captures().live) destroy_graph(one->graph);
  captures().live.clear();
  captures().events.clear();
}

/// A capture goes with the stream that it began in.
void forget_stream(const Stream* stream) {
  if (captures_made == 0) return;
  const std::lock_guard lock(captures().mutex);
  const auto capture = capture_of(stream);
  if (capture == nullptr) return;
  capture->broken = true;
  if (capture->origin != stream) return;
  auto& live = captures().live;
  live.erase(std::find(live.begin(), live.end(), capture));
  destroy_graph(capture->graph);
}

}  // namespace stc::cuda
