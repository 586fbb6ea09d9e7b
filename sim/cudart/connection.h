// SPDX-License-Identifier: Apache-2.0
// The way from a program to its simulated GPU: the socket of `stcsim exec`, and the addresses that belong to the
// device.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>

#include "sim/remote/packet.h"
#include "sim/remote/requests.h"

namespace stc::cuda {

class Connection {
 public:
  /// Of this process; made when it is first asked something, and never destroyed: programs call while they end.
  static Connection& get();

  /// 0 once connected, or the error of that: what the calls return that do without the GPU, after a fault, too.
  int reached();
  /// The same, or the fault of a kernel, which the other calls return from then on.
  int ready();
  /// Asks; what is answered replaces `answer`, or goes to `to` where that is given and the answer has `to_bytes`.
  /// Behind the packet `tail` is sent.
  struct Transfer {
    const void* tail = nullptr;
    std::size_t tail_bytes = 0;
    void* to = nullptr;
    std::size_t to_bytes = 0;
    int file = -1;
  };
  int ask(remote::Request request, const remote::Packet& question, remote::Packet& answer, const Transfer& transfer);
  int ask(remote::Request request, const remote::Packet& question, remote::Packet& answer) {
    return ask(request, question, answer, Transfer{});
  }
  int tell(remote::Request request, const remote::Packet& question) {
    remote::Packet answer;
    return ask(request, question, answer, Transfer{});
  }

  /// After ready().
  const remote::DeviceFacts& facts() const { return facts_; }
  /// Whether an address is one of device memory, mapped by the host or not.
  bool is_device(const void* address) const {
    return reinterpret_cast<std::uint64_t>(address) - window_ < remote::kWindowBytes;
  }
  /// Simulated time, of all launches so far.
  double time_ns() const { return time_ns_; }
  void set_time(double ns) { time_ns_ = ns; }
  /// From now on ready() returns it.
  void make_sticky(int error) { sticky_ = error; }
  /// Tells, once for each name, that a function was called that is not there.
  void report_unsupported(const std::string& name);

 private:
  int connect();
  int lose();
  bool reserve_window();
  bool hello();

  std::mutex mutex_;
  bool tried_ = false;
  int error_ = 0, sticky_ = 0;
  int socket_ = -1;
  int process_ = 0;  // that connected: a fork of it has no GPU
  std::uint64_t window_ = 0;
  double time_ns_ = 0;
  remote::DeviceFacts facts_{};
  std::set<std::string> unsupported_;
};

/// Says something on standard error, once for each text.
void say_once(const std::string& text);

}  // namespace stc::cuda
