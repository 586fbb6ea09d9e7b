// SPDX-License-Identifier: Apache-2.0
// The compiled kernels between the products: what traces/kernels/network.yaml says about each, and launches of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/launch/prepared_launch.h"
#include "sim/network/network_call.h"

namespace stc::sim {

struct NetworkKernel {
  std::string name;  ///< also the symbol
  std::uint32_t threads = 0, dynamic_shared_bytes = 0;
  std::size_t arguments = 0;
  std::map<int, std::string> cubins;  ///< path by SM version
};

class NetworkKernels {
 public:
  /// Reads `folder`/network.yaml.
  static NetworkKernels load(const std::string& folder);
  /// UserError when the library has none of this name.
  const NetworkKernel& find(const std::string& name) const;
  /// UserError without a cubin for this SM version.
  const std::string& cubin(const NetworkKernel& kernel, int sm_version) const;

 private:
  std::string file_;
  std::vector<NetworkKernel> kernels_;
};

/// The launch on a GPU of this SM version. Buffers are zero, which changes no address; of `gather`, rows are spread
/// over the table.
PreparedLaunch prepare_call(const NetworkCall& call, const NetworkKernels& kernels, int sm_version);

}  // namespace stc::sim
