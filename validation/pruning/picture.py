# SPDX-License-Identifier: Apache-2.0
"""Accuracy over the share of weights kept, as SVG: left after pruning, right after fine-tuning."""
import math

WIDTH, HEIGHT, LEFT, TOP, PANEL, PLOT = 960, 400, 60, 50, 480, 280
COLOURS = {"unstructured": "#2a78b5", "N:M": "#e08a2c", "transposable": "#8e5ea2", "iterative": "#c0392b",
           "sr-ste": "#6aa84f", "rigl": "#555555"}


def kind(row):
    if row["method"] != "fixed":
        return row["method"]
    if "transposable" in row["pattern"]:
        return "transposable"
    return "N:M" if ":" in row["pattern"] else "unstructured"


class Panel:
    """Logarithmic in the share kept, 1 to 100 %; linear in accuracy from `low` to 100 %."""

    def __init__(self, index, title, low):
        self.left, self.low = LEFT + index * PANEL, low
        self.out = [f'<text x="{self.left}" y="34" font-weight="bold">{title}</text>']
        self.axes()

    def x(self, density):
        return self.left + (2 + math.log10(density)) / 2 * (PANEL - 90)

    def y(self, accuracy):
        return TOP + PLOT * (100 - accuracy) / (100 - self.low)

    def axes(self):
        bottom, right = TOP + PLOT, self.x(1)
        for percent in (1, 2, 5, 10, 25, 50, 100):
            x = self.x(percent / 100)
            self.out.append(f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="#e4e4e4"/>'
                            f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{percent} %</text>')
        for i in range(6):
            accuracy = self.low + (100 - self.low) * i / 5
            y = self.y(accuracy)
            self.out.append(f'<path d="M{self.left} {y:.1f}H{right:.1f}" stroke="#e4e4e4"/>'
                            f'<text x="{self.left - 6}" y="{y + 4:.1f}" text-anchor="end">{accuracy:.0f} %</text>')
        self.out.append(f'<text x="{(self.left + right) / 2:.1f}" y="{bottom + 36}" text-anchor="middle">weights kept</text>')

    def line(self, colour, rows, key):
        places = " ".join(f"{self.x(float(r['density'])):.1f},{self.y(float(r[key])):.1f}" for r in rows)
        self.out.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.5"/>')

    def dot(self, colour, row, key):
        x, y, spread = self.x(float(row["density"])), float(row[key]), float(row[key + "_sd"])
        top, bottom = self.y(min(100, y + spread)), self.y(max(self.low, y - spread))
        self.out.append(f'<path d="M{x:.1f} {top:.1f}V{bottom:.1f}" stroke="{colour}" opacity="0.4"/>'
                        f'<circle cx="{x:.1f}" cy="{self.y(y):.1f}" r="3.5" fill="{colour}">'
                        f'<title>{row["method"]} {row["pattern"]}: {y:.2f} % (sd {spread:.2f})</title></circle>')

    def name(self, row, key, text):
        self.out.append(f'<text x="{self.x(float(row["density"])) + 7:.1f}" y="{self.y(float(row[key])) + 4:.1f}" '
                        f'font-size="10">{text}</text>')


def draw(summary):
    rows = sorted((r for r in summary if r["method"] != "dense"), key=lambda r: -float(r["density"]))
    panels = [(Panel(0, "Pruned by magnitude, nothing else", 0), "pruned",
               [r for r in rows if r["method"] == "fixed"]),
              (Panel(1, "After 20 more epochs", 75), "tuned", rows)]
    for panel, key, shown in panels:
        for name in ("unstructured", "iterative", "rigl"):
            panel.line(COLOURS[name], [r for r in shown if kind(r) == name], key)
        for row in shown:
            panel.dot(COLOURS[kind(row)], row, key)
            if key == "pruned" and row["pattern"] in ("2:4", "1:4", "8:32", "1:8", "4:32", "1:16"):
                panel.name(row, key, row["pattern"])
    legend = []
    for i, (name, colour) in enumerate(COLOURS.items()):
        x = LEFT + i * 140
        legend.append(f'<circle cx="{x}" cy="{HEIGHT - 12}" r="5" fill="{colour}"/>'
                      f'<text x="{x + 10}" y="{HEIGHT - 8}">{name}</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>\n' +
            '<text x="10" y="16" font-size="14" font-weight="bold">Accuracy on digits over the share of weights kept '
            '(mean and spread of the seeds)</text>\n' +
            "\n".join(line for panel, _, _ in panels for line in panel.out) + "\n" + "\n".join(legend) + "\n</svg>\n")
