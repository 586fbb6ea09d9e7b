// SPDX-License-Identifier: Apache-2.0
// Errors of the driver's interface; what is not there; the runtime that is linked into programs.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "sim/cudart/connection.h"
#include "sim/cudart/not_supported.h"

int stc::cuda::driver_not_supported(const char* name) {
  Connection::get().report_unsupported(name);
  return remote::kNotSupported;
}

namespace {

using namespace stc::remote;

struct Name {
  int number;
  const char* name;
};
constexpr Name kNames[] = {
#define STC_DRIVER_ERROR(number, name) {number, name},
#include "sim/cudart/driver_errors.def"
#undef STC_DRIVER_ERROR
};
constexpr Name kTexts[] = {
#define STC_CUDA_ERROR(number, name, text) {number, text},
#include "sim/cudart/errors.def"
#undef STC_CUDA_ERROR
};

template <std::size_t kCount>
int find(const Name (&all)[kCount], int error, const char** name) {
  for (const Name& known : all) {
    if (known.number == error) return *name = known.name, 0;
  }
  return *name = nullptr, kInvalidValue;
}

constexpr int kUserErrorExit = 2;
constexpr unsigned char kNvrtcTable[] = {0xda, 0x91, 0x51, 0xd3, 0x3a, 0xe6, 0xcc, 0x41,
                                         0xa5, 0xc0, 0x4f, 0x26, 0xd5, 0x33, 0xe3, 0x28};

}  // namespace

extern "C" {

int cuGetErrorName(int error, const char** name) { return find(kNames, error, name); }
int cuGetErrorString(int error, const char** text) { return find(kTexts, error, text); }

/// Tables that no header describes. NVRTC does without the one that it asks for; else it is NVIDIA's own runtime that
/// asks, one that is linked into the program.
int cuGetExportTable(const void** table, const void* id) {
  if (id != nullptr && std::memcmp(id, kNvrtcTable, sizeof kNvrtcTable) == 0) return *table = nullptr, kNotFound;
  stc::cuda::say_once(
      "the program, or a library of it, has CUDA's runtime linked in, and that cannot be replaced: relink with "
      "-cudart shared");
  std::fflush(stdout);
  ::_exit(kUserErrorExit);
}

/// The newest form of a function: programs are compiled with the headers of CUDA 12 or 13.
int cuGetProcAddress_v2(const char* name, void** function, int, std::uint64_t, int* status) {
  constexpr int kFound = 0, kNotThere = 1;
  *function = nullptr;
  for (const char* version : {"_v4", "_v3", "_v2", ""}) {
    if (*function == nullptr) *function = ::dlsym(RTLD_DEFAULT, (std::string(name) + version).c_str());
  }
  if (*function == nullptr) {
    // Not loaded for all to see, but by somebody's dlopen: it is in this library.
    Dl_info here{};
    void* const self = ::dladdr(reinterpret_cast<void*>(&cuGetErrorName), &here) != 0
                           ? ::dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                           : nullptr;
    for (const char* version : {"_v4", "_v3", "_v2", ""}) {
      if (*function == nullptr && self != nullptr) *function = ::dlsym(self, (std::string(name) + version).c_str());
    }
  }
  if (status != nullptr) *status = *function != nullptr ? kFound : kNotThere;
  return *function != nullptr ? 0 : kNotFound;
}
}
