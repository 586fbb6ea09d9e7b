// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/cuda_driver.h"

#include <cstring>
#include <stdexcept>

namespace stc::silicon {

void check(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  const char* text = nullptr;
  cuGetErrorString(result, &text);
  throw std::runtime_error(std::string(call) + ": " + (text != nullptr ? text : "unknown CUDA error"));
}

Context::Context(int ordinal) {
  STC_CUDA(cuInit(0));
  STC_CUDA(cuDeviceGet(&device_, ordinal));
  STC_CUDA(cuDevicePrimaryCtxRetain(&context_, device_));
  STC_CUDA(cuCtxSetCurrent(context_));
  char name[128] = {};
  STC_CUDA(cuDeviceGetName(name, sizeof name, device_));
  const auto attribute = [this](CUdevice_attribute which) {
    int value = 0;
    STC_CUDA(cuDeviceGetAttribute(&value, which, device_));
    return value;
  };
  facts_.name = name;
  facts_.sm_version = 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                      attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  facts_.sms = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  facts_.l2_bytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  facts_.max_clock_khz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  STC_CUDA(cuDriverGetVersion(&facts_.driver));
}

Context::~Context() { cuDevicePrimaryCtxRelease(device_); }

Module::Module(const std::string& path) {
  const CUresult result = cuModuleLoad(&module_, path.c_str());
  if (result != CUDA_SUCCESS) check(result, ("cuModuleLoad " + path).c_str());
}

Module::~Module() { cuModuleUnload(module_); }

CUfunction Module::function(const std::string& name) const {
  CUfunction function = nullptr;
  const CUresult result = cuModuleGetFunction(&function, module_, name.c_str());
  if (result != CUDA_SUCCESS) check(result, ("cuModuleGetFunction " + name).c_str());
  return function;
}

CUdeviceptr Module::variable(const std::string& name) const {
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  const CUresult found = cuModuleGetGlobal(&address, &bytes, module_, name.c_str());
  if (found == CUDA_ERROR_NOT_FOUND) return 0;
  return check(found, "cuModuleGetGlobal"), address;
}

bool Module::set_variable(const std::string& name, const std::vector<std::uint8_t>& data) const {
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  const CUresult found = cuModuleGetGlobal(&address, &bytes, module_, name.c_str());
  if (found == CUDA_ERROR_NOT_FOUND) return false;
  check(found, "cuModuleGetGlobal");
  if (bytes != data.size()) return false;
  STC_CUDA(cuMemcpyHtoD(address, data.data(), bytes));
  return true;
}

DeviceBuffer::DeviceBuffer(std::size_t bytes) : bytes_(bytes) { STC_CUDA(cuMemAlloc(&address_, bytes)); }
DeviceBuffer::~DeviceBuffer() { cuMemFree(address_); }
void DeviceBuffer::write(const void* from, std::size_t bytes) { STC_CUDA(cuMemcpyHtoD(address_, from, bytes)); }
void DeviceBuffer::read(void* to, std::size_t bytes) const { STC_CUDA(cuMemcpyDtoH(to, address_, bytes)); }
void DeviceBuffer::clear() { STC_CUDA(cuMemsetD8(address_, 0, bytes_)); }

void Arguments::add_bytes(const std::vector<std::uint8_t>& bytes) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  values_.emplace_back((bytes.size() + kWord - 1) / kWord);
  std::memcpy(values_.back().data(), bytes.data(), bytes.size());
}

std::vector<void*> Arguments::pointers() {
  std::vector<void*> pointers;
  pointers.reserve(values_.size());
  for (std::vector<std::uint64_t>& value : values_) pointers.push_back(value.data());
  return pointers;
}

void launch(CUfunction function, const LaunchShape& shape, Arguments& arguments) {
  if (shape.dynamic_shared_bytes > 48 * 1024)
    STC_CUDA(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                static_cast<int>(shape.dynamic_shared_bytes)));
  if (shape.non_portable_cluster)
    STC_CUDA(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
  std::vector<CUlaunchAttribute> attributes;
  if (shape.cooperative) {
    CUlaunchAttribute attribute{};
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value.cooperative = 1;
    attributes.push_back(attribute);
  }
  if (shape.cluster) {
    CUlaunchAttribute attribute{};
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim.x = (*shape.cluster)[0];
    attribute.value.clusterDim.y = (*shape.cluster)[1];
    attribute.value.clusterDim.z = (*shape.cluster)[2];
    attributes.push_back(attribute);
  }
  CUlaunchConfig config{};
  config.gridDimX = shape.grid[0], config.gridDimY = shape.grid[1], config.gridDimZ = shape.grid[2];
  config.blockDimX = shape.block[0], config.blockDimY = shape.block[1], config.blockDimZ = shape.block[2];
  config.sharedMemBytes = shape.dynamic_shared_bytes;
  config.attrs = attributes.data();
  config.numAttrs = static_cast<unsigned>(attributes.size());
  std::vector<void*> pointers = arguments.pointers();
  STC_CUDA(cuLaunchKernelEx(&config, function, pointers.data(), nullptr));
}

void synchronize() { STC_CUDA(cuCtxSynchronize()); }

Stopwatch::Stopwatch() {
  STC_CUDA(cuEventCreate(&start_, CU_EVENT_DEFAULT));
  STC_CUDA(cuEventCreate(&stop_, CU_EVENT_DEFAULT));
}

Stopwatch::~Stopwatch() {
  cuEventDestroy(start_);
  cuEventDestroy(stop_);
}

double Stopwatch::microseconds() {
  STC_CUDA(cuEventSynchronize(stop_));
  float milliseconds = 0;
  STC_CUDA(cuEventElapsedTime(&milliseconds, start_, stop_));
  return 1000.0 * static_cast<double>(milliseconds);
}

}  // namespace stc::silicon
