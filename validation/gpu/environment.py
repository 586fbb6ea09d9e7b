# SPDX-License-Identifier: Apache-2.0
"""On what a measurement was made."""
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def output_of(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def query(fields):
    return output_of(["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader", "--id=0"])


def write_environment(path):
    with open(path, "w") as file:
        file.write(f"date: {time.strftime('%Y-%m-%d %H:%M:%S %Z')}\n")
        for field in ("name", "driver_version", "compute_cap", "clocks.max.sm", "clocks.max.memory", "power.limit",
                      "clocks.current.sm", "clocks.current.memory", "temperature.gpu", "mig.mode.current", "ecc.mode.current"):
            file.write(f"{field}: {query(field)}\n")
        for command in (["nvcc", "--version"], ["uname", "-r"], ["git", "rev-parse", "HEAD"]):
            file.write(f"{command[0]}: {(output_of(command).splitlines() or ['?'])[-1]}\n")
