// SPDX-License-Identifier: Apache-2.0
// A device memory of the user's own, handed to a machine while it is built.
#pragma once

#include <functional>
#include <tlm>

namespace stc::gpu {

/// A device memory of the user's own in place of the built-in HBM; models/memory/external_memory.h says what it is
/// asked.
struct OwnMemory {
  int channels = 1;
  /// Binds the socket of a channel; called once for each while the machine is built.
  std::function<void(int channel, tlm::tlm_initiator_socket<>& socket)> bind;
};

}  // namespace stc::gpu
