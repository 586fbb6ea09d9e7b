// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/energy.h"

#include <cmath>
#include <numeric>

#include "models/gpu/gpu_params.h"
#include "models/gpu/run_statistics.h"

namespace stc::gpu {
namespace {

constexpr double kPico = 1e-12;
constexpr double kSectorBits = 32 * 8;
constexpr double kWavefrontBits = 128 * 8;

struct Text {
  const char* name;
  const char* meaning;
};
constexpr std::array<Text, kEnergyParts> kTexts = {{
    {"constant", "Board and idle SMs, over the elapsed time."},
    {"sms", "SMs that hold CTAs: clocks, schedulers."},
    {"instructions", "Issue and lanes of all instructions."},
    {"tensor", "Multiply-accumulates of matrix instructions."},
    {"register_file", "Operands of matrix instructions."},
    {"shared", "Shared memory."},
    {"l1", "L1."},
    {"l2", "Between SMs and L2."},
    {"dram", "Device memory."},
}};

double count(std::uint64_t events) { return static_cast<double>(events); }

std::uint64_t bytes_of(const LevelBytes& level) {
  return std::accumulate(level.read.begin(), level.read.end(), std::uint64_t{0}) +
         std::accumulate(level.write.begin(), level.write.end(), std::uint64_t{0});
}

double tensor_picojoules(const SmStatistics& sm, const TensorEnergyParams& cost) {
  return count(sm.tensor_f16_macs) * cost.f16_mac + count(sm.tensor_tf32_macs) * cost.tf32_mac +
         count(sm.tensor_s8_macs) * cost.s8_mac + count(sm.tensor_selected_macs) * cost.selected_mac;
}

/// The clock at which `dynamic` watts of the boost clock are left with what constant power leaves of the limit.
void limit(Energy& energy, const EnergyParams& cost, double clock_mhz) {
  energy.limited_mhz = clock_mhz, energy.limited_seconds = energy.seconds, energy.limited_joules = energy.total();
  if (energy.watts() <= cost.limit_watts) return;
  const double dynamic = energy.watts() - cost.constant_watts, allowed = cost.limit_watts - cost.constant_watts;
  const double ratio = std::pow(allowed / dynamic, 1 / (1 + cost.limit_exponent));
  energy.limited_mhz = clock_mhz * ratio;
  energy.limited_seconds = energy.seconds / ratio;
  energy.limited_joules = cost.limit_watts * energy.limited_seconds;
}

}  // namespace

const char* name_of(EnergyPart part) { return kTexts[static_cast<std::size_t>(part)].name; }
const char* meaning_of(EnergyPart part) { return kTexts[static_cast<std::size_t>(part)].meaning; }

double Energy::total() const { return std::accumulate(joules.begin(), joules.end(), 0.0); }
double Energy::total_of_zeros() const { return std::accumulate(of_zeros.begin(), of_zeros.end(), 0.0); }

Energy energy_of(const RunStatistics& run, const GpuParams& gpu) {
  const EnergyParams& cost = gpu.energy;
  const SmStatistics& sm = run.total;
  Energy energy;
  energy.known = sm.tensor_f16_macs + sm.tensor_tf32_macs + sm.tensor_s8_macs == sm.tensor_stored_macs;
  energy.seconds = run.time_us() * 1e-6;
  const auto set = [&](EnergyPart part, double joules, double zero_share) {
    energy.joules[static_cast<std::size_t>(part)] = joules;
    energy.of_zeros[static_cast<std::size_t>(part)] = joules * zero_share;
  };
  set(EnergyPart::kConstant, cost.constant_watts * energy.seconds, 1);
  set(EnergyPart::kSms, count(sm.cycles_active) * cost.sm_cycle * kPico, 1);
  set(EnergyPart::kInstructions,
      (count(sm.warp_instructions) * cost.warp_instruction + count(sm.thread_instructions) * cost.thread_instruction) *
          kPico,
      1);
  set(EnergyPart::kTensor, tensor_picojoules(sm, cost.tensor) * kPico, cost.tensor.zero_share);
  set(EnergyPart::kRegisterFile, count(bytes_of(sm.register_file)) * cost.tensor.register_byte * kPico,
      cost.tensor.zero_share);
  const MemoryEnergyParams& memory = cost.memory;
  set(EnergyPart::kShared, count(sm.shared_wavefronts) * kWavefrontBits * memory.shared_bit * kPico, memory.zero_share);
  set(EnergyPart::kL1, count(sm.l1_sector_hits) * kSectorBits * memory.l1_bit * kPico, memory.zero_share);
  set(EnergyPart::kL2, count(sm.l2_sectors) * kSectorBits * memory.l2_bit * kPico, memory.zero_share);
  set(EnergyPart::kDram,
      (count(run.memory.dram_read_sectors) * memory.dram_read_bit +
       count(run.memory.dram_write_sectors) * memory.dram_write_bit) *
          kSectorBits * kPico,
      memory.zero_share);
  limit(energy, cost, gpu.clock_mhz);
  return energy;
}

}  // namespace stc::gpu
