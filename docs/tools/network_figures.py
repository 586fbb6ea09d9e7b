#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures and tables of docs/networks.md from results of `stcsim network FILE --json RESULT.json`:

  network_figures.py speedup RESULT.json... > docs/networks.svg
  network_figures.py watts RESULT.json... > docs/networks_watts.svg
  network_figures.py table RESULT.json...       one table a network, for the page"""
import json
import pathlib
import sys
from xml.sax.saxutils import escape

from pictures import COLOURS

LEFT, WIDTH, BAR, GAP, TOP = 250, 400, 13, 9, 64
LARGEST = 2.0  # of the axis: what 2:4 could bring at most


def outcomes(result):
    """{batch: {GPU: outcome}}, in the order of the file."""
    found = {}
    for outcome in result["outcomes"]:
        found.setdefault(outcome["batch"], {})[outcome["name"]] = outcome
    return found


def ratio(outcome, figure):
    return outcome["dense"][figure] / outcome["faster"][figure]




def picture(results, title, value, mark):
    """Bars from 1 on, a row a network and batch, a colour a GPU; `mark` gives where a tick stands, or nothing."""
    rows = [(f"{result['title']}, batch {batch}", of) for result in results for batch, of in outcomes(result).items()]
    gpus = list(rows[0][1])
    height = TOP + sum(BAR * len(gpus) + GAP for _ in rows) + 24
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 80}" height="{height}" '
           'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>'
           f'<text x="10" y="20" font-size="14" font-weight="bold">{escape(title)}</text>']
    for i, gpu in enumerate(gpus):
        out.append(f'<rect x="{10 + i * 90}" y="32" width="12" height="12" fill="{COLOURS[i]}"/>'
                   f'<text x="{28 + i * 90}" y="42">{escape(gpu)}</text>')
    if mark:
        out.append(f'<path d="M{20 + len(gpus) * 90},31 v14" stroke="black" stroke-width="2"/>'
                   f'<text x="{28 + len(gpus) * 90}" y="42">were all layers with 2:4 weights twice as fast</text>')

    def across(of):
        return LEFT + WIDTH * (of - 1) / (LARGEST - 1)
    for tenth in range(0, 11, 2):
        x = across(1 + tenth / 10)
        out.append(f'<path d="M{x:.1f},{TOP - 6} V{height - 24}" stroke="#dddddd"/>'
                   f'<text x="{x:.1f}" y="{height - 8}" text-anchor="middle">{1 + tenth / 10:.1f}x</text>')
    y = TOP
    for label, of in rows:
        out.append(f'<text x="{LEFT - 8}" y="{y + BAR * len(gpus) / 2 + 4}" text-anchor="end">{escape(label)}</text>')
        for i, gpu in enumerate(gpus):
            end = across(value(of[gpu]))
            out.append(f'<rect x="{LEFT}" y="{y}" width="{end - LEFT:.1f}" height="{BAR - 2}" fill="{COLOURS[i]}"/>'
                       f'<text x="{end + 4:.1f}" y="{y + 10}" font-size="11">{value(of[gpu]):.2f}</text>')
            if mark:
                out.append(f'<path d="M{across(mark(of[gpu])):.1f},{y - 1} v{BAR}" stroke="black" stroke-width="2"/>')
            y += BAR
        y += GAP
    return "\n".join(out + ["</svg>"])


def table(result):
    lines = [f"### {result['title']}", "",
             "| GPU | batch | dense | 2:4 | speedup | within the power limit | layers with 2:4 weights | twice as fast "
             "they would make | joules | work per joule | MiB of weights |",
             "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for outcome in result["outcomes"]:
        dense, sparse = outcome["dense"], outcome["faster"]
        share = 100 * dense["time_of_prunable_layers_us"] / dense["time_us"]
        lines.append(
            f"| {outcome['name']} | {outcome['batch']} | {dense['time_us'] / 1e3:.3g} ms | {sparse['time_us'] / 1e3:.3g} ms "
            f"| {outcome['speedup']:.2f}x | {ratio(outcome, 'time_under_power_limit_us'):.2f}x "
            f"| {share:.0f} % of the time, {ratio(outcome, 'time_of_prunable_layers_us'):.2f}x as fast "
            f"| {outcome['speedup_if_2_4_doubled']:.2f}x | {dense['joules']:.3g} to {sparse['joules']:.3g} "
            f"| {ratio(outcome, 'joules'):.2f}x "
            f"| {dense['weight_bytes'] / 2**20:.0f} to {sparse['weight_bytes'] / 2**20:.0f} |")
    return "\n".join(lines) + "\n"


def main():
    results = [json.loads(pathlib.Path(name).read_text()) for name in sys.argv[2:]]
    if sys.argv[1] == "speedup":
        print(picture(results, "Speedup of 2:4 weights end to end, by network and batch",
                      lambda outcome: outcome["speedup"], lambda outcome: outcome["speedup_if_2_4_doubled"]))
    elif sys.argv[1] == "watts":
        print(picture(results, "Work per joule with 2:4 weights over dense ones, end to end, within the power limit",
                      lambda outcome: ratio(outcome, "joules"), None))
    else:
        print("\n".join(table(result) for result in results), end="")


main()
