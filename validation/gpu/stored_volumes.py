#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what device memory sees of each launch of stored_volumes.cu.

  stored_volumes.py PROGRAM TABLE.csv     PROGRAM is stored_volumes.cu, compiled, and runs on a GPU; ncu counts."""
import subprocess
import sys

import counters

COLUMNS = "first_mib,first_by_all,stored_mib,pattern,last_mib,last_by_all"
COUNTED = ["dram_write_bytes", "dram_read_bytes", "l2_write_sectors"]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, table = sys.argv[1:]
    metrics = {name: counters.METRICS[name][0] for name in COUNTED}
    printed = subprocess.run(counters.command(metrics, [], [program], cache_control="all"), stdout=subprocess.PIPE, text=True,
                             check=True).stdout
    counted = counters.parse(printed, metrics)
    points = [line.split()[1] for line in printed.splitlines() if line.startswith("point ")]
    if len(points) != len(counted):
        sys.exit(f"{len(points)} launches, {len(counted)} counted")
    with open(table, "w") as file:
        print(COLUMNS, *COUNTED, sep=",", file=file)
        for point, row in zip(points, counted):
            print(point, *(row[name] for name in COUNTED), sep=",", file=file)


if __name__ == "__main__":
    main()
