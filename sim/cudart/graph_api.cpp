// SPDX-License-Identifier: Apache-2.0
// Graphs of the runtime's interface: captured ones and those that are put together node by node.
#include "sim/cudart/abi.h"
#include "sim/cudart/connection.h"
#include "sim/cudart/copies.h"
#include "sim/cudart/graphs.h"
#include "sim/cudart/last_error.h"
#include "sim/cudart/launch.h"
#include "sim/cudart/stream_capture.h"
#include "sim/cudart/streams.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

constexpr int kUpdateFailed = 910;               // cudaErrorGraphExecUpdateFailure
constexpr int kUpdateDone = 0, kOtherNodes = 2;  // cudaGraphExecUpdateResult

struct NodeWork {
  Work work;
  std::shared_ptr<KernelCall> kernel;
};

int work_of(const KernelNode* from, NodeWork* made) {
  if (from == nullptr) return stc::remote::kInvalidValue;
  Function* function = nullptr;
  if (const int error = Program::get().function(from->key, &function); error != 0) return error;
  const auto threads = std::uint64_t{from->block.x} * from->block.y * from->block.z;
  const bool is_grid = from->grid.x != 0 && from->grid.y != 0 && from->grid.z != 0;
  if (!is_grid || threads == 0 || threads > Connection::get().facts().max_threads_per_cta) {
    return stc::remote::kInvalidValue;
  }
  const stc::remote::LaunchShape shape{{from->grid.x, from->grid.y, from->grid.z},
                                       {from->block.x, from->block.y, from->block.z},
                                       {},
                                       from->dynamic_shared_bytes,
                                       0};
  made->kernel = kernel_call(from->key, *function, shape, {from->arguments});
  return made->work = prepared_launch(*function, shape, {from->arguments}), 0;
}

int work_of(const FillNode* from, NodeWork* made) {
  if (from == nullptr) return stc::remote::kInvalidValue;
  return made->work = [node = *from] { return fill_rows(node); }, 0;
}

int work_of(const Copy3d* from, NodeWork* made) {
  if (from == nullptr) return stc::remote::kInvalidValue;
  return made->work = [node = *from] { return copy_3d(node); }, 0;
}

struct HostNode {
  void (*function)(void*);
  void* data;
};
int work_of(const HostNode* from, NodeWork* made) {
  if (from == nullptr || from->function == nullptr) return stc::remote::kInvalidValue;
  return made->work = [node = *from] { return node.function(node.data), 0; }, 0;
}

Work copy_work(void* to, const void* from, std::size_t bytes, int kind) {
  return [=] { return copy(to, from, bytes, static_cast<CopyKind>(kind)); };
}

using Nodes = const GraphNode* const*;

template <class Node>
int add(GraphNode** node, Graph* graph, Nodes after, std::size_t count, NodeKind kind, const Node* from) {
  NodeWork made;
  if (const int error = work_of(from, &made); error != 0) return finish(error);
  return finish(add_node(graph, node, kind, after, count, made.work, made.kernel));
}
template <class Node>
int set(GraphNode* node, NodeKind kind, const Node* from) {
  if (node == nullptr || node->kind != kind) return finish(stc::remote::kInvalidValue);
  NodeWork made;
  if (const int error = work_of(from, &made); error != 0) return finish(error);
  node->work = made.work;
  return node->kernel = made.kernel, 0;
}
template <class Node>
int set(ExecutableGraph* executable, const GraphNode* node, NodeKind kind, const Node* from) {
  NodeWork made;
  if (const int error = work_of(from, &made); error != 0) return finish(error);
  return finish(replace_work(executable, node, kind, made.work));
}

}  // namespace

extern "C" {

int cudaStreamBeginCapture(void* stream, int mode) { return finish(begin_capture(stream, mode)); }
int cudaStreamEndCapture(void* stream, Graph** graph) { return finish(end_capture(stream, graph)); }
int cudaThreadExchangeStreamCaptureMode(int* mode) { return finish(exchange_capture_mode(mode)); }
int cudaStreamIsCapturing(const void* stream, int* status) { return finish(capture_status(stream, status)); }
int cudaStreamGetCaptureInfo(const void* stream, int* status, unsigned long long* id, Graph** graph, void*, void*,
                             void*) {
  const int error = capture_status(stream, status);
  Graph* const captured = error == 0 ? captured_graph(stream) : nullptr;
  if (id != nullptr && captured != nullptr) *id = reinterpret_cast<unsigned long long>(captured);
  if (graph != nullptr && captured != nullptr) *graph = captured;
  return finish(error);
}
#if STC_CUDART_MAJOR == 12
int cudaStreamGetCaptureInfo_v2(const void* stream, int* status, unsigned long long* id, Graph** graph, void*, void*) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, nullptr, nullptr, nullptr);
}
int cudaStreamGetCaptureInfo_v3(const void* stream, int* status, unsigned long long* id, Graph** graph, void* a,
                                void* b, void* c) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, a, b, c);
}
#endif

int cudaGraphCreate(Graph** graph, unsigned) { return finish(create_graph(graph)); }
int cudaGraphDestroy(Graph* graph) { return finish(destroy_graph(graph)); }
int cudaGraphClone(Graph** copy, const Graph* graph) { return finish(clone_graph(copy, graph)); }

int cudaGraphAddKernelNode(GraphNode** node, Graph* graph, Nodes after, std::size_t count, const KernelNode* from) {
  return add(node, graph, after, count, NodeKind::kKernel, from);
}
int cudaGraphAddMemsetNode(GraphNode** node, Graph* graph, Nodes after, std::size_t count, const FillNode* from) {
  return add(node, graph, after, count, NodeKind::kFill, from);
}
int cudaGraphAddMemcpyNode(GraphNode** node, Graph* graph, Nodes after, std::size_t count, const Copy3d* from) {
  return add(node, graph, after, count, NodeKind::kCopy, from);
}
int cudaGraphAddMemcpyNode1D(GraphNode** node, Graph* graph, Nodes after, std::size_t count, void* to, const void* from,
                             std::size_t bytes, int kind) {
  return finish(add_node(graph, node, NodeKind::kCopy, after, count, copy_work(to, from, bytes, kind)));
}
int cudaGraphAddHostNode(GraphNode** node, Graph* graph, Nodes after, std::size_t count, const HostNode* from) {
  return add(node, graph, after, count, NodeKind::kHost, from);
}
int cudaGraphAddEmptyNode(GraphNode** node, Graph* graph, Nodes after, std::size_t count) {
  return finish(add_node(graph, node, NodeKind::kEmpty, after, count, {}));
}
int cudaGraphAddChildGraphNode(GraphNode** node, Graph* graph, Nodes after, std::size_t count, const Graph* child) {
  ExecutableGraph* executable = nullptr;  // kept as long as the program runs
  if (const int error = instantiate_graph(&executable, child); error != 0) return finish(error);
  return finish(add_node(graph, node, NodeKind::kChildGraph, after, count, [=] { return run_graph(executable); }));
}
#if STC_CUDART_MAJOR >= 13
int cudaGraphAddDependencies(Graph* graph, Nodes from, GraphNode* const* to, const void*, std::size_t count) {
#else
int cudaGraphAddDependencies(Graph* graph, Nodes from, GraphNode* const* to, std::size_t count) {
#endif
  return finish(add_dependences(graph, from, to, count));
}
int cudaGraphGetNodes(const Graph* graph, const GraphNode** nodes, std::size_t* count) {
  if (const int error = check_graph(graph); error != 0) return finish(error);
  const std::size_t all = graph->nodes.size();
  for (std::size_t i = 0; nodes != nullptr && i < *count; ++i) nodes[i] = i < all ? graph->nodes[i].get() : nullptr;
  return *count = nodes == nullptr || *count > all ? all : *count, 0;
}
int cudaGraphNodeGetType(const GraphNode* node, int* type) {
  if (node == nullptr) return finish(stc::remote::kInvalidValue);
  return *type = static_cast<int>(node->kind), 0;
}

int cudaGraphInstantiate(ExecutableGraph** executable, const Graph* graph, unsigned long long) {
  return finish(instantiate_graph(executable, graph));
}
int cudaGraphInstantiateWithFlags(ExecutableGraph** executable, const Graph* graph, unsigned long long) {
  return finish(instantiate_graph(executable, graph));
}
int cudaGraphExecDestroy(ExecutableGraph* executable) { return finish(destroy_executable(executable)); }
int cudaGraphUpload(const ExecutableGraph* executable, const void* stream) {
  const int error = check_executable(executable);
  return finish(error != 0 ? error : check_stream(stream));
}
int cudaGraphLaunch(const ExecutableGraph* executable, const void* stream) {
  if (const int error = check_executable(executable); error != 0) return finish(error);
  return finish(submit(stream, NodeKind::kChildGraph, [=] { return run_graph(executable); }));
}

int cudaGraphKernelNodeSetParams(GraphNode* node, const KernelNode* from) { return set(node, NodeKind::kKernel, from); }
int cudaGraphMemsetNodeSetParams(GraphNode* node, const FillNode* from) { return set(node, NodeKind::kFill, from); }
int cudaGraphMemcpyNodeSetParams(GraphNode* node, const Copy3d* from) { return set(node, NodeKind::kCopy, from); }
int cudaGraphHostNodeSetParams(GraphNode* node, const HostNode* from) { return set(node, NodeKind::kHost, from); }
int cudaGraphExecKernelNodeSetParams(ExecutableGraph* executable, const GraphNode* node, const KernelNode* from) {
  return set(executable, node, NodeKind::kKernel, from);
}
int cudaGraphExecMemsetNodeSetParams(ExecutableGraph* executable, const GraphNode* node, const FillNode* from) {
  return set(executable, node, NodeKind::kFill, from);
}
int cudaGraphExecMemcpyNodeSetParams(ExecutableGraph* executable, const GraphNode* node, const Copy3d* from) {
  return set(executable, node, NodeKind::kCopy, from);
}
int cudaGraphExecMemcpyNodeSetParams1D(ExecutableGraph* executable, const GraphNode* node, void* to, const void* from,
                                       std::size_t bytes, int kind) {
  return finish(replace_work(executable, node, NodeKind::kCopy, copy_work(to, from, bytes, kind)));
}
int cudaGraphExecHostNodeSetParams(ExecutableGraph* executable, const GraphNode* node, const HostNode* from) {
  return set(executable, node, NodeKind::kHost, from);
}

int cudaGraphNodeSetEnabled(ExecutableGraph* executable, const GraphNode* node, unsigned enabled) {
  return finish(enable_node(executable, node, enabled != 0));
}
int cudaGraphNodeGetEnabled(const ExecutableGraph* executable, const GraphNode* node, unsigned* enabled) {
  if (enabled == nullptr) return finish(stc::remote::kInvalidValue);
  bool is_enabled = false;
  const int error = is_node_enabled(executable, node, &is_enabled);
  return error == 0 ? (*enabled = is_enabled ? 1 : 0, 0) : finish(error);
}

struct UpdateResult {
  int result;
  const GraphNode *node, *from;
};
int cudaGraphExecUpdate(ExecutableGraph* executable, const Graph* graph, UpdateResult* told) {
  bool same = false;
  if (const int error = update_executable(executable, graph, &same); error != 0) return finish(error);
  if (told != nullptr) *told = {same ? kUpdateDone : kOtherNodes, nullptr, nullptr};
  return same ? 0 : finish(kUpdateFailed);
}
}
