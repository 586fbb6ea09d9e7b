// SPDX-License-Identifier: Apache-2.0
// Every parameter of a GPU. See models/parameter.h for how a struct describes itself.
#pragma once

#include <string>

namespace stc::gpu {

struct GpuParams {
  std::string name = "unnamed";
  int sm_version = 80;
  int sms = 108;
  double clock_mhz = 1410.0;

  template <class V>
  void describe(V& v) {
    v.text("name", name, "Marketing name of the part.");
    v.field("sm_version", sm_version, "compute capability x10", 80, 90, "Instruction set and special rules.");
    v.field("sms", sms, "SMs", 1, 1024, "Streaming multiprocessors that run CTAs.");
    v.field("clock_mhz", clock_mhz, "MHz", 1.0, 10000.0, "SM clock used to convert cycles to time.");
  }
};

}  // namespace stc::gpu
