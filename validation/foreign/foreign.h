// SPDX-License-Identifier: Apache-2.0
// What every foreign case uses: how it is registered, memory on the device, deterministic inputs, and comparison with
// what the host computed.
//
//   FOREIGN_CASE(saxpy) {
//     foreign::Device<float> x(foreign::reals(1, n)), y(n);
//     kernel<<<4, 256>>>(x.get(), y.get(), n);
//     return foreign::equal(y.host(), expected);
//   }
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace foreign {

/// A case returns whether what the device computed is what the host did.
using Case = bool (*)();
struct Registration {
  Registration(const char* file, const char* name, Case function, bool races = false);
};

#define FOREIGN_CASE(name)                                                                                \
  static bool foreign_case_##name();                                                                      \
  static const foreign::Registration foreign_registered_##name(FOREIGN_FILE, #name, foreign_case_##name); \
  static bool foreign_case_##name()

/// The same for programs in which warps wait for one another: what they execute depends on time.
#define FOREIGN_RACE(name)                                                                                      \
  static bool foreign_case_##name();                                                                            \
  static const foreign::Registration foreign_registered_##name(FOREIGN_FILE, #name, foreign_case_##name, true); \
  static bool foreign_case_##name()

/// Ends the program when a call of the runtime failed.
inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(error));
  std::exit(3);
}
#define FOREIGN_CUDA(call) foreign::check(call, #call)

/// An array on the device.
template <typename T>
class Device {
 public:
  explicit Device(std::size_t count) : count_(count) {
    FOREIGN_CUDA(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
    FOREIGN_CUDA(cudaMemset(data_, 0, count * sizeof(T)));
  }
  explicit Device(const std::vector<T>& values) : Device(values.size()) { set(values); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() { cudaFree(data_); }

  T* get() const { return data_; }
  std::size_t size() const { return count_; }
  void set(const std::vector<T>& values) {
    FOREIGN_CUDA(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  /// What it holds once all launches are through.
  std::vector<T> host() const {
    FOREIGN_CUDA(cudaGetLastError());
    FOREIGN_CUDA(cudaDeviceSynchronize());
    std::vector<T> values(count_);
    FOREIGN_CUDA(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// Bits of element `index` of stream `seed`: the finaliser of SplitMix64.
inline std::uint64_t bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t x = seed * 0x9e3779b97f4a7c15ULL + index + 1;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Whole numbers, both ends included.
template <typename T = int>
std::vector<T> integers(std::uint64_t seed, std::size_t count, std::int64_t low, std::int64_t high) {
  std::vector<T> values(count);
  const auto span = static_cast<std::uint64_t>(high - low + 1);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(static_cast<std::int64_t>(bits(seed, i) % span) + low);
  }
  return values;
}

template <typename T = float>
std::vector<T> reals(std::uint64_t seed, std::size_t count, double low = -1, double high = 1) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(low + (high - low) * static_cast<double>(bits(seed, i) >> 11) * 0x1p-53);
  }
  return values;
}

template <typename T>
bool equal(const std::vector<T>& device, const std::vector<T>& host) {
  if (device.size() != host.size()) return std::printf("%zu elements, not %zu\n", device.size(), host.size()), false;
  for (std::size_t i = 0; i < host.size(); ++i) {
    if (device[i] == host[i]) continue;
    std::printf("element %zu is %.9g, not %.9g\n", i, static_cast<double>(device[i]), static_cast<double>(host[i]));
    return false;
  }
  return true;
}

/// |device - host| <= absolute + relative * |host| everywhere; NaN only where the host has it.
template <typename T, typename U>
bool near(const std::vector<T>& device, const std::vector<U>& host, double relative, double absolute = 0) {
  if (device.size() != host.size()) return std::printf("%zu elements, not %zu\n", device.size(), host.size()), false;
  for (std::size_t i = 0; i < host.size(); ++i) {
    const double got = static_cast<double>(device[i]), wanted = static_cast<double>(host[i]);
    const bool fine = std::isnan(wanted)
                          ? std::isnan(got)
                          : got == wanted || std::fabs(got - wanted) <= absolute + relative * std::fabs(wanted);
    if (fine) continue;
    std::printf("element %zu is %.9g, not %.9g\n", i, got, wanted);
    return false;
  }
  return true;
}

constexpr int divide_up(int a, int b) { return (a + b - 1) / b; }

}  // namespace foreign
