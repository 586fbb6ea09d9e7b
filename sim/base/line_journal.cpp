// SPDX-License-Identifier: Apache-2.0
#include "sim/base/line_journal.h"

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

LineJournal::LineJournal(const std::string& file, const char* user, bool forget) : file_(file) {
  require_writable(file);
  std::error_code error;
  std::filesystem::create_directories(folder_of(file), error);
  if (error) throw UserError(fmt::format("{}: cannot be written: {}", file, error.message()));
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail();
  try {
    lock(user);
    read(forget);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

LineJournal::~LineJournal() { ::close(descriptor_); }

void LineJournal::fail() const {
  throw UserError(fmt::format("{}: cannot be written: {}", file_, std::strerror(errno)));
}

void LineJournal::lock(const char* user) const {
  // Workers of a run that was just killed may hold the file for a moment longer.
  for (int tries = 20; ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0; ::usleep(100'000)) {
    if (errno != EWOULDBLOCK) fail();
    if (--tries == 0) throw UserError(fmt::format("{}: another {} is writing it", file_, user));
  }
}

void LineJournal::read(bool forget) {
  const std::string text = forget ? "" : read_text(file_);
  const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  if (::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) fail();
  if (whole != 0) lines_ = split(std::string_view(text).substr(0, whole - 1), '\n');
}

void LineJournal::append(const std::string& line) {
  const std::string text = line + "\n";
  const ssize_t count = ::write(descriptor_, text.data(), text.size());
  const bool written = count == static_cast<ssize_t>(text.size());
  if (count >= 0 && !written) errno = ENOSPC;  // a disk that takes a part of a line sets no error
  if (!written || ::fsync(descriptor_) != 0) fail();
}

}  // namespace stc::sim
