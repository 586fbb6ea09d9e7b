// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/nvml.h"

#include <dlfcn.h>

#include <stdexcept>

namespace stc::silicon {
namespace {

// As nvml.h declares them; the header is not needed to build.
using Init = int();
using DeviceByIndex = int(unsigned, void**);
using EnergyOf = int(void*, unsigned long long*);
using WattsOf = int(void*, unsigned*);
using NumberOf = int(void*, int, unsigned*);
using TextOf = int(char*, unsigned);
constexpr int kSmClock = 1, kMemoryClock = 2, kGpuTemperature = 0;

void check(int result, const char* call) {
  if (result != 0) throw std::runtime_error(std::string(call) + ": NVML error " + std::to_string(result));
}

}  // namespace

Nvml::Nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW)) {
  if (library_ == nullptr) throw std::runtime_error("libnvidia-ml.so.1 cannot be loaded");
  check(reinterpret_cast<Init*>(symbol("nvmlInit_v2"))(), "nvmlInit_v2");
  check(reinterpret_cast<DeviceByIndex*>(symbol("nvmlDeviceGetHandleByIndex_v2"))(0, &device_),
        "nvmlDeviceGetHandleByIndex_v2");
}

Nvml::~Nvml() {
  reinterpret_cast<Init*>(symbol("nvmlShutdown"))();
  dlclose(library_);
}

void* Nvml::symbol(const char* name) const {
  void* found = dlsym(library_, name);
  if (found == nullptr) throw std::runtime_error(std::string("NVML has no ") + name);
  return found;
}

std::uint64_t Nvml::millijoules() const {
  static const auto energy = reinterpret_cast<EnergyOf*>(symbol("nvmlDeviceGetTotalEnergyConsumption"));
  unsigned long long value = 0;
  check(energy(device_, &value), "nvmlDeviceGetTotalEnergyConsumption");
  return value;
}

BoardState Nvml::state() const {
  BoardState state;
  unsigned value = 0;
  check(reinterpret_cast<WattsOf*>(symbol("nvmlDeviceGetPowerUsage"))(device_, &value), "nvmlDeviceGetPowerUsage");
  state.watts = value * 1e-3;
  const auto clock = reinterpret_cast<NumberOf*>(symbol("nvmlDeviceGetClockInfo"));
  check(clock(device_, kSmClock, &value), "nvmlDeviceGetClockInfo");
  state.sm_mhz = static_cast<int>(value);
  check(clock(device_, kMemoryClock, &value), "nvmlDeviceGetClockInfo");
  state.memory_mhz = static_cast<int>(value);
  const auto temperature = reinterpret_cast<NumberOf*>(symbol("nvmlDeviceGetTemperature"));
  check(temperature(device_, kGpuTemperature, &value), "nvmlDeviceGetTemperature");
  state.celsius = static_cast<int>(value);
  unsigned long long reasons = 0;
  const auto limits = reinterpret_cast<EnergyOf*>(symbol("nvmlDeviceGetCurrentClocksThrottleReasons"));
  check(limits(device_, &reasons), "nvmlDeviceGetCurrentClocksThrottleReasons");
  state.clock_limits = reasons;
  return state;
}

double Nvml::limit_watts() const {
  unsigned value = 0;
  check(reinterpret_cast<WattsOf*>(symbol("nvmlDeviceGetEnforcedPowerLimit"))(device_, &value),
        "nvmlDeviceGetEnforcedPowerLimit");
  return value * 1e-3;
}

std::string Nvml::driver() const {
  char text[96] = {};
  check(reinterpret_cast<TextOf*>(symbol("nvmlSystemGetDriverVersion"))(text, sizeof text),
        "nvmlSystemGetDriverVersion");
  return text;
}

}  // namespace stc::silicon
