// SPDX-License-Identifier: Apache-2.0
// Launches and what is asked of kernels.
#include "sim/cudart/abi.h"
#include "sim/cudart/last_error.h"
#include "sim/cudart/launch.h"
#include "sim/cudart/program.h"
#include "sim/cudart/stream_capture.h"
#include "sim/cudart/streams.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

constexpr int kMaxDynamicSharedAttribute = 8, kCarveoutAttribute = 9, kNonPortableClusterAttribute = 14;
constexpr int kNeedsClusterAttribute = 10, kWholePercent = 100, kCacheConfigurations = 4;
constexpr int kAttributes = 16;
constexpr int kNoSuchDevice = 101;
constexpr unsigned kPortableCluster = 8;

int find_kernel(const void* key, Function** function) {
  constexpr int kNoKernel = 98;  // cudaErrorInvalidDeviceFunction
  const int error = Program::get().function(key, function);
  return error != 0 && key == nullptr ? kNoKernel : error;
}

int launch_kernel(const void* key, const stc::remote::LaunchShape& shape, void** arguments, void* stream) {
  Function* function = nullptr;
  if (const int error = find_kernel(key, &function); error != 0) return finish(error);
  if (const int error = check_stream(stream); error != 0) return finish(error);
  const std::shared_ptr<KernelCall> node =
      captured_graph(stream) != nullptr ? kernel_call(key, *function, shape, {arguments}) : nullptr;
  return finish(submit(stream, NodeKind::kKernel, prepared_launch(*function, shape, {arguments}), node));
}

stc::remote::LaunchShape shape_of(Dim grid, Dim block, std::size_t shared_bytes) {
  return {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, {}, shared_bytes, 0};
}

stc::remote::LaunchShape shape_of(const LaunchConfiguration& from) {
  stc::remote::LaunchShape shape = shape_of(from.grid, from.block, from.dynamic_shared_bytes);
  apply_attributes(from.attributes, from.attribute_count, shape);
  return shape;
}

}  // namespace

extern "C" {

int cudaLaunchKernel(const void* key, Dim grid, Dim block, void** arguments, std::size_t shared_bytes, void* stream) {
  return launch_kernel(key, shape_of(grid, block, shared_bytes), arguments, stream);
}
int __cudaLaunchKernel(const void* kernel, Dim grid, Dim block, void** arguments, std::size_t shared_bytes,
                       void* stream) {
  return launch_kernel(kernel, shape_of(grid, block, shared_bytes), arguments, stream);
}
int cudaLaunchCooperativeKernel(const void* key, Dim grid, Dim block, void** arguments, std::size_t shared_bytes,
                                void* stream) {
  stc::remote::LaunchShape shape = shape_of(grid, block, shared_bytes);
  shape.cooperative = 1;
  return launch_kernel(key, shape, arguments, stream);
}
int cudaLaunchKernelExC(const LaunchConfiguration* configuration, const void* key, void** arguments) {
  return launch_kernel(key, shape_of(*configuration), arguments, configuration->stream);
}
int cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
  if (const int error = check_stream(stream); error != 0) return finish(error);
  return finish(submit(stream, NodeKind::kHost, [=] { return function(data), 0; }));
}

int cudaFuncSetAttribute(const void* key, int attribute, int value) {
  using Setting = stc::remote::FunctionSetting;
  Function* function = nullptr;
  if (const int error = find_kernel(key, &function); error != 0) return finish(error);
  switch (attribute) {
    case kMaxDynamicSharedAttribute: return finish(set_function(*function, Setting::kDynamicSharedBytes, value));
    case kNonPortableClusterAttribute: return finish(set_function(*function, Setting::kNonPortableCluster, value));
    case kCarveoutAttribute:  // a hint: a launch says how much shared memory it takes
      return finish(value < -1 || value > kWholePercent ? stc::remote::kInvalidValue : 0);
    default:
      if (attribute < kMaxDynamicSharedAttribute || attribute >= kAttributes) return finish(stc::remote::kInvalidValue);
      if (attribute == kNeedsClusterAttribute) return finish(stc::remote::kInvalidValue);  // the kernel says that
      return not_supported("cudaFuncSetAttribute (another attribute than 8, 9 and 14)");
  }
}
int cudaKernelSetAttributeForDevice(const void* kernel, int attribute, int value, int device) {
  if (device != 0) return finish(kNoSuchDevice);
  return cudaFuncSetAttribute(kernel, attribute, value);
}
int cudaGetFuncBySymbol(Function** function, const void* key) { return finish(find_kernel(key, function)); }
int cudaGetKernel(const void** kernel, const void* key) {
  Function* function = nullptr;
  if (const int error = find_kernel(key, &function); error != 0) return finish(error);
  return *kernel = function, 0;
}
int cudaFuncGetParamInfo(const void* key, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  Function* function = nullptr;
  if (const int error = find_kernel(key, &function); error != 0) return finish(error);
  if (index >= function->parameters.size()) return finish(stc::remote::kInvalidValue);
  *offset = function->parameters[index].offset;
  if (bytes != nullptr) *bytes = function->parameters[index].bytes;
  return 0;
}
int cudaFuncSetCacheConfig(const void*, int config) {
  return finish(config < 0 || config >= kCacheConfigurations ? stc::remote::kInvalidValue : 0);
}
int cudaFuncSetSharedMemConfig(const void*, int) { return 0; }

int cudaFuncGetAttributes(FunctionAttributes* attributes, const void* key) {
  Function* function = nullptr;
  if (const int error = find_kernel(key, &function); error != 0) return finish(error);
  const auto& facts = function->facts;
  if (attributes == nullptr) return finish(stc::remote::kInvalidValue);
  *attributes = {};
  attributes->shared_bytes = facts.static_shared_bytes;
  attributes->constant_bytes = facts.constant_bytes;
  attributes->local_bytes = facts.local_bytes;
  attributes->max_threads = static_cast<int>(facts.max_threads);
  attributes->registers = static_cast<int>(facts.registers);
  attributes->ptx_version = attributes->binary_version = static_cast<int>(facts.image_version);
  attributes->max_dynamic_shared_bytes = function->max_dynamic_shared_bytes;
  attributes->carveout = -1;
  attributes->needs_cluster = facts.cluster.x != 0 ? 1 : 0;
  attributes->cluster_width = static_cast<int>(facts.cluster.x);
  attributes->cluster_height = static_cast<int>(facts.cluster.y);
  attributes->cluster_depth = static_cast<int>(facts.cluster.z);
  attributes->non_portable_cluster = function->non_portable_cluster ? 1 : 0;
  return 0;
}
int cudaFuncGetName(const char** name, const void* key) {
  Function* function = nullptr;
  if (const int error = find_kernel(key, &function); error != 0) return finish(error);
  return *name = function->name.c_str(), 0;
}

int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* ctas, const void* key, int threads,
                                                           std::size_t shared_bytes, unsigned) {
  Function* function = nullptr;
  if (const int error = find_kernel(key, &function); error != 0) return finish(error);
  return finish(ctas == nullptr ? stc::remote::kInvalidValue : occupancy(*function, threads, shared_bytes, ctas));
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* ctas, const void* key, int threads, std::size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(ctas, key, threads, shared_bytes, 0);
}
int cudaOccupancyMaxActiveClusters(int* count, const void* key, const LaunchConfiguration* configuration) {
  Function* function = nullptr;
  if (const int error = find_kernel(key, &function); error != 0) return finish(error);
  return finish(clusters(*function, shape_of(*configuration), count));
}
int cudaOccupancyMaxPotentialClusterSize(int* ctas, const void* key, const LaunchConfiguration* configuration) {
  Function* function = nullptr;
  if (const int error = find_kernel(key, &function); error != 0) return finish(error);
  stc::remote::LaunchShape shape = shape_of(*configuration);
  *ctas = 1;
  for (const unsigned tried : {16U, 8U, 4U, 2U}) {
    int count = 0;
    if (tried > kPortableCluster && !function->non_portable_cluster) continue;
    shape.cluster = {tried, 1, 1};
    if (const int error = clusters(*function, shape, &count); error != 0) return finish(error);
    if (count != 0) return *ctas = static_cast<int>(tried), 0;
  }
  return 0;
}
int cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* key, int ctas, int threads) {
  Function* function = nullptr;
  if (const int error = find_kernel(key, &function); error != 0) return finish(error);
  const int most = function->max_dynamic_shared_bytes;
  for (int tried = most; tried >= 0; tried -= 16) {
    int fit = 0;
    if (const int error = occupancy(*function, threads, static_cast<std::size_t>(tried), &fit); error != 0) {
      return finish(error);
    }
    if (fit >= ctas) return *bytes = static_cast<std::size_t>(tried), 0;
  }
  return finish(stc::remote::kInvalidValue);
}
}
