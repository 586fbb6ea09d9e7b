#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/generations.svg: operations of f16 GEMMs per cycle and SM, dense and 2:4, of mma.sp on an A100 and of mma.sp and
wgmma.sp on an H200, over sizes. From results of `stcsim run --json` of cubes with `compare_dense`, of the A100 for its
bars, of the H200 for marks (the sparse kernel simulated, where the bar is measured):

  generations_picture.py RESULT.json... > docs/generations.svg

Bars of the H200 are measured: the fastest kernel of each size in validation/measured/h200/gemm.csv and gemm_wgmma.csv."""
import csv
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SIZES = [1024, 2048, 4096, 8192]
LEFT, WIDTH, BAR, GAP, TOP, STEP = 78, 560, 17, 3, 84, 76
SERIES = [("A100, mma.sp, simulated", "#6aa84f", "#b5d6a7"), ("H200, mma.sp, measured", "#2a78b5", "#9ec5e4"),
          ("H200, wgmma.sp, measured", "#b5651d", "#e8c19a")]
H200_SMS, FULL_RATE = 132, 8192  # operations a cycle and SM: 2:4 on an H200


def rate(size, cycles, sms):
    return 2 * size**3 / cycles / sms


def measured(table):
    """Size -> (dense, 2:4) of the fastest kernels, cold L2."""
    fastest = {}
    with open(ROOT / "validation/measured/h200" / table, newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            size = int(row["m"])
            cube = row["m"] == row["n"] == row["k"] and size in SIZES
            if not cube or row["l2"] != "cold" or not row["kernel"].startswith("f16_") or not row["elapsed_cycles"]:
                continue
            sparse = "_sp24_" in row["kernel"]
            best = fastest.setdefault(size, [0.0, 0.0])
            best[sparse] = max(best[sparse], rate(size, float(row["elapsed_cycles"]), H200_SMS))
    return fastest


def simulated(results, gpu, warpgroups):
    """Size -> (dense, 2:4) of results of a GPU."""
    rates = {}
    for result in results:
        if gpu not in result["gpu"]["name"] or ("_wg" in result["kernel"]["name"]) != warpgroups:
            continue
        size, sms = result["kernel"]["gemm"]["m"], result["gpu"]["sms"]
        rates[size] = (rate(size, result["dense"]["cycles_elapsed"], sms), rate(size, result["cycles_elapsed"], sms))
    return rates


def main():
    results = [json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:]]
    series = [simulated(results, "A100", False), measured("gemm.csv"), measured("gemm_wgmma.csv")]
    marks = [{}, simulated(results, "H200", False), simulated(results, "H200", True)]
    scale, bottom = WIDTH / FULL_RATE, TOP + STEP * len(SIZES)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 90}" height="{bottom + 26}" '
           'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/><text x="10" y="20" '
           'font-size="14" font-weight="bold">f16 GEMMs: operations per cycle and SM (dense-equivalent)</text>']
    for i, (name, strong, light) in enumerate(SERIES):
        x = 10 + 226 * i
        out.append(f'<rect x="{x}" y="31" width="12" height="12" fill="{strong}"/><rect x="{x + 12}" y="31" width="12" '
                   f'height="12" fill="{light}"/><text x="{x + 30}" y="41">{name}</text>')
    out.append('<text x="10" y="60">strong: dense, light: what 2:4 adds; black mark: the 2:4 kernel simulated</text>')
    for value in range(0, FULL_RATE + 1, 2048):
        x = LEFT + scale * value
        out.append(f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{bottom}" stroke="#ccc"/>'
                   f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{value:,}</text>')
    for row, size in enumerate(SIZES):
        top = TOP + STEP * row
        out.append(f'<text x="{LEFT - 8}" y="{top + 1.5 * BAR + 9}" text-anchor="end">{size}³</text>')
        for i, (_, strong, light) in enumerate(SERIES):
            if size not in series[i]:
                continue
            (dense, sparse), y = series[i][size], top + i * (BAR + GAP)
            out.append(f'<rect x="{LEFT}" y="{y}" width="{scale * dense:.1f}" height="{BAR}" fill="{strong}"/>'
                       f'<rect x="{LEFT + scale * dense:.1f}" y="{y}" width="{scale * (sparse - dense):.1f}" '
                       f'height="{BAR}" fill="{light}"/>')
            end = sparse
            if size in marks[i]:
                x = LEFT + scale * marks[i][size][1]
                end = max(end, marks[i][size][1])
                out.append(f'<line x1="{x:.1f}" y1="{y - 1}" x2="{x:.1f}" y2="{y + BAR + 1}" stroke="black" '
                           'stroke-width="2"/>')
            out.append(f'<text x="{LEFT + scale * end + 6:.1f}" y="{y + 13}">{sparse:,.0f} ({dense:,.0f})</text>')
    print("\n".join(out) + "\n</svg>")


main()
