// SPDX-License-Identifier: Apache-2.0
// Calls of the runtime that are watched: each goes on to the function of the same name behind it.
#include "sim/cudart/abi.h"
#include "validation/gpu/capture/recorder.h"
#include "validation/gpu/capture/runtime_calls.h"

using namespace stc::capture;  // the names below are the ABI's
using stc::cuda::Dim;
using stc::cuda::Extent;
using stc::cuda::FatBinaryWrapper;
using stc::cuda::LaunchConfiguration;
using stc::cuda::PitchedPointer;

namespace {

stc::remote::LaunchShape shape_of(const LaunchConfiguration& from) {
  stc::remote::LaunchShape shape{{from.grid.x, from.grid.y, from.grid.z},
                                 {from.block.x, from.block.y, from.block.z},
                                 {},
                                 from.dynamic_shared_bytes,
                                 0};
  apply_attributes(from.attributes, from.attribute_count, shape);
  return shape;
}

LaunchCall call_of(const void* key, Dim grid, Dim block, void** arguments, std::size_t bytes, void* stream,
                   bool cooperative) {
  return {&runtime_device(), key,     {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, {}, bytes, cooperative},
          arguments,         nullptr, stream};
}

/// What an allocating call has given.
int given(int error, void* const* pointer, std::size_t bytes) {
  if (error == 0 && pointer != nullptr) Recorder::get().add_memory(*pointer, bytes);
  return error;
}
int gone(int error, const void* pointer) {
  if (error == 0) Recorder::get().remove_memory(pointer);
  return error;
}

}  // namespace

#define STC_BEHIND(name) static auto* const next = behind<decltype(name)>(#name)

#define STC_LAUNCH(name, cooperative)                                                                            \
  STC_EXPORT int name(const void* key, Dim grid, Dim block, void** arguments, std::size_t bytes, void* stream) { \
    STC_BEHIND(name);                                                                                            \
    return Recorder::get().record(call_of(key, grid, block, arguments, bytes, stream, cooperative),              \
                                  [&] { return next(key, grid, block, arguments, bytes, stream); });             \
  }
STC_LAUNCH(cudaLaunchKernel, false)
STC_LAUNCH(cudaLaunchKernel_ptsz, false)
STC_LAUNCH(__cudaLaunchKernel, false)
STC_LAUNCH(__cudaLaunchKernel_ptsz, false)
STC_LAUNCH(cudaLaunchCooperativeKernel, true)
STC_LAUNCH(cudaLaunchCooperativeKernel_ptsz, true)

#define STC_LAUNCH_EX(name)                                                                            \
  STC_EXPORT int name(const LaunchConfiguration* configuration, const void* key, void** arguments) {   \
    STC_BEHIND(name);                                                                                  \
    return Recorder::get().record(                                                                     \
        {&runtime_device(), key, shape_of(*configuration), arguments, nullptr, configuration->stream}, \
        [&] { return next(configuration, key, arguments); });                                          \
  }
STC_LAUNCH_EX(cudaLaunchKernelExC)
STC_LAUNCH_EX(cudaLaunchKernelExC_ptsz)

STC_EXPORT void** __cudaRegisterFatBinary(void* wrapper) {
  STC_BEHIND(__cudaRegisterFatBinary);
  void** const handle = next(wrapper);
  Recorder::get().add_image(handle, static_cast<const FatBinaryWrapper*>(wrapper)->container);
  return handle;
}
STC_EXPORT void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int limit,
                                       void* thread, void* block, void* block_size, void* grid_size, int* warp_size) {
  STC_BEHIND(__cudaRegisterFunction);
  Recorder::get().add_function(handle, host, name, FunctionKind::kSymbol);
  next(handle, host, device, name, limit, thread, block, block_size, grid_size, warp_size);
}
STC_EXPORT void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int external,
                                  std::size_t bytes, int constant, int global) {
  STC_BEHIND(__cudaRegisterVar);
  Recorder::get().add_variable({handle, host, name, bytes, constant != 0, false, 0});
  next(handle, host, device, name, external, bytes, constant, global);
}
STC_EXPORT void __cudaRegisterManagedVar(void** handle, void** host, char* device, const char* name, int external,
                                         std::size_t bytes, int constant, int global) {
  STC_BEHIND(__cudaRegisterManagedVar);
  Recorder::get().add_variable({handle, host, name, bytes, false, true, 0});
  next(handle, host, device, name, external, bytes, constant, global);
}
STC_EXPORT int __cudaGetKernel(const void** kernel, const void* host) {
  STC_BEHIND(__cudaGetKernel);
  const int error = next(kernel, host);
  if (error == 0) Recorder::get().add_alias(*kernel, host);
  return error;
}

STC_EXPORT int cudaGetFuncBySymbol(void** function, const void* host) {
  STC_BEHIND(cudaGetFuncBySymbol);
  const int error = next(function, host);
  if (error == 0 && !inside) Recorder::get().add_alias(*function, host);
  return error;
}

STC_EXPORT int cudaLibraryLoadData(void** library, const void* code, void* jit, void* jit_values, unsigned jit_count,
                                   void* options, void* values, unsigned count) {
  STC_BEHIND(cudaLibraryLoadData);
  const int error = next(library, code, jit, jit_values, jit_count, options, values, count);
  if (error == 0) Recorder::get().add_loaded_image(*library, code);
  return error;
}
STC_EXPORT int cudaLibraryGetKernel(void** kernel, void* library, const char* name) {
  STC_BEHIND(cudaLibraryGetKernel);
  const int error = next(kernel, library, name);
  if (error == 0) Recorder::get().add_function(library, *kernel, name, FunctionKind::kKernel);
  return error;
}

STC_EXPORT int cudaMalloc(void** pointer, std::size_t bytes) {
  STC_BEHIND(cudaMalloc);
  return given(next(pointer, bytes), pointer, bytes);
}
STC_EXPORT int cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
  STC_BEHIND(cudaMallocManaged);
  return given(next(pointer, bytes, flags), pointer, bytes);
}
STC_EXPORT int cudaMallocHost(void** pointer, std::size_t bytes) {
  STC_BEHIND(cudaMallocHost);
  return given(next(pointer, bytes), pointer, bytes);
}
STC_EXPORT int cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  STC_BEHIND(cudaHostAlloc);
  return given(next(pointer, bytes, flags), pointer, bytes);
}
STC_EXPORT int cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  STC_BEHIND(cudaMallocPitch);
  const int error = next(pointer, pitch, width, height);
  return given(error, pointer, error == 0 ? *pitch * height : 0);
}
STC_EXPORT int cudaMalloc3D(PitchedPointer* pointer, Extent extent) {
  STC_BEHIND(cudaMalloc3D);
  const int error = next(pointer, extent);
  return given(error, &pointer->pointer, error == 0 ? pointer->pitch * extent.height * extent.depth : 0);
}
#define STC_MALLOC_ASYNC(name)                                           \
  STC_EXPORT int name(void** pointer, std::size_t bytes, void* stream) { \
    STC_BEHIND(name);                                                    \
    return given(next(pointer, bytes, stream), pointer, bytes);          \
  }
STC_MALLOC_ASYNC(cudaMallocAsync)
STC_MALLOC_ASYNC(cudaMallocAsync_ptsz)
#define STC_MALLOC_FROM_POOL(name)                                                   \
  STC_EXPORT int name(void** pointer, std::size_t bytes, void* pool, void* stream) { \
    STC_BEHIND(name);                                                                \
    return given(next(pointer, bytes, pool, stream), pointer, bytes);                \
  }
STC_MALLOC_FROM_POOL(cudaMallocFromPoolAsync)
STC_MALLOC_FROM_POOL(cudaMallocFromPoolAsync_ptsz)
STC_EXPORT int cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
  STC_BEHIND(cudaHostRegister);
  return given(next(pointer, bytes, flags), &pointer, bytes);
}

#define STC_FREE(name)                   \
  STC_EXPORT int name(void* pointer) {   \
    STC_BEHIND(name);                    \
    return gone(next(pointer), pointer); \
  }
STC_FREE(cudaFree)
STC_FREE(cudaFreeHost)
STC_FREE(cudaHostUnregister)
#define STC_FREE_ASYNC(name)                         \
  STC_EXPORT int name(void* pointer, void* stream) { \
    STC_BEHIND(name);                                \
    return gone(next(pointer, stream), pointer);     \
  }
STC_FREE_ASYNC(cudaFreeAsync)
STC_FREE_ASYNC(cudaFreeAsync_ptsz)
STC_EXPORT int cudaDeviceReset() {
  STC_BEHIND(cudaDeviceReset);
  Recorder::get().clear_memory();
  return next();
}
