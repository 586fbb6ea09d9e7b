// SPDX-License-Identifier: Apache-2.0
// Calls of the driver's interface that are watched, for programs that are linked with the driver's library: each goes
// on to the function of the same name behind it.
#include <elf.h>

#include <cstring>

#include "sim/cudart/abi.h"
#include "sim/cudart/image_bytes.h"
#include "sim/cudart/image_file.h"
#include "validation/gpu/capture/recorder.h"
#include "validation/gpu/capture/runtime_calls.h"

using namespace stc::capture;  // the names below are the ABI's
using stc::cuda::LaunchAttribute;

namespace {

using Address = std::uint64_t;  // CUdeviceptr

/// CUlaunchConfig.
struct DriverLaunch {
  stc::remote::Size3 grid, block;
  unsigned dynamic_shared_bytes;
  void* stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};
static_assert(sizeof(DriverLaunch) == 56);

LaunchCall call_of(const void* function, const stc::remote::LaunchShape& shape, void* stream, void** arguments,
                   void** extra) {
  LaunchCall call{&driver_device(), function, shape, arguments, nullptr, stream};
  for (void** at = extra; at != nullptr && *at != nullptr; at += 2) {
    if (reinterpret_cast<std::uintptr_t>(*at) == 1) call.block = at[1];  // CU_LAUNCH_PARAM_BUFFER_POINTER
  }
  return call;
}

/// Variables of a module whose image is a cubin: its table of symbols has their names.
void add_variables(const void* module, const std::vector<std::uint8_t>& image) {
  static auto* const find = behind<int(Address*, std::size_t*, const void*, const char*)>("cuModuleGetGlobal_v2");
  const auto at = [&](std::uint64_t offset, std::uint64_t bytes) {
    return offset <= image.size() && bytes <= image.size() - offset ? image.data() + offset : nullptr;
  };
  Elf64_Ehdr head;
  if (find == nullptr || image.size() < sizeof head || std::memcmp(image.data(), ELFMAG, SELFMAG) != 0) return;
  std::memcpy(&head, image.data(), sizeof head);
  std::vector<Elf64_Shdr> sections(head.e_shnum);
  const auto* const table = at(head.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  if (table == nullptr) return;
  std::memcpy(sections.data(), table, sections.size() * sizeof(Elf64_Shdr));
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const Elf64_Shdr& names = sections[section.sh_link];
    const auto* const text = at(names.sh_offset, names.sh_size);
    for (std::uint64_t i = 0; text != nullptr && i < section.sh_size / sizeof(Elf64_Sym); ++i) {
      Elf64_Sym symbol;
      const auto* const place = at(section.sh_offset + i * sizeof symbol, sizeof symbol);
      if (place == nullptr) return;
      std::memcpy(&symbol, place, sizeof symbol);
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_name >= names.sh_size) continue;
      const char* const name = reinterpret_cast<const char*>(text) + symbol.st_name;
      Address address = 0;
      std::size_t bytes = 0;
      if (find(&address, &bytes, module, name) != 0) continue;
      Recorder::get().add_variable({module, nullptr, name, bytes, true, false, address});
    }
  }
}

int loaded(int error, void* const* module, const void* image) {
  if (error == 0 && !inside) {
    Recorder::get().add_loaded_image(*module, image);
    add_variables(*module, stc::cuda::image_bytes(image));
  }
  return error;
}

int given(int error, const Address* address, std::size_t bytes) {
  if (error == 0) Recorder::get().add_memory(reinterpret_cast<void*>(*address), bytes);
  return error;
}
int given(int error, void* const* pointer, std::size_t bytes) {
  if (error == 0) Recorder::get().add_memory(*pointer, bytes);
  return error;
}
int gone(int error, Address address) {
  if (error == 0) Recorder::get().remove_memory(reinterpret_cast<void*>(address));
  return error;
}

}  // namespace

#define STC_BEHIND(name) static auto* const next = behind<decltype(name)>(#name)

#define STC_DRIVER_LAUNCH(name)                                                                                     \
  STC_EXPORT int name(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, \
                      unsigned bytes, void* stream, void** arguments, void** extra) {                               \
    STC_BEHIND(name);                                                                                               \
    return Recorder::get().record(                                                                                  \
        call_of(function, {{gx, gy, gz}, {bx, by, bz}, {}, bytes, 0}, stream, arguments, extra),                    \
        [&] { return next(function, gx, gy, gz, bx, by, bz, bytes, stream, arguments, extra); });                   \
  }
STC_DRIVER_LAUNCH(cuLaunchKernel)
STC_DRIVER_LAUNCH(cuLaunchKernel_ptsz)

#define STC_DRIVER_COOPERATIVE(name)                                                                                \
  STC_EXPORT int name(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, \
                      unsigned bytes, void* stream, void** arguments) {                                             \
    STC_BEHIND(name);                                                                                               \
    return Recorder::get().record(                                                                                  \
        call_of(function, {{gx, gy, gz}, {bx, by, bz}, {}, bytes, 1}, stream, arguments, nullptr),                  \
        [&] { return next(function, gx, gy, gz, bx, by, bz, bytes, stream, arguments); });                          \
  }
STC_DRIVER_COOPERATIVE(cuLaunchCooperativeKernel)
STC_DRIVER_COOPERATIVE(cuLaunchCooperativeKernel_ptsz)

#define STC_DRIVER_LAUNCH_EX(name)                                                                \
  STC_EXPORT int name(const DriverLaunch* from, void* function, void** arguments, void** extra) { \
    STC_BEHIND(name);                                                                             \
    stc::remote::LaunchShape shape{from->grid, from->block, {}, from->dynamic_shared_bytes, 0};   \
    apply_attributes(from->attributes, from->attribute_count, shape);                             \
    return Recorder::get().record(call_of(function, shape, from->stream, arguments, extra),       \
                                  [&] { return next(from, function, arguments, extra); });        \
  }
STC_DRIVER_LAUNCH_EX(cuLaunchKernelEx)
STC_DRIVER_LAUNCH_EX(cuLaunchKernelEx_ptsz)

STC_EXPORT int cuModuleLoadData(void** module, const void* image) {
  STC_BEHIND(cuModuleLoadData);
  return loaded(next(module, image), module, image);
}
STC_EXPORT int cuModuleLoadDataEx(void** module, const void* image, unsigned count, void* options, void* values) {
  STC_BEHIND(cuModuleLoadDataEx);
  return loaded(next(module, image, count, options, values), module, image);
}
STC_EXPORT int cuModuleLoadFatBinary(void** module, const void* image) {
  STC_BEHIND(cuModuleLoadFatBinary);
  return loaded(next(module, image), module, image);
}
STC_EXPORT int cuModuleLoad(void** module, const char* path) {
  STC_BEHIND(cuModuleLoad);
  const int error = next(module, path);
  return error != 0 ? error : loaded(error, module, stc::cuda::image_file(path).data());
}
STC_EXPORT int cuModuleGetFunction(void** function, void* module, const char* name) {
  STC_BEHIND(cuModuleGetFunction);
  const int error = next(function, module, name);
  if (error == 0 && !inside) Recorder::get().add_function(module, *function, name, FunctionKind::kFunction);
  return error;
}

STC_EXPORT int cuMemAlloc_v2(Address* address, std::size_t bytes) {
  STC_BEHIND(cuMemAlloc_v2);
  return given(next(address, bytes), address, bytes);
}
STC_EXPORT int cuMemAllocManaged(Address* address, std::size_t bytes, unsigned flags) {
  STC_BEHIND(cuMemAllocManaged);
  return given(next(address, bytes, flags), address, bytes);
}
STC_EXPORT int cuMemAllocPitch_v2(Address* address, std::size_t* pitch, std::size_t width, std::size_t height,
                                  unsigned element) {
  STC_BEHIND(cuMemAllocPitch_v2);
  const int error = next(address, pitch, width, height, element);
  return given(error, address, error == 0 ? *pitch * height : 0);
}
STC_EXPORT int cuMemAllocHost_v2(void** pointer, std::size_t bytes) {
  STC_BEHIND(cuMemAllocHost_v2);
  return given(next(pointer, bytes), pointer, bytes);
}
STC_EXPORT int cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  STC_BEHIND(cuMemHostAlloc);
  return given(next(pointer, bytes, flags), pointer, bytes);
}
#define STC_DRIVER_ALLOC_ASYNC(name)                                       \
  STC_EXPORT int name(Address* address, std::size_t bytes, void* stream) { \
    STC_BEHIND(name);                                                      \
    return given(next(address, bytes, stream), address, bytes);            \
  }
STC_DRIVER_ALLOC_ASYNC(cuMemAllocAsync)
STC_DRIVER_ALLOC_ASYNC(cuMemAllocAsync_ptsz)
STC_EXPORT int cuMemFree_v2(Address address) {
  STC_BEHIND(cuMemFree_v2);
  return gone(next(address), address);
}
STC_EXPORT int cuMemFreeHost(void* pointer) {
  STC_BEHIND(cuMemFreeHost);
  return gone(next(pointer), reinterpret_cast<Address>(pointer));
}
#define STC_DRIVER_FREE_ASYNC(name)                    \
  STC_EXPORT int name(Address address, void* stream) { \
    STC_BEHIND(name);                                  \
    return gone(next(address, stream), address);       \
  }
STC_DRIVER_FREE_ASYNC(cuMemFreeAsync)
STC_DRIVER_FREE_ASYNC(cuMemFreeAsync_ptsz)
