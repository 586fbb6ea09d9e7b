// SPDX-License-Identifier: Apache-2.0
#include "validation/foreign/runtime/launch.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "validation/foreign/runtime/device.h"
#include "validation/foreign/runtime/stop.h"

namespace stc::foreign {
namespace {

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) stop(kExitUsage, std::string("$") + name + " is not set; start programs with scripts/foreign");
  return value;
}

/// Keeps bytes under the hash of their content, so that equal ones of many launches lie there once; their path.
std::string store_blob(const std::vector<std::uint8_t>& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3ULL;
  char name[40];
  std::snprintf(name, sizeof name, "/%016llx-%zu", static_cast<unsigned long long>(hash), bytes.size());
  const std::string path = setting("FOREIGN_BLOBS") + name;
  if (std::filesystem::exists(path)) return path;
  const std::string partial = path + "." + std::to_string(getpid());
  std::ofstream(partial, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  std::filesystem::rename(partial, path);
  return path;
}

std::string triple(const dim3& size) {
  return "[" + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " + std::to_string(size.z) + "]";
}

std::string hex(const void* data, std::size_t bytes) {
  std::string text;
  char digits[3];
  for (std::size_t i = 0; i < bytes; ++i) {
    std::snprintf(digits, sizeof digits, "%02x", static_cast<const std::uint8_t*>(data)[i]);
    text += digits;
  }
  return text;
}

void write_buffers(std::ostream& file) {
  file << "  buffers:\n";
  for (const auto& [address, allocation] : Program::get().memory.allocations()) {
    const std::vector<std::uint8_t>& data = allocation.data;
    file << "    " << allocation.name << ": {address: " << address << ", bytes: " << data.size() << ", fill: ";
    const bool zero = std::all_of(data.begin(), data.end(), [](std::uint8_t byte) { return byte == 0; });
    file << (zero ? "zero" : "{file: " + store_blob(data) + "}") << "}\n";
  }
}

void write_limits(std::ostream& file) {
  if (!Program::get().limits.empty()) file << "options:\n";
  for (const auto& [name, value] : Program::get().limits) file << "  " << name << ": " << value << "\n";
}

void write_symbols(std::ostream& file, const Kernel& kernel) {
  bool first = true;
  for (const Variable* variable : Program::get().variables_of(kernel.module)) {
    if (variable->constant_data.empty()) continue;
    if (first) file << "  symbols:\n";
    first = false;
    file << "    " << variable->name << ": {file: " << store_blob(variable->constant_data) << "}\n";
  }
}

/// __device__ variables of the module become allocations like others, so that they keep their values between launches.
void place_variables(const Kernel& kernel) {
  Program& program = Program::get();
  for (const Variable* variable : program.variables_of(kernel.module)) {
    if (program.can_place(kernel.module, variable->name)) program.address_of(*variable);
  }
  program.place_managed(kernel.module);
}

void write_run_file(const std::string& path, const LaunchRequest& request, const Kernel& kernel) {
  std::ofstream file(path);
  file << "gpu: " << setting("FOREIGN_GPU") << "\nlaunch:\n  module: " << store_blob(kernel.module->image().bytes)
       << "\n  kernel: " << kernel.name << "\n  grid: " << triple(request.grid)
       << "\n  block: " << triple(request.block) << "\n  dynamic_shared_bytes: " << request.dynamic_shared_bytes
       << "\n";
  if (request.cooperative) file << "  cooperative: true\n";
  if (request.cluster.x * request.cluster.y * request.cluster.z > 1) {
    file << "  cluster: " << triple(request.cluster) << "\n";
  }
  if (kernel.non_portable_cluster) file << "  non_portable_cluster: true\n";
  write_buffers(file);
  write_symbols(file, kernel);
  file << "  args:\n";
  const std::vector<Parameter>& parameters = kernel.image().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    file << "    - {hex: \"" << hex(request.arguments[i], parameters[i].bytes) << "\"}\n";
  }
  if (parameters.empty()) file << "    []\n";
  file << "  save:\n";
  for (const auto& [address, allocation] : Program::get().memory.allocations()) {
    file << "    " << allocation.name << ": " << allocation.name << ".after\n";
  }
  write_limits(file);
}

int simulate(const std::string& folder) {
  const std::string command = setting("FOREIGN_STCSIM") + " run " + folder + "/run.yaml --out " + folder + " > " +
                              folder + "/stdout 2> " + folder + "/stderr";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void read_back(const std::string& folder) {
  for (auto& [address, allocation] : Program::get().memory.allocations()) {
    const std::string path = folder + "/" + allocation.name + ".after";
    std::ifstream(path, std::ios::binary)
        .read(reinterpret_cast<char*>(allocation.data.data()), static_cast<std::streamsize>(allocation.data.size()));
    std::filesystem::remove(path);
  }
}

std::string text_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

cudaError_t launch(const LaunchRequest& request) {
  static int count = 0;
  const Kernel& kernel = Program::get().kernel(request.kernel);
  if (request.grid.x == 0 || request.grid.y == 0 || request.grid.z == 0) return cudaErrorInvalidConfiguration;
  if (request.block.x * request.block.y * request.block.z > 1024) return cudaErrorInvalidConfiguration;
  char number[16];
  std::snprintf(number, sizeof number, "/%03d", count++);
  const std::string folder = setting("FOREIGN_LAUNCHES") + number;
  std::filesystem::create_directories(folder);
  place_variables(kernel);
  Program::get().memory.take_from_host();
  write_run_file(folder + "/run.yaml", request, kernel);
  const int code = simulate(folder);
  if (code != 0) {
    const std::string what = text_of(folder + "/stderr");
    stop(code == 2 ? kExitRefused : kExitFault, "launch " + std::to_string(count - 1) + ": " + what);
  }
  read_back(folder);
  Program::get().memory.give_to_host();
  return cudaSuccess;
}

}  // namespace stc::foreign
