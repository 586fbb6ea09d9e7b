# SPDX-License-Identifier: Apache-2.0
"""Bar charts as SVG text."""
from xml.sax.saxutils import escape

COLOURS = ["#2a78b5", "#e08a2c", "#6aa84f", "#8e5ea2"]
LABEL, PLOT, ROW = 230, 420, 18


def number(value):
    if value == int(value) or value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def bars(title, unit, series, rows):
    """Horizontal bars: `series` names, `rows` of (label, [value of each series])."""
    largest = max(abs(value) for _, values in rows for value in values) or 1
    row_height = ROW * len(series) + 8
    height = 60 + row_height * len(rows)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LABEL + PLOT + 110}" height="{height}" '
           f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>'
           f'<text x="10" y="20" font-size="14" font-weight="bold">{escape(title)}</text>']
    for i, name in enumerate(series if len(series) > 1 else []):
        out.append(f'<rect x="{10 + i * 160}" y="30" width="12" height="12" fill="{COLOURS[i]}"/>'
                   f'<text x="{28 + i * 160}" y="40">{escape(name)}</text>')
    for r, (label, values) in enumerate(rows):
        top = 54 + r * row_height
        out.append(f'<text x="{LABEL - 8}" y="{top + row_height / 2}" text-anchor="end">{escape(label)}</text>')
        for i, value in enumerate(values):
            width = abs(value) / largest * PLOT
            y = top + i * ROW
            out.append(f'<rect x="{LABEL}" y="{y}" width="{width:.1f}" height="{ROW - 4}" fill="{COLOURS[i]}"/>'
                       f'<text x="{LABEL + width + 5:.1f}" y="{y + 11}">{number(value)}{escape(unit)}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
