// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/limits.h"

#include <algorithm>

#include "sim/cudart/connection.h"
#include "sim/cudart/launch.h"

namespace stc::cuda {
namespace {

// Numbered as cudaLimit and CUlimit.
constexpr int kStackLimit = 0, kPrintfLimit = 1, kMallocHeapLimit = 2, kSyncDepthLimit = 3, kLimits = 7;
constexpr int kUnsupportedLimit = 215;
constexpr std::size_t kStackUnit = 16, kLeastPrintf = 512 << 10, kLeastHeap = 4 << 20;  // of an H200
constexpr std::size_t kPrintfBytesPerSm = 64 << 10;  // an H200 of 132 SMs says 8,650,752

struct Limits {
  std::size_t stack = 1024, printf_fifo = Connection::get().facts().sms * kPrintfBytesPerSm, malloc_heap = 8 << 20;
};
Limits& limits() {
  static Limits kept;
  return kept;
}

}  // namespace

void forget_limits() { limits() = {}; }

int set_device_limit(int limit, std::size_t bytes) {
  using Limit = remote::Limit;
  int error = Connection::get().ready();
  if (error == 0 && limit == kStackLimit) error = set_limit(Limit::kStack, bytes);
  if (error == 0 && limit == kMallocHeapLimit) error = set_limit(Limit::kMallocHeap, bytes);
  if (error != 0) return error;
  switch (limit) {
    case kStackLimit: return limits().stack = (bytes + kStackUnit - 1) / kStackUnit * kStackUnit, 0;
    case kPrintfLimit: return limits().printf_fifo = std::max(bytes, kLeastPrintf), 0;  // it has no end here
    case kMallocHeapLimit: return limits().malloc_heap = std::max(bytes, kLeastHeap), 0;
    default: return limit < 0 || limit >= kLimits ? remote::kInvalidValue : kLimitNotThere;
  }
}

int device_limit(int limit, std::size_t* bytes) {
  if (const int error = Connection::get().ready(); error != 0) return error;
  switch (limit) {
    case kStackLimit: return *bytes = limits().stack, 0;
    case kPrintfLimit: return *bytes = limits().printf_fifo, 0;
    case kMallocHeapLimit: return *bytes = limits().malloc_heap, 0;
    case kSyncDepthLimit: return kUnsupportedLimit;
    default: return limit < 0 || limit >= kLimits ? remote::kInvalidValue : kLimitNotThere;
  }
}

}  // namespace stc::cuda
