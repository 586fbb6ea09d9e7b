// SPDX-License-Identifier: Apache-2.0
// One process that uses the simulated GPU: answers its requests (sim/remote/requests.h) one after the other.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/exec/program_launch.h"
#include "sim/remote/packet.h"

namespace stc::sim {

/// What all processes of a program share: the GPU and the record of what they do.
struct ExecGpu {
  const GpuConfig& config;
  gpu::Machine& machine;
  const ExecSettings& settings;
  LaunchLog& log;
  ProgramProfile* profile = nullptr;  ///< sees timed launches; null: nobody does
  std::function<bool()> go_on;        ///< asked during a launch; false stops it
};

class ProgramSession {
 public:
  explicit ProgramSession(ExecGpu& gpu) : gpu_(gpu) {}

  struct Answer {
    int error = remote::kSuccess;
    remote::Packet packet;
  };
  /// `file`: a descriptor that came with it, or -1. Throws remote::BadPacket, and gpu::LaunchStopped.
  Answer handle(remote::Request request, remote::Packet& packet, int file);

 private:
  void answer(remote::Request request, remote::Packet& in, remote::Packet& out, int file);
  void hello(remote::Packet& in, remote::Packet& out);
  void load_module(remote::Packet& in, remote::Packet& out);
  void find_room_for_code(ProgramModule& loaded) const;
  void find_function(remote::Packet& in, remote::Packet& out);
  void set_function(remote::Packet& in);
  void find_variable(remote::Packet& in, remote::Packet& out);
  void write(remote::Packet& in);
  void read(remote::Packet& in, remote::Packet& out);
  void copy(remote::Packet& in);
  void fill(remote::Packet& in);
  void occupancy(remote::Packet& in, remote::Packet& out);
  void clusters(remote::Packet& in, remote::Packet& out);
  void set_limit(remote::Packet& in);
  void reset();
  void launch(remote::Packet& in, remote::Packet& out);

  ProgramMemory fresh_memory() const;
  ProgramState& state();
  ProgramModule& module(std::uint64_t number);
  ProgramFunction& function(std::uint64_t number);
  const isa::Kernel& resources(const ProgramFunction& function);
  std::uint8_t* bytes_at(std::uint64_t address, std::uint64_t bytes);
  void simulate(LaunchRecord& record, const ProgramFunction& function, const remote::LaunchShape& shape,
                const std::vector<std::uint8_t>& parameters, std::string& printed);

  ExecGpu& gpu_;
  int process_ = 0;
  std::uint64_t window_ = 0;             // where its device addresses begin
  std::unique_ptr<ProgramState> state_;  // once it has said hello
  std::vector<std::unique_ptr<ProgramModule>> modules_;
  std::vector<ProgramFunction> functions_;
  std::map<std::pair<std::uint64_t, std::string>, std::uint64_t> numbers_;  // of functions
  double time_ns_ = 0;                                                      // that its launches have taken
};

}  // namespace stc::sim
