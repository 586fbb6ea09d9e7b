// SPDX-License-Identifier: Apache-2.0
// Which clusters a launch may have.
#include <fmt/format.h>

#include "models/core/architecture.h"
#include "models/gpu/cluster_walk.h"
#include "models/gpu/gpu.h"

namespace stc::gpu {
namespace {

using Cause = LaunchError::Cause;

std::string text(isa::Dim3 size) { return fmt::format("{} x {} x {}", size.x, size.y, size.z); }
bool equal(isa::Dim3 a, isa::Dim3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

void require_allowed(const isa::Kernel& kernel, isa::Dim3 cluster, bool non_portable) {
  if (kernel.cluster && !equal(*kernel.cluster, cluster)) {
    throw LaunchError(Cause::kCluster, fmt::format("clusters of {} CTAs, but kernel {} is compiled for {}",
                                                   text(cluster), kernel.name, text(*kernel.cluster)));
  }
  const std::uint64_t most = non_portable ? isa::kMostClusterCtas : isa::kPortableClusterCtas;
  if (cluster.count() > most) {
    throw LaunchError(Cause::kCluster,
                      fmt::format("clusters of {} CTAs, at most {} are possible{}", cluster.count(), most,
                                  non_portable ? "" : ", or 16 with non_portable_cluster: true"));
  }
  if (kernel.max_cluster_ctas != 0 && cluster.count() > kernel.max_cluster_ctas) {
    throw LaunchError(Cause::kCluster, fmt::format("clusters of {} CTAs, but kernel {} is compiled for at most {}",
                                                   cluster.count(), kernel.name, kernel.max_cluster_ctas));
  }
}

}  // namespace

std::uint64_t resident_clusters(const GpuParams& gpu, std::uint64_t ctas, const Occupancy& fit) {
  std::uint64_t clusters = 0;
  for (const ClusterGroup& group : cluster_groups(gpu)) {
    clusters += group.holds(ctas, static_cast<std::uint64_t>(fit.ctas_per_sm));
  }
  return clusters;
}

std::optional<isa::Dim3> cluster_of(const GpuParams& gpu, const isa::Kernel& kernel, isa::Dim3 grid,
                                    const std::optional<isa::Dim3>& asked, bool non_portable, const Occupancy& fit) {
  const std::optional<isa::Dim3> cluster = asked ? asked : kernel.cluster;
  if (!cluster) return std::nullopt;
  if (!architecture_of(gpu.sm_version).has_clusters) {
    throw LaunchError(Cause::kCluster, fmt::format("sm_{} has no thread-block clusters", gpu.sm_version));
  }
  require_allowed(kernel, *cluster, non_portable);
  if (grid.x % cluster->x != 0 || grid.y % cluster->y != 0 || grid.z % cluster->z != 0) {
    throw LaunchError(Cause::kGrid, fmt::format("the grid of {} CTAs is no multiple of the clusters of {}", text(grid),
                                                text(*cluster)));
  }
  if (resident_clusters(gpu, cluster->count(), fit) == 0) {
    throw LaunchError(Cause::kCluster, fmt::format("a cluster of {} CTAs fits in no GPC, {} on an SM", cluster->count(),
                                                   fit.ctas_per_sm));
  }
  return cluster;
}

}  // namespace stc::gpu
