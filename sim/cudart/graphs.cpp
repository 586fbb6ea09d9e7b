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
  return *graph = keep(new Graph), 0;
}
int destroy_graph(Graph* graph) { return destroy_handle(graph); }
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
  return *copy = keep(made), 0;
}

int add_node(Graph* graph, GraphNode** node, NodeKind kind, const GraphNode* const* after, std::size_t count,
             Work work) {
  if (const int error = check_graph(graph); error != 0) return error;
  if (count != 0 && after == nullptr) return remote::kInvalidValue;
  const std::lock_guard lock(graphs_mutex());
  auto made = std::make_unique<GraphNode>();
  made->kind = kind;
  made->work = std::move(work);
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

int instantiate_graph(ExecutableGraph** executable, const Graph* graph) {
  if (executable == nullptr) return remote::kInvalidValue;
  if (const int error = check_graph(graph); error != 0) return error;
  const std::lock_guard lock(graphs_mutex());
  const std::vector<const GraphNode*> order = ordered(*graph);
  if (order.size() != graph->nodes.size()) return remote::kInvalidValue;
  auto* const made = new ExecutableGraph;
  for (const GraphNode* node : order) made->steps.push_back({node, node->kind, node->work});
  return *executable = keep(made), 0;
}
int destroy_executable(ExecutableGraph* executable) { return destroy_handle(executable); }
int check_executable(const ExecutableGraph* executable) { return check_handle(executable); }

int run_graph(const ExecutableGraph* executable) {
  if (const int error = check_executable(executable); error != 0) return error;
  for (const ExecutableGraph::Step& step : executable->steps) {
    const int error = step.work ? step.work() : 0;
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
