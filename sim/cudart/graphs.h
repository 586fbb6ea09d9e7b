// SPDX-License-Identifier: Apache-2.0
// Graphs: work that is described once and done with each launch, in the order in which it was added, or in one that its
// dependences allow. Everything is done before the launch returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "sim/remote/requests.h"

namespace stc::cuda {

/// Numbered as cudaGraphNodeType.
enum class NodeKind : int {
  kKernel = 0,
  kCopy = 1,
  kFill = 2,
  kHost = 3,
  kChildGraph = 4,
  kEmpty = 5,
  kAllocate = 10,
  kFree = 11
};

/// Does the work of a node; returns an error of the runtime.
using Work = std::function<int()>;

/// What a kernel node is asked for its parameters.
struct KernelCall {
  const void* key = nullptr;
  remote::LaunchShape shape{};
  std::vector<std::vector<std::uint8_t>> values;
  std::vector<void*> arguments;  ///< pointers to `values`
};

struct GraphNode {
  NodeKind kind = NodeKind::kEmpty;
  Work work;
  std::shared_ptr<KernelCall> kernel;   ///< of a kernel node
  std::vector<const GraphNode*> after;  ///< what must be done before
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;  ///< in the order in which they were added
};

/// A graph with the order of its work decided; it keeps nothing of the graph but the names of its nodes.
struct ExecutableGraph {
  struct Step {
    const GraphNode* node = nullptr;
    NodeKind kind = NodeKind::kEmpty;
    Work work;
    bool enabled = true;
  };
  std::vector<Step> steps;
};

// Each returns an error of the runtime, 0 for success: that of an invalid value where a handle is none.
int create_graph(Graph** graph);
int destroy_graph(Graph* graph);
int clone_graph(Graph** copy, const Graph* graph);
int check_graph(const Graph* graph);
/// `after`: nodes of the same graph, or nullptr when there are none.
int add_node(Graph* graph, GraphNode** node, NodeKind kind, const GraphNode* const* after, std::size_t count, Work work,
             std::shared_ptr<KernelCall> kernel = nullptr);
/// With all that waits for it and that it waits for.
int destroy_node(GraphNode* node);
int add_dependences(Graph* graph, const GraphNode* const* from, GraphNode* const* to, std::size_t count);
int remove_dependences(Graph* graph, const GraphNode* const* from, GraphNode* const* to, std::size_t count);
struct Edge {
  const GraphNode *from, *to;
};
int edges_of(const Graph* graph, std::vector<Edge>* edges);
/// The graph that has the node, or nullptr.
Graph* graph_of(const GraphNode* node);
int instantiate_graph(ExecutableGraph** executable, const Graph* graph);
int destroy_executable(ExecutableGraph* executable);
int check_executable(const ExecutableGraph* executable);
/// Does all of its work; the first error ends it.
int run_graph(const ExecutableGraph* executable);
/// Takes over the work of a graph with the same nodes; `same` says whether it is one.
int update_executable(ExecutableGraph* executable, const Graph* graph, bool* same);
/// Kernels, copies and fills can be left out of launches.
int enable_node(ExecutableGraph* executable, const GraphNode* node, bool enabled);
int is_node_enabled(const ExecutableGraph* executable, const GraphNode* node, bool* enabled);
int replace_work(ExecutableGraph* executable, const GraphNode* node, NodeKind kind, Work work);

}  // namespace stc::cuda
