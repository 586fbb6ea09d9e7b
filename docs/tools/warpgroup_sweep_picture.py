#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/explore_warpgroup.svg: speedups of patterns on a warpgroup unit, with what the unit alone allows, from
`stcsim explore configs/sweeps/warpgroup.yaml`:

  warpgroup_sweep_picture.py warpgroup.explore/result.json > docs/explore_warpgroup.svg"""
import json
import pathlib
import sys
from xml.sax.saxutils import escape

LEFT, WIDTH, BAR, GAP, TOP = 60, 480, 16, 3, 72
COLOURS = ["#2a78b5", "#b5651d"]


def main():
    cases = [c for c in json.loads(pathlib.Path(sys.argv[1]).read_text())["cases"] if not c["reference"]]
    gpus = list(dict.fromkeys(case["gpu"] for case in cases))
    patterns = list(dict.fromkeys(case["pattern"] for case in cases))
    step = len(gpus) * (BAR + GAP) + 14
    bottom, scale = TOP + step * len(patterns), WIDTH / 4
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 170}" height="{bottom + 24}" '
           'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/><text x="10" y="20" '
           'font-size="14" font-weight="bold">Speedup of N:M weights over dense, wgmma fed from shared memory, f16</text>']
    for i, gpu in enumerate(gpus):
        out.append(f'<rect x="{10 + 130 * i}" y="31" width="12" height="12" fill="{COLOURS[i]}"/>'
                   f'<text x="{28 + 130 * i}" y="41">{escape(gpu)}</text>')
    out.append('<text x="10" y="59">black mark: instructions back to back; dashed: M/N</text>')
    for value in range(5):
        x = LEFT + scale * value
        out.append(f'<line x1="{x}" y1="{TOP - 6}" x2="{x}" y2="{bottom}" stroke="#ccc"/>'
                   f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{value}</text>')
    for row, pattern in enumerate(patterns):
        top = TOP + step * row
        out.append(f'<text x="{LEFT - 8}" y="{top + step / 2 - 3}" text-anchor="end">{pattern}</text>')
        for case in (c for c in cases if c["pattern"] == pattern):
            i = gpus.index(case["gpu"])
            y, end = top + i * (BAR + GAP), LEFT + scale * case["speedup"]
            mark, ideal = LEFT + scale * case["tensor_ceiling"], LEFT + scale * case["ideal_speedup"]
            out.append(f'<rect x="{LEFT}" y="{y}" width="{end - LEFT:.1f}" height="{BAR}" fill="{COLOURS[i]}"/>'
                       f'<line x1="{mark:.1f}" y1="{y - 1}" x2="{mark:.1f}" y2="{y + BAR + 1}" stroke="black" stroke-width="2"/>'
                       f'<line x1="{ideal:.1f}" y1="{y - 1}" x2="{ideal:.1f}" y2="{y + BAR + 1}" stroke="black" '
                       f'stroke-dasharray="3 2"/><text x="{max(end, mark, ideal) + 6:.1f}" y="{y + 12}">{case["speedup"]:.2f}x, '
                       f'{escape(case["limited_by"])}</text>')
    print("\n".join(out) + "\n</svg>")


main()
