// SPDX-License-Identifier: Apache-2.0
// What graphs are asked for, and how they are changed: nodes, edges, parameters of kernels.
#include <vector>

#include "sim/cudart/abi.h"
#include "sim/cudart/graphs.h"
#include "sim/cudart/last_error.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

using Nodes = const GraphNode* const*;

/// The list, or its length alone where no place for it is given; unused places are null.
int give(const std::vector<const GraphNode*>& list, const GraphNode** nodes, std::size_t* count) {
  if (count == nullptr) return stc::remote::kInvalidValue;
  for (std::size_t i = 0; nodes != nullptr && i < *count; ++i) nodes[i] = i < list.size() ? list[i] : nullptr;
  return *count = nodes == nullptr || *count > list.size() ? list.size() : *count, 0;
}

int give_edges(const Graph* graph, const GraphNode** from, const GraphNode** to, std::size_t* count) {
  std::vector<Edge> edges;
  if (const int error = edges_of(graph, &edges); error != 0) return error;
  std::vector<const GraphNode*> first, second;
  for (const Edge& edge : edges) {
    first.push_back(edge.from);
    second.push_back(edge.to);
  }
  if (count == nullptr || (from == nullptr) != (to == nullptr)) return stc::remote::kInvalidValue;
  std::size_t same = *count;
  const int error = give(first, from, &same);
  return error != 0 ? error : give(second, to, count);
}

int give_dependences(const GraphNode* node, const GraphNode** nodes, std::size_t* count) {
  return graph_of(node) == nullptr ? stc::remote::kInvalidValue : give(node->after, nodes, count);
}

int give_dependents(const GraphNode* node, const GraphNode** nodes, std::size_t* count) {
  const Graph* const graph = graph_of(node);
  if (graph == nullptr) return stc::remote::kInvalidValue;
  std::vector<Edge> edges;
  if (const int error = edges_of(graph, &edges); error != 0) return error;
  std::vector<const GraphNode*> list;
  for (const Edge& edge : edges) {
    if (edge.from == node) list.push_back(edge.to);
  }
  return give(list, nodes, count);
}

}  // namespace

extern "C" {

int cudaGraphGetRootNodes(const Graph* graph, const GraphNode** nodes, std::size_t* count) {
  if (const int error = check_graph(graph); error != 0) return finish(error);
  std::vector<const GraphNode*> roots;
  for (const auto& node : graph->nodes) {
    if (node->after.empty()) roots.push_back(node.get());
  }
  return finish(give(roots, nodes, count));
}
#if STC_CUDART_MAJOR >= 13
int cudaGraphGetEdges(const Graph* graph, const GraphNode** from, const GraphNode** to, void*, std::size_t* count) {
  return finish(give_edges(graph, from, to, count));
}
int cudaGraphNodeGetDependencies(const GraphNode* node, const GraphNode** nodes, void*, std::size_t* count) {
  return finish(give_dependences(node, nodes, count));
}
int cudaGraphNodeGetDependentNodes(const GraphNode* node, const GraphNode** nodes, void*, std::size_t* count) {
  return finish(give_dependents(node, nodes, count));
}
int cudaGraphRemoveDependencies(Graph* graph, Nodes from, GraphNode* const* to, const void*, std::size_t count) {
  return finish(remove_dependences(graph, from, to, count));
}
#else
int cudaGraphGetEdges(const Graph* graph, const GraphNode** from, const GraphNode** to, std::size_t* count) {
  return finish(give_edges(graph, from, to, count));
}
int cudaGraphGetEdges_v2(const Graph* graph, const GraphNode** from, const GraphNode** to, void*, std::size_t* count) {
  return finish(give_edges(graph, from, to, count));
}
int cudaGraphNodeGetDependencies(const GraphNode* node, const GraphNode** nodes, std::size_t* count) {
  return finish(give_dependences(node, nodes, count));
}
int cudaGraphNodeGetDependencies_v2(const GraphNode* node, const GraphNode** nodes, void*, std::size_t* count) {
  return finish(give_dependences(node, nodes, count));
}
int cudaGraphNodeGetDependentNodes(const GraphNode* node, const GraphNode** nodes, std::size_t* count) {
  return finish(give_dependents(node, nodes, count));
}
int cudaGraphNodeGetDependentNodes_v2(const GraphNode* node, const GraphNode** nodes, void*, std::size_t* count) {
  return finish(give_dependents(node, nodes, count));
}
int cudaGraphRemoveDependencies(Graph* graph, Nodes from, GraphNode* const* to, std::size_t count) {
  return finish(remove_dependences(graph, from, to, count));
}
int cudaGraphRemoveDependencies_v2(Graph* graph, Nodes from, GraphNode* const* to, const void*, std::size_t count) {
  return finish(remove_dependences(graph, from, to, count));
}
#endif
int cudaGraphDestroyNode(GraphNode* node) { return finish(destroy_node(node)); }

int cudaGraphKernelNodeGetParams(const GraphNode* node, KernelNode* parameters) {
  if (parameters == nullptr || graph_of(node) == nullptr || node->kernel == nullptr) {
    return finish(stc::remote::kInvalidValue);
  }
  KernelCall& call = *node->kernel;
  const stc::remote::LaunchShape& shape = call.shape;
  *parameters = {call.key,
                 {shape.grid.x, shape.grid.y, shape.grid.z},
                 {shape.block.x, shape.block.y, shape.block.z},
                 static_cast<unsigned>(shape.dynamic_shared_bytes),
                 call.arguments.data(),
                 nullptr};
  return 0;
}
/// Of the attributes of kernel nodes those that change what is run.
int cudaGraphKernelNodeGetAttribute(const GraphNode* node, int attribute, std::uint32_t* value) {
  constexpr int kCooperative = 2, kCluster = 4;
  if (value == nullptr || graph_of(node) == nullptr || node->kernel == nullptr) {
    return finish(stc::remote::kInvalidValue);
  }
  const stc::remote::LaunchShape& shape = node->kernel->shape;
  if (attribute == kCooperative) return *value = shape.cooperative, 0;
  if (attribute != kCluster) return not_supported("cudaGraphKernelNodeGetAttribute (another attribute than 2 and 4)");
  value[0] = shape.cluster.x, value[1] = shape.cluster.y, value[2] = shape.cluster.z;
  return 0;
}
}
