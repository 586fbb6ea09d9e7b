// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/sim/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace stc::sim {
namespace {

/// Reads both pipes until both are closed, so that neither fills up.
void drain(const std::array<int, 2>& from, const std::array<std::string*, 2>& to) {
  std::array<bool, 2> open = {true, true};
  std::array<char, 65536> chunk{};
  while (open[0] || open[1]) {
    std::array<pollfd, 2> ready{};
    for (std::size_t i = 0; i < 2; ++i) ready[i] = {open[i] ? from[i] : -1, POLLIN, 0};
    if (::poll(ready.data(), 2, -1) < 0) throw std::runtime_error("poll failed");
    for (std::size_t i = 0; i < 2; ++i) {
      if (ready[i].revents == 0) continue;
      const ssize_t count = ::read(from[i], chunk.data(), chunk.size());
      if (count <= 0) {
        open[i] = false;
      } else {
        to[i]->append(chunk.data(), static_cast<std::size_t>(count));
      }
    }
  }
}

void redirect(int stream, const std::string& target) {
  if (target.empty()) return;
  ::close(stream);
  if (target != Streams::kClosed) ::open(target.c_str(), O_WRONLY);  // takes the number that has just become free
}

}  // namespace

ProgramResult run_stcsim(const std::vector<std::string>& arguments, const Streams& streams) {
  std::array<int, 2> out{};
  std::array<int, 2> err{};
  if (::pipe(out.data()) != 0 || ::pipe(err.data()) != 0) throw std::runtime_error("pipe failed");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(err[1], STDERR_FILENO);
    for (const int fd : {out[0], out[1], err[0], err[1]}) ::close(fd);
    redirect(STDOUT_FILENO, streams.output);
    redirect(STDERR_FILENO, streams.error);
    std::string program = STCSIM_PROGRAM;
    std::vector<std::string> copies = arguments;
    std::vector<char*> argv = {program.data()};
    for (std::string& argument : copies) argv.push_back(argument.data());
    argv.push_back(nullptr);
    ::execv(program.c_str(), argv.data());
    ::_exit(127);
  }
  ::close(out[1]);
  ::close(err[1]);
  ProgramResult result;
  drain({out[0], err[0]}, {&result.output, &result.error});
  ::close(out[0]);
  ::close(err[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace stc::sim
