#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/selector_area.svg from models/tensor_core/selector_area.def: selector_picture.py > docs/selector_area.svg"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LEFT, BAR, STEP, SCALE = 60, 14, 22, 22  # pixels; SCALE for one percent
COLOURS = {"operand selector": "#2a78b5", "metadata unit": "#e08a2c"}


def read():
    text = (ROOT / "models/tensor_core/selector_area.def").read_text()
    library, _, array, _ = re.search(r'^STC_MULTIPLIER_ARRAY\("(\w+)", (\d+), (\d+), (\d+)\)$', text, re.M).groups()
    rows = [list(map(int, row.split(", "))) for row in re.findall(r"^STC_SELECTOR_AREA\((.*)\)$", text, re.M)]
    shares = [(f"{row[0]}:{row[1]}", 100 * row[3] / int(array), 100 * row[6] / int(array)) for row in rows]
    return library, sorted(shares, key=lambda row: row[1] + row[2])


def draw():
    library, shares = read()
    width, height = 760, 70 + STEP * len(shares)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
           'font-size="12"><rect width="100%" height="100%" fill="white"/>'
           '<text x="10" y="20" font-size="14" font-weight="bold">Area of the selection network, as a share of the '
           f'256 multiply-accumulate units behind it</text>']
    for i, (name, colour) in enumerate(COLOURS.items()):
        out.append(f'<rect x="{10 + 160 * i}" y="30" width="12" height="12" fill="{colour}"/>'
                   f'<text x="{28 + 160 * i}" y="40">{name}</text>')
    out.append(f'<text x="340" y="40">cells: {library}</text>')
    for i, (pattern, selector, metadata) in enumerate(shares):
        y = 54 + STEP * i
        out.append(f'<text x="{LEFT - 8}" y="{y + 11}" text-anchor="end">{pattern}</text>')
        out.append(f'<rect x="{LEFT}" y="{y}" width="{SCALE * selector:.1f}" height="{BAR}" fill="#2a78b5"/>'
                   f'<rect x="{LEFT + SCALE * selector:.1f}" y="{y}" width="{SCALE * metadata:.1f}" height="{BAR}" '
                   f'fill="#e08a2c"/><text x="{LEFT + SCALE * (selector + metadata) + 5:.1f}" y="{y + 11}">'
                   f'{selector + metadata:.1f} %</text>')
    print("\n".join(out) + "\n</svg>")


draw()
