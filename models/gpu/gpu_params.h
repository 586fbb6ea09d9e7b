// SPDX-License-Identifier: Apache-2.0
// Every parameter of a GPU. See models/core/parameter.h for how a struct describes itself.
#pragma once

#include <string>

#include "models/arith/numerics.h"
#include "models/core/architecture.h"
#include "models/gpu/energy_params.h"
#include "models/memory/memory_params.h"
#include "models/sm/sm_params.h"

namespace stc::gpu {

/// Kernel launch and CTA dispatch.
struct LaunchParams {
  double overhead_cycles = 0;
  int dispatch_interval = 0;
  int gpc_dispatch_interval = 0;
  int first_sms = 0;
  int cta_launch_latency = 0;
  int cta_end_latency = 0;

  template <class V>
  void describe(V& v) {
    v.field("overhead_cycles", overhead_cycles, "cycles", 0.0, 1e9,
            "Time of an empty kernel that is not spent in CTAs.");
    v.field("dispatch_interval", dispatch_interval, "cycles", 0, 10000, "Cycles between two CTA dispatches.");
    v.field("gpc_dispatch_interval", gpc_dispatch_interval, "cycles", 0, 10000,
            "Cycles between two CTAs that the same GPC starts.");
    v.field("first_sms", first_sms, "SMs", 0, 1024,
            "The last SMs, which lie in the first GPC; CTAs reach them before all others.");
    v.field("cta_launch_latency", cta_launch_latency, "cycles", 0, 100000,
            "From the dispatch of a CTA to its first instruction.");
    v.field("cta_end_latency", cta_end_latency, "cycles", 0, 100000,
            "From the end of a CTA to the dispatch of the one that takes its place.");
  }
};

/// How far the clocks of GPCs are apart: what the fastest counts more than the slowest.
struct ClockSpreadParams {
  double settled = 0;
  double settling = 0;
  double load_watts = 0;
  double per_watt = 0;
  double warpgroups = 0;

  template <class V>
  void describe(V& v) {
    v.field("settled", settled, "cycles", 0.0, 1e6,
            "Of clocks that have settled, where every SM has CTAs; a launch that leaves SMs without has as much less.");
    v.field("settling", settling, "cycles", 1.0, 1e9, "In which they settle, but for one part in e (2.718).");
    v.field("load_watts", load_watts, "W", 0.0, 1e4,
            "Beyond constant_watts, operands taken as random; launches that take more have clocks that drift apart.");
    v.field("per_watt", per_watt, "1/W", 0.0, 1.0,
            "How much in each cycle, for each watt above load_watts, as over the first 200 microseconds.");
    v.field("warpgroups", warpgroups, "clocks", 1.0, 2.0,
            "What the fastest GPC counts for each clock of the slowest where warpgroups run matrix instructions, whose "
            "watts are not known.");
  }
};

struct GpuParams {
  std::string name;
  int sm_version = 0;
  int sms = 0;
  int gpcs = 0;
  int gpc_sms = 0;
  int tpc_sms = 0;
  double clock_mhz = 0;
  double matrix_clock_ratio = 0;
  ClockSpreadParams clock_spread;
  arith::Numerics numerics;
  LaunchParams launch;
  sm::SmParams sm;
  memory::MemoryParams memory;
  EnergyParams energy;

  template <class V>
  void describe(V& v) {
    v.text("name", name, "Name of the part.");
    v.field("sm_version", sm_version, "compute capability x 10", oldest_architecture(), newest_architecture(),
            "Instruction set (models/core/architecture.cpp).");
    v.field("sms", sms, "SMs", 1, 1024, "Streaming multiprocessors that run CTAs.");
    v.field("gpcs", gpcs, "GPCs", 1, 64, "Graphics processing clusters. TPCs are dealt out over them.");
    v.field("gpc_sms", gpc_sms, "SMs", 2, 1024,
            "SMs for which a GPC has room; TPCs that fit nowhere go to the last GPCs.");
    v.field("tpc_sms", tpc_sms, "SMs", 1, 16, "SMs of a texture processing cluster, which gets CTAs SM after SM.");
    v.field("clock_mhz", clock_mhz, "MHz", 1.0, 10000.0, "SM clock.");
    v.field("matrix_clock_ratio", matrix_clock_ratio, "of clock_mhz", 0.01, 1.0,
            "SM clock of a GPC that runs matrix instructions.");
    v.group("clock_spread", clock_spread, "Clocks of GPCs, which differ under load.");
    v.group("numerics", numerics, "How matrix instructions round.");
    v.group("launch", launch, "Kernel launch and CTA dispatch.");
    v.group("sm", sm, "One streaming multiprocessor.");
    v.group("memory", memory, "Crossbar, L2 and device memory.");
    v.group("energy", energy, "What events cost in joules.");
  }
};

}  // namespace stc::gpu
