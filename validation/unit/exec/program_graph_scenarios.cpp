// SPDX-License-Identifier: Apache-2.0
// Streams captured into graphs, graphs put together node by node, memory pools. Error codes are those that an H200
// gave.
#include <vector>

#include "validation/unit/exec/graph_nodes.h"

extern "C" {
int cudaStreamCreateWithFlags(void**, unsigned);
int cudaStreamBeginCapture(void*, int);
int cudaStreamEndCapture(void*, void**);
int cudaStreamIsCapturing(void*, int*);
int cudaStreamQuery(void*);
int cudaStreamWaitEvent(void*, void*, unsigned);
int cudaEventQuery(void*);
int cudaMemcpyAsync(void*, const void*, std::size_t, int, void*);
int cudaMemsetAsync(void*, int, std::size_t, void*);
int cudaLaunchHostFunc(void*, void (*)(void*), void*);
int cudaThreadExchangeStreamCaptureMode(int*);
int cudaGraphDestroy(void*);
int cudaGraphClone(void**, void*);
int cudaGraphExecDestroy(void*);
int cudaGraphExecUpdate(void*, void*, void*);
int cudaGraphAddMemcpyNode1D(void**, void*, void* const*, std::size_t, void*, const void*, std::size_t, int);
int cudaGraphAddChildGraphNode(void**, void*, void* const*, std::size_t, void*);
#if STC_CUDART_MAJOR >= 13
int cudaGraphAddDependencies(void*, void* const*, void* const*, const void*, std::size_t);
#else
int cudaGraphAddDependencies(void*, void* const*, void* const*, std::size_t);
#endif
int cudaGraphExecKernelNodeSetParams(void*, void*, const void*);
int cudaMallocAsync(void**, std::size_t, void*);
int cudaFreeAsync(void*, void*);
int cudaDeviceGetDefaultMemPool(void**, int);
int cudaDeviceGetMemPool(void**, int);
int cudaDeviceSetMemPool(int, void*);
int cudaMemPoolCreate(void**, const void*);
int cudaMemPoolDestroy(void*);
int cudaMemPoolTrimTo(void*, std::size_t);
int cudaMemPoolGetAttribute(void*, int, void*);
int cudaMemPoolSetAttribute(void*, int, void*);
int cudaMallocFromPoolAsync(void**, std::size_t, void*, void*);
}

namespace stc::exec_test {
namespace {

constexpr int kGlobal = 0, kRelaxed = 2;

struct Streams {
  void *one = nullptr, *two = nullptr, *event = nullptr, *other = nullptr;
  Streams() {
    EXPECT(cudaStreamCreate(&one) == 0 && cudaStreamCreate(&two) == 0);
    EXPECT(cudaEventCreate(&event) == 0 && cudaEventCreate(&other) == 0);
  }
};

int launch_write(int* out, int first, void* stream) {
  static const void* const write_at = kernel(kMisbehave, "write_at");
  void* arguments[] = {&out, &first};
  return cudaLaunchKernel(write_at, {}, {4, 1, 1}, arguments, 0, stream);
}

void add_one(void* data) { ++*static_cast<int*>(data); }

/// Kernel, copies, fill, host function; another stream joins. Nothing is done before the graph is launched.
int captured_graph() {
  Streams streams;
  int *const a = device<int>(64), *const b = device<int>(64);
  int back[8] = {}, calls = 0;
  EXPECT(cudaMemset(a, 0, 256) == 0 && cudaMemset(b, 0, 256) == 0);
  EXPECT(cudaStreamBeginCapture(streams.one, kGlobal) == 0);
  EXPECT(launch_write(a, 0, streams.one) == 0);
  EXPECT(cudaMemcpyAsync(b, a, 16, kDeviceToDevice, streams.one) == 0);
  EXPECT(cudaMemsetAsync(a, 5, 4, streams.one) == 0);
  EXPECT(cudaLaunchHostFunc(streams.one, add_one, &calls) == 0);
  EXPECT(cudaEventRecord(streams.event, streams.one) == 0 && cudaStreamWaitEvent(streams.two, streams.event, 0) == 0);
  int status = 0;
  EXPECT(cudaStreamIsCapturing(streams.two, &status) == 0 && status == 1);
  EXPECT(launch_write(b, 4, streams.two) == 0);
  EXPECT(cudaEventRecord(streams.other, streams.two) == 0 && cudaStreamWaitEvent(streams.one, streams.other, 0) == 0);
  EXPECT(cudaMemcpyAsync(back, b, 32, kToHost, streams.one) == 0);
  void *graph = nullptr, *executable = nullptr;
  EXPECT(cudaStreamEndCapture(streams.one, &graph) == 0 && graph != nullptr);
  std::size_t nodes = 0;
  EXPECT(cudaGraphGetNodes(graph, nullptr, &nodes) == 0 && nodes == 6);
  EXPECT(cudaGraphInstantiate(&executable, graph, 0) == 0 && cudaGraphDestroy(graph) == 0);
  EXPECT(calls == 0 && back[0] == 0);
  for (int launches = 1; launches <= 2; ++launches) {
    EXPECT(cudaGraphLaunch(executable, streams.two) == 0 && cudaStreamSynchronize(streams.two) == 0);
    EXPECT(calls == launches && back[0] == 1 && back[7] == 1);
  }
  EXPECT(cudaMemcpy(back, a, 8, kToHost) == 0 && back[0] == 0x05050505 && back[1] == 1);
  EXPECT(cudaGraphExecDestroy(executable) == 0 && cudaGraphLaunch(executable, streams.one) == 1);
  EXPECT(cudaGraphDestroy(nullptr) == 1 && cudaGraphExecDestroy(nullptr) == 1 &&
         cudaGraphLaunch(nullptr, nullptr) == 1);
  EXPECT(cudaGraphInstantiate(&executable, nullptr, 0) == 1);
  return wrong;
}

/// What ends a capture of `mode` before its time: the call gives `expected`, the end 901.
template <class Call>
void breaks(const Streams& streams, int expected, const Call& call) {
  void* graph = &wrong;
  int status = 0;
  EXPECT(cudaStreamBeginCapture(streams.one, kGlobal) == 0);
  EXPECT(call() == expected);
  EXPECT(cudaStreamIsCapturing(streams.one, &status) == 0 && status == 2);
  EXPECT(cudaMemsetAsync(nullptr, 0, 4, streams.one) == 901);
  EXPECT(cudaStreamEndCapture(streams.one, &graph) == 901 && graph == nullptr);
}

int capture_errors() {
  Streams streams;
  int* const a = device<int>(64);
  void *graph = nullptr, *pointer = nullptr, *stream = streams.one;
  EXPECT(cudaStreamEndCapture(stream, &graph) == 401 && cudaStreamBeginCapture(nullptr, kGlobal) == 900);
  EXPECT(cudaStreamBeginCapture(stream, 7) == 1);
  breaks(streams, 401, [&] {
    EXPECT(cudaDeviceSynchronize() == 900);
    return cudaStreamBeginCapture(stream, kGlobal);
  });
  breaks(streams, 900, [&] { return cudaStreamSynchronize(stream); });
  breaks(streams, 900, [&] { return cudaStreamQuery(stream); });
  breaks(streams, 900, [&] { return cudaMalloc(&pointer, 16); });
  breaks(streams, 906, [&] { return launch_write(a, 0, nullptr); });
  breaks(streams, 906, [&] { return cudaMemcpy(a, a, 4, kDeviceToDevice); });
  breaks(streams, 907, [&] {
    EXPECT(cudaEventRecord(streams.event, stream) == 0);
    return cudaEventQuery(streams.event);
  });
  breaks(streams, 903, [&] {
    EXPECT(cudaEventRecord(streams.event, stream) == 0 && cudaStreamWaitEvent(streams.two, streams.event, 0) == 0);
    return cudaStreamEndCapture(streams.two, &graph);
  });
  EXPECT(cudaStreamBeginCapture(stream, kRelaxed) == 0 && cudaMalloc(&pointer, 16) == 0);
  EXPECT(cudaStreamEndCapture(stream, &graph) == 0);
  // The event is one of a capture, not of a time; work of a stream that was not waited for is lost.
  EXPECT(cudaStreamBeginCapture(stream, kGlobal) == 0 && cudaEventRecord(streams.event, stream) == 0);
  EXPECT(cudaStreamWaitEvent(streams.two, streams.event, 0) == 0 && launch_write(a, 0, streams.two) == 0);
  EXPECT(cudaStreamEndCapture(stream, &graph) == 904 && cudaEventSynchronize(streams.event) == 1);
  int mode = kRelaxed;
  EXPECT(cudaThreadExchangeStreamCaptureMode(&mode) == 0 && mode == kGlobal);
  EXPECT(cudaStreamBeginCapture(stream, kGlobal) == 0 && cudaMalloc(&pointer, 16) == 0);
  EXPECT(cudaStreamDestroy(stream) == 0 && cudaDeviceSynchronize() == 0);
  return wrong;
}

int built_graph() {
  int* out = device<int>(64);
  int first = 8, back[64] = {};
  void* arguments[] = {&out, &first};
  KernelNode node{kernel(kMisbehave, "write_at"), {}, {4, 1, 1}, 0, arguments};
  const FillNode fill{out, 0, 0x01020304, 4, 16, 1};
  void *graph = nullptr, *executable = nullptr, *of_kernel = nullptr, *of_fill = nullptr, *of_copy = nullptr;
  EXPECT(cudaGraphCreate(&graph, 0) == 0);
  EXPECT(cudaGraphAddKernelNode(&of_kernel, graph, nullptr, 0, &node) == 0);
  first = 0;  // the node has its arguments
  EXPECT(cudaGraphAddMemcpyNode1D(&of_copy, graph, &of_kernel, 1, back, out, 256, kToHost) == 0);
  EXPECT(cudaGraphAddMemsetNode(&of_fill, graph, nullptr, 0, &fill) == 0);
#if STC_CUDART_MAJOR >= 13
  EXPECT(cudaGraphAddDependencies(graph, &of_fill, &of_kernel, nullptr, 1) == 0);  // added last, done first
#else
  EXPECT(cudaGraphAddDependencies(graph, &of_fill, &of_kernel, 1) == 0);
#endif
  EXPECT(cudaGraphInstantiate(&executable, graph, 0) == 0 && cudaGraphLaunch(executable, nullptr) == 0);
  EXPECT(back[7] == 0x01020304 && back[8] == 1 && back[11] == 1 && back[12] == 0x01020304);
  first = 2;
  EXPECT(cudaGraphExecKernelNodeSetParams(executable, of_kernel, &node) == 0);
  EXPECT(cudaGraphLaunch(executable, nullptr) == 0 && back[2] == 1 && back[8] == 0x01020304);
  node.block.x = 2000;
  EXPECT(cudaGraphAddKernelNode(&of_kernel, graph, nullptr, 0, &node) == 1);
  EXPECT(cudaGraphAddKernelNode(&of_kernel, graph, nullptr, 0, nullptr) == 1);

  void *parent = nullptr, *copy = nullptr, *child = nullptr, *empty = nullptr, *other = nullptr;
  EXPECT(cudaGraphClone(&copy, graph) == 0 && cudaGraphCreate(&parent, 0) == 0);
  EXPECT(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, copy) == 0);
  EXPECT(cudaGraphAddEmptyNode(&empty, parent, &child, 1) == 0);
  back[8] = 0;
  EXPECT(cudaGraphInstantiate(&other, parent, 0) == 0 && cudaGraphLaunch(other, nullptr) == 0 && back[8] == 1);
  std::uint64_t told[3] = {};
  EXPECT(cudaGraphExecUpdate(executable, copy, told) == 0 && static_cast<int>(told[0]) == 0);
  EXPECT(cudaGraphExecUpdate(executable, parent, told) == 910);
  EXPECT(cudaGraphLaunch(executable, nullptr) == 0 && back[8] == 1);
#if STC_CUDART_MAJOR >= 13
  EXPECT(cudaGraphAddDependencies(graph, &of_copy, &of_fill, nullptr, 1) == 0);
#else
  EXPECT(cudaGraphAddDependencies(graph, &of_copy, &of_fill, 1) == 0);
#endif
  EXPECT(cudaGraphInstantiate(&other, graph, 0) == 1);  // they wait for each other
  return wrong;
}

int pools() {
  constexpr int kThreshold = 4, kReserved = 5, kUsed = 7, kPoolsSupported = 115;
  void *stream = nullptr, *a = nullptr, *pool = nullptr, *own = nullptr;
  EXPECT(cudaStreamCreate(&stream) == 0 && cudaMallocAsync(&a, 100, stream) == 0);
  EXPECT(cudaDeviceGetDefaultMemPool(&pool, 0) == 0 && cudaDeviceGetMemPool(&own, 0) == 0 && pool == own);
  EXPECT(cudaDeviceGetDefaultMemPool(&pool, 5) == 101);
  std::uint64_t value = 7;
  EXPECT(cudaMemPoolGetAttribute(pool, kUsed, &value) == 0 && value == 100);
  EXPECT(cudaFreeAsync(a, stream) == 0 && cudaFreeAsync(a, stream) == 1 && cudaFreeAsync(nullptr, stream) == 0);
  EXPECT(cudaMemPoolGetAttribute(pool, kUsed, &value) == 0 && value == 0);
  EXPECT(cudaMemPoolGetAttribute(pool, kThreshold, &value) == 0 && value == 0);
  value = ~std::uint64_t{0};
  EXPECT(cudaMemPoolSetAttribute(pool, kThreshold, &value) == 0);
  value = 0;
  EXPECT(cudaMemPoolGetAttribute(pool, kThreshold, &value) == 0 && value == ~std::uint64_t{0});
  EXPECT(cudaMemPoolGetAttribute(pool, 99, &value) == 1 && cudaMemPoolTrimTo(nullptr, 0) == 1);
  EXPECT(cudaMemPoolCreate(&own, nullptr) == 0 && cudaMallocFromPoolAsync(&a, 64, own, stream) == 0);
  EXPECT(cudaMemPoolGetAttribute(own, kReserved, &value) == 0 && value == 33554432);
  EXPECT(cudaDeviceSetMemPool(0, own) == 0 && cudaMemPoolDestroy(own) == 0 && cudaMemPoolDestroy(pool) == 1);
  EXPECT(cudaDeviceGetMemPool(&own, 0) == 0 && own == pool && cudaMallocAsync(nullptr, 4, stream) == 1);
  int has_pools = 0;
  EXPECT(cudaDeviceGetAttribute(&has_pools, kPoolsSupported, 0) == 0 && has_pools == 1);
  // In a capture the memory is there at once, and stays for the graph's launches.
  void *graph = nullptr, *executable = nullptr;
  EXPECT(cudaStreamBeginCapture(stream, kGlobal) == 0 && cudaMallocAsync(&a, 64, stream) == 0 && a != nullptr);
  EXPECT(cudaMemsetAsync(a, 1, 64, stream) == 0 && cudaFreeAsync(a, stream) == 0);
  EXPECT(cudaStreamEndCapture(stream, &graph) == 0 && cudaGraphInstantiate(&executable, graph, 0) == 0);
  EXPECT(cudaGraphLaunch(executable, stream) == 0 && cudaGraphLaunch(executable, stream) == 0);
  return wrong;
}

}  // namespace

const std::vector<NamedScenario> graph_scenarios = {{"captured_graph", captured_graph},
                                                    {"capture_errors", capture_errors},
                                                    {"built_graph", built_graph},
                                                    {"pools", pools}};

}  // namespace stc::exec_test
