#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mean, 95th percentile and bias of the simulated blocks' error, by group, apart for the two sets.

  validation/blocks/table.py SIMULATED.csv      (of micro_runner --out)"""
import csv
import sys


def figures(errors):
    """Points, mean, 95th percentile, bias in percent."""
    sizes = sorted(abs(e) for e in errors)
    return len(sizes), sum(sizes) / len(sizes), sizes[min(len(sizes) - 1, int(0.95 * len(sizes)))], sum(errors) / len(errors)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    groups = {}
    with open(sys.argv[1]) as file:
        for row in csv.DictReader(file):
            if row["error_percent"]:
                group, third = row["group"].rsplit("_", 1)
                for name in (group, "all"):
                    groups.setdefault(name, {}).setdefault(third, []).append(float(row["error_percent"]))
    sets = ("calibration", "test")
    print("| group | " + " | ".join(f"{s}: points | mean | 95th percentile | bias" for s in sets) + " |")
    print("|---|" + "---:|" * 8)
    for name, thirds in sorted(groups.items(), key=lambda item: (item[0] == "all", item[0])):
        cells = []
        for third in sets:
            count, mean, late, bias = figures(thirds[third]) if third in thirds else (0, 0, 0, 0)
            cells.append(f"{count} | {mean:.1f} % | {late:.1f} % | {bias:+.1f} %")
        print(f"| `{name}` | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
