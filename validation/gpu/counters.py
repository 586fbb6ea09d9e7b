# SPDX-License-Identifier: Apache-2.0
"""Hardware counters of kernel launches through Nsight Compute (ncu), clocks left alone."""
import csv
import io
import re
import subprocess

# name here -> (ncu metric, what it counts). Those that the GPU lacks are left out.
METRICS = {
    "elapsed_cycles": ("sm__cycles_elapsed.max", "SM clocks of the launch"),
    "elapsed_cycles_min": ("sm__cycles_elapsed.min", "the same, SM with the slowest clock"),
    "gpc_elapsed_cycles": ("gpc__cycles_elapsed.max", "GPC clocks of the launch"),
    "active_cycles_avg": ("sm__cycles_active.avg", "SM clocks with a warp resident, mean over SMs"),
    "active_cycles_max": ("sm__cycles_active.max", "the same, largest SM"),
    "active_cycles_min": ("sm__cycles_active.min", "the same, smallest SM"),
    "duration_ns": ("gpu__time_duration.sum", "time of the launch"),
    "instructions": ("smsp__inst_executed.sum", "warp instructions executed"),
    "thread_instructions": ("smsp__thread_inst_executed.sum", "instructions executed by threads"),
    "instructions_issued": ("smsp__inst_issued.sum", "warp instructions issued"),
    "issue_active_cycles": ("smsp__issue_active.sum", "sub-core clocks with an issue"),
    "tensor_instructions": ("sm__inst_executed_pipe_tensor.sum", "warp instructions of the tensor pipe"),
    "tensor_hmma": ("sm__inst_executed_pipe_tensor_op_hmma.sum", "floating-point ones"),
    "tensor_imma": ("sm__inst_executed_pipe_tensor_op_imma.sum", "integer ones"),
    "tensor_pipe_cycles": ("sm__pipe_tensor_cycles_active.sum", "clocks with the tensor pipe active"),
    "tensor_pipe_hmma_cycles": ("sm__pipe_tensor_op_hmma_cycles_active.sum", "the same, floating point"),
    "tensor_pipe_imma_cycles": ("sm__pipe_tensor_op_imma_cycles_active.sum", "the same, integer"),
    "ldsm_instructions": ("smsp__inst_executed_op_ldsm.sum", "ldmatrix"),
    "shared_load_instructions": ("smsp__inst_executed_op_shared_ld.sum", "shared loads"),
    "shared_store_instructions": ("smsp__inst_executed_op_shared_st.sum", "shared stores"),
    "ldgsts_instructions": ("smsp__inst_executed_op_ldgsts.sum", "asynchronous copies"),
    "shared_wavefronts": ("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "shared-memory wavefronts"),
    "shared_load_wavefronts": ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "those of loads"),
    "shared_store_wavefronts": ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "those of stores"),
    "ldgsts_wavefronts": ("l1tex__data_pipe_lsu_wavefronts_mem_lgds.sum", "wavefronts of asynchronous copies"),
    "lsu_wavefronts": ("l1tex__data_pipe_lsu_wavefronts.sum", "wavefronts of the load/store data stage"),
    "shared_conflicts": ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "bank conflicts"),
    "shared_load_conflicts": ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "those of loads"),
    "shared_store_conflicts": ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "those of stores"),
    "l1_read_sectors": ("l1tex__m_xbar2l1tex_read_sectors.sum", "sectors that L1 caches received"),
    "l1_sectors": ("l1tex__t_sectors.sum", "L1 sectors"),
    "l2_sectors": ("lts__t_sectors.sum", "L2 sectors, all sources"),
    "l2_sectors_tex": ("lts__t_sectors_srcunit_tex.sum", "L2 sectors asked for by SMs"),
    "l2_read_sectors_tex": ("lts__t_sectors_srcunit_tex_op_read.sum", "of those, read"),
    "l2_read_requests_tex": ("lts__t_requests_srcunit_tex_op_read.sum", "in so many requests"),
    "l2_sectors_tex_hit": ("lts__t_sectors_srcunit_tex_lookup_hit.sum", "of those, hits"),
    "l2_sectors_tex_miss": ("lts__t_sectors_srcunit_tex_lookup_miss.sum", "of those, misses"),
    "l2_sectors_fabric": ("lts__t_sectors_srcunit_ltcfabric.sum", "L2 sectors asked for by the other partition"),
    "l2_read_sectors": ("lts__t_sectors_op_read.sum", "L2 sectors read"),
    "l2_write_sectors": ("lts__t_sectors_op_write.sum", "L2 sectors written"),
    "dram_read_bytes": ("dram__bytes_read.sum", "bytes read from DRAM"),
    "dram_write_bytes": ("dram__bytes_write.sum", "bytes written to DRAM"),
}
# What says how CTAs were spread; not counted with the others.
CTAS = {"ctas_launched_max": "sm__ctas_launched.max", "ctas_launched_min": "sm__ctas_launched.min"}
STALLS = ["barrier", "branch_resolving", "dispatch_stall", "drain", "gmma", "imc_miss", "lg_throttle", "long_scoreboard",
          "math_pipe_throttle", "membar", "mio_throttle", "misc", "no_instruction", "not_selected", "selected",
          "short_scoreboard", "sleeping", "tex_throttle", "wait"]
for _stall in STALLS:
    METRICS[f"stall_{_stall}"] = (f"smsp__average_warps_issue_stalled_{_stall}_per_issue_active.ratio",
                                  "warps in this state per issue")


def available(seconds=120):
    """Base names of all metrics of this GPU, and ncu's own list as text."""
    done = subprocess.run(["ncu", "--query-metrics"], capture_output=True, text=True, timeout=seconds)
    return set(re.findall(r"^(\w+__\w+)", done.stdout, re.MULTILINE)), done.stdout


def supported(names):
    """The part of METRICS that this GPU has. Warp-state ratios are derived and not listed by ncu: kept."""
    return {key: metric for key, (metric, _) in METRICS.items()
            if metric.split(".")[0] in names or key.startswith("stall_")}


def command(metrics, options, program, cache_control="none"):
    """An ncu command line: raw values as CSV on standard output; ncu leaves the clocks alone, the caches if asked to."""
    return ["ncu", "--clock-control", "none", "--cache-control", cache_control, "--csv", "--page", "raw", "--print-units",
            "base", "--metrics", ",".join(metrics.values()), *options, *program]


def parse(text, metrics):
    """Rows of counters by the names of METRICS, plus `kernel` and `grid`, from what ncu printed."""
    start = text.find('"ID"')
    if start < 0:
        return []
    rows = list(csv.reader(io.StringIO(text[start:])))
    header = rows[0]
    place = {name: header.index(metric) for name, metric in metrics.items() if metric in header}
    result = []
    for row in rows[2:]:  # the second row holds units
        if len(row) == len(header):
            entry = {name: row[column].replace(",", "") for name, column in place.items()}
            entry["kernel"] = row[header.index("Kernel Name")]
            entry["grid"] = row[header.index("Grid Size")]
            result.append(entry)
    return result
