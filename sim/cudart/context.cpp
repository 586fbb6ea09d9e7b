// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/context.h"

#include <atomic>

#include "sim/cudart/connection.h"
#include "sim/cudart/limits.h"
#include "sim/cudart/not_supported.h"
#include "sim/cudart/reset.h"
#include "sim/cudart/streams.h"

namespace stc::cuda {
namespace {

constexpr int kInvalidContext = 201, kDeepest = 64;
constexpr unsigned kMapHost = 8;
char primary_mark, created_mark;
std::atomic<int> retained{0};
std::atomic<bool> runtime_uses_it{false};

/// Of one thread, the current one on top; plain data, for programs call while they end.
struct Stack {
  void* contexts[kDeepest];
  int depth;
};
thread_local Stack stack{};

bool primary_is_there() { return retained > 0 || runtime_uses_it; }

int push(void* context) {
  if (context == nullptr) return kInvalidContext;
  if (stack.depth == kDeepest) return remote::kOutOfMemory;
  stack.contexts[stack.depth++] = context;
  return 0;
}
/// Null leaves the thread what lies below.
int replace(void* context) {
  if (stack.depth > 0) --stack.depth;
  return context == nullptr ? 0 : push(context);
}

int require_device(int device) {
  constexpr int kInvalidDevice = 101;
  if (const int error = Connection::get().ready(); error != 0) return error;
  return device == 0 ? 0 : kInvalidDevice;
}
int with_context() {
  const int error = Connection::get().ready();
  return error != 0 || current_context() != nullptr ? error : kInvalidContext;
}

}  // namespace

void* current_context() {
  if (stack.depth == 0) return nullptr;
  void* const top = stack.contexts[stack.depth - 1];
  return top == &primary_mark && !primary_is_there() ? nullptr : top;
}
void* context_in_use() {
  void* const own = current_context();
  return own != nullptr ? own : &primary_mark;
}
void use_primary_context() {
  if (current_context() != nullptr) return;
  runtime_uses_it = true;
  replace(&primary_mark);
}
void forget_primary_context() {
  retained = 0;
  runtime_uses_it = false;
}

}  // namespace stc::cuda

using namespace stc::cuda;  // the names below are the ABI's

extern "C" {

int cuDevicePrimaryCtxRetain(void** context, int device) {
  const int error = require_device(device);
  if (error == 0) ++retained;
  return *context = error == 0 ? &primary_mark : nullptr, error;
}
int cuDevicePrimaryCtxRelease_v2(int device) {
  if (const int error = require_device(device); error != 0) return error;
  return retained > 0 ? (--retained, 0) : kInvalidContext;
}
int cuDevicePrimaryCtxReset_v2(int device) {
  const int error = require_device(device);
  return error != 0 ? error : reset_device();
}
int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned) { return require_device(device); }
int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
  return *flags = 0, *active = primary_is_there() ? 1 : 0, require_device(device);
}
int cuCtxCreate_v2(void** context, unsigned, int device) {
  int error = require_device(device);
  if (error == 0) error = push(&created_mark);
  return *context = error == 0 ? &created_mark : nullptr, error;
}
int cuCtxCreate_v4(void** context, const void*, unsigned flags, int device) {
  return cuCtxCreate_v2(context, flags, device);
}
int cuCtxDestroy_v2(void* context) {
  if (context != nullptr && current_context() == context) --stack.depth;
  return Connection::get().ready();
}
int cuCtxSetCurrent(void* context) {
  const int error = Connection::get().ready();
  return error != 0 ? error : replace(context);
}
int cuCtxGetCurrent(void** context) { return *context = current_context(), Connection::get().ready(); }
int cuCtxPushCurrent_v2(void* context) {
  const int error = Connection::get().ready();
  return error != 0 ? error : push(context);
}
int cuCtxPopCurrent_v2(void** context) {
  if (const int error = with_context(); error != 0) return error;
  if (context != nullptr) *context = current_context();
  return --stack.depth, 0;
}
int cuCtxGetDevice(int* device) { return *device = 0, with_context(); }
int cuCtxSynchronize() { return with_context(); }
int cuCtxGetApiVersion(void*, unsigned* version) { return *version = 3020, Connection::get().ready(); }
int cuCtxSetLimit(int limit, std::size_t bytes) {
  const int error = set_device_limit(limit, bytes);
  return error != kLimitNotThere ? error : driver_not_supported("cuCtxSetLimit (another limit)");
}
int cuCtxGetLimit(std::size_t* bytes, int limit) {
  const int error = device_limit(limit, bytes);
  return error != kLimitNotThere ? error : driver_not_supported("cuCtxGetLimit (another limit)");
}
int cuCtxGetFlags(unsigned* flags) { return *flags = kMapHost, with_context(); }
int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return *least = 0, *greatest = kGreatestPriority, with_context();
}
int cuCtxGetCacheConfig(int* config) { return *config = 0, with_context(); }
int cuCtxSetCacheConfig(int) { return with_context(); }       // a hint
int cuCtxResetPersistingL2Cache() { return with_context(); }  // nothing persists
}
