// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/capture_command.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "sim/base/data_folder.h"
#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/exec/fat_binary.h"
#include "sim/launch/launch_writer.h"
#include "validation/gpu/capture/recorded.h"

namespace stc::silicon {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kAlignment = 512;  // of buffers of run files
constexpr std::uint64_t kPortableCluster = 8;
constexpr auto kPause = std::chrono::milliseconds(20);

/// The library that watches the program: beside this one, or where both were built.
std::string capture_library() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* name : {"libstc_capture.so", "capture/libstc_capture.so"}) {
    if (fs::exists(folder / name)) return (folder / name).string();
  }
  throw sim::UserError("libstc_capture.so is not beside stcgpu");
}

/// Where the program's launches wait to be made run files; gone with its object.
class Records {
 public:
  explicit Records(const std::string& out_folder) : out_folder_(out_folder) {
    std::error_code error;
    made_ = fs::create_directories(out_folder, error);
    path_ = out_folder + "/.records-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) {
      throw sim::UserError(fmt::format("{}: cannot be written to: {}", out_folder, std::strerror(errno)));
    }
  }
  ~Records() {
    std::error_code error;
    fs::remove_all(path_, error);
    if (made_) fs::remove(out_folder_, error);  // where nothing was kept in it
  }
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;
  const std::string& path() const { return path_; }

  /// Names of files that end so, in their order.
  std::vector<std::string> files(const std::string& end) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_)) {
      const std::string name = entry.path().string();
      if (entry.path().extension() == end) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  const std::string out_folder_;
  bool made_ = false;
  std::string path_;
};

class Converter {
 public:
  Converter(const CaptureCommand& command, const Records& records) : command_(command), records_(records) {}

  void convert_all() {
    for (const std::string& file : records_.files(capture::kRecordEnd)) {
      convert(capture::launch_of(remote::Packet(sim::read_bytes(file))));
      fs::remove(file);
      ++count_;
    }
  }
  int count() const { return count_; }

 private:
  std::string folder_of(std::int32_t process) {
    const auto [known, fresh] = processes_.emplace(process, processes_.size() + 1);
    return known->second == 1 ? command_.out_folder
                              : fmt::format("{}/{}{}", command_.out_folder, sim::kProcessFolder, known->second);
  }
  std::string gpu_file(int sm_version) const {
    if (!command_.gpu_file.empty()) return command_.gpu_file;
    return sim::data_folder() + (sm_version >= 90 ? "/configs/gpus/h200.yaml" : "/configs/gpus/a100.yaml");
  }
  void convert(const capture::RecordedLaunch& launch) {
    sim::LaunchWriter writer(folder_of(launch.process), launch.number);
    const sim::ChosenImage image =
        sim::choose_image(sim::read_bytes(records_.path() + "/" + launch.image_file), launch.sm_version);
    const auto size = [](const remote::Size3& of) { return isa::Dim3{of.x, of.y, of.z}; };
    sim::LaunchWriter::Shape shape{size(launch.shape.grid),
                                   size(launch.shape.block),
                                   launch.shape.dynamic_shared_bytes,
                                   launch.shape.cooperative != 0,
                                   {},
                                   false};
    if (launch.shape.cluster.x != 0) {
      shape.cluster = size(launch.shape.cluster);
      shape.non_portable_cluster = shape.cluster->count() > kPortableCluster;
    }
    writer.set_kernel(gpu_file(launch.sm_version), image.cubin, launch.symbol, shape);
    for (const capture::RecordedMemory& one : launch.memory) add_memory(one, writer);
    for (const auto& argument : launch.arguments) writer.add_argument(argument.data(), argument.size());
    writer.set_limits(launch.stack_bytes, launch.heap_bytes);
    writer.commit();
  }
  /// Small variables lie side by side, which buffers of a run file cannot: their bytes are kept, their places are not.
  static void add_memory(const capture::RecordedMemory& one, sim::LaunchWriter& writer) {
    const bool placed = !one.constant && one.address % kAlignment == 0;
    if (!placed && !one.of_module) {
      fmt::print(stderr, "stcgpu: memory at {:#x}, which the host registered, is no multiple of {}: it is left out\n",
                 one.address, kAlignment);
      return;
    }
    if (placed) {
      writer.add_buffer(one.name, one.address, one.before);
    } else {
      writer.add_symbol(one.name, one.before);
    }
    if (one.after) writer.expect(one.name, *one.after);
  }

  const CaptureCommand& command_;
  const Records& records_;
  std::map<std::int32_t, std::size_t> processes_;
  int count_ = 0;
};

/// This process's environment, with the library and what it is to do.
std::vector<std::string> environment(const CaptureCommand& command, const std::string& records) {
  std::vector<std::string> all;
  std::string others;
  constexpr char kPreload[] = "LD_PRELOAD=";
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (text.rfind(kPreload, 0) == 0) {
      others = ":" + text.substr(sizeof kPreload - 1);
    } else {
      all.push_back(text);
    }
  }
  all.push_back(kPreload + capture_library() + others);
  all.push_back(fmt::format("{}={}", capture::kFolderVariable, records));
  all.push_back(fmt::format("{}={}", capture::kLaunchesVariable, command.launches));
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// Signals to stop are the program's business; what it has launched until then is kept.
pid_t start(const CaptureCommand& command, const std::string& records) {
  std::vector<std::string> words = command.program, variables = environment(command, records);
  posix_spawnattr_t attributes;
  sigset_t reset;
  ::sigemptyset(&reset);
  for (const int signal : {SIGINT, SIGTERM}) {
    ::sigaddset(&reset, signal);
    std::signal(signal, SIG_IGN);
  }
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setsigdefault(&attributes, &reset);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t process = -1;
  const int error = ::posix_spawnp(&process, words.front().c_str(), nullptr, &attributes, pointers(words).data(),
                                   pointers(variables).data());
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) throw sim::UserError(fmt::format("{}: cannot be started: {}", words.front(), std::strerror(error)));
  return process;
}

}  // namespace

int capture(const CaptureCommand& command) {
  sim::require_no_launches(command.out_folder);
  const Records records(fs::absolute(command.out_folder).string());
  Converter converter(command, records);
  const pid_t process = start(command, records.path());
  int status = 0;
  while (::waitpid(process, &status, WNOHANG) == 0) {
    converter.convert_all();
    std::this_thread::sleep_for(kPause);
  }
  converter.convert_all();
  std::set<std::string> notes;
  for (const std::string& file : records.files(capture::kNoteEnd)) notes.insert(sim::read_text(file));
  for (const std::string& text : notes) fmt::print(stderr, "stcgpu: {}\n", text);
  if (WIFSIGNALED(status)) fmt::print(stderr, "stcgpu: the program was ended by signal {}\n", WTERMSIG(status));
  fmt::print(stderr, "stcgpu: {} launch{} of {} in {}\n", converter.count(), converter.count() == 1 ? "" : "es",
             command.program.front(), command.out_folder);
  if (records.files(capture::kSeenEnd).empty()) {
    fmt::print(stderr, "stcgpu: only programs that load CUDA's runtime can be watched: nvcc -cudart shared\n");
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace stc::silicon
