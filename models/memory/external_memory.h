// SPDX-License-Identifier: Apache-2.0
// Models:   the boundary behind which a device memory of the user's own stands, in place of the built-in HBM: TLM-2.0
//           base protocol, approximately timed, split transactions. Each channel is a MemoryChannel with its socket.
// Evidence: IEEE 1666-2011, chapters 14 and 15.
// Abstracts: row and bank addresses: an address is the kernel's own.
// Timing:   SystemC's nanosecond is one SM cycle (models/core/time_base.h): a memory whose times are in real
//           nanoseconds multiplies them by the GPU's clock in GHz (by matrix_clock_ratio of it where the kernel has
//           matrix instructions).
//
// What the memory can rely on:
//   - A transaction reads or writes 1 to 4 consecutive sectors of 32 bytes inside one line of 128 bytes. Data pointer,
//     data length and streaming width (equal to the length) are set, byte enables and extensions are not.
//   - A write carries the bytes that global memory holds when it is sent, zeros where the program has no memory. The
//     data of a read are the memory's to fill or to leave: values of the program do not come from there, so a read may
//     find bytes other than those that the program reads (copies from the host are not written to memory).
//   - Addresses are the program's, below 2^49; from 2^57 on lie lines that other programs have left in L2. A memory of
//     n bytes takes them modulo n.
//   - L2 waits for a read's answer, not for a write's. A read does not overtake an earlier write of its line. Answers
//     may come in any order and at any time, also with the call that asks (TLM_UPDATED, TLM_COMPLETED).
// What waits for the memory waits as long as that takes. A memory that has a clock and never answers is therefore found
// by the launch's max_cycles only; one without a clock at once, since nothing is left to happen.
// Any other answer than TLM_OK_RESPONSE, and a phase out of order, is an error that ends the simulation.
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "models/memory/device_memory.h"
#include "models/memory/memory_channel.h"

namespace stc::memory {

class ExternalMemory : public sc_core::sc_module, public DeviceMemory {
 public:
  /// Lines are hashed over `channels` channels; std::invalid_argument if there is none.
  ExternalMemory(sc_core::sc_module_name name, int channels);

  int channels() const { return static_cast<int>(channels_.size()); }
  tlm_utils::simple_initiator_socket<MemoryChannel>& socket(int channel) {
    return channels_[static_cast<std::size_t>(channel)]->socket;
  }

  Tick read(const DeviceAccess& access, Tick leaves, Tick& waited) override;
  void write(const DeviceAccess& access, Tick& waited) override;
  bool idle() const override;
  void reset(std::uint64_t origin, isa::GlobalMemory* values, const HbmParams& params) override;

 private:
  /// One transaction for each run of consecutive sectors.
  void send(Tick begin, const DeviceAccess& access, std::uint8_t sectors, bool write);

  std::vector<std::unique_ptr<MemoryChannel>> channels_;
  isa::GlobalMemory* values_ = nullptr;
};

}  // namespace stc::memory
