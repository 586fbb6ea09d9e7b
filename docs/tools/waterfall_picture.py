#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The waterfall of a result, from the ideal to the simulated speedup, as SVG.

  stcsim run configs/workloads/demo_1024_sparse.yaml --why --json result.json
  docs/tools/waterfall_picture.py result.json docs/waterfall.svg"""
import json
import sys
from xml.sax.saxutils import escape

LABEL, PLOT, VALUE, ROW, TOP = 150, 460, 70, 26, 46
TITLES = {"kernel": "the kernel itself", "feed": "operand feed", "instructions": "other instructions", "l2": "L2", "dram": "DRAM",
          "shared_memory": "shared memory"}
END, LOSS, GAIN = "#2a78d6", "#e0662f", "#169b6b"


def main():
    result = json.load(open(sys.argv[1]))
    waterfall = result["waterfall"]
    ideal, at = waterfall["ideal_speedup"], waterfall["ideal_speedup"]
    rows = [("ideal", 0, ideal, f"{ideal:.2f}x", END)]
    for part in waterfall["parts"]:
        to = at - part["speedup_part"]
        rows.append((TITLES.get(part["limit"], part["limit"]), at, to, f"{-part['speedup_part']:+.2f}", LOSS if to <= at else GAIN))
        at = to
    rows.append(("simulated", 0, at, f"{at:.2f}x", END))
    most = max(max(low, high) for _, low, high, _, _ in rows)
    width, height = LABEL + PLOT + VALUE, TOP + ROW * len(rows) + 12
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           'font-family="sans-serif" font-size="13"><rect width="100%" height="100%" fill="white"/>',
           f'<text x="12" y="22" font-size="14" font-weight="bold">{escape(result["kernel"]["name"])}</text>',
           f'<text x="12" y="39" fill="#55544e" font-size="12">on {escape(result["gpu"]["name"])}: speedup over its dense twin, '
           'launch overhead included</text>']
    for number, (name, low, high, value, colour) in enumerate(rows):
        y = TOP + number * ROW
        left, right = (LABEL + min(max(x, 0), most) / most * PLOT for x in sorted((low, high)))
        weight = ' font-weight="bold"' if colour == END else ""
        out.append(f'<text x="{LABEL - 8}" y="{y + 18}" text-anchor="end"{weight}>{escape(name)}</text>'
                   f'<rect x="{left:.1f}" y="{y + 5}" width="{max(right - left, 1):.1f}" height="{ROW - 9}" fill="{colour}"/>'
                   f'<text x="{width - 12}" y="{y + 18}" text-anchor="end"{weight}>{value}</text>')
        if number + 1 < len(rows):
            x = LABEL + high / most * PLOT
            out.append(f'<line x1="{x:.1f}" y1="{y + ROW - 4}" x2="{x:.1f}" y2="{y + ROW + 5}" stroke="#8a8980"/>')
    open(sys.argv[2], "w").write("\n".join(out + ["</svg>"]) + "\n")


if __name__ == "__main__":
    main()
