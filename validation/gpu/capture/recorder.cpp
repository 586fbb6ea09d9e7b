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

bool function_of_symbol(const void* key, void** handle) {
  return quiet<int(void**, const void*)>("cudaGetFuncBySymbol", handle, key);
}

/// Of a variable that the program registered; 0 when it has none.
std::uint64_t address_of(const Recorder::Variable& variable) {
  void* place = nullptr;
  if (variable.managed) {
    place = *static_cast<void* const*>(variable.key);  // the program's own pointer to it
  } else if (!quiet<int(void**, const void*)>("cudaGetSymbolAddress", &place, variable.key)) {
    return 0;
  }
  return reinterpret_cast<std::uint64_t>(place);
}

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

/// Offset and size of a parameter; false behind the last one.
bool parameter(void* function, FunctionKind kind, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  using Ask = int(void*, std::size_t, std::size_t*, std::size_t*);
  static auto* const library = ::dlopen("libcuda.so.1", RTLD_LAZY);
  const auto named = [](const char* name) {
    return library != nullptr ? reinterpret_cast<Ask*>(::dlsym(library, name)) : nullptr;
  };
  static auto *const of_function = named("cuFuncGetParamInfo"), *const of_kernel = named("cuKernelGetParamInfo");
  auto* const ask = kind == FunctionKind::kKernel ? of_kernel : of_function;
  if (ask == nullptr) {
    note("this driver cannot say what parameters kernels have (cuFuncGetParamInfo, CUDA 12.4): nothing was recorded");
    return false;
  }
  return ask(function, index, offset, bytes) == 0;
}

/// By pointers, or packed in a block.
std::vector<std::vector<std::uint8_t>> arguments_of(void* handle, FunctionKind kind, void* const* arguments,
                                                    const void* block) {
  std::vector<std::vector<std::uint8_t>> all;
  std::size_t offset = 0, bytes = 0;
  for (std::size_t i = 0; parameter(handle, kind, i, &offset, &bytes); ++i) {
    const auto* const value = arguments != nullptr ? static_cast<const std::uint8_t*>(arguments[i])
                                                   : static_cast<const std::uint8_t*>(block) + offset;
    all.emplace_back(value, value + bytes);
  }
  return all;
}

}  // namespace

/// When the program is loaded: says whether a runtime or a driver was loaded with it.
__attribute__((constructor)) static void find_runtime() {
  const std::string folder = from_environment(kFolderVariable);
  const bool found = behind<int()>("cudaGetLastError") != nullptr || behind<int(unsigned)>("cuInit") != nullptr;
  if (folder.empty() || !found) return;
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

void apply_attributes(const cuda::LaunchAttribute* attributes, unsigned count, remote::LaunchShape& shape) {
  constexpr std::uint32_t kCooperative = 2, kCluster = 4;
  for (unsigned i = 0; i < count; ++i) {
    const auto& [id, padding, value] = attributes[i];
    if (id == kCooperative) shape.cooperative = value[0];
    if (id == kCluster) shape.cluster = {value[0], value[1], value[2]};
  }
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
void Recorder::add_function(const void* handle, const void* key, const char* name, FunctionKind kind) {
  const std::lock_guard lock(mutex_);
  functions_[key] = {handle, name, kind};
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

const Recorder::Function* Recorder::find_function(const void* key, void** handle) {
  const auto alias = aliases_.find(key);
  const void* const own = alias != aliases_.end() ? alias->second : key;
  const auto known = functions_.find(own);
  if (known == functions_.end()) {
    note("a kernel was launched whose module this library did not see being loaded: it is not recorded");
    return nullptr;
  }
  *handle = const_cast<void*>(own);
  if (known->second.kind == FunctionKind::kSymbol && !function_of_symbol(own, handle)) {
    note("a kernel could not be looked up: its launches are not recorded");
    return nullptr;
  }
  return &known->second;
}

std::vector<std::vector<std::uint8_t>> Recorder::copy_arguments(const void* key, void* const* arguments) {
  const std::lock_guard lock(mutex_);
  const Inside guard;
  void* handle = nullptr;
  const Function* const function = find_function(key, &handle);
  if (function == nullptr || arguments == nullptr) return {};
  return arguments_of(handle, function->kind, arguments, nullptr);
}

bool Recorder::describe(const LaunchCall& call, RecordedLaunch& launch) {
  void* handle = nullptr;
  const Function* const found = find_function(call.key, &handle);
  if (found == nullptr) return false;
  const Function& function = *found;
  Image& image = images_[function.image];
  if (!write_image(image)) return note("an image of the program could not be written"), false;
  launch.image_file = image.file;
  launch.symbol = function.name;
  launch.shape = call.shape;
  launch.arguments = arguments_of(handle, function.kind, call.arguments, call.block);
  call.device->describe_device(launch);
  return call.device->synchronise() && read_memory(*call.device, function, launch);
}

bool Recorder::read_memory(const DeviceCalls& device, const Function& function, RecordedLaunch& launch) {
  for (const auto& [address, bytes] : memory_) {
    RecordedMemory one;
    one.name = "allocation_" + std::to_string(launch.memory.size() + 1);
    one.address = address;
    one.before.resize(bytes);
    if (!device.copy_out(address, one.before)) return false;
    launch.memory.push_back(std::move(one));
  }
  for (const Variable& variable : variables_) {
    if (variable.image != function.image) continue;
    RecordedMemory one;
    one.name = variable.name;
    one.of_module = true;
    one.constant = variable.constant;
    one.address = variable.address != 0 ? variable.address : address_of(variable);
    if (one.address == 0) continue;
    one.before.resize(variable.bytes);
    if (!device.copy_out(one.address, one.before)) return false;
    launch.memory.push_back(std::move(one));
  }
  return true;
}

void Recorder::read_again(const DeviceCalls& device, RecordedLaunch& launch) {
  for (RecordedMemory& one : launch.memory) {
    std::vector<std::uint8_t> now(one.before.size());
    if (!device.copy_out(one.address, now)) return;
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
  if (is_recording() && call.device->is_capturing(call.stream)) return launch();  // a graph's, which is launched later
  record.number = ++count_;
  record.process = ::getpid();
  if (!is_asked(record.number)) return launch();
  const bool described = describe(call, record);
  const int error = launch();
  if (!described || error != 0) return error;
  if (call.device->synchronise()) {
    read_again(*call.device, record);
  } else {
    note("a launch failed: what it left in memory is not recorded");
  }
  return write(record), error;
}

}  // namespace stc::capture
