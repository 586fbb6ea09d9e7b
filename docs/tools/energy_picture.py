#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/energy.svg: picojoules of GEMMs for each dense-equivalent FLOP, dense and 2:4, from results of `stcsim run --json`:

  energy_picture.py a100_dense.json a100_sp24.json h200_dense.json h200_sp24.json > docs/energy.svg

A mark shows what an H200 took (validation/measured/h200/energy.csv, random operands), where the same GEMM was measured."""
import csv
import json
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LEFT, WIDTH, BAR, STEP = 215, 380, 22, 40
COLOURS = {"constant": "#999999", "sms": "#cccccc", "instructions": "#b5792a", "tensor": "#2a78b5",
           "register_file": "#7db3dd", "shared": "#6aa84f", "l1": "#a8d08d", "l2": "#e08a2c", "dram": "#b52a4a"}


def measured():
    joules = {}
    with open(ROOT / "validation/measured/h200/energy.csv", newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if row["mark"] == "test" and row["fill"] != "zero":
                size = tuple(int(word) for word in row["arguments"].split()[-3:])
                joules.setdefault((row["kernel"], size), []).append(float(row["watts"]) * float(row["us_per_launch"]) * 1e-6)
    return {key: statistics.mean(values) for key, values in joules.items()}


def main():
    results = [json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:]]
    real = measured()
    flops = [2 * result["tensor"]["logical_macs"] for result in results]
    most = max(result["energy"]["joules"]["total"] / count for result, count in zip(results, flops)) * 1.1
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{90 + STEP * len(results)}" font-family="sans-serif" '
           'font-size="12"><rect width="100%" height="100%" fill="white"/><text x="10" y="20" font-size="14" '
           'font-weight="bold">Picojoules of f16 GEMMs for each dense-equivalent FLOP, random operands</text>']
    for i, (part, colour) in enumerate(COLOURS.items()):
        out.append(f'<rect x="{10 + 82 * i}" y="32" width="10" height="10" fill="{colour}"/>'
                   f'<text x="{23 + 82 * i}" y="41" font-size="11">{part}</text>')
    for i, result in enumerate(results):
        gemm, x, y = result["kernel"]["gemm"], float(LEFT), 60 + STEP * i
        label = f"{result['gpu']['name'].split()[1]}, {gemm['pattern']}, {gemm['m']}x{gemm['n']}x{gemm['k']}"
        out.append(f'<text x="{LEFT - 8}" y="{y + 15}" text-anchor="end">{label}</text>')
        for part, colour in COLOURS.items():
            width = WIDTH * result["energy"]["joules"][part] / flops[i] / most
            out.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BAR}" fill="{colour}"/>')
            x += width
        energy = result["energy"]
        text = f"{1e12 * energy['joules']['total'] / flops[i]:.2f} pJ"
        took = real.get((result["kernel"]["name"], (gemm["m"], gemm["n"], gemm["k"]))) if "H200" in label else None
        if took is not None:
            at = LEFT + WIDTH * took / flops[i] / most
            out.append(f'<path d="M{at:.1f},{y - 4} v{BAR + 8}" stroke="black" stroke-width="3"/>')
            x = max(x, at)
            text += f"; measured {1e12 * took / flops[i]:.2f}"
        out.append(f'<text x="{x + 8:.1f}" y="{y + 15}">{text}</text>')
    print("\n".join(out) + "\n</svg>")


main()
