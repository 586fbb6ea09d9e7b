// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "sim/base/error.h"

namespace stc::sim {
namespace fs = std::filesystem;

std::vector<std::uint8_t> read_bytes(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw UserError(fmt::format("{}: no such file", path));
  if (fs::is_directory(status)) throw UserError(fmt::format("{}: is a folder, a file is needed", path));
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw UserError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  std::vector<std::uint8_t> bytes;
  if (fs::is_regular_file(status)) bytes.reserve(static_cast<std::size_t>(fs::file_size(path)));
  std::vector<char> chunk(1U << 20U);
  while (stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || stream.gcount() > 0) {
    bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + stream.gcount());
  }
  if (stream.bad()) throw UserError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  return bytes;
}

std::string read_text(const std::string& path) {
  const std::vector<std::uint8_t> bytes = read_bytes(path);
  return {bytes.begin(), bytes.end()};
}

std::string resolve_path(const std::string& folder, const std::string& path) {
  return (fs::path(folder) / path).lexically_normal().string();
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

void require_writable(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw UserError(fmt::format("{}: is a folder, cannot be written as a file", path));
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
    const auto [other, is_new] = taken.try_emplace(identity(path), "this run writes another output to it");
    if (!is_new) throw UserError(fmt::format("{}: cannot be written: {}", path, other->second));
  }
}

void OutputFiles::commit() {
  std::vector<std::string> temporaries;
  auto give_up = [&](const std::string& path, const std::string& why) {
    std::error_code ignored;
    for (const std::string& temporary : temporaries) fs::remove(temporary, ignored);
    throw UserError(fmt::format("{}: cannot be written: {}", path, why));
  };
  for (const auto& [path, bytes] : files_) {
    std::error_code error;
    fs::create_directories(folder_of(path), error);
    if (error) give_up(path, error.message());
    temporaries.push_back(fmt::format("{}.{}.tmp", path, ::getpid()));
    errno = 0;
    std::ofstream stream(temporaries.back(), std::ios::binary | std::ios::trunc);
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    if (!stream) give_up(path, std::strerror(errno));
  }
  for (std::size_t i = 0; i < files_.size(); ++i) {
    std::error_code error;
    fs::rename(temporaries[i], files_[i].first, error);
    if (error) give_up(files_[i].first, error.message());
  }
  files_.clear();
}

}  // namespace stc::sim
