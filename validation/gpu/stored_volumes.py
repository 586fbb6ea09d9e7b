#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what device memory sees of each launch of stored_volumes.cu.

  stored_volumes.py PROGRAM TABLE.csv     PROGRAM is stored_volumes.cu, compiled, and runs on a GPU; ncu counts."""
import csv
import pathlib
import subprocess
import sys
import tempfile

COLUMNS = "first_mib,first_by_all,stored_mib,pattern,last_mib,last_by_all"
METRICS = {"dram_write_bytes": "dram__bytes_write.sum", "dram_read_bytes": "dram__bytes_read.sum",
           "l2_write_sectors": "lts__t_sectors_op_write.sum"}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, table = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "counted.csv")
        ran = subprocess.run(["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--log-file", str(log),
                              "--metrics", ",".join(METRICS.values()), program], capture_output=True, text=True, check=True)
        with log.open() as file:
            counted = list(csv.DictReader(line for line in file if line.startswith('"')))[1:]  # behind the units
    points = [line.split()[1] for line in ran.stdout.splitlines() if line.startswith("point ")]
    if len(points) != len(counted):
        sys.exit(f"{len(points)} launches, {len(counted)} counted")
    with open(table, "w") as file:
        print(COLUMNS + "," + ",".join(METRICS), file=file)
        for point, row in zip(points, counted):
            print(point + "," + ",".join(row[metric].replace(",", "") for metric in METRICS.values()), file=file)


if __name__ == "__main__":
    main()
