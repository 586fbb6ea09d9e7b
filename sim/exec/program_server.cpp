// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/program_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "models/gpu/gpu.h"
#include "sim/base/error.h"
#include "sim/base/interrupt.h"
#include "sim/remote/channel.h"

namespace stc::sim {
namespace {

constexpr int kLookEveryMs = 50;

[[noreturn]] void fail(const std::string& what) {
  throw UserError(fmt::format("cannot {}: {}", what, std::strerror(errno)));
}

std::string make_folder() {
  const char* const place = std::getenv("TMPDIR");
  std::string folder = fmt::format("{}/stcsim-XXXXXX", place != nullptr && *place != '\0' ? place : "/tmp");
  if (folder.size() + sizeof "/gpu" > sizeof sockaddr_un{}.sun_path) folder = "/tmp/stcsim-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) fail(fmt::format("make a folder {}", folder));
  return folder;
}

/// Becomes the program; where that fails, errno goes to `report`.
[[noreturn]] void become(std::vector<char*> words, const std::string& libraries, const std::string& socket,
                         int report) {
  ::setenv("LD_LIBRARY_PATH", libraries.c_str(), 1);
  ::setenv(remote::kSocketVariable, socket.c_str(), 1);
  // Addresses decide where data lie in caches: without this, no two runs would take the same time. Some containers
  // forbid it; then the device's addresses are free all the same, nearly always.
  const int now = ::personality(0xffffffff);
  if (now != -1) ::personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE);
  ::execvp(words[0], words.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &error, sizeof error);
  ::_exit(127);
}

}  // namespace

ProgramServer::ProgramServer(ExecGpu& gpu) : gpu_(gpu), folder_(make_folder()), path_(folder_ + "/gpu") {
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path_.c_str(), path_.size() + 1);
  if (listener_ < 0 || ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_, SOMAXCONN) != 0) {
    fail(fmt::format("make the socket {}", path_));
  }
}

ProgramServer::~ProgramServer() {
  if (program_ > 0) {  // something has gone wrong here: without its GPU it is not to go on
    ::kill(program_, SIGKILL);
    ::waitpid(program_, nullptr, 0);
  }
  for (const Peer& peer : peers_) ::close(peer.socket);
  ::close(listener_);
  ::unlink(path_.c_str());
  ::rmdir(folder_.c_str());
}

void ProgramServer::start(const std::vector<std::string>& program, const std::string& runtime_folder) {
  const char* const old = std::getenv("LD_LIBRARY_PATH");
  const std::string libraries =
      old != nullptr && *old != '\0' ? fmt::format("{}:{}", runtime_folder, old) : runtime_folder;
  std::vector<std::string> words = program;
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) fail("make a pipe");
  program_ = ::fork();
  if (program_ < 0) fail("start another process");
  if (program_ == 0) become(pointers, libraries, path_, report[1]);
  ::close(report[1]);
  int error = 0;
  const bool failed = ::read(report[0], &error, sizeof error) == sizeof error;
  ::close(report[0]);
  if (!failed) return;
  ::waitpid(program_, nullptr, 0);
  program_ = -1;
  throw UserError(fmt::format("{}: cannot be started: {}", program[0], std::strerror(error)));
}

int ProgramServer::serve() {
  int status = 0;
  while (::waitpid(program_, &status, WNOHANG) == 0) {
    pass_on_signal();
    poll_once(kLookEveryMs);
  }
  program_ = -1;
  while (poll_once(0)) {  // what it had asked for when it ended
  }
  return status;
}

void ProgramServer::pass_on_signal() {
  if (stop_signal() == 0 || signal_passed_on_) return;
  signal_passed_on_ = true;
  ::kill(program_, stop_signal());
}

bool ProgramServer::go_on() const {
  pollfd socket{serving_, POLLRDHUP, 0};
  return stop_signal() == 0 && ::poll(&socket, 1, 0) == 0;
}

bool ProgramServer::poll_once(int milliseconds) {
  std::vector<pollfd> sockets = {{listener_, POLLIN, 0}};
  for (const Peer& peer : peers_) sockets.push_back({peer.socket, POLLIN, 0});
  if (::poll(sockets.data(), sockets.size(), milliseconds) <= 0) return false;
  for (std::size_t i = peers_.size(); i-- > 0;) {
    if (sockets[i + 1].revents == 0 || serve_peer(peers_[i])) continue;
    ::close(peers_[i].socket);
    peers_.erase(peers_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (sockets[0].revents != 0) accept_peer();
  return true;
}

void ProgramServer::accept_peer() {
  const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (socket >= 0) peers_.push_back({socket, std::make_unique<ProgramSession>(gpu_)});
}

bool ProgramServer::serve_peer(Peer& peer) {
  remote::MessageHead head;
  int file = -1;
  if (!remote::receive_head(peer.socket, head, file) || head.bytes > remote::kMostMessageBytes) return false;
  std::vector<std::uint8_t> bytes(head.bytes);
  if (!remote::receive_all(peer.socket, bytes.data(), bytes.size())) return false;
  remote::Packet packet(std::move(bytes));
  serving_ = peer.socket;
  try {
    const ProgramSession::Answer answer = peer.session->handle(static_cast<remote::Request>(head.code), packet, file);
    const std::vector<std::uint8_t>& out = answer.packet.bytes();
    const remote::MessageHead back{static_cast<std::uint32_t>(answer.error), 0, out.size()};
    return remote::send_head(peer.socket, back) && remote::send_all(peer.socket, out.data(), out.size());
  } catch (const remote::BadPacket& error) {
    gpu_.log.note(error.what());
  } catch (const gpu::LaunchStopped&) {  // nobody waits for it any more
  }
  return false;
}

}  // namespace stc::sim
