#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/crossover.svg: who is fastest over the share of zeros, from results of `stcsim crossover`:
  crossover_picture.py small.crossover/result.json published_f32.crossover/result.json tokens_f16.crossover/result.json"""
import json
import math
import sys
from xml.sax.saxutils import escape

COLOURS = {"dense": "#2a78d6", "2:4": "#c58a00", "unstructured": "#169b6b"}
LEFT, WIDTH, BAR, FIRST, LAST = 270, 520, 22, 50, 100


def x_of(zeros):
    return LEFT + (zeros - FIRST) / (LAST - FIRST) * WIDTH


def begin(break_even):
    """Share of zeros, in percent, from which on a contender is the faster one."""
    if break_even is None:
        return -math.inf
    return 100 * break_even["at"] if "at" in break_even else math.inf if "beyond" in break_even else -math.inf


def kind(contender):
    return "2:4" if contender.startswith(("sp24", "sp12")) else "dense" if contender.startswith("dense") else "unstructured"


def contest_row(contest):
    """(label, least and most zeros that were run, who wins before, first zeros at which unstructured formats win, its format)."""
    zeros = [100 * winner["sparsity"] for winner in contest["winners"]]
    wins = [(max(begin(b["dense"]), begin(b["structured"])), b["contender"]) for b in contest["break_even"]]
    first, name = min(wins)
    structured = any(answer["contender"].startswith("sp") for answer in contest["answers"])
    before = kind(contest["winners"][0]["contender"])
    if before == "unstructured":
        before = "2:4" if structured else "dense"
    shape = contest["shape"]
    label = f"{contest['gpu']}, {contest['element']}: {shape['m']} x {shape['n']} x {shape['k']}"
    return label, min(zeros), max(zeros), before, max(first, min(zeros)), name.split("_")[0].upper()


def main():
    contests = [contest for name in sys.argv[1:] for contest in json.load(open(name))["contests"]]
    rows = [contest_row(contest) for contest in sorted(contests, key=lambda one: one["element"], reverse=True)]
    height = 76 + 34 * len(rows) + 34
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 40}" height="{height}" font-family="sans-serif" '
           f'font-size="12"><rect width="100%" height="100%" fill="white"/>'
           '<text x="10" y="20" font-size="14" font-weight="bold">Fastest way to multiply sparse m x k by dense k x n, L2 warm, '
           'simulated</text>']
    for i, (name, colour) in enumerate(COLOURS.items()):
        out.append(f'<rect x="{10 + i * 110}" y="32" width="12" height="12" fill="{colour}"/>'
                   f'<text x="{28 + i * 110}" y="42">{name}</text>')
    bottom = height - 40
    for tick in range(FIRST, LAST + 1, 10):
        out.append(f'<path d="M{x_of(tick):.1f} 60V{bottom}" stroke="#e6e5df"/>'
                   f'<text x="{x_of(tick):.1f}" y="{bottom + 16}" text-anchor="middle">{tick} %</text>')
    out.append(f'<text x="{x_of(75):.1f}" y="{bottom + 33}" text-anchor="middle">zeros</text>')
    for i, (label, least, most, before, first, name) in enumerate(rows):
        y = 68 + 34 * i
        out.append(f'<text x="{LEFT - 10}" y="{y + 15}" text-anchor="end">{escape(label)}</text>')
        end = min(first, most)
        for begins, ends, who in ((least, end, before), (end, most, "unstructured")):
            out.append(f'<rect x="{x_of(begins):.1f}" y="{y}" width="{x_of(ends) - x_of(begins):.1f}" height="{BAR}" '
                       f'fill="{COLOURS[who]}"/>')
        if first > most:
            continue
        text = f"{name} from {first:.0f} %" if first > least else f"{name} everywhere"
        inside = x_of(most) - x_of(end) > 110
        out.append(f'<text x="{x_of(end) + (6 if inside else -6):.1f}" y="{y + 15}" fill="white" '
                   f'text-anchor="{"start" if inside else "end"}">{text}</text>')
    print("\n".join(out + ["</svg>"]))


main()
