// SPDX-License-Identifier: Apache-2.0
#include "sim/result/describe_run.h"

#include <algorithm>
#include <stdexcept>

#include "sim/base/median.h"
#include "sim/result/run_result.h"

namespace stc::sim {
namespace {

constexpr double kSectorBytes = 32;

using Sm = SmStatistics;

/// The counters of a group, from rows of counters.def.
Description<RunFigures>& add_counters(Description<RunFigures>& to, const std::string& group) {
  for (const auto& counter : sm_counters()) {
    if (group != counter.group) continue;
    to.maybe(counter.key, whole_number(counter.unit, counter.meaning),
             [counter](const RunFigures& of) { return Json(of.run->total.*counter.value); });
  }
  for (const auto& counter : memory_counters()) {
    if (group != counter.group) continue;
    to.maybe(counter.key, whole_number(counter.unit, counter.meaning),
             [counter](const RunFigures& of) { return Json(of.run->memory.*counter.value); });
  }
  return to;
}

Description<RunFigures> instructions() {
  Description<RunFigures> of("Instructions.");
  add_counters(of, "instructions");
  of.maybe("warp_per_cycle_per_sm", real_number("warp instructions per cycle", "While the SM held a CTA."),
           [](const RunFigures& from) {
             return Json(share(from.run->total.warp_instructions, from.run->total.cycles_active));
           });
  return of;
}

double sub_core_cycles(const RunFigures& of) {
  return static_cast<double>(of.run->cycles) * of.gpu->sms * of.gpu->sm.sub_cores;
}

Description<RunFigures> tensor() {
  Description<RunFigures> of("Matrix instructions.");
  add_counters(of, "tensor");
  of.maybe("busy_fraction", real_number("fraction", "busy_cycles of all tensor cores' cycles."),
           [](const RunFigures& from) { return Json(tensor_busy_fraction(*from.run, *from.gpu)); });
  of.maybe("rate", real_number("warp instructions per cycle", "Per tensor core."), [](const RunFigures& from) {
    const double cycles = sub_core_cycles(from);
    return Json(cycles > 0 ? static_cast<double>(from.run->total.tensor_instructions) / cycles : 0.0);
  });
  return of;
}

Description<RunFigures> memory() {
  Description<RunFigures> of("Memory system.");
  add_counters(of, "memory");
  of.maybe("l2_hit_fraction", real_number("fraction", "Hits of hits and misses."), [](const RunFigures& from) {
    const MemoryStatistics& memory = from.run->memory;
    return Json(share(memory.l2_sector_hits, memory.l2_sector_hits + memory.l2_sector_misses));
  });
  of.maybe(
      "l2_sectors_served",
      whole_number("32-byte sectors",
                   "l2_sectors without those that came with another SM's "
                   "request (lts__t_sectors_srcunit_tex)."),
      [](const RunFigures& from) { return Json(from.run->total.l2_sectors - from.run->memory.coalesced_sectors); });
  of.maybe("dram_read_bytes", real_number("bytes", "Read from device memory."), [](const RunFigures& from) {
    return Json(kSectorBytes * static_cast<double>(from.run->memory.dram_read_sectors));
  });
  of.maybe("dram_write_bytes", real_number("bytes", "Written to device memory."), [](const RunFigures& from) {
    return Json(kSectorBytes * static_cast<double>(from.run->memory.dram_write_sectors));
  });
  return of;
}

Description<LevelBytes> level() {
  using Roles = std::array<std::uint64_t, kDataRoles>;
  Description<Roles> by_role("Bytes by what they are for.");
  by_role.always("total", whole_number("bytes", "Sum of the others."),
                 [](const Roles& bytes) { return Json(total_bytes(bytes)); });
  const auto role = [&](const char* key, DataRole which, const char* meaning) {
    by_role.always(key, whole_number("bytes", meaning),
                   [which](const Roles& bytes) { return Json(bytes[static_cast<std::size_t>(which)]); });
  };
  role("weight_values", DataRole::kWeight, "A: stored weights, without metadata.");
  role("weight_metadata", DataRole::kMetadata, "Metadata of a sparse A.");
  role("activations", DataRole::kActivation, "B.");
  role("outputs", DataRole::kOutput, "D; in the register file also the accumulators that are read.");
  role("other", DataRole::kOther, "Anything else, such as spills and tables.");
  Description<LevelBytes> of("Traffic of one level.");
  of.always<Roles>("read", by_role, [](const LevelBytes& bytes) { return bytes.read; });
  of.always<Roles>("write", by_role, [](const LevelBytes& bytes) { return bytes.write; });
  return of;
}

Description<RunFigures> bytes() {
  Description<RunFigures> of("Bytes that crossed each level.");
  const gpu::RunStatistics none;
  const auto levels = levels_of(none);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    of.maybe<LevelBytes>(levels[i].key, level(),
                         [i](const RunFigures& from) { return std::optional(*levels_of(*from.run)[i].bytes); });
  }
  return of;
}

Description<RunFigures> stalls() {
  Description<RunFigures> of(
      "Where resident warps spent their cycles; the sum is the number of warp-cycles: issued, then one key per cause.");
  for (int i = 0; i < kStalls; ++i) {
    const auto stall = static_cast<Stall>(i);
    of.maybe(name_of(stall), whole_number("warp-cycles", meaning_of(stall)),
             [i](const RunFigures& from) { return Json(from.run->total.stalls[static_cast<std::size_t>(i)]); });
  }
  return of;
}

Description<gpu::Energy> joules() {
  Description<gpu::Energy> of("At the boost clock, by where they go; operands of random values.");
  for (int i = 0; i < gpu::kEnergyParts; ++i) {
    const auto part = static_cast<gpu::EnergyPart>(i);
    of.always(gpu::name_of(part), real_number("joules", gpu::meaning_of(part)),
              [i](const gpu::Energy& energy) { return Json(energy.joules[static_cast<std::size_t>(i)]); });
  }
  of.always("total", real_number("joules", "Sum of the others."),
            [](const gpu::Energy& energy) { return Json(energy.total()); });
  return of;
}

double flops(const RunFigures& from) { return 2 * static_cast<double>(from.run->total.tensor_logical_macs); }

/// Under the board's power limit.
Description<RunFigures> sustained() {
  Description<RunFigures> of(
      "Such launches behind each other: at the boost clock, or at the one at which they keep the board's power limit.");
  of.maybe("clock_mhz", real_number("MHz", "clock_mhz of the GPU, or what is left of it."),
           [](const RunFigures& from) { return Json(from.run->energy.limited_mhz); });
  of.maybe("time_us", real_number("microseconds", "Of a launch, all of it slowed down with the clock."),
           [](const RunFigures& from) { return Json(from.run->energy.limited_seconds * 1e6); });
  of.maybe("joules", real_number("joules", "Of a launch."),
           [](const RunFigures& from) { return Json(from.run->energy.limited_joules); });
  of.maybe("mean_watts", real_number("watts", "Joules over time."), [](const RunFigures& from) {
    const gpu::Energy& energy = from.run->energy;
    return Json(energy.limited_seconds > 0 ? energy.limited_joules / energy.limited_seconds : 0.0);
  });
  of.maybe("pj_per_flop", real_number("picojoules", "For each dense-equivalent FLOP of matrix instructions."),
           [](const RunFigures& from) {
             return flops(from) > 0 ? Json(from.run->energy.limited_joules * 1e12 / flops(from)) : unknown();
           });
  of.maybe("gflops_per_watt", real_number("GFLOPS/W", "Dense-equivalent FLOPs of matrix instructions per joule."),
           [](const RunFigures& from) {
             return flops(from) > 0 ? Json(flops(from) * 1e-9 / from.run->energy.limited_joules) : unknown();
           });
  return of;
}

Description<RunFigures> energy() {
  Description<RunFigures> of("Energy of the launch; left out where that of its matrix instructions is not known.");
  of.maybe<gpu::Energy>("joules", joules(), [](const RunFigures& from) { return std::optional(from.run->energy); });
  of.maybe("zero_operands_joules", real_number("joules", "In all, at the boost clock, were all operands zeros."),
           [](const RunFigures& from) { return Json(from.run->energy.total_of_zeros()); });
  of.maybe("watts", real_number("watts", "Of joules.total over elapsed time, whatever the board's limit is."),
           [](const RunFigures& from) { return Json(from.run->energy.watts()); });
  of.maybe<RunFigures>("sustained", sustained(), [](const RunFigures& from) { return std::optional(from); });
  return of;
}

Json spread(const gpu::RunStatistics& run, const std::function<double(const Sm&)>& value) {
  std::vector<double> values;
  values.reserve(run.per_sm.size());
  for (const Sm& sm : run.per_sm) values.push_back(value(sm));
  if (values.empty()) return {{"min", 0}, {"median", 0}, {"max", 0}};
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {{"min", *least}, {"median", median(values)}, {"max", *most}};
}

/// Least, median and greatest over the SMs of every counter and of the tensor cores' time.
Description<RunFigures> per_sm() {
  Description<RunFigures> of("Spread over all SMs, idle ones included.");
  const auto spread_schema = [](const std::string& unit, const std::string& meaning) {
    Description<int> schema(meaning);
    for (const char* key : {"min", "median", "max"}) schema.always(key, real_number(unit, key), nullptr);
    return schema.schema();
  };
  for (const auto& counter : sm_counters()) {
    of.maybe(counter.name, spread_schema(counter.unit, counter.meaning), [counter](const RunFigures& from) {
      return spread(*from.run, [&](const Sm& sm) { return static_cast<double>(sm.*counter.value); });
    });
  }
  of.maybe("tensor_busy_fraction", spread_schema("fraction", "As tensor.busy_fraction, of one SM."),
           [](const RunFigures& from) {
             const double cycles = static_cast<double>(from.run->cycles) * from.gpu->sm.sub_cores;
             return spread(*from.run, [&](const Sm& sm) {
               return cycles > 0 ? static_cast<double>(sm.tensor_busy_cycles) / cycles : 0.0;
             });
           });
  return of;
}

Description<RunFigures> all_of_run() {
  Description<RunFigures> of("Figures of a simulated launch.");
  of.maybe("cycles", whole_number("SM cycles", "From the first CTA's start to the last CTA's end."),
           [](const RunFigures& from) { return Json(from.run->cycles); });
  of.maybe("cycles_elapsed", whole_number("SM cycles", "With launch overhead, of the GPC whose clock is fastest."),
           [](const RunFigures& from) { return Json(from.run->cycles_elapsed); });
  of.maybe("time_us", real_number("microseconds", "cycles_elapsed at the SM clock (on a GPU: as measured)."),
           [](const RunFigures& from) { return Json(from.run->time_us()); });
  const auto same = [](const RunFigures& from) { return std::optional(from); };
  of.maybe<RunFigures>("instructions", instructions(), same);
  of.maybe<RunFigures>("tensor", tensor(), same);
  of.maybe<RunFigures>("bytes", bytes(), same);
  of.maybe<RunFigures>("memory", memory(), same);
  of.maybe<RunFigures>("energy", energy(), [](const RunFigures& from) {
    return from.run->energy.known ? std::optional(from) : std::nullopt;
  });
  of.maybe<RunFigures>("stalls", stalls(), same);
  of.maybe<RunFigures>("per_sm", per_sm(), same);
  return of;
}

Json::json_pointer pointer_to(const std::string& path, const std::string& between) {
  std::string pointer;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t dot = std::min(path.find('.', start), path.size());
    pointer += between + "/" + path.substr(start, dot - start);
    start = dot + 1;
  }
  return Json::json_pointer(pointer);
}

}  // namespace

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

const Description<RunFigures>& describe_run() {
  static const Description<RunFigures> description = all_of_run();
  return description;
}

double figure_of(const Json& figures, const std::string& path) {
  const Json::json_pointer where = pointer_to(path, "");
  if (!figures.contains(where)) throw std::logic_error("no figure '" + path + "'");
  return figures.at(where).get<double>();
}

const Json& figure_schema(const std::string& path) {
  static const Json schema = describe_run().schema();
  const Json::json_pointer where = pointer_to(path, "/properties");
  if (!schema.contains(where)) throw std::logic_error("no figure '" + path + "'");
  return schema.at(where);
}

}  // namespace stc::sim
