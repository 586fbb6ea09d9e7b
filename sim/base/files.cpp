// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>

#include "sim/base/error.h"
#include "sim/base/text.h"

namespace stc::sim {
namespace fs = std::filesystem;

namespace {

/// More than a file that others are writing grows meanwhile; some of /proc are endless and say that they are empty.
constexpr std::size_t kMostGrowth = std::size_t{64} << 20;

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

[[noreturn]] void cannot_read(const std::string& path, const std::string& why) {
  throw UserError(fmt::format("{}: cannot be read: {}", path, why));
}

/// Size of a file whose contents can be taken into memory.
std::size_t readable_size(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) throw UserError(fmt::format("{}: no such file", path));
  if (!fs::status_known(status)) cannot_read(path, error.message());
  if (fs::is_directory(status)) throw UserError(fmt::format("{}: is a folder, a file is needed", path));
  // Some of these never end, others can be read only once.
  if (!fs::is_regular_file(status)) {
    throw UserError(fmt::format("{}: is a device, pipe or socket, a file is needed", path));
  }
  return static_cast<std::size_t>(fs::file_size(path, error));
}

void read_all(const std::string& path, std::size_t size, std::vector<std::uint8_t>& bytes) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  if (file.number < 0) cannot_read(path, std::strerror(errno));
  bytes.reserve(size);
  std::vector<std::uint8_t> chunk(std::size_t{1} << 20);
  for (;;) {
    const ssize_t got = ::read(file.number, chunk.data(), chunk.size());
    if (got == 0) return;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(path, std::strerror(errno));
    bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + got);
    if (bytes.size() > size + kMostGrowth) cannot_read(path, "has no end");
  }
}

}  // namespace

std::vector<std::uint8_t> read_bytes(const std::string& path) {
  const std::size_t size = readable_size(path);
  try {
    std::vector<std::uint8_t> bytes;
    read_all(path, size, bytes);
    return bytes;
  } catch (const std::bad_alloc&) {
    throw UserError(fmt::format("{}: has {} bytes, more than this computer's memory takes", path, size));
  }
}

std::string file_hash(const std::string& path) {
  const std::vector<std::uint8_t> bytes = read_bytes(path);
  return content_hash(bytes.data(), bytes.size());
}

const std::string& program_hash() {
  static const std::string hash = file_hash("/proc/self/exe");
  return hash;
}

std::string read_text(const std::string& path) {
  const std::vector<std::uint8_t> bytes = read_bytes(path);
  return {bytes.begin(), bytes.end()};
}

std::string resolve_path(const std::string& folder, const std::string& path) {
  if (path.find('\0') != std::string::npos)
    throw UserError(fmt::format("{}: a zero byte follows, which no file name holds", path.c_str()));
  return (fs::path(folder) / path).lexically_normal().string();
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

namespace {

/// Writes all bytes; what went wrong, or nothing.
std::string write_all(const std::string& path, const std::vector<std::uint8_t>& bytes) {
  errno = 0;
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  return stream ? "" : std::strerror(errno);
}

bool is_special(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

/// The file that a link leads to, also when it does not exist yet.
std::string target_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? path : target.string();
}

}  // namespace

void require_writable(const std::string& path) {
  std::error_code error;
  if (!fs::status_known(fs::status(path, error))) {
    throw UserError(fmt::format("{}: cannot be written: {}", path, error.message()));
  }
  if (fs::is_directory(path, error)) throw UserError(fmt::format("{}: is a folder, cannot be written as a file", path));
  if (is_special(path)) {
    if (::access(path.c_str(), W_OK) == 0) return;
    throw UserError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  }
  fs::path folder = folder_of(path);
  while (!fs::exists(folder, error)) folder = folder_of(folder.string());
  if (!fs::is_directory(folder, error)) {
    throw UserError(fmt::format("{}: cannot be written: {} is not a folder", path, folder.string()));
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw UserError(fmt::format("{}: cannot be written: {}: {}", path, folder.string(), std::strerror(errno)));
  }
}

void require_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  const auto identity = [](const std::string& path) {
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(fs::absolute(path), error);
    return (error ? fs::absolute(path).lexically_normal() : whole).string();
  };
  std::map<std::string, const char*> taken;  // what each file is to this run
  for (const std::string& path : inputs) {
    if (!path.empty()) taken[identity(path)] = "it is read by this run";
  }
  for (const std::string& path : outputs) {
    if (path.empty()) continue;
    require_writable(path);
    if (is_special(path)) continue;
    const auto [other, is_new] = taken.try_emplace(identity(path), "this run writes another output to it");
    if (!is_new) throw UserError(fmt::format("{}: cannot be written: {}", path, other->second));
  }
}

void OutputFiles::commit() {
  std::vector<std::pair<std::string, std::string>> renames;  // temporary file, its final name
  const auto give_up = [&](const std::string& path, const std::string& why) {
    std::error_code ignored;
    for (const auto& rename : renames) fs::remove(rename.first, ignored);
    throw UserError(fmt::format("{}: cannot be written: {}", path, why));
  };
  for (const auto& [path, bytes] : files_) {
    if (is_special(path)) continue;
    const std::string target = target_of(path);
    std::error_code error;
    fs::create_directories(folder_of(target), error);
    if (error) give_up(path, error.message());
    renames.emplace_back(fmt::format("{}.{}.tmp", target, ::getpid()), target);
    const std::string problem = write_all(renames.back().first, bytes);
    if (!problem.empty()) give_up(path, problem);
  }
  for (const auto& [path, bytes] : files_) {
    const std::string problem = is_special(path) ? write_all(path, bytes) : "";
    if (!problem.empty()) give_up(path, problem);
  }
  for (const auto& [temporary, target] : renames) {
    std::error_code error;
    fs::rename(temporary, target, error);
    if (error) give_up(target, error.message());
  }
  files_.clear();
}

}  // namespace stc::sim
