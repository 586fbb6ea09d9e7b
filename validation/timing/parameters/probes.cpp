// SPDX-License-Identifier: Apache-2.0
#include "validation/timing/parameters/probes.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "sim/micro/run_point.h"
#include "traces/cubin/cubin.h"
#include "validation/gpu/probe_directed.h"
#include "validation/timing/kernel_builder.h"
#include "validation/timing/run_file.h"

namespace stc::timing {
namespace {

/// A microbenchmark of validation/kernels, one CTA where nothing else is said.
struct Micro {
  const char *name, *cubin, *kernel, *args;
  std::uint32_t ctas, warps, shared_bytes;
  std::uint64_t data_bytes;
  bool emptied;  ///< the launch finds its caches emptied
};

constexpr Micro kMicros[] = {
    {"code", "micro_code", "micro_code_pass", "out 160 2", 1, 1, 16384, 0, true},
    {"code_of_40_kib", "micro_code", "micro_code_pass", "out 40 2", 1, 1, 16384, 0, true},
    {"iadd3", "micro_pipes", "micro_iadd3_c8", "out 4", 1, 8, 0, 0, false},
    {"iadd3_imad", "micro_pipes", "micro_mix_iadd3_imad", "out 4", 1, 8, 0, 0, false},
    {"imad_wide", "micro_pipes", "micro_imad_wide_c8", "out 4", 1, 8, 0, 0, false},
    {"ffma", "micro_pipes", "micro_ffma_c8", "out 4", 1, 8, 0, 0, false},
    {"hfma2", "micro_pipes", "micro_hfma2_c8", "out 4", 1, 8, 0, 0, false},
    {"mufu", "micro_pipes", "micro_mufu_c1", "out 4", 1, 8, 0, 0, false},
    {"mma_double", "micro_mma_double", "micro_mma_m8n8k4_f64_c1", "out 4", 1, 4, 0, 0, false},
    {"shuffle", "micro_pipes", "micro_shfl_c1", "out 4", 1, 8, 0, 0, false},
    {"barrier", "micro_shared", "micro_barrier", "out 8", 1, 8, 0, 0, false},
    {"lds_32", "micro_shared", "micro_lds_32_rate", "out 8 128", 1, 16, 8192, 0, false},
    {"lds_128", "micro_shared", "micro_lds_128_rate", "out 8 32", 1, 16, 8192, 0, false},
    {"sts_32", "micro_shared", "micro_sts_32_rate", "out 8 128", 1, 1, 8192, 0, false},
    {"ldsm", "micro_shared", "micro_ldsm_x4_rate", "out 8 2", 1, 16, 8192, 0, false},
    {"ldg", "micro_global", "micro_ldg_128_ca", "out data 128 2", 1, 8, 0, 1 << 17, false},
    {"stg", "micro_global", "micro_stg_128", "out data 128 2", 1, 8, 0, 1 << 17, false},
    {"stg_of_parts", "micro_exit", "micro_exit_stg_part_32", "out data", 1, 8, 131072, 1 << 20, false},
    {"match", "micro_status", "micro_status_match_8", "out data 0", 1, 8, 0, 1 << 16, false},
    {"redux", "micro_status", "micro_status_reduce_add", "out data 0", 1, 8, 0, 1 << 16, false},
    {"stg_fills", "micro_stores", "micro_stores_fill", "out data 4", 1, 1, 0, 1 << 18, false},
    {"chase", "micro_global", "micro_chase_ca", "out data 2048 128 2048 2048", 1, 8, 0, 1 << 18, false},
    {"copies_through_l1", "micro_global", "micro_ldgsts_16_ca_rate", "out data 64 0 2 8 128", 1, 8, 65536, 1 << 16,
     false},
    {"copies_of_lines", "micro_behind", "micro_behind_ldgsts_16_rows2", "out data 8 0", 1, 8, 66560, 1 << 20, false},
    {"loads_of_lines", "micro_behind", "micro_behind_ldg_128", "out data 8 0", 1, 8, 66560, 1 << 20, false},
    {"copies_beside_matrix", "micro_copies", "micro_copies_c4_l4_d8", "out data 4", 1, 8, 131072, 1 << 20, false},
    {"dense_ports", "micro_ports", "micro_ports_d_add4", "out 8", 1, 8, 0, 0, false},
    {"sparse_ports", "micro_ports", "micro_ports_s_inc4", "out 8", 1, 8, 0, 0, false},
    {"integers_behind_floats", "blocks_10", "block_1028", "out data 4 3", 1, 4, 8192, 135168, false},
    {"sparse_behind_dense", "blocks_10", "block_1012", "out data 4 3", 1, 4, 8192, 135168, false},
    {"uniforms", "blocks_05", "block_0504", "out data 4 3", 1, 4, 8192, 135168, false},
    {"halves_and_integers", "blocks_07", "block_0752", "out data 4 3", 1, 4, 8192, 135168, false},
    {"special_registers", "blocks_01", "block_0116", "out data 4 3", 1, 4, 8192, 135168, false},
    {"special_register_for_all", "blocks_03", "block_0357", "out data 4 3", 1, 4, 8192, 135168, false},
    {"shuffle_in_range", "blocks_00", "block_0012", "out data 4 3", 1, 4, 8192, 135168, false},
    {"f16_accumulators", "micro_mma", "micro_mma_sp_m16n8k16_f16_f16_f16_f16_c8", "out 4", 1, 8, 0, 0, false},
    {"branch_side", "micro_branches", "micro_branch_side", "out 16 16", 1, 1, 0, 0, false},
    {"branch_call", "micro_branches", "micro_branch_call", "out 8", 1, 1, 0, 0, false},
    {"constant_words", "micro_constant", "micro_constant_chase", "out 32 1 1 8", 1, 1, 0, 0, false},
    {"constant_near", "micro_constant", "micro_constant_chase", "out 1024 16 0 160", 1, 1, 0, 0, false},
    {"constant_lines", "micro_constant", "micro_constant_chase", "out 16384 64 0 8", 1, 1, 0, 0, false},
    {"constant_lines_emptied", "micro_constant", "micro_constant_chase", "out 16384 64 0 8", 1, 1, 0, 0, true},
    {"local_stores", "micro_local", "micro_local_store", "out 1 7 16", 1, 8, 0, 0, false},
    {"fence_behind_store", "micro_fences", "micro_fences_gpu_store", "out data 0 8", 1, 1, 0, 1 << 22, false},
    {"fence_of_system", "micro_fences", "micro_fences_sys_none", "out data 0 8", 1, 1, 0, 1 << 22, false},
    {"fence_of_cta", "micro_fences", "micro_fences_cta_none", "out data 0 64", 1, 32, 0, 1 << 22, false},
    {"reductions", "micro_atomics_rate", "micro_rate_red_add_u32", "out data 0 0 0 128", 1, 8, 0, 1 << 22, false},
    {"line_reductions", "micro_atomics_patterns", "micro_pattern_f32_line", "out data 32", 32, 4, 0, 16 << 20, false},
    {"float_reductions", "micro_atomics_rate", "micro_rate_red_add_f32", "out data 0 0 0 128", 1, 8, 0, 1 << 22, false},
    {"atomics_of_lines", "micro_atomics_rate", "micro_rate_red_add_u32", "out data 32 0 0 32", 8, 8, 0, 1 << 22, false},
    {"atomic_chain", "micro_atomics", "micro_atomic_chain_global_add", "out data 8 0 8", 1, 1, 0, 1 << 22, false},
    {"compare_and_swap", "micro_atomics", "micro_atomic_stream_shared_cas", "out data 8 0 8", 1, 8, 0, 1 << 22, false},
    {"mbarrier_try", "micro_mbarrier", "micro_mbarrier_try", "out 8", 1, 8, 0, 0, false},
    {"mbarrier_arrive", "micro_mbarrier", "micro_mbarrier_arrive", "out 8 8", 1, 16, 0, 0, false},
    {"mbarrier_arrive_alone", "micro_mbarrier", "micro_mbarrier_arrive", "out 8 1", 1, 1, 0, 0, false},
    {"mbarrier_copies", "micro_mbarrier", "micro_mbarrier_copies", "out 8 data", 1, 4, 0, 4096, false},
    {"cluster_barrier", "micro_cluster", "micro_cluster_barrier_8", "out 8", 8, 4, 0, 0, false},
    {"cluster_sync", "micro_cluster", "micro_cluster_sync_2", "out 8", 2, 8, 0, 0, false},
    {"cluster_chase_of_two", "micro_cluster", "micro_cluster_chase_2", "out 32 0 1", 2, 1, 0, 0, false},
    {"cluster_loads", "micro_cluster", "micro_cluster_load_32_8", "out 8 8 4", 8, 4, 0, 0, false},
    {"cluster_atomics", "micro_cluster", "micro_cluster_atomic_2", "out 8 1 0", 2, 1, 0, 0, false},
    {"cluster_arrive", "micro_cluster", "micro_cluster_arrive_relaxed_2", "out 8", 2, 1, 0, 0, false},
    {"tf32_matrix", "micro_mma", "micro_mma_m16n8k8_f32_tf32_tf32_f32_c1", "out 4", 1, 4, 0, 0, false},
    {"s8_matrix", "micro_mma", "micro_mma_m16n8k32_s32_s8_s8_s32_c1", "out 4", 1, 4, 0, 0, false},
    {"wgmma_memory", "micro_wgmma", "micro_wgmma_dense_64_memory", "out 4", 1, 4, 66560, 0, false},
    {"wgmma_registers", "micro_wgmma", "micro_wgmma_dense_8_registers", "out 4", 1, 4, 66560, 0, false},
    {"wgmma_sparse", "micro_wgmma", "micro_wgmma_sp_8_registers", "out 4", 1, 4, 66560, 0, false},
    {"wgmma_beside", "micro_wgmma_beside", "micro_wgmma_beside_dense_64_memory", "out 16 4 4 2048", 1, 8, 132096, 0,
     false},
    {"wgmma_beside_full_load", "micro_wgmma_beside", "micro_wgmma_beside_sp_256_memory", "out 16 2 4 4096", 1, 8,
     132096, 0, false},
    {"store_burst", "micro_global", "micro_stg_128", "out data 128 2", 24, 32, 0, 1 << 22, false},
    {"wgmma_beside_load", "micro_wgmma_beside", "micro_wgmma_beside_dense_128_memory", "out 16 1 4 4096", 1, 8, 132096,
     0, false},
    {"wgmma_registers_beside_load", "micro_wgmma_beside", "micro_wgmma_beside_dense_64_registers", "out 16 1 4 2048", 1,
     8, 132096, 0, false},
    {"wgmma_registers_beside_store", "micro_wgmma_beside", "micro_wgmma_beside_dense_64_registers", "out 16 4 4 2048",
     1, 8, 132096, 0, false},
    {"bulk_block", "micro_bulk", "micro_bulk_block", "out data 4 16384", 1, 1, 69632, 1 << 20, false},
    {"bulk_rows", "micro_bulk", "micro_bulk_box_2d", "out data 4 8 64 1 0", 1, 1, 69632, 1 << 20, false},
    {"bulk_first_box", "micro_bulk", "micro_bulk_first_box", "out data 0", 1, 1, 69632, 1 << 20, false},
    {"bulk_at_once", "micro_bulk_many", "micro_bulk_at_once_1024", "out data 4", 1, 1, 17408, 1 << 20, false},
    {"bulk_multicast", "micro_bulk_many", "micro_bulk_told_2", "out data 4 1024", 2, 1, 2048, 1 << 20, false},
    {"cluster_way_of_lanes", "micro_bulk_many", "micro_way_store", "out 8 1 4", 4, 1, 1024, 0, false},
    {"cluster_way", "micro_bulk_many", "micro_way_arrive", "out 8 1 0", 4, 1, 1024, 0, false},
    {"bulk_stores", "micro_bulk", "micro_bulk_store", "out data 16 16", 1, 1, 69632, 1 << 20, false},
    {"mma_chain", "micro_mma", "micro_mma_sp_m16n8k32_f32_f16_f16_f32_c1", "out 4", 1, 4, 0, 0, false},
};

gpu::RunStatistics run_micro(const Micro& micro, gpu::Machine& machine) {
  micro::Point point;
  point.kind = micro::Kind::kClocks;  // the numbers that it writes do not matter
  point.cubin = micro.cubin;
  point.kernel = micro.kernel;
  point.args = micro.args;
  point.ctas = micro.ctas;
  point.warps = micro.warps;
  point.shared_bytes = micro.shared_bytes;
  point.data_bytes = micro.data_bytes;
  point.flushed = micro.emptied;
  point.samples = 64;
  point.measured = {0};
  return micro::Runner(machine, "validation/kernels", true).run(point).run;
}

/// No compiled kernel reaches a stall count of 0 with yield.
gpu::RunStatistics run_drain(gpu::Machine& machine) {
  isa::Control drain = stall(0);
  drain.yield = true;
  return KernelBuilder(32).add(nop(), drain).exit().run(machine, {});
}

gpu::RunStatistics run_built_gemm(const sim::GpuConfig& gpu, gpu::Machine& machine) {
  sim::RunFile run_file = sim::read_run_file(run_named("gemm"));
  auto& plan = std::get<sim::GemmPlan>(run_file.work);
  plan.kernel.clear();
  plan.built = gemm::GemmSpec();
  plan.built->pattern = sparsity::Pattern::parse("2:4");
  plan.built->tile_m = plan.built->tile_n = 64;  // few matrix instructions between those that depend on each other
  plan.built->warp_m = plan.built->warp_n = 32;
  return run(run_file, gpu, machine);
}

/// One operand of all cases, in memory.
std::uint64_t place(isa::GlobalMemory& memory, const char* name, const std::vector<std::uint32_t>& image) {
  isa::Allocation& buffer = memory.allocate(name, 4 * image.size());
  std::memcpy(buffer.data.data(), image.data(), buffer.data.size());
  return buffer.address;
}

/// The directed cases of an instruction, one warp for all.
ProbeOutcome run_directed(const gpu_probe::ProbeOp& op, gpu::Machine& machine) {
  const std::vector<gpu_probe::DotCase> cases = gpu_probe::directed_cases(op);
  gpu_probe::Images images;
  images.resize(op, cases.size());
  for (std::size_t n = 0; n < cases.size(); ++n) write_dot(op, cases[n], images, n);
  isa::GlobalMemory memory;
  const std::vector<std::uint32_t> zeros(images.c.size());
  const std::uint64_t pointers[] = {place(memory, "a", images.a), place(memory, "b", images.b),
                                    place(memory, "c", images.c), place(memory, "e", images.e),
                                    place(memory, "d", zeros)};
  const auto count = static_cast<std::int32_t>(cases.size());
  gpu::Launch launch;
  launch.parameters.resize(sizeof pointers + sizeof count);
  std::memcpy(launch.parameters.data(), pointers, sizeof pointers);
  std::memcpy(launch.parameters.data() + sizeof pointers, &count, sizeof count);
  const std::vector<isa::Kernel> kernels = cubin::read_cubin("validation/kernels/sm_90/probe_mma.cubin");
  launch.kernel = &*std::find_if(kernels.begin(), kernels.end(), [&](const auto& k) { return k.name == op.kernel; });
  launch.block.x = 32;
  launch.memory = &memory;
  return {machine.run(launch), memory.find("d")->data.to_vector()};
}

ProbeOutcome run_matrix_values(gpu::Machine& machine) {
  ProbeOutcome all;
  for (const gpu_probe::ProbeOp& op : gpu_probe::probe_ops()) {
    const bool asked = op.name == "mma.m16n8k16.f32.bf16.bf16.f32" || op.name == "mma.m16n8k8.f32.tf32.tf32.f32" ||
                       op.name == "mma.m16n8k16.f16.f16.f16.f16";
    if (!asked) continue;
    ProbeOutcome one = run_directed(op, machine);
    all.run = std::move(one.run);
    all.values.insert(all.values.end(), one.values.begin(), one.values.end());
  }
  return all;
}

}  // namespace

ProbeOutcome run_probe(const std::string& name, const sim::GpuConfig& gpu) {
  gpu::Machine machine("gpu", gpu.params);
  if (name == "matrix_values") return run_matrix_values(machine);
  if (name == "drain") return {run_drain(machine), {}};
  if (name == "built_gemm") return {run_built_gemm(gpu, machine), {}};
  const auto* micro =
      std::find_if(std::begin(kMicros), std::end(kMicros), [&](const Micro& m) { return name == m.name; });
  if (micro != std::end(kMicros)) return {run_micro(*micro, machine), {}};
  if (!std::filesystem::exists(run_named(name))) throw std::invalid_argument("no probe " + name);
  return {run(sim::read_run_file(run_named(name)), gpu, machine), {}};
}

}  // namespace stc::timing
