// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/capture/recorder.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sim/cudart/image_bytes.h"
#include "validation/gpu/capture/runtime_calls.h"

namespace stc::capture {
namespace {

constexpr int kCopyByAddress = 4;
constexpr int kStackLimit = 0, kHeapLimit = 2;
constexpr int kMajorAttribute = 75, kMinorAttribute = 76;

std::string from_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Writes a file whole or not at all.
bool write_file(const std::string& path, const void* data, std::size_t bytes) {
  const std::string part = path + ".part";
  std::FILE* const file = std::fopen(part.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(data, 1, bytes, file) == bytes;
  const bool closed = std::fclose(file) == 0;
  if (written && closed && std::rename(part.c_str(), path.c_str()) == 0) return true;
  std::remove(part.c_str());
  return false;
}

/// A call of the runtime that leaves no error behind for the program to find.
template <class Function, class... Arguments>
bool quiet(const char* name, Arguments... arguments) {
  static auto* const peek = behind<int()>("cudaPeekAtLastError");
  static auto* const take = behind<int()>("cudaGetLastError");
  auto* const function = behind<Function>(name);
  if (function == nullptr) return false;
  const int before = peek();
  const bool done = function(arguments...) == 0;
  if (!done && before == 0) take();
  return done;
}

bool synchronise() { return quiet<int()>("cudaDeviceSynchronize"); }

bool copy_out(std::uint64_t address, std::vector<std::uint8_t>& to) {
  if (to.empty()) return true;
  return quiet<int(void*, const void*, std::size_t, int)>(
      "cudaMemcpy", static_cast<void*>(to.data()), reinterpret_cast<const void*>(address), to.size(), kCopyByAddress);
}

bool is_capturing(void* stream) {
  int status = 0;
  quiet<int(void*, int*)>("cudaStreamIsCapturing", stream, &status);
  return status != 0;
}

/// Offset and size of a parameter; false behind the last one.
bool parameter(void* function, bool is_kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  using Ask = int(void*, std::size_t, std::size_t*, std::size_t*);
  static auto* const library = ::dlopen("libcuda.so.1", RTLD_LAZY);
  const auto named = [](const char* name) {
    return library != nullptr ? reinterpret_cast<Ask*>(::dlsym(library, name)) : nullptr;
  };
  static auto *const of_function = named("cuFuncGetParamInfo"), *const of_kernel = named("cuKernelGetParamInfo");
  auto* const ask = is_kernel ? of_kernel : of_function;
  if (ask == nullptr) {
    note("this driver cannot say what parameters kernels have (cuFuncGetParamInfo, CUDA 12.4): nothing was recorded");
    return false;
  }
  return ask(function, index, offset, bytes) == 0;
}

}  // namespace

/// When the program is loaded: says whether a runtime was loaded with it.
__attribute__((constructor)) static void find_runtime() {
  const std::string folder = from_environment(kFolderVariable);
  if (folder.empty() || behind<int()>("cudaGetLastError") == nullptr) return;
  write_file(folder + "/" + std::to_string(::getpid()) + kSeenEnd, "", 0);
}

void note(const char* text) {
  static auto* const said = new std::set<std::string>;
  static auto* const mutex = new std::mutex;
  const std::lock_guard lock(*mutex);
  if (!said->insert(text).second) return;
  const std::string folder = from_environment(kFolderVariable);
  if (folder.empty()) return;
  write_file(folder + "/" + std::to_string(::getpid()) + "-" + std::to_string(said->size()) + kNoteEnd, text,
             std::strlen(text));
}

Recorder& Recorder::get() {
  static auto* const one = new Recorder;
  return *one;
}

Recorder::Recorder() : folder_(from_environment(kFolderVariable)), asked_(from_environment(kLaunchesVariable)) {}

bool Recorder::is_asked(std::uint64_t number) const {
  if (folder_.empty()) return false;
  if (asked_.empty()) return true;
  for (const char* at = asked_.c_str(); *at != 0;) {
    char* end = nullptr;
    const std::uint64_t first = std::strtoull(at, &end, 10);
    const std::uint64_t last = *end == '-' ? std::strtoull(end + 1, &end, 10) : first;
    if (number >= first && number <= last) return true;
    at = *end == ',' ? end + 1 : end;
    if (*end != ',') break;
  }
  return false;
}

void Recorder::add_image(const void* handle, const void* container) {
  const std::lock_guard lock(mutex_);
  images_[handle] = {container, {}, ""};
}
void Recorder::add_loaded_image(const void* handle, const void* code) {
  const std::lock_guard lock(mutex_);
  images_[handle] = {code, cuda::image_bytes(code), ""};
}
void Recorder::add_function(const void* handle, const void* key, const char* name, bool is_handle) {
  const std::lock_guard lock(mutex_);
  functions_[key] = {handle, name, is_handle};
}
void Recorder::add_variable(const Variable& variable) {
  const std::lock_guard lock(mutex_);
  variables_.push_back(variable);
}
void Recorder::add_alias(const void* handle, const void* key) {
  const std::lock_guard lock(mutex_);
  aliases_[handle] = key;
}
void Recorder::add_memory(const void* pointer, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (!inside && pointer != nullptr && bytes != 0) memory_[reinterpret_cast<std::uint64_t>(pointer)] = bytes;
}
void Recorder::remove_memory(const void* pointer) {
  const std::lock_guard lock(mutex_);
  memory_.erase(reinterpret_cast<std::uint64_t>(pointer));
}
void Recorder::clear_memory() {
  const std::lock_guard lock(mutex_);
  memory_.clear();
}

bool Recorder::write_image(Image& image) {
  if (!image.file.empty()) return true;
  const std::vector<std::uint8_t> bytes = image.copy.empty() ? cuda::image_bytes(image.container) : image.copy;
  char name[64];
  std::snprintf(name, sizeof name, "%d-%p.image", ::getpid(), image.container);
  if (bytes.empty() || !write_file(folder_ + "/" + name, bytes.data(), bytes.size())) return false;
  return image.file = name, true;
}

bool Recorder::describe(const LaunchCall& call, RecordedLaunch& launch) {
  const auto alias = aliases_.find(call.key);
  const void* const key = alias != aliases_.end() ? alias->second : call.key;
  const auto known = functions_.find(key);
  if (known == functions_.end()) {
    note("a kernel was launched that comes from the driver's interface: it is not recorded");
    return false;
  }
  const Function& function = known->second;
  Image& image = images_[function.image];
  if (!write_image(image)) return note("an image of the program could not be written"), false;
  launch.image_file = image.file;
  launch.symbol = function.name;
  launch.shape = call.shape;
  void* handle = const_cast<void*>(key);
  if (!function.is_handle && !quiet<int(void**, const void*)>("cudaGetFuncBySymbol", &handle, key)) {
    return note("a kernel could not be looked up: its launches are not recorded"), false;
  }
  std::size_t offset = 0, bytes = 0;
  for (std::size_t i = 0; parameter(handle, function.is_handle, i, &offset, &bytes); ++i) {
    const auto* const value = static_cast<const std::uint8_t*>(call.arguments[i]);
    launch.arguments.emplace_back(value, value + bytes);
  }
  int device = 0, major = 0, minor = 0;
  quiet<int(int*)>("cudaGetDevice", &device);
  quiet<int(int*, int, int)>("cudaDeviceGetAttribute", &major, kMajorAttribute, device);
  quiet<int(int*, int, int)>("cudaDeviceGetAttribute", &minor, kMinorAttribute, device);
  launch.sm_version = 10 * major + minor;
  quiet<int(std::size_t*, int)>("cudaDeviceGetLimit", reinterpret_cast<std::size_t*>(&launch.stack_bytes), kStackLimit);
  quiet<int(std::size_t*, int)>("cudaDeviceGetLimit", reinterpret_cast<std::size_t*>(&launch.heap_bytes), kHeapLimit);
  return synchronise() && read_memory(function, launch);
}

bool Recorder::read_memory(const Function& function, RecordedLaunch& launch) {
  for (const auto& [address, bytes] : memory_) {
    RecordedMemory one;
    one.name = "allocation_" + std::to_string(launch.memory.size() + 1);
    one.address = address;
    one.before.resize(bytes);
    if (!copy_out(address, one.before)) return false;
    launch.memory.push_back(std::move(one));
  }
  for (const Variable& variable : variables_) {
    if (variable.image != function.image) continue;
    RecordedMemory one;
    one.name = variable.name;
    one.of_module = true;
    one.constant = variable.constant;
    void* place = nullptr;
    if (variable.managed) {
      place = *static_cast<void* const*>(variable.key);  // the program's own pointer to it
    } else if (!quiet<int(void**, const void*)>("cudaGetSymbolAddress", &place, variable.key)) {
      continue;
    }
    if (place == nullptr) continue;
    one.address = reinterpret_cast<std::uint64_t>(place);
    one.before.resize(variable.bytes);
    if (!copy_out(one.address, one.before)) return false;
    launch.memory.push_back(std::move(one));
  }
  return true;
}

void Recorder::read_again(RecordedLaunch& launch) {
  for (RecordedMemory& one : launch.memory) {
    std::vector<std::uint8_t> now(one.before.size());
    if (!copy_out(one.address, now)) return;
    if (now != one.before) one.after = std::move(now);
  }
}

void Recorder::write(const RecordedLaunch& launch) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  char name[96];
  std::snprintf(name, sizeof name, "/%020lld-%d%s", static_cast<long long>(now), launch.process, kRecordEnd);
  const remote::Packet packet = packet_of(launch);
  if (!write_file(folder_ + name, packet.bytes().data(), packet.bytes().size())) {
    note("a record could not be written: is the disk full?");
  }
}

int Recorder::record(const LaunchCall& call, const std::function<int()>& launch) {
  if (inside) return launch();
  const std::lock_guard lock(mutex_);
  const Inside guard;
  RecordedLaunch record;
  record.number = ++count_;
  record.process = ::getpid();
  if (!is_asked(record.number)) return launch();
  if (is_capturing(call.stream)) {
    note("launches into a graph are not recorded: what a graph's launch runs is not seen");
    return launch();
  }
  const bool described = describe(call, record);
  const int error = launch();
  if (!described || error != 0) return error;
  if (synchronise()) {
    read_again(record);
  } else {
    note("a launch failed: what it left in memory is not recorded");
  }
  return write(record), error;
}

}  // namespace stc::capture
