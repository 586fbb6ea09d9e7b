# SPDX-License-Identifier: Apache-2.0
"""Turns the archives that scripts/measure wrote into the files of validation/measured/GPU: one CSV per kind of
result, each with a header of comment lines that says on what and how it was measured."""
import csv
import io
import pathlib
import shutil
import tarfile

KEY = ["group", "cubin", "kernel", "ctas", "warps", "shared_bytes", "data_bytes", "args"]


def unpack(source, stage, work):
    """The folder of a stage: an unpacked one beside the archives, or the archive's content; None if there is none."""
    if (source / stage).is_dir():
        return source / stage
    for archive in source.glob(f"{stage}.tar.*"):
        with tarfile.open(archive) as tar:
            tar.extractall(work, filter="data")
        return work / stage
    return None


def provenance(folder, command, *notes):
    facts = dict(line.split(": ", 1) for line in (folder / "environment.txt").read_text().splitlines() if ": " in line)
    wanted = {"name": "GPU", "driver_version": "driver", "nvcc": "CUDA", "clocks.max.sm": "largest SM clock",
              "clocks.max.memory": "memory clock", "power.limit": "power limit", "ecc.mode.current": "ECC", "date": "date"}
    lines = ["; ".join(f"{label} {facts[key]}" for key, label in wanted.items() if key in facts),
             f"command: {command}; clocks not locked", *notes]
    return "".join(f"# {line}\n" for line in lines)


def read_rows(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def write(path, header, rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(header + text.getvalue())


def store_intervals(folder, target, command):
    first, second = (read_rows(folder / run / "intervals.csv") for run in ("run1", "run2"))
    again = {tuple(row[k] for k in KEY): row["cycles_median"] for row in second}
    over = 0
    for row in first:
        other = again.get(tuple(row[k] for k in KEY), "")
        row["second_cycles_median"] = other
        if other:
            x, y = float(row["cycles_median"]), float(other)
            over += abs(x - y) > 0.01 * min(x, y)
    write(target / "intervals.csv",
          provenance(folder, command, f"{over} of {len(first)} points differ by more than 1 % between two sessions"), first)


def store_ctas(folder, target, command):
    """Clocks and times become differences to the earliest CTA of the same launch. Launches of few CTAs are kept apart."""
    every = read_rows(folder / "run1" / "ctas.csv")
    for name, few in (("ctas", False), ("ctas_few", True)):
        rows = [row for row in every if row["group"] != "cluster_ctas" and (row["group"] == "ctas_few") == few]
        if rows:
            write_ctas(rows, target / f"{name}.csv", provenance(folder, command))
    store_clusters([row for row in every if row["group"] == "cluster_ctas"], target / "clusters.csv",
                   provenance(folder, command))


def store_clusters(rows, path, header):
    """One row per launch: the SMs of its CTAs in the order of their index."""
    launches = {}
    for row in rows:
        launches.setdefault((row["kernel"], row["ctas"], row["shared_bytes"]), []).append(row["sm"])
    if launches:
        write(path, header, [dict(zip(("kernel", "ctas", "shared_bytes", "sms"), (*launch, " ".join(sms))))
                             for launch, sms in launches.items()])


def write_ctas(rows, path, header):
    launches = {}
    for row in rows:
        launches.setdefault(tuple(row[k] for k in KEY), []).append(row)
    for launch in launches.values():
        for column in ("start_clock", "globaltimer_ns"):
            origin = min(int(row[column]) for row in launch)
            for row in launch:
                if column == "start_clock":
                    row["clocks"] = int(row["stop_clock"]) - int(row["start_clock"])
                row[column] = int(row[column]) - origin
        for row in launch:
            del row["stop_clock"]
    write(path, header, rows)


def store_latency(folder, target, command):
    """SMs that took no part are left out; what two SMs saw of the same lines goes to files of its own."""
    every = read_rows(folder / "run1" / "latency.csv")
    for name, groups in (("latency", ("line_latency", "line_latency_dram")), ("second_readers", ("second_readers",)),
                         ("two_readers", ("two_readers", "two_readers_dram"))):
        rows = [row for row in every if row["group"] in groups and row["cycles"].strip("0 ")]
        if rows:
            write(target / f"{name}.csv", provenance(folder, command), rows)


def store_micro(folder, target):
    command = "scripts/measure micro"
    store_intervals(folder, target, command)
    store_ctas(folder, target, command)
    store_latency(folder, target, command)
    for name in ("clocks", "launch", "clock_mhz"):
        write(target / f"{name}.csv", provenance(folder, command), read_rows(folder / "run1" / f"{name}.csv"))
    shutil.copy(folder / "noise.csv", target / "noise.csv")


def store_blocks(folder, target):
    write(target / "blocks.csv", provenance(folder, "scripts/measure blocks"), read_rows(folder / "intervals.csv"))


def store_probes(folder, target):
    header = provenance(folder, "scripts/measure probes")
    for name in ("mma_hashes", "mma_directed", "mma_selection"):
        lines = (folder / f"{name}.csv").read_text().splitlines(keepends=True)
        (target / f"{name}.csv").write_text(header + "".join(line for line in lines if not line.startswith("#")))
    shutil.copy(folder / "mma_golden.bin", target / "mma_golden.bin")


def store_gemm(folder, target):
    header = provenance(folder, "scripts/measure gemm")
    for name in ("gemm", "d_hashes", "ctas_per_sm", "libraries", "empty_kernels"):
        if (folder / f"{name}.csv").exists():
            (target / f"{name}.csv").write_text(header + (folder / f"{name}.csv").read_text())


def store_counted(stage, *files):
    def action(folder, target):
        for name in files or (stage,):
            text = (folder / f"{name}.csv").read_text()
            (target / f"{name}.csv").write_text(provenance(folder, f"scripts/measure {stage}") + text)
    return action


def store(source, target, work):
    """Writes what `source` holds of the stages micro, probes, sectors, shared_counts, padded_counts, traffic, start, paths, blocks and gemm; says which files."""
    target.mkdir(parents=True, exist_ok=True)
    for stage, action in (("micro", store_micro), ("probes", store_probes), ("sectors", store_counted("sectors")),
                          ("shared_counts", store_counted("shared_counts")),
                          ("padded_counts", store_counted("padded_counts")),
                          ("traffic", store_counted("traffic")),
                          ("start", store_counted("start", "start", "start_clocks", "dram_loads")),
                          ("paths", store_counted("paths", "paths", "frames", "path_counts")), ("blocks", store_blocks), ("gemm", store_gemm)):
        folder = unpack(source, stage, work)
        if folder:
            action(folder, target)
    return sorted(path.name for path in pathlib.Path(target).iterdir())
