// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"

namespace stc::sim {

Journal::Journal(const std::string& file) : file_(file) {
  require_writable(file);
  std::error_code error;
  std::filesystem::create_directories(folder_of(file), error);
  if (error) throw UserError(fmt::format("{}: cannot be written: {}", file, error.message()));
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw UserError(fmt::format("{}: cannot be written: {}", file, std::strerror(errno)));
  // Workers of a sweep that was just killed may hold the file for a moment longer.
  int tries = 20;
  while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && --tries > 0) ::usleep(100'000);
  if (tries == 0) {
    ::close(descriptor_);
    throw UserError(fmt::format("{}: another sweep is writing it", file));
  }
  const std::string text = read_text(file);
  const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  read(text.substr(0, whole));
  if (whole != text.size() && ::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) {
    ::close(descriptor_);
    throw UserError(fmt::format("{}: cannot be written: {}", file, std::strerror(errno)));
  }
}

Journal::~Journal() { ::close(descriptor_); }

void Journal::read(const std::string& text) {
  for (const std::string& line : split(text, '\n')) {
    const auto json = nlohmann::ordered_json::parse(line, nullptr, false);
    if (json.is_discarded() || !json.is_object()) continue;
    try {
      results_[json.at("key").get<std::string>()] = PointResult::from_json(json.at("result"));
    } catch (const nlohmann::json::exception&) {
      // Lines of another version are no results of this one.
    }
  }
}

std::optional<PointResult> Journal::find(const std::string& key) const {
  const auto found = results_.find(key);
  if (found == results_.end()) return std::nullopt;
  return found->second;
}

void Journal::add(const std::string& key, const std::string& name, const PointResult& result) {
  results_[key] = result;
  if (!result.ok()) return;
  const nlohmann::ordered_json json = {{"key", key}, {"point", name}, {"result", result.json()}};
  const std::string line = json.dump() + "\n";
  const ssize_t count = ::write(descriptor_, line.data(), line.size());
  const bool written = count == static_cast<ssize_t>(line.size());
  if (count >= 0 && !written) errno = ENOSPC;  // a disk that takes a part of a line sets no error
  if (!written || ::fsync(descriptor_) != 0) {
    throw UserError(fmt::format("{}: cannot be written: {}", file_, std::strerror(errno)));
  }
}

}  // namespace stc::sim
