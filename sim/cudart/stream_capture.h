// SPDX-License-Identifier: Apache-2.0
// Streams whose work goes into a graph instead of being done. A stream joins a capture by waiting for an event that was
// recorded in it. What ends a capture before its time, and with which error, is as an H200 has it.
#pragma once

#include "sim/cudart/graphs.h"

namespace stc::cuda {

/// Errors of captures, numbered as CUDA's.
constexpr int kCaptureIllegalState = 401, kCaptureUnsupported = 900, kCaptureInvalidated = 901, kCaptureUnmatched = 903;
constexpr int kCaptureUnjoined = 904, kCaptureIsolation = 905, kCaptureImplicit = 906, kCapturedEvent = 907;

enum CaptureMode : int { kCaptureGlobal, kCaptureThreadLocal, kCaptureRelaxed };
enum CaptureStatus : int { kCaptureNone, kCaptureActive, kCaptureBroken };

struct Stream;
struct Event;

/// Does the work, or makes it a node where the stream is being captured.
int submit(const void* stream, NodeKind kind, const Work& work, const std::shared_ptr<KernelCall>& kernel = nullptr);

int begin_capture(void* stream, int mode);
int end_capture(void* stream, Graph** graph);
int capture_status(const void* stream, int* status);
/// The graph that the stream is captured into, or nullptr.
Graph* captured_graph(const void* stream);
/// The mode of this host thread becomes *mode, which gets the one before.
int exchange_capture_mode(int* mode);

/// For calls that a capture forbids: those that may wait for the device wherever they are made, ...
int forbid_in_captures();
/// ... those that wait for this stream, ...
int forbid_in_capture_of(const void* stream);
/// ... those that wait for all streams.
int forbid_while_capturing();

/// An event's place in a capture, in the place of a time.
bool record_in_capture(Event* event, const void* stream);
int wait_in_capture(const void* stream, const Event* event);
int forbid_captured(const Event* event);
void forget_stream(const Stream* stream);
/// After the device was reset: all that are not at their end.
void forget_captures();

}  // namespace stc::cuda
