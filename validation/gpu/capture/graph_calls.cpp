// SPDX-License-Identifier: Apache-2.0
// Launches of graphs: a graph is launched once for each of its nodes with all others left out, in an order that its
// edges allow, and each kernel is recorded as any launch is. Host functions and child graphs cannot be left out: graphs
// with these are launched whole and not recorded.
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "sim/cudart/abi.h"
#include "validation/gpu/capture/recorder.h"
#include "validation/gpu/capture/runtime_calls.h"

using namespace stc::capture;  // the names below are the ABI's
using stc::cuda::KernelNode;

namespace {

enum NodeType : int { kKernelNode = 0, kCopyNode = 1, kFillNode = 2, kEmptyNode = 5 };
using Node = const void*;

/// What a node of an executable graph was given in the place of its graph's parameters.
struct NewArguments {
  KernelNode node;
  std::vector<std::vector<std::uint8_t>> values;
  std::vector<void*> pointers;  ///< to `values`
};

struct Executable {
  const void* graph = nullptr;
  std::map<Node, NewArguments> changed;
  std::map<Node, Node> taken_from;  ///< nodes of the graph that it was updated with
};

struct Graphs {
  std::mutex mutex;
  std::map<const void*, Executable> executables;
  std::set<const void*> kept;  ///< graphs that are asked for their nodes as long as the program runs
};
Graphs& graphs() {
  static auto* const all = new Graphs;
  return *all;
}

bool nodes_of(const void* graph, std::vector<Node>* nodes) {
  std::size_t count = 0;
  if (!quiet<int(const void*, Node*, std::size_t*)>("cudaGraphGetNodes", graph, nullptr, &count)) return false;
  nodes->resize(count);
  return count == 0 || quiet<int(const void*, Node*, std::size_t*)>("cudaGraphGetNodes", graph, nodes->data(), &count);
}

/// Edges have data since CUDA 12.3: in a function of its own there, in this one in CUDA 13.
bool edges_of(const void* graph, Node* from, Node* to, std::size_t* count) {
  using WithData = int(const void*, Node*, Node*, void*, std::size_t*);
  constexpr int kCuda13 = 13000;
  if (behind<WithData>("cudaGraphGetEdges_v2") != nullptr) {
    return quiet<WithData>("cudaGraphGetEdges_v2", graph, from, to, nullptr, count);
  }
  int version = 0;
  quiet<int(int*)>("cudaRuntimeGetVersion", &version);
  if (version >= kCuda13) return quiet<WithData>("cudaGraphGetEdges", graph, from, to, nullptr, count);
  return quiet<int(const void*, Node*, Node*, std::size_t*)>("cudaGraphGetEdges", graph, from, to, count);
}

/// Nodes with each behind those that it waits for; false when the graph cannot be asked.
bool ordered(const void* graph, std::vector<Node>* order) {
  std::vector<Node> nodes;
  std::size_t count = 0;
  if (!nodes_of(graph, &nodes) || !edges_of(graph, nullptr, nullptr, &count)) return false;
  std::vector<Node> from(count), to(count);
  if (count != 0 && !edges_of(graph, from.data(), to.data(), &count)) return false;
  std::set<Node> done;
  while (order->size() < nodes.size()) {
    const std::size_t before = order->size();
    for (const Node node : nodes) {
      if (done.count(node) != 0) continue;
      bool ready = true;
      for (std::size_t i = 0; i < count; ++i) ready = ready && (to[i] != node || done.count(from[i]) != 0);
      if (!ready) continue;
      order->push_back(node);
      done.insert(node);
    }
    if (order->size() == before) return false;
  }
  return true;
}

int type_of(Node node) {
  int type = -1;
  quiet<int(Node, int*)>("cudaGraphNodeGetType", node, &type);
  return type;
}

bool enable(const void* executable, Node node, bool enabled) {
  return quiet<int(const void*, Node, unsigned)>("cudaGraphNodeSetEnabled", executable, node, enabled ? 1U : 0U);
}

bool is_enabled(const void* executable, Node node) {
  unsigned enabled = 0;
  return quiet<int(const void*, Node, unsigned*)>("cudaGraphNodeGetEnabled", executable, node, &enabled) &&
         enabled != 0;
}

void add_attributes(Node node, stc::remote::LaunchShape& shape) {
  using Get = int(Node, int, std::uint32_t*);
  std::uint32_t cooperative[16] = {}, cluster[16] = {};
  constexpr int kCooperative = 2, kCluster = 4;
  if (quiet<Get>("cudaGraphKernelNodeGetAttribute", node, kCooperative, +cooperative)) {
    shape.cooperative = cooperative[0];
  }
  if (quiet<Get>("cudaGraphKernelNodeGetAttribute", node, kCluster, +cluster)) {
    shape.cluster = {cluster[0], cluster[1], cluster[2]};
  }
}

/// False when the node does not tell.
bool call_of(const Executable& of, Node node, void* stream, LaunchCall* call) {
  const auto changed = of.changed.find(node);
  const auto taken = of.taken_from.find(node);
  KernelNode parameters{};
  if (changed != of.changed.end()) {
    parameters = changed->second.node;
  } else if (!quiet<int(Node, KernelNode*)>("cudaGraphKernelNodeGetParams",
                                            taken != of.taken_from.end() ? taken->second : node, &parameters)) {
    return false;
  }
  const auto& [key, grid, block, bytes, arguments, extra] = parameters;
  *call = {&runtime_device(),
           key,
           {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, {}, bytes, 0},
           arguments,
           arguments == nullptr && extra != nullptr ? extra[1] : nullptr,
           stream};
  add_attributes(node, call->shape);
  return call->arguments != nullptr || call->block != nullptr;
}

/// Nodes in order; empty when the graph has to be launched whole.
std::vector<Node> separable(const void* graph) {
  std::vector<Node> order;
  if (!ordered(graph, &order)) return {};
  for (const Node node : order) {
    const int type = type_of(node);
    if (type != kKernelNode && type != kCopyNode && type != kFillNode && type != kEmptyNode) return {};
  }
  return order;
}

int launch_nodes(const void* executable, const Executable& of, void* stream, int (*next)(const void*, void*)) {
  std::vector<Node> enabled;
  for (const Node node : separable(of.graph)) {
    if (type_of(node) != kEmptyNode && is_enabled(executable, node)) enabled.push_back(node);
  }
  for (const Node node : enabled) {
    if (enable(executable, node, false)) continue;
    for (const Node other : enabled) enable(executable, other, true);
    note("launches of a graph whose nodes cannot be left out are not recorded");
    return next(executable, stream);
  }
  int error = 0;
  for (const Node node : enabled) {
    enable(executable, node, true);
    LaunchCall call;
    const auto launch = [&] { return next(executable, stream); };
    if (error == 0 && type_of(node) == kKernelNode && call_of(of, node, stream, &call)) {
      error = Recorder::get().record(call, launch);
    } else if (error == 0) {
      error = launch();
    }
    enable(executable, node, false);
  }
  for (const Node node : enabled) enable(executable, node, true);
  return error;
}

int launch_graph(const void* executable, void* stream, int (*next)(const void*, void*)) {
  Graphs& all = graphs();
  const std::lock_guard lock(all.mutex);
  const auto known = all.executables.find(executable);
  if (known == all.executables.end() || !Recorder::get().is_recording() || runtime_device().is_capturing(stream) ||
      separable(known->second.graph).empty()) {
    note("launches of a graph with host functions, child graphs or allocations are not recorded");
    return next(executable, stream);
  }
  return launch_nodes(executable, known->second, stream, next);
}

int instantiated(int error, void* const* executable, const void* graph) {
  if (error != 0 || inside) return error;
  Graphs& all = graphs();
  const std::lock_guard lock(all.mutex);
  all.executables[*executable] = {graph, {}, {}};
  all.kept.insert(graph);
  return 0;
}

}  // namespace

#define STC_BEHIND(name) static auto* const next = behind<decltype(name)>(#name)

STC_EXPORT int cudaGraphInstantiate(void** executable, const void* graph, unsigned long long flags) {
  STC_BEHIND(cudaGraphInstantiate);
  return instantiated(next(executable, graph, flags), executable, graph);
}
STC_EXPORT int cudaGraphInstantiateWithFlags(void** executable, const void* graph, unsigned long long flags) {
  STC_BEHIND(cudaGraphInstantiateWithFlags);
  return instantiated(next(executable, graph, flags), executable, graph);
}
STC_EXPORT int cudaGraphInstantiateWithParams(void** executable, const void* graph, void* parameters) {
  STC_BEHIND(cudaGraphInstantiateWithParams);
  return instantiated(next(executable, graph, parameters), executable, graph);
}
STC_EXPORT int cudaGraphExecDestroy(const void* executable) {
  STC_BEHIND(cudaGraphExecDestroy);
  Graphs& all = graphs();
  const std::lock_guard lock(all.mutex);
  all.executables.erase(executable);
  return next(executable);
}
/// A graph that was instantiated stays: its nodes name those of the executable one.
STC_EXPORT int cudaGraphDestroy(const void* graph) {
  STC_BEHIND(cudaGraphDestroy);
  Graphs& all = graphs();
  const std::lock_guard lock(all.mutex);
  return all.kept.count(graph) != 0 ? 0 : next(graph);
}
STC_EXPORT int cudaGraphExecKernelNodeSetParams(const void* executable, Node node, const KernelNode* parameters) {
  STC_BEHIND(cudaGraphExecKernelNodeSetParams);
  const int error = next(executable, node, parameters);
  if (error != 0) return error;
  Graphs& all = graphs();
  const std::lock_guard lock(all.mutex);
  const auto known = all.executables.find(executable);
  if (known == all.executables.end()) return error;
  NewArguments& kept = known->second.changed[node];
  kept = {*parameters, Recorder::get().copy_arguments(parameters->key, parameters->arguments), {}};
  for (auto& value : kept.values) kept.pointers.push_back(value.data());
  kept.node.arguments = kept.pointers.data();
  return error;
}
STC_EXPORT int cudaGraphExecUpdate(const void* executable, const void* graph, void* result) {
  STC_BEHIND(cudaGraphExecUpdate);
  const int error = next(executable, graph, result);
  if (error != 0) return error;
  Graphs& all = graphs();
  const std::lock_guard lock(all.mutex);
  const auto known = all.executables.find(executable);
  std::vector<Node> own, others;
  if (known == all.executables.end() || !nodes_of(known->second.graph, &own) || !nodes_of(graph, &others)) return error;
  all.kept.insert(graph);
  known->second.changed.clear();
  for (std::size_t i = 0; i < own.size() && i < others.size(); ++i) known->second.taken_from[own[i]] = others[i];
  return error;
}

#define STC_GRAPH_LAUNCH(name)                                \
  STC_EXPORT int name(const void* executable, void* stream) { \
    STC_BEHIND(name);                                         \
    return launch_graph(executable, stream, next);            \
  }
STC_GRAPH_LAUNCH(cudaGraphLaunch)
STC_GRAPH_LAUNCH(cudaGraphLaunch_ptsz)
