#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/selector_area.svg from models/tensor_core/selector_area.def: selector_picture.py > docs/selector_area.svg"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LEFT, WIDTH, BAR, STEP, TOP = 60, 560, 12, 34, 72  # pixels
ELEMENTS = {16: ("f16, behind it 256 multipliers", "#2a78b5", "#9ec5e4"),
            8: ("8-bit integers, behind it 512 multipliers", "#b5651d", "#e8c19a")}


def read():
    """Library, and by width the patterns' (selector, metadata unit) in percent of the multiply-accumulate units."""
    text = (ROOT / "models/tensor_core/selector_area.def").read_text()
    arrays = re.findall(r'^STC_MULTIPLIER_ARRAY\((\d+), "(\w+)", \d+, (\d+), \d+\)$', text, re.M)
    array = {int(bits): int(area) for bits, _, area in arrays}
    shares = {bits: {} for bits in array}
    for line in re.findall(r"^STC_SELECTOR_AREA\((.*)\)$", text, re.M):
        bits, n, m, _, selector, _, _, metadata, _ = map(int, line.split(", "))
        shares[bits][f"{n}:{m}"] = (100 * selector / array[bits], 100 * metadata / array[bits])
    return arrays[0][1], shares


def draw():
    library, shares = read()
    patterns = sorted(shares[16], key=lambda pattern: sum(shares[16][pattern]))
    scale = WIDTH / max(sum(share) for of in shares.values() for share in of.values())
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 80}" height="{TOP + STEP * len(patterns) + 6}" '
           'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>'
           '<text x="10" y="20" font-size="14" font-weight="bold">Area of the selection network, as a share of the '
           'multiply-accumulate units behind it</text>']
    for i, (name, strong, light) in enumerate(ELEMENTS.values()):
        x = 10 + 250 * i
        out.append(f'<rect x="{x}" y="30" width="12" height="12" fill="{strong}"/><rect x="{x + 12}" y="30" width="12" '
                   f'height="12" fill="{light}"/><text x="{x + 30}" y="40">{name}</text>')
    out.append(f'<text x="10" y="58">strong: operand selector, light: metadata unit; cells: {library}</text>')
    for i, pattern in enumerate(patterns):
        y = TOP + STEP * i
        out.append(f'<text x="{LEFT - 8}" y="{y + BAR + 4}" text-anchor="end">{pattern}</text>')
        for row, (bits, (_, strong, light)) in enumerate(ELEMENTS.items()):
            selector, metadata = shares[bits][pattern]
            top, end = y + row * (BAR + 1), LEFT + scale * selector
            out.append(f'<rect x="{LEFT}" y="{top}" width="{scale * selector:.1f}" height="{BAR}" fill="{strong}"/>'
                       f'<rect x="{end:.1f}" y="{top}" width="{scale * metadata:.1f}" height="{BAR}" fill="{light}"/>'
                       f'<text x="{end + scale * metadata + 5:.1f}" y="{top + 10}" font-size="11">'
                       f'{selector + metadata:.1f} %</text>')
    print("\n".join(out) + "\n</svg>")


draw()
