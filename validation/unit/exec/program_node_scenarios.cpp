// SPDX-License-Identifier: Apache-2.0
// What graphs and their nodes are asked for; nodes that launches leave out. Error codes are those that an H200 gave.
#include "validation/unit/exec/graph_nodes.h"

extern "C" {
int cudaStreamBeginCapture(void*, int);
int cudaStreamEndCapture(void*, void**);
int cudaGraphGetRootNodes(void*, void**, std::size_t*);
int cudaGraphDestroyNode(void*);
int cudaGraphKernelNodeGetParams(void*, void*);
int cudaGraphNodeSetEnabled(void*, void*, unsigned);
int cudaGraphNodeGetEnabled(void*, void*, unsigned*);
#if STC_CUDART_MAJOR >= 13
int cudaGraphGetEdges(void*, void**, void**, void*, std::size_t*);
int cudaGraphNodeGetDependencies(void*, void**, void*, std::size_t*);
int cudaGraphNodeGetDependentNodes(void*, void**, void*, std::size_t*);
int cudaGraphRemoveDependencies(void*, void* const*, void* const*, const void*, std::size_t);
#else
int cudaGraphGetEdges(void*, void**, void**, std::size_t*);
int cudaGraphNodeGetDependencies(void*, void**, std::size_t*);
int cudaGraphNodeGetDependentNodes(void*, void**, std::size_t*);
int cudaGraphRemoveDependencies(void*, void* const*, void* const*, std::size_t);
#endif
}

namespace stc::exec_test {
namespace {

// Edges have no data in CUDA 12's first form of these.
#if STC_CUDART_MAJOR >= 13
#define EDGE_DATA nullptr,
#else
#define EDGE_DATA
#endif

/// A kernel that writes ones, a fill behind it, an empty node behind both.
struct ThreeNodes {
  int* out = device<int>(8);
  int first = 0;
  void* arguments[2] = {&out, &first};
  void *graph = nullptr, *of_kernel = nullptr, *of_fill = nullptr, *of_nothing = nullptr;
  const void* const key = kernel(kMisbehave, "write_at");
  ThreeNodes() {
    const KernelNode node{key, {}, {4, 1, 1}, 0, arguments};
    const FillNode fill{out + 4, 0, 77, 4, 4, 1};
    EXPECT(cudaMemset(out, 0, 32) == 0 && cudaGraphCreate(&graph, 0) == 0);
    EXPECT(cudaGraphAddKernelNode(&of_kernel, graph, nullptr, 0, &node) == 0);
    EXPECT(cudaGraphAddMemsetNode(&of_fill, graph, &of_kernel, 1, &fill) == 0);
    EXPECT(cudaGraphAddEmptyNode(&of_nothing, graph, &of_fill, 1) == 0);
  }
};

int nodes_left_out() {
  const ThreeNodes of;
  void* executable = nullptr;
  unsigned enabled = 7;
  EXPECT(cudaGraphInstantiate(&executable, of.graph, 0) == 0);
  EXPECT(cudaGraphNodeGetEnabled(executable, of.of_kernel, &enabled) == 0 && enabled == 1);
  EXPECT(cudaGraphNodeSetEnabled(executable, of.of_kernel, 0) == 0);
  EXPECT(cudaGraphNodeGetEnabled(executable, of.of_kernel, &enabled) == 0 && enabled == 0);
  EXPECT(cudaGraphNodeSetEnabled(executable, of.of_nothing, 0) == 1);
  EXPECT(cudaGraphNodeGetEnabled(executable, of.of_nothing, &enabled) == 1);
  EXPECT(cudaGraphNodeSetEnabled(executable, nullptr, 0) == 1 && cudaGraphNodeSetEnabled(nullptr, of.of_fill, 0) == 1);
  int back[8] = {};
  EXPECT(cudaGraphLaunch(executable, nullptr) == 0 && cudaMemcpy(back, of.out, 32, kToHost) == 0);
  EXPECT(back[0] == 0 && back[4] == 77);
  EXPECT(cudaGraphNodeSetEnabled(executable, of.of_kernel, 1) == 0 && cudaGraphLaunch(executable, nullptr) == 0);
  EXPECT(cudaMemcpy(back, of.out, 32, kToHost) == 0 && back[0] == 1 && back[4] == 77);
  return wrong;
}

int graph_questions() {
  const ThreeNodes of;
  void *list[3] = {}, *to[3] = {};
  std::size_t count = 3;
  EXPECT(cudaGraphGetRootNodes(of.graph, list, &count) == 0 && count == 1 && list[0] == of.of_kernel);
  EXPECT(cudaGraphGetEdges(of.graph, nullptr, nullptr, EDGE_DATA & count) == 0 && count == 2);
  EXPECT(cudaGraphGetEdges(of.graph, list, to, EDGE_DATA & count) == 0 && count == 2);
  EXPECT(list[0] == of.of_kernel && to[0] == of.of_fill && list[1] == of.of_fill && to[1] == of.of_nothing);
  count = 3;
  EXPECT(cudaGraphNodeGetDependencies(of.of_fill, list, EDGE_DATA & count) == 0 && count == 1);
  EXPECT(list[0] == of.of_kernel && list[1] == nullptr);
  count = 3;
  EXPECT(cudaGraphNodeGetDependentNodes(of.of_fill, list, EDGE_DATA & count) == 0 && count == 1);
  EXPECT(list[0] == of.of_nothing);
  KernelNode told;
  EXPECT(cudaGraphKernelNodeGetParams(of.of_kernel, &told) == 0 && told.key == of.key && told.block.x == 4);
  EXPECT(*static_cast<int**>(told.arguments[0]) == of.out && *static_cast<int*>(told.arguments[1]) == 0);
  EXPECT(cudaGraphKernelNodeGetParams(of.of_fill, &told) == 1);
  EXPECT(cudaGraphRemoveDependencies(of.graph, &of.of_kernel, &of.of_fill, EDGE_DATA 1) == 0);
  EXPECT(cudaGraphRemoveDependencies(of.graph, &of.of_kernel, &of.of_fill, EDGE_DATA 1) == 1);
  EXPECT(cudaGraphDestroyNode(of.of_fill) == 0 && cudaGraphGetNodes(of.graph, nullptr, &count) == 0 && count == 2);
  EXPECT(cudaGraphNodeGetDependencies(of.of_nothing, nullptr, EDGE_DATA & count) == 0 && count == 0);
  return wrong;
}

/// Kernels that a stream was captured with have parameters, too.
int captured_parameters() {
  int *out = device<int>(8), first = 3;
  void *stream = nullptr, *graph = nullptr, *node = nullptr;
  void* arguments[] = {&out, &first};
  const void* const key = kernel(kMisbehave, "write_at");
  EXPECT(cudaStreamCreate(&stream) == 0 && cudaStreamBeginCapture(stream, 0) == 0);
  EXPECT(cudaLaunchKernel(key, {}, {4, 1, 1}, arguments, 0, stream) == 0);
  EXPECT(cudaStreamEndCapture(stream, &graph) == 0);
  std::size_t count = 1;
  KernelNode told;
  EXPECT(cudaGraphGetNodes(graph, &node, &count) == 0 && count == 1);
  EXPECT(cudaGraphKernelNodeGetParams(node, &told) == 0 && told.key == key);
  EXPECT(*static_cast<int**>(told.arguments[0]) == out && *static_cast<int*>(told.arguments[1]) == 3);
  return wrong;
}

}  // namespace

const std::vector<NamedScenario> node_scenarios = {{"nodes_left_out", nodes_left_out},
                                                   {"graph_questions", graph_questions},
                                                   {"captured_parameters", captured_parameters}};

}  // namespace stc::exec_test
