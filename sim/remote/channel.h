// SPDX-License-Identifier: Apache-2.0
// Messages over a local socket: a head, bytes, and with some a file descriptor.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <vector>

namespace stc::remote {

struct MessageHead {
  std::uint32_t code = 0;  ///< of a request: which; of an answer: the error
  std::uint32_t has_file = 0;
  std::uint64_t bytes = 0;  ///< that follow
};

constexpr std::uint64_t kMostMessageBytes = std::uint64_t{1} << 36;

/// Sends all of it; false when the other side has gone.
inline bool send_all(int socket, const void* data, std::size_t bytes) {
  const auto* at = static_cast<const std::uint8_t*>(data);
  while (bytes != 0) {
    const ssize_t sent = ::send(socket, at, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

inline bool receive_all(int socket, void* data, std::size_t bytes) {
  auto* at = static_cast<std::uint8_t*>(data);
  while (bytes != 0) {
    const ssize_t received = ::recv(socket, at, bytes, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    at += received;
    bytes -= static_cast<std::size_t>(received);
  }
  return true;
}

/// The head, with a descriptor unless `file` is -1.
inline bool send_head(int socket, const MessageHead& head, int file = -1) {
  if (file < 0) return send_all(socket, &head, sizeof head);
  iovec part{const_cast<MessageHead*>(&head), sizeof head};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof file)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const attached = CMSG_FIRSTHDR(&message);
  attached->cmsg_level = SOL_SOCKET;
  attached->cmsg_type = SCM_RIGHTS;
  attached->cmsg_len = CMSG_LEN(sizeof file);
  std::memcpy(CMSG_DATA(attached), &file, sizeof file);
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof head);
}

/// `file` becomes the descriptor that came along, or -1.
inline bool receive_head(int socket, MessageHead& head, int& file) {
  iovec part{&head, sizeof head};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof file)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t received = 0;
  do {
    received = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  file = -1;
  const cmsghdr* const attached = received > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (attached != nullptr && attached->cmsg_type == SCM_RIGHTS) std::memcpy(&file, CMSG_DATA(attached), sizeof file);
  if (received <= 0) return false;
  const auto have = static_cast<std::size_t>(received);
  return receive_all(socket, reinterpret_cast<std::uint8_t*>(&head) + have, sizeof head - have);
}

}  // namespace stc::remote
