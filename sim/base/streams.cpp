// SPDX-License-Identifier: Apache-2.0
#include "sim/base/streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "sim/base/error.h"

namespace stc::sim {
namespace {

std::optional<std::size_t> columns_of_stream(int stream) {
  winsize size{};
  if (::ioctl(stream, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

}  // namespace

void keep_standard_streams() {
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error of the write, which is reported
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // In the direction that nobody uses, so that a use still fails.
    if (::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream) return;
  }
}

void finish_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw UserError(fmt::format("standard output: cannot be written: {}", std::strerror(errno)));
}

void keep_off_terminal(const std::string& file) {
  int log = file.empty() ? -1 : ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (log < 0 && ::isatty(STDERR_FILENO) != 0) log = ::open("/dev/null", O_WRONLY);
  if (log < 0) return;
  ::dup2(log, STDERR_FILENO);
  ::close(log);
}

std::optional<std::size_t> columns_of_output() { return columns_of_stream(STDOUT_FILENO); }
std::optional<std::size_t> columns_of_error() { return columns_of_stream(STDERR_FILENO); }

void say(const std::string& text) noexcept {
  if (std::fwrite(text.data(), 1, text.size(), stderr) != text.size()) std::clearerr(stderr);
}

}  // namespace stc::sim
