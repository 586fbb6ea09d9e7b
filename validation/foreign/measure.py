# SPDX-License-Identifier: Apache-2.0
"""Foreign cases on a GPU: do they pass, what did each launch cost, and where did its warps spend their time (Nsight
Compute, caches emptied before each; the latter by itself, since it takes several passes)."""
import concurrent.futures
import csv
import os
import re
import statistics
import subprocess

import counters

REPEATS, STALL_REPEATS = 5, 2
WANTED = ("instructions", "elapsed_cycles", "active_cycles_max")
COLUMNS = ["case", "launch", "kernel", "grid", "races", "warp_instructions", "instructions_min", "instructions_max",
           "cycles_elapsed", "cycles_elapsed_min", "cycles_elapsed_max", "cycles"]
STALLS = [f"stall_{name}" for name in counters.STALLS]


def passes(program, case, env, seconds):
    try:
        done = subprocess.run([str(program), case], env=env, capture_output=True, text=True, timeout=seconds)
        return case, "pass" if done.returncode == 0 else f"exit {done.returncode}: {done.stdout[-200:]}{done.stderr[-200:]}"
    except subprocess.TimeoutExpired:
        return case, f"took more than {seconds} s"


def measure(program, cases, triton, out, seconds):
    """Writes values.csv and ncu.csv to `out`; True when every case passes."""
    out.mkdir(parents=True, exist_ok=True)
    env = dict(os.environ, FOREIGN_TRITON=str(triton))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        values = dict(pool.map(lambda case: passes(program, case, env, 30), cases))
    with open(out / "values.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("case", "value"), *values.items()])
    for case, value in values.items():
        if value != "pass":
            print(f"{case}: {value}", flush=True)
    good = [case for case in cases if values[case] == "pass"]
    for name, wanted, repeats in (("ncu.csv", WANTED, REPEATS), ("ncu_stalls.csv", STALLS, STALL_REPEATS)):
        metrics = {key: counters.METRICS[key][0] for key in wanted}
        options = ["--print-kernel-base", "function"]
        command = counters.command(metrics, options, [str(program), "--repeat", str(repeats), *good], cache_control="all")
        with open(out / name, "w") as file:
            subprocess.run(command, env=env, stdout=file, stderr=subprocess.STDOUT, timeout=seconds, check=False)
    (out / "cases.txt").write_text("\n".join(good) + "\n")
    print(f"{len(good)} of {len(cases)} cases pass", flush=True)
    return len(good) == len(cases)


def launches(folder, name="ncu.csv", wanted=WANTED):
    """{(case, launch): [counters of each repetition]}; a launch of case_marker goes before each repetition."""
    cases = (folder / "cases.txt").read_text().split()
    metrics = {key: counters.METRICS[key][0] for key in wanted}
    found, case, number = {}, None, 0
    for row in counters.parse((folder / name).read_text(), metrics):
        grid = [int(size) for size in re.findall(r"\d+", row["grid"])]
        if "case_marker" in row["kernel"]:
            case, number = cases[grid[0] - 1], 0
            continue
        if case is not None:
            found.setdefault((case, number), []).append(dict(row, grid="x".join(map(str, grid))))
            number += 1
    return found


def stalls_of(folder):
    """{(case, launch): {column: warps in that state for each issue}}, means over the repetitions."""
    measured = launches(folder, "ncu_stalls.csv", STALLS) if (folder / "ncu_stalls.csv").exists() else {}
    return {place: {key: f"{statistics.mean(float(row[key]) for row in repeats):.3f}" for key in STALLS}
            for place, repeats in measured.items()}


def rows_of(folder, racing):
    """One row a launch, medians over the repetitions."""
    rows, stalls = [], stalls_of(folder)
    for (case, launch), repeats in launches(folder).items():
        def numbers(key):
            return [float(row[key]) for row in repeats]
        instructions, elapsed = numbers("instructions"), numbers("elapsed_cycles")
        rows.append({**stalls.get((case, launch), {}), **dict(zip(COLUMNS, [
            case, launch, repeats[0]["kernel"], repeats[0]["grid"], int(case in racing), *map(int, (
                statistics.median(instructions), min(instructions), max(instructions), statistics.median(elapsed),
                min(elapsed), max(elapsed), statistics.median(numbers("active_cycles_max"))))]))})
    return rows


def store(folder, target, racing, header):
    """Rows of cases that were not measured now stay, under their own header lines."""
    new = rows_of(folder, racing)
    measured = {row["case"] for row in new}
    old_header, kept = [], []
    if target.exists():
        lines = target.read_text().splitlines(keepends=True)
        old_header = [line for line in lines if line.startswith("#")]
        kept = [row for row in csv.DictReader(lines[len(old_header):]) if row["case"] not in measured]
    with open(target, "w", newline="") as file:
        file.write("".join(old_header if kept else []) + header)
        writer = csv.DictWriter(file, fieldnames=COLUMNS + STALLS, lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows(sorted([*kept, *new], key=lambda row: (row["case"], int(row["launch"]))))
