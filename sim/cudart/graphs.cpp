// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/graphs.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "sim/cudart/connection.h"

namespace stc::cuda {
namespace {

std::recursive_mutex& graphs_mutex() {
  static auto* const one = new std::recursive_mutex;
  return *one;
}
/// Handles that are valid now: graphs and executable ones.
std::set<const void*>& known_graphs() {
  static auto* const all = new std::set<const void*>;
  return *all;
}
std::set<Graph*>& live_graphs() {
  static auto* const all = new std::set<Graph*>;
  return *all;
}
template <class T>
int check_handle(const T* handle) {
  if (const int error = Connection::get().ready(); error != 0) return error;
  const std::lock_guard lock(graphs_mutex());
  return known_graphs().count(handle) != 0 ? 0 : remote::kInvalidValue;
}
template <class T>
int destroy_handle(T* handle) {
  if (const int error = check_handle(handle); error != 0) return error;
  const std::lock_guard lock(graphs_mutex());
  known_graphs().erase(handle);
  return delete handle, 0;
}
template <class T>
T* keep(T* handle) {
  const std::lock_guard lock(graphs_mutex());
  known_graphs().insert(handle);
  return handle;
}

Graph* keep_graph(Graph* graph) {
  const std::lock_guard lock(graphs_mutex());
  live_graphs().insert(graph);
  return keep(graph);
}

bool holds(const Graph* graph, const GraphNode* node) {
  return std::any_of(graph->nodes.begin(), graph->nodes.end(), [&](const auto& one) { return one.get() == node; });
}

/// Nodes in an order in which each comes after those that it waits for, else as they were added; fewer where they wait
/// for each other.
std::vector<const GraphNode*> ordered(const Graph& graph) {
  std::vector<const GraphNode*> order;
  std::set<const GraphNode*> done;
  for (bool found = true; found;) {
    found = false;
    for (const auto& node : graph.nodes) {
      const auto is_done = [&](const GraphNode* one) { return done.count(one) != 0; };
      if (is_done(node.get()) || !std::all_of(node->after.begin(), node->after.end(), is_done)) continue;
      order.push_back(node.get());
      done.insert(node.get());
      found = true;
    }
  }
  return order;
}

}  // namespace

int create_graph(Graph** graph) {
  if (graph == nullptr) return remote::kInvalidValue;
  if (const int error = Connection::get().ready(); error != 0) return error;
  return *graph = keep_graph(new Graph), 0;
}
int destroy_graph(Graph* graph) {
  {
    const std::lock_guard lock(graphs_mutex());
    live_graphs().erase(graph);
  }
  return destroy_handle(graph);
}
int check_graph(const Graph* graph) { return check_handle(graph); }

int clone_graph(Graph** copy, const Graph* graph) {
  if (const int error = check_graph(graph); error != 0) return error;
  const std::lock_guard lock(graphs_mutex());
  auto* const made = new Graph;
  std::map<const GraphNode*, const GraphNode*> twins;
  for (const auto& node : graph->nodes) {
    made->nodes.push_back(std::make_unique<GraphNode>(*node));
    twins[node.get()] = made->nodes.back().get();
  }
  for (const auto& node : made->nodes) {
    for (const GraphNode*& one : node->after) one = twins[one];
  }
  return *copy = keep_graph(made), 0;
}

int add_node(Graph* graph, GraphNode** node, NodeKind kind, const GraphNode* const* after, std::size_t count, Work work,
             std::shared_ptr<KernelCall> kernel) {
  if (const int error = check_graph(graph); error != 0) return error;
  if (count != 0 && after == nullptr) return remote::kInvalidValue;
  const std::lock_guard lock(graphs_mutex());
  auto made = std::make_unique<GraphNode>();
  made->kind = kind;
  made->work = std::move(work);
  made->kernel = std::move(kernel);
  for (std::size_t i = 0; i < count; ++i) {
    if (!holds(graph, after[i])) return remote::kInvalidValue;
    made->after.push_back(after[i]);
  }
  if (node != nullptr) *node = made.get();
  graph->nodes.push_back(std::move(made));
  return 0;
}

int add_dependences(Graph* graph, const GraphNode* const* from, GraphNode* const* to, std::size_t count) {
  if (const int error = check_graph(graph); error != 0) return error;
  const std::lock_guard lock(graphs_mutex());
  for (std::size_t i = 0; i < count; ++i) {
    if (!holds(graph, from[i]) || !holds(graph, to[i]) || from[i] == to[i]) return remote::kInvalidValue;
    to[i]->after.push_back(from[i]);
  }
  return 0;
}

int remove_dependences(Graph* graph, const GraphNode* const* from, GraphNode* const* to, std::size_t count) {
  if (const int error = check_graph(graph); error != 0) return error;
  const std::lock_guard lock(graphs_mutex());
  for (std::size_t i = 0; i < count; ++i) {
    if (!holds(graph, from[i]) || !holds(graph, to[i])) return remote::kInvalidValue;
    auto& after = to[i]->after;
    const auto found = std::find(after.begin(), after.end(), from[i]);
    if (found == after.end()) return remote::kInvalidValue;
    after.erase(found);
  }
  return 0;
}

int edges_of(const Graph* graph, std::vector<Edge>* edges) {
  if (const int error = check_graph(graph); error != 0) return error;
  const std::lock_guard lock(graphs_mutex());
  for (const auto& node : graph->nodes) {
    for (const GraphNode* before : node->after) edges->push_back({before, node.get()});
  }
  return 0;
}

Graph* graph_of(const GraphNode* node) {
  const std::lock_guard lock(graphs_mutex());
  for (Graph* const graph : live_graphs()) {
    if (holds(graph, node)) return graph;
  }
  return nullptr;
}

int destroy_node(GraphNode* node) {
  const std::lock_guard lock(graphs_mutex());
  Graph* const graph = graph_of(node);
  if (graph == nullptr) return remote::kInvalidValue;
  for (const auto& one : graph->nodes) {
    one->after.erase(std::remove(one->after.begin(), one->after.end(), node), one->after.end());
  }
  const auto is_it = [&](const auto& one) { return one.get() == node; };
  return graph->nodes.erase(std::find_if(graph->nodes.begin(), graph->nodes.end(), is_it)), 0;
}

int instantiate_graph(ExecutableGraph** executable, const Graph* graph) {
  if (executable == nullptr) return remote::kInvalidValue;
  if (const int error = check_graph(graph); error != 0) return error;
  const std::lock_guard lock(graphs_mutex());
  const std::vector<const GraphNode*> order = ordered(*graph);
  if (order.size() != graph->nodes.size()) return remote::kInvalidValue;
  auto* const made = new ExecutableGraph;
  for (const GraphNode* node : order) made->steps.push_back({node, node->kind, node->work, true});
  return *executable = keep(made), 0;
}
int destroy_executable(ExecutableGraph* executable) { return destroy_handle(executable); }
int check_executable(const ExecutableGraph* executable) { return check_handle(executable); }

int run_graph(const ExecutableGraph* executable) {
  if (const int error = check_executable(executable); error != 0) return error;
  for (const ExecutableGraph::Step& step : executable->steps) {
    const int error = step.enabled && step.work ? step.work() : 0;
    if (error != 0) return error;
  }
  return 0;
}

int update_executable(ExecutableGraph* executable, const Graph* graph, bool* same) {
  for (const int error : {check_executable(executable), check_graph(graph)}) {
    if (error != 0) return error;
  }
  const std::lock_guard lock(graphs_mutex());
  const std::vector<const GraphNode*> order = ordered(*graph);
  const auto& steps = executable->steps;
  *same = std::equal(order.begin(), order.end(), steps.begin(), steps.end(),
                     [](const GraphNode* node, const ExecutableGraph::Step& step) { return node->kind == step.kind; });
  if (!*same) return 0;
  for (std::size_t i = 0; i < order.size(); ++i) executable->steps[i].work = order[i]->work;
  return 0;
}

namespace {

const ExecutableGraph::Step* find_optional(const ExecutableGraph* executable, const GraphNode* node) {
  for (const ExecutableGraph::Step& step : executable->steps) {
    const bool optional =
        step.kind == NodeKind::kKernel || step.kind == NodeKind::kCopy || step.kind == NodeKind::kFill;
    if (step.node == node && optional) return &step;
  }
  return nullptr;
}

}  // namespace

int enable_node(ExecutableGraph* executable, const GraphNode* node, bool enabled) {
  if (const int error = check_executable(executable); error != 0) return error;
  const std::lock_guard lock(graphs_mutex());
  const ExecutableGraph::Step* const found = find_optional(executable, node);
  if (found == nullptr) return remote::kInvalidValue;
  return const_cast<ExecutableGraph::Step*>(found)->enabled = enabled, 0;
}

int is_node_enabled(const ExecutableGraph* executable, const GraphNode* node, bool* enabled) {
  if (const int error = check_executable(executable); error != 0) return error;
  const std::lock_guard lock(graphs_mutex());
  const ExecutableGraph::Step* const found = find_optional(executable, node);
  if (found == nullptr) return remote::kInvalidValue;
  return *enabled = found->enabled, 0;
}

int replace_work(ExecutableGraph* executable, const GraphNode* node, NodeKind kind, Work work) {
  if (const int error = check_executable(executable); error != 0) return error;
  const std::lock_guard lock(graphs_mutex());
  for (ExecutableGraph::Step& step : executable->steps) {
    if (step.node != node || step.kind != kind) continue;
    return step.work = std::move(work), 0;
  }
  return remote::kInvalidValue;
}

}  // namespace stc::cuda
