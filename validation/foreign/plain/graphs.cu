// SPDX-License-Identifier: Apache-2.0
// Graphs and hash tables: irregular reads, atomics that decide what is read next, a launch per level.
#include <algorithm>
#include <queue>
#include <set>

#include "validation/foreign/foreign.h"

namespace {

struct Graph {
  std::vector<int> starts, edges;
  int nodes() const { return static_cast<int>(starts.size()) - 1; }
};

Graph make_graph(int nodes, int degree, std::uint64_t seed) {
  Graph graph;
  for (int v = 0; v < nodes; ++v) {
    graph.starts.push_back(static_cast<int>(graph.edges.size()));
    const int own = static_cast<int>(foreign::bits(seed, v) % (2 * degree));
    for (int k = 0; k < own; ++k) graph.edges.push_back(static_cast<int>(foreign::bits(seed + 1, v * 64 + k) % nodes));
  }
  graph.starts.push_back(static_cast<int>(graph.edges.size()));
  return graph;
}

__global__ void bfs_level(const int* starts, const int* edges, int* level, int depth, int nodes, int* changed) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes || level[v] != depth) return;
  for (int k = starts[v]; k < starts[v + 1]; ++k) {
    if (level[edges[k]] < 0) {
      level[edges[k]] = depth + 1;
      *changed = 1;
    }
  }
}

__global__ void bfs_frontier(const int* starts, const int* edges, int* level, const int* frontier, int size, int* next,
                             int* next_size, int depth) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const int v = frontier[i];
  for (int k = starts[v]; k < starts[v + 1]; ++k) {
    if (atomicCAS(&level[edges[k]], -1, depth + 1) == -1) next[atomicAdd(next_size, 1)] = edges[k];
  }
}

__global__ void page_rank(const int* starts, const int* edges, const int* degree, const float* in, float* out,
                          int nodes) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes) return;
  float sum = 0;
  for (int k = starts[v]; k < starts[v + 1]; ++k) sum += in[edges[k]] / degree[edges[k]];
  out[v] = 0.15f / nodes + 0.85f * sum;
}

__global__ void relax(const int* starts, const int* edges, const int* weight, int* distance, int nodes) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes || distance[v] == 0x3fffffff) return;
  for (int k = starts[v]; k < starts[v + 1]; ++k) atomicMin(&distance[edges[k]], distance[v] + weight[k]);
}

constexpr int kEmpty = -1;

__global__ void insert(int* keys, int* values, const int* new_keys, int n, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int key = new_keys[i];
  for (unsigned slot = key * 2654435761u >> 8 & mask;; slot = (slot + 1) & mask) {
    const int seen = atomicCAS(&keys[slot], kEmpty, key);
    if (seen == kEmpty || seen == key) {
      atomicAdd(&values[slot], 1);
      return;
    }
  }
}

__global__ void look_up(const int* keys, const int* values, const int* wanted, int* out, int n, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = 0;
  for (unsigned slot = wanted[i] * 2654435761u >> 8 & mask; keys[slot] != kEmpty; slot = (slot + 1) & mask) {
    if (keys[slot] == wanted[i]) {
      out[i] = values[slot];
      return;
    }
  }
}

__global__ void bloom(unsigned* filter, const unsigned* keys, int n, int bits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (unsigned k = 1; k <= 3; ++k) {
    const unsigned h = (keys[i] * (2 * k + 1) * 0x9e3779b1u) % bits;
    atomicOr(&filter[h / 32], 1u << (h & 31));
  }
}

__global__ void binary_search(const int* sorted, int n, const int* wanted, int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int low = 0, high = n;
  while (low < high) {
    const int middle = (low + high) >> 1;
    if (sorted[middle] < wanted[i]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  out[i] = low;
}

__global__ void pointer_jumping(int* parent, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  while (parent[i] != parent[parent[i]]) parent[i] = parent[parent[i]];
}

std::vector<int> host_levels(const Graph& graph) {
  std::vector<int> level(graph.nodes(), -1);
  std::queue<int> open;
  level[0] = 0;
  open.push(0);
  for (; !open.empty(); open.pop()) {
    const int v = open.front();
    for (int k = graph.starts[v]; k < graph.starts[v + 1]; ++k) {
      if (level[graph.edges[k]] < 0) level[graph.edges[k]] = level[v] + 1, open.push(graph.edges[k]);
    }
  }
  return level;
}

}  // namespace

FOREIGN_RACE(bfs_levels) {
  Graph graph = make_graph(2000, 4, 1);
  graph.edges[0] = 77;
  std::vector<int> level(graph.nodes(), -1);
  level[0] = 0;
  graph.starts[1] = std::max(graph.starts[1], 1);
  foreign::Device<int> starts(graph.starts), edges(graph.edges), dlevel(level), changed(1);
  for (int depth = 0; depth < 6; ++depth) {
    bfs_level<<<foreign::divide_up(graph.nodes(), 256), 256>>>(starts.get(), edges.get(), dlevel.get(), depth,
                                                               graph.nodes(), changed.get());
  }
  std::vector<int> expected = host_levels(graph);
  for (int& l : expected) l = l > 6 ? -1 : l;
  return foreign::equal(dlevel.host(), expected);
}

FOREIGN_CASE(bfs_frontier) {
  const Graph graph = make_graph(1500, 5, 3);
  std::vector<int> level(graph.nodes(), -1);
  level[0] = 0;
  foreign::Device<int> starts(graph.starts), edges(graph.edges), dlevel(level), a(graph.nodes()), b(graph.nodes()),
      size(1);
  int *from = a.get(), *to = b.get();
  for (int depth = 0, count = 1; count > 0; ++depth) {
    size.set({0});
    bfs_frontier<<<foreign::divide_up(count, 128), 128>>>(starts.get(), edges.get(), dlevel.get(), from, count, to,
                                                          size.get(), depth);
    count = size.host()[0];
    std::swap(from, to);
  }
  return foreign::equal(dlevel.host(), host_levels(graph));
}

FOREIGN_CASE(page_rank) {
  const Graph graph = make_graph(1000, 6, 5);
  const int n = graph.nodes();
  std::vector<int> degree(n, 1);
  for (const int e : graph.edges) ++degree[e];
  std::vector<float> rank(n, 1.f / n);
  foreign::Device<int> starts(graph.starts), edges(graph.edges), ddegree(degree);
  foreign::Device<float> a(rank), b(n);
  std::vector<double> now(rank.begin(), rank.end()), next(n);
  for (int step = 0; step < 2; ++step) {
    page_rank<<<foreign::divide_up(n, 128), 128>>>(starts.get(), edges.get(), ddegree.get(), step ? b.get() : a.get(),
                                                   step ? a.get() : b.get(), n);
    for (int v = 0; v < n; ++v) {
      double sum = 0;
      for (int k = graph.starts[v]; k < graph.starts[v + 1]; ++k) sum += now[graph.edges[k]] / degree[graph.edges[k]];
      next[v] = 0.15 / n + 0.85 * sum;
    }
    std::swap(now, next);
  }
  return foreign::near(a.host(), now, 1e-5);
}

FOREIGN_RACE(shortest_paths) {
  const Graph graph = make_graph(800, 4, 7);
  const int n = graph.nodes();
  const std::vector<int> weight = foreign::integers(8, graph.edges.size(), 1, 50);
  std::vector<int> distance(n, 0x3fffffff);
  distance[0] = 0;
  foreign::Device<int> starts(graph.starts), edges(graph.edges), dweight(weight), ddistance(distance);
  for (int step = 0; step < 12; ++step) {
    relax<<<foreign::divide_up(n, 128), 128>>>(starts.get(), edges.get(), dweight.get(), ddistance.get(), n);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (int v = 0; v < n; ++v) {
      for (int k = graph.starts[v]; k < graph.starts[v + 1]; ++k) {
        const int other = distance[v] + weight[k];
        if (distance[v] < 0x3fffffff && other < distance[graph.edges[k]])
          distance[graph.edges[k]] = other, changed = true;
      }
    }
  }
  return foreign::equal(ddistance.host(), distance);
}

FOREIGN_RACE(hash_table) {
  const int n = 3000, slots = 4096;
  const std::vector<int> keys = foreign::integers(9, n, 0, 1500), wanted = foreign::integers(10, 1000, 0, 2000);
  foreign::Device<int> dkeys(keys), dwanted(wanted), table(std::vector<int>(slots, kEmpty)), values(slots), out(1000);
  insert<<<foreign::divide_up(n, 128), 128>>>(table.get(), values.get(), dkeys.get(), n, slots - 1);
  look_up<<<8, 128>>>(table.get(), values.get(), dwanted.get(), out.get(), 1000, slots - 1);
  std::vector<int> expected(1000);
  for (int i = 0; i < 1000; ++i) expected[i] = static_cast<int>(std::count(keys.begin(), keys.end(), wanted[i]));
  return foreign::equal(out.host(), expected);
}

FOREIGN_CASE(bloom_filter) {
  const int n = 1000, bits = 1 << 14;
  const std::vector<unsigned> keys = foreign::integers<unsigned>(11, n, 0, 0xffffffffLL);
  foreign::Device<unsigned> dkeys(keys), filter(bits / 32);
  bloom<<<8, 128>>>(filter.get(), dkeys.get(), n, bits);
  std::vector<unsigned> expected(bits / 32);
  for (const unsigned key : keys) {
    for (unsigned k = 1; k <= 3; ++k) {
      const unsigned h = key * (2 * k + 1) * 0x9e3779b1u % bits;
      expected[h / 32] |= 1u << (h & 31);
    }
  }
  return foreign::equal(filter.host(), expected);
}

FOREIGN_CASE(binary_search) {
  std::vector<int> sorted = foreign::integers(12, 3000, 0, 100000);
  std::sort(sorted.begin(), sorted.end());
  const std::vector<int> wanted = foreign::integers(13, 1024, -10, 100010);
  foreign::Device<int> dsorted(sorted), dwanted(wanted), out(1024);
  binary_search<<<8, 128>>>(dsorted.get(), 3000, dwanted.get(), out.get(), 1024);
  std::vector<int> expected(1024);
  for (int i = 0; i < 1024; ++i)
    expected[i] = static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), wanted[i]) - sorted.begin());
  return foreign::equal(out.host(), expected);
}

FOREIGN_RACE(pointer_jumping) {
  const int n = 1024;
  std::vector<int> parent(n), expected(n);
  for (int i = 0; i < n; ++i) parent[i] = i < 5 ? i : i - 1 - static_cast<int>(foreign::bits(14, i) % 4);
  for (int i = 0; i < n; ++i) expected[i] = parent[i] == i ? i : expected[parent[i]];
  foreign::Device<int> device(parent);
  pointer_jumping<<<4, 256>>>(device.get(), n);
  return foreign::equal(device.host(), expected);
}
