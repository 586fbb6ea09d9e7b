#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""same_files.py STCGPU STCSIM: every run file of configs/workloads that stcgpu takes runs on this machine's GPU, and the
one with whole numbers gives the same D there and in the simulator. Exit code 77: there is no GPU."""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMPARED = "gemm_512_integers.yaml"
SIMULATED_ONLY = ["  conv:", "kernel: best"]  # convolution_check measures the first; the second is found by simulating


def run(program, file, target, *options):
    done = subprocess.run([program, "run", str(file), "--json", str(target), *options], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{pathlib.Path(program).name} run {file.name}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(target.read_text())


def hashes(result):
    """Of the buffers, by name."""
    return {name: buffer["hash"] for name, buffer in result["buffers"].items()}


def main():
    stcgpu, stcsim = sys.argv[1:3]
    if subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode != 0:
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "result.json"
        for file in sorted((ROOT / "configs" / "workloads").glob("*.yaml")):
            if any(key in file.read_text() for key in SIMULATED_ONLY):
                continue
            measured = hashes(run(stcgpu, file, target, "--runs", "1"))
            print(f"{file.name}: " + " ".join(f"{name} {value}" for name, value in measured.items()))
            if file.name == COMPARED and hashes(run(stcsim, file, target))["D"] != measured["D"]:
                sys.exit(f"{file.name}: D differs between GPU and simulator")


try:
    main()
except FileNotFoundError:  # no nvidia-smi
    sys.exit(77)
