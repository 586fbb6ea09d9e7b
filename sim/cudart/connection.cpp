// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/connection.h"

#include <sys/mman.h>
#include <sys/un.h>

#include <cstdio>
#include <cstdlib>

#include "sim/remote/channel.h"

namespace stc::cuda {
namespace {

constexpr int kInitializationError = 3;  // what a fork of a process with a GPU is told
constexpr int kNoDevice = 100;

}  // namespace

void say_once(const std::string& text) {
  static auto* const mutex = new std::mutex;
  static auto* const said = new std::set<std::string>;
  const std::lock_guard lock(*mutex);
  if (said->insert(text).second) std::fprintf(stderr, "stcsim: %s\n", text.c_str());
}

Connection& Connection::get() {
  static auto* const connection = new Connection;
  return *connection;
}

bool Connection::reserve_window() {
  // Nothing of the host may lie where device memory does: then an address says which of the two it is, and a host that
  // follows a device pointer faults, as it should.
  for (window_ = remote::kFirstAddress; window_ <= remote::kEndAddress - remote::kWindowBytes;
       window_ += remote::kWindowBytes) {
    void* const wanted = reinterpret_cast<void*>(window_);
    void* const got = ::mmap(wanted, remote::kWindowBytes, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == wanted) return true;
    if (got != MAP_FAILED) ::munmap(got, remote::kWindowBytes);
  }
  return false;
}

bool Connection::hello() {
  remote::Packet question;
  question.put(std::int32_t{process_}).put(window_);
  const remote::MessageHead head{static_cast<std::uint32_t>(remote::Request::kHello), 0, question.bytes().size()};
  remote::MessageHead back;
  int file = -1;
  return remote::send_head(socket_, head) &&
         remote::send_all(socket_, question.bytes().data(), question.bytes().size()) &&
         remote::receive_head(socket_, back, file) && back.code == 0 && back.bytes == sizeof facts_ &&
         remote::receive_all(socket_, &facts_, sizeof facts_);
}

int Connection::connect() {
  const char* const path = std::getenv(remote::kSocketVariable);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path == nullptr || std::strlen(path) >= sizeof address.sun_path) {
    say_once("this CUDA runtime is stcsim's: start the program with `stcsim exec -- PROGRAM`");
    return kNoDevice;
  }
  std::memcpy(address.sun_path, path, std::strlen(path) + 1);
  process_ = ::getpid();
  socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0 || ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    say_once("the simulated GPU of `stcsim exec` is gone");
    return kNoDevice;
  }
  if (!reserve_window()) {
    say_once("this process has no room for the device's addresses");
    return remote::kOutOfMemory;
  }
  return hello() ? 0 : lose();
}

int Connection::lose() {
  say_once("the simulated GPU has ended");
  return sticky_ = remote::kLaunchFailure;
}

int Connection::reached() {
  const std::lock_guard lock(mutex_);
  if (!tried_) {
    tried_ = true;
    error_ = connect();
  }
  if (error_ == 0 && process_ != ::getpid()) {
    say_once("a fork of a process that uses the GPU has none itself, as with CUDA");
    return kInitializationError;
  }
  return error_;
}

int Connection::ready() {
  if (const int error = reached(); error != 0) return error;
  const std::lock_guard lock(mutex_);
  return sticky_;
}

int Connection::ask(remote::Request request, const remote::Packet& question, remote::Packet& answer,
                    const Transfer& transfer) {
  if (const int error = ready(); error != 0) return error;
  const std::lock_guard lock(mutex_);
  const std::size_t bytes = question.bytes().size() + transfer.tail_bytes;
  const remote::MessageHead head{static_cast<std::uint32_t>(request), transfer.file >= 0 ? 1U : 0U, bytes};
  remote::MessageHead back;
  int file = -1;
  if (!remote::send_head(socket_, head, transfer.file) ||
      !remote::send_all(socket_, question.bytes().data(), question.bytes().size()) ||
      !remote::send_all(socket_, transfer.tail, transfer.tail_bytes) || !remote::receive_head(socket_, back, file)) {
    return lose();
  }
  if (transfer.to != nullptr && back.bytes == transfer.to_bytes) {
    if (!remote::receive_all(socket_, transfer.to, transfer.to_bytes)) return lose();
  } else {
    std::vector<std::uint8_t> received(back.bytes);
    if (!remote::receive_all(socket_, received.data(), received.size())) return lose();
    answer = remote::Packet(std::move(received));
  }
  return static_cast<int>(back.code);
}

void Connection::report_unsupported(const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    if (!unsupported_.insert(name).second) return;
  }
  tell(remote::Request::kUnsupported, remote::Packet().put_text(name));
}

}  // namespace stc::cuda
