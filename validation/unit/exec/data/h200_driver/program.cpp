// SPDX-License-Identifier: Apache-2.0
// Launches of the driver's interface: by pointers, packed in a block, with a configuration. The folders beside hold
// them as an H200 made them (CUDA 13.0; the GPU file's name in the run files was replaced):
//   nvcc -cubin -arch=sm_90 kernels.cu; g++ program.cpp -o program -lcuda; stcgpu capture --out h200_driver --
//   ./program
#include <cuda.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#define CHECK(x)                       \
  do {                                 \
    const CUresult e_ = (x);           \
    if (e_ != CUDA_SUCCESS) {          \
      std::printf("%s: %d\n", #x, e_); \
      return 1;                        \
    }                                  \
  } while (0)
struct Task {
  CUdeviceptr in, out;
  int n;
};
int main() {
  constexpr int n = 4096;
  CHECK(cuInit(0));
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction scale, chase;
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, "kernels.cubin"));
  CHECK(cuModuleGetFunction(&scale, module, "scale"));
  CHECK(cuModuleGetFunction(&chase, module, "chase"));
  CUdeviceptr in, out, table, sums, weights;
  size_t bytes;
  CHECK(cuMemAlloc(&in, 4 * n));
  CHECK(cuMemAlloc(&out, 4 * n));
  CHECK(cuMemAllocManaged(&table, 8 * 8, CU_MEM_ATTACH_GLOBAL));
  CHECK(cuMemAlloc(&sums, 64));
  std::vector<float> a(n);
  for (int i = 0; i < n; ++i) a[i] = i % 31;
  CHECK(cuMemcpyHtoD(in, a.data(), 4 * n));
  CHECK(cuMemsetD8(sums, 0, 64));
  const float w[4] = {1, 2, 3, 4};
  CHECK(cuModuleGetGlobal(&weights, &bytes, module, "weights"));
  CHECK(cuMemcpyHtoD(weights, w, 16));
  Task task{in, out, n};
  void* first[] = {&task};
  CHECK(cuLaunchKernel(scale, n / 256, 1, 1, 256, 1, 1, 0, nullptr, first, nullptr));
  CHECK(cuCtxSynchronize());
  for (int i = 0; i < 8; ++i) reinterpret_cast<CUdeviceptr*>(table)[i] = out + 512 * i;
  struct {
    CUdeviceptr table, sums;
    int n;
  } block{table, sums, 128};
  size_t size = 20;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(chase, 8, 1, 1, 128, 1, 1, 512, nullptr, nullptr, extra));
  CUlaunchConfig config = {};
  config.gridDimX = n / 128;
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 128;
  config.blockDimY = config.blockDimZ = 1;
  CHECK(cuLaunchKernelEx(&config, scale, first, nullptr));
  float s[8];
  CHECK(cuMemcpyDtoH(s, sums, 32));
  int wrong = 0;
  for (int b = 0; b < 8; ++b) {
    float sum = 0;
    for (int i = 0; i < 128; ++i) sum += a[128 * b + i] * w[i & 3];
    sum += 8 + (w[b & 3] + b);
    wrong += sum != s[b];
  }
  std::printf("driver: %s\n", wrong ? "wrong" : "right");
  return wrong != 0;
}
