// SPDX-License-Identifier: Apache-2.0
// Checks the compiled kernels of the family network on a GPU against network_reference.h, or launches them once at the
// sizes that are measured.
//
//   nvcc -std=c++17 -O2 -arch=native -I. validation/kernels/network_check.cu sim/network/network_call.cpp -o
//   network_check
//   ./network_check traces/kernels          exit code 1 when any result is wrong
//   ./network_check traces/kernels time     a line for each launch; a profiler counts
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>

#include "validation/kernels/network_measured.h"
#include "validation/kernels/network_reference.h"

namespace {

using namespace stc::kernels;
using namespace stc::sim;

void check(cudaError_t error, const std::string& what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "network_check: %s: %s\n", what.c_str(), cudaGetErrorString(error));
  std::exit(2);
}

struct KernelRow {
  std::string name;
  unsigned threads;
  int shared_bytes;
};
const KernelRow kKernels[] = {
#define STC_NETWORK(KIND, HEAD, THREADS, SHARED, CTAS, ARGUMENTS) \
  {std::string("net_" #KIND) + ((HEAD) > 0 ? "_" + std::to_string(HEAD) : ""), THREADS, SHARED},
#include "validation/kernels/network_table.h"
#undef STC_NETWORK
};

double rounded(double v) { return __half2float(__float2half(static_cast<float>(v))); }

/// The buffers of a call on the device: f16 values between -2 and 2, or zeros.
class Launch {
 public:
  Launch(const NetworkCall& call, unsigned seed, bool values) : call_(call) {
    for (const CallBuffer& buffer : call.buffers) {
      void*& data = data_[buffer.name] = nullptr;
      if (buffer.bytes == 0) continue;
      check(cudaMalloc(&data, buffer.bytes), "cudaMalloc");
      check(cudaMemset(data, 0, buffer.bytes), "cudaMemset");
      if (values) fill(buffer, seed++);
    }
  }
  ~Launch() {
    for (const auto& [name, data] : data_) cudaFree(data);
  }
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  const Values& before(const std::string& name) { return before_[name]; }
  template <class T>
  void set(const std::string& name, const std::vector<T>& values) {
    check(cudaMemcpy(data_.at(name), values.data(), values.size() * sizeof(T), cudaMemcpyDefault), name);
  }
  Values after(const std::string& name) {
    std::uint64_t bytes = 0;
    for (const CallBuffer& buffer : call_.buffers) bytes = buffer.name == name ? buffer.bytes : bytes;
    std::vector<__half> read(bytes / 2);
    check(cudaMemcpy(read.data(), data_.at(name), bytes, cudaMemcpyDefault), name);
    Values out;
    for (const __half v : read) out.push_back(__half2float(v));
    return out;
  }
  void run(const std::string& folder) {
    const KernelRow* row = nullptr;
    for (const KernelRow& one : kKernels) row = one.name == call_.kernel ? &one : row;
    if (row == nullptr) check(cudaErrorInvalidValue, call_.kernel);
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, 0), "device");
    cudaLibrary_t library = nullptr;
    cudaKernel_t kernel = nullptr;
    const std::string file = folder + (device.major == 8 ? "/sm_80/" : "/sm_90/") + row->name + ".cubin";
    check(cudaLibraryLoadFromFile(&library, file.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), file);
    check(cudaLibraryGetKernel(&kernel, library, row->name.c_str()), row->name);
    if (row->shared_bytes > 0) {
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, row->shared_bytes), row->name);
    }
    std::vector<void*> arguments;
    for (const CallBuffer& buffer : call_.buffers) arguments.push_back(&data_.at(buffer.name));
    for (int& size : call_.sizes) arguments.push_back(&size);
    const dim3 grid(call_.grid[0], call_.grid[1], call_.grid[2]);
    check(cudaLaunchKernel(kernel, grid, dim3(row->threads), arguments.data(),
                           static_cast<std::size_t>(row->shared_bytes), nullptr),
          row->name);
    check(cudaDeviceSynchronize(), row->name);
    cudaLibraryUnload(library);
  }

 private:
  void fill(const CallBuffer& buffer, unsigned seed) {
    if (buffer.name == "parts" || buffer.name == "arrived" || buffer.name == "tokens" || buffer.name == "angles")
      return;
    std::mt19937 random(seed);
    std::vector<__half> halves(buffer.bytes / 2);
    Values& values = before_[buffer.name];
    for (__half& half : halves) {
      half = __float2half(static_cast<float>(random() % 4096) / 1024.0F - 2.0F);
      values.push_back(__half2float(half));
    }
    set(buffer.name, halves);
  }

  NetworkCall call_;
  std::map<std::string, void*> data_;
  std::map<std::string, Values> before_;
};

/// f16 has 11 bits; functions are approximated and sums rounded in f32.
constexpr double kOfResult = 1.0 / 1024, kOfValues = 2e-4;
/// Weights of attention are rounded to f16 before they meet the values.
constexpr double kOfWeights = 5e-4;

int verdict(const std::string& name, const Values& got, const Values& want, double absolute = kOfValues) {
  double worst = got.size() == want.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(got.size(), want.size()); ++i) {
    const double error = std::fabs(got[i] - want[i]) / (std::fabs(want[i]) * kOfResult + absolute);
    if (!(error <= worst)) worst = error;
  }
  const bool right = worst <= 1;
  std::printf("%s,%.3f,%s\n", name.c_str(), worst, right ? "right" : "WRONG");
  return right ? 0 : 1;
}

// ---- checks ----

int check_norm(const std::string& folder, bool layer, int rows, int columns, bool residual) {
  Launch launch(layer ? layer_norm_call(rows, columns, residual) : rms_norm_call(rows, columns, residual), 1, true);
  Values s, y;
  norm_reference(launch.before("X"), launch.before("R"), launch.before("gain"),
                 layer ? launch.before("bias") : Values(), columns, rounded, s, y);
  launch.run(folder);
  const std::string name = layer ? "net_layer_norm" : "net_rms_norm";
  return verdict(name, launch.after("Y"), y) + (residual ? verdict(name + " S", launch.after("S"), s) : 0);
}

int check_rows(const std::string& folder) {
  int wrong = 0;
  for (const bool layer : {true, false}) {
    for (const int columns : {8, 768, 1032, 4096, 8192}) wrong += check_norm(folder, layer, 5, columns, columns != 768);
  }
  for (const int columns : {8, 200, 1024, 8192}) {
    Launch launch(softmax_call(7, columns), 1, true);
    const Values want = softmax_reference(launch.before("X"), columns);
    launch.run(folder);
    wrong += verdict("net_softmax", launch.after("Y"), want);
  }
  Launch launch(gather_call(9, 1032, 50), 1, true);
  Values want;
  std::vector<int> tokens;
  for (int i = 0; i < 9; ++i) {
    tokens.push_back(i * 17 % 50);
    for (int c = 0; c < 1032; ++c)
      want.push_back(launch.before("table")[static_cast<std::size_t>(tokens.back() * 1032 + c)]);
  }
  launch.set("tokens", tokens);
  launch.run(folder);
  return wrong + verdict("net_gather", launch.after("Y"), want);
}

int check_elementwise(const std::string& folder) {
  int wrong = 0;
  Launch gelu(gelu_call(37, 264), 1, true), add(add_relu_call(5000), 2, true),
      silu(silu_product_call(33, 120), 3, true);
  Values of_gelu, of_add, of_silu;
  for (std::size_t i = 0; i < gelu.before("X").size(); ++i) {
    const double v = gelu.before("X")[i] + gelu.before("bias")[i % 264];
    of_gelu.push_back(v * 0.5 * (1 + std::erf(v / std::sqrt(2.0))));
  }
  for (std::size_t i = 0; i < 5000; ++i) of_add.push_back(std::max(add.before("X")[i] + add.before("R")[i], 0.0));
  for (std::size_t i = 0; i < 33 * 120; ++i) {
    const double g = silu.before("X")[i / 120 * 240 + i % 120], v = silu.before("X")[i / 120 * 240 + 120 + i % 120];
    of_silu.push_back(g / (1 + std::exp(-g)) * v);
  }
  for (Launch* launch : {&gelu, &add, &silu}) launch->run(folder);
  wrong += verdict("net_gelu", gelu.after("Y"), of_gelu) + verdict("net_add_relu", add.after("Y"), of_add);
  return wrong + verdict("net_silu_product", silu.after("Y"), of_silu);
}

int check_rotary(const std::string& folder, int head) {
  const int tokens = 11, positions = 5, heads = 3, stride = heads * head + 16, half = head / 2;
  Launch launch(rotary_call(tokens, positions, heads, head, stride), 1, true);
  std::vector<float> angles;
  for (int i = 0; i < positions * half; ++i) {
    const double angle = i / half * std::pow(0.9, i % half);
    angles.push_back(static_cast<float>(std::cos(angle)));
    angles.push_back(static_cast<float>(std::sin(angle)));
  }
  launch.set("angles", angles);
  Values want = launch.before("X");
  for (int token = 0; token < tokens; ++token) {
    for (int pair = 0; pair < heads * half; ++pair) {
      const auto a = static_cast<std::size_t>(token * stride + pair / half * head + pair % half);
      const auto angle = static_cast<std::size_t>(token % positions * half + pair % half) * 2;
      const double x = want[a], y = want[a + static_cast<std::size_t>(half)];
      want[a] = x * angles[angle] - y * angles[angle + 1];
      want[a + static_cast<std::size_t>(half)] = y * angles[angle] + x * angles[angle + 1];
    }
  }
  launch.run(folder);
  return verdict("net_rotary_" + std::to_string(head), launch.after("X"), want);
}

int check_pools(const std::string& folder) {
  const int n = 2, h = 10, w = 6, c = 24;
  Launch most(max_pool_call(n, h, w, c), 1, true), mean(average_pool_call(n, h * w, c), 2, true);
  Values of_most, of_mean(static_cast<std::size_t>(n * c));
  for (int i = 0; i < n * (h / 2) * (w / 2) * c; ++i) {
    const int channel = i % c, q = i / c % (w / 2), p = i / c / (w / 2) % (h / 2), image = i / c / (w / 2) / (h / 2);
    double found = -INFINITY;
    for (int y = std::max(0, 2 * p - 1); y <= 2 * p + 1; ++y) {
      for (int x = std::max(0, 2 * q - 1); x <= 2 * q + 1; ++x) {
        found = std::max(found, most.before("X")[static_cast<std::size_t>(((image * h + y) * w + x) * c + channel)]);
      }
    }
    of_most.push_back(found);
  }
  for (int i = 0; i < n * h * w * c; ++i) {
    of_mean[static_cast<std::size_t>(i / (h * w * c) * c + i % c)] +=
        mean.before("X")[static_cast<std::size_t>(i)] / (h * w);
  }
  most.run(folder);
  mean.run(folder);
  return verdict("net_max_pool", most.after("Y"), of_most) + verdict("net_average_pool", mean.after("Y"), of_mean);
}

int check_attention(const std::string& folder, const AttentionSize& size, bool decode) {
  const NetworkCall call = decode ? decode_call(size, 132) : attention_call(size);
  Launch launch(call, 1, true);
  const Values want =
      attention_reference(launch.before("Q"), launch.before("K"), launch.before("V"), size, decode ? 1 : size.tokens);
  launch.run(folder);
  int wrong = verdict(call.kernel, launch.after("O"), want, kOfWeights);
  if (decode) {  // once more: the counters are as they were
    launch.run(folder);
    wrong += verdict(call.kernel + " again", launch.after("O"), want, kOfWeights);
  }
  return wrong;
}

int check_all(const std::string& folder) {
  int wrong = check_rows(folder) + check_elementwise(folder) + check_pools(folder);
  for (const int head : {64, 128}) {
    wrong += check_rotary(folder, head);
    for (const int tokens : {1, 64, 130, 197}) {
      for (const bool causal : {false, true}) wrong += check_attention(folder, {2, tokens, 4, 2, head, causal}, false);
    }
    for (const int context : {1, 100, 700}) wrong += check_attention(folder, {2, context, 4, 2, head, false}, true);
  }
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}

// ---- launches that are measured ----

/// "kernel,gx,gy,gz,sizes": in the order in which a profiler lists them.
void time_call(const std::string& folder, const std::string& title, const NetworkCall& call) {
  Launch launch(call, 1, false);
  launch.run(folder);
  std::string sizes;
  for (const int size : call.sizes) sizes += (sizes.empty() ? "" : " ") + std::to_string(size);
  std::printf("%s,%s,%u,%u,%u,%s\n", title.c_str(), call.kernel.c_str(), call.grid[0], call.grid[1], call.grid[2],
              sizes.c_str());
}

int time_all(const std::string& folder) {
  each_measured_call([&](const char* title, const NetworkCall& call) { time_call(folder, title, call); });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[2]) == "time") return time_all(argv[1]);
  if (argc != 2) {
    std::fprintf(stderr, "usage: network_check traces/kernels [time]\n");
    return 2;
  }
  return check_all(argv[1]);
}
