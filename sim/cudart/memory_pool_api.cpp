// SPDX-License-Identifier: Apache-2.0
// Memory pools of the runtime's interface.
#include "sim/cudart/connection.h"
#include "sim/cudart/last_error.h"
#include "sim/cudart/memory_pools.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

/// Numbered as cudaMemPoolAttr.
enum PoolAttribute : int {
  kReuseFirst = 1,
  kReuseLast = 3,
  kThreshold = 4,
  kReserved = 5,
  kMostReserved = 6,
  kUsed = 7,
  kMostUsed = 8
};
constexpr int kWrongDevice = 101;

int give_pool(MemoryPool** to, MemoryPool* pool, int device) {
  if (const int error = Connection::get().ready(); error != 0) return finish(error);
  if (device != 0) return finish(kWrongDevice);
  return *to = pool, 0;
}

int check_pool(const MemoryPool* pool) {
  if (const int error = Connection::get().ready(); error != 0) return error;
  return is_pool(pool) ? 0 : stc::remote::kInvalidValue;
}

}  // namespace

extern "C" {

int cudaDeviceGetDefaultMemPool(MemoryPool** pool, int device) { return give_pool(pool, default_pool(), device); }
int cudaDeviceGetMemPool(MemoryPool** pool, int device) { return give_pool(pool, current_pool(), device); }
int cudaDeviceSetMemPool(int device, MemoryPool* pool) {
  if (const int error = check_pool(pool); error != 0) return finish(error);
  if (device != 0) return finish(kWrongDevice);
  return current_pool() = pool, 0;
}
int cudaMemPoolCreate(MemoryPool** pool, const void*) {
  if (const int error = Connection::get().ready(); error != 0) return finish(error);
  return *pool = create_pool(), 0;
}
int cudaMemPoolDestroy(MemoryPool* pool) {
  if (const int error = check_pool(pool); error != 0) return finish(error);
  return finish(destroy_pool(pool) ? 0 : stc::remote::kInvalidValue);
}
int cudaMemPoolTrimTo(MemoryPool* pool, std::size_t) { return finish(check_pool(pool)); }
int cudaMemPoolSetAccess(MemoryPool* pool, const void*, std::size_t) { return finish(check_pool(pool)); }

int cudaMemPoolGetAccess(int* flags, const MemoryPool* pool, const void*) {
  constexpr int kReadAndWrite = 3;
  const int error = check_pool(pool);
  return error == 0 ? (*flags = kReadAndWrite, 0) : finish(error);
}

int cudaMemPoolGetAttribute(const MemoryPool* pool, int attribute, void* value) {
  if (const int error = check_pool(pool); error != 0) return finish(error);
  auto& number = *static_cast<std::uint64_t*>(value);
  switch (attribute) {
    case kThreshold: return number = pool->threshold, 0;
    case kReserved: return number = pool->reserved(), 0;
    case kMostReserved: return number = pool->most_reserved, 0;
    case kUsed: return number = pool->used, 0;
    case kMostUsed: return number = pool->most_used, 0;
    default:
      if (attribute < kReuseFirst || attribute > kReuseLast) return finish(stc::remote::kInvalidValue);
      return *static_cast<int*>(value) = pool->reuse[attribute - kReuseFirst], 0;
  }
}
int cudaMemPoolSetAttribute(MemoryPool* pool, int attribute, const void* value) {
  if (const int error = check_pool(pool); error != 0) return finish(error);
  if (attribute == kThreshold) return pool->threshold = *static_cast<const std::uint64_t*>(value), 0;
  if (attribute == kMostReserved) return pool->most_reserved = pool->reserved(), 0;
  if (attribute == kMostUsed) return pool->most_used = pool->used, 0;
  if (attribute < kReuseFirst || attribute > kReuseLast) return finish(stc::remote::kInvalidValue);
  return pool->reuse[attribute - kReuseFirst] = *static_cast<const int*>(value), 0;
}
}
