// SPDX-License-Identifier: Apache-2.0
// Starts a program and answers what it, and the processes that it starts, ask of the GPU.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "sim/exec/program_session.h"

namespace stc::sim {

class ProgramServer {
 public:
  /// Makes a socket in a folder of its own. UserError when that does not work.
  explicit ProgramServer(ExecGpu& gpu);
  ~ProgramServer();
  ProgramServer(const ProgramServer&) = delete;
  ProgramServer& operator=(const ProgramServer&) = delete;

  /// Starts the program, which finds the libraries of `runtime_folder` before others. UserError when it cannot be run.
  void start(const std::vector<std::string>& program, const std::string& runtime_folder);
  /// Serves until the program has ended; its status, as waitpid gives it. A signal to stop is passed on to it.
  int serve();
  /// Whether a launch is to go on: the process that asked for it is there, and nobody asked to stop.
  bool go_on() const;

 private:
  struct Peer {
    int socket = -1;
    std::unique_ptr<ProgramSession> session;
  };
  void accept_peer();
  /// Answers one request; false when the peer has gone or sends nonsense.
  bool serve_peer(Peer& peer);
  bool poll_once(int milliseconds);
  void pass_on_signal();

  ExecGpu& gpu_;
  std::string folder_, path_;
  int listener_ = -1;
  pid_t program_ = -1;
  int serving_ = -1;  // socket of the request that is being answered
  bool signal_passed_on_ = false;
  std::vector<Peer> peers_;
};

}  // namespace stc::sim
