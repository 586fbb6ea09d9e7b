#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/resnet50.svg from the result of `stcsim conv configs/convolution/resnet50.yaml --json resnet50.json` and from what
was measured: convolution_picture.py resnet50.json validation/measured/h200/convolution.csv > docs/resnet50.svg"""
import csv
import json
import sys

from pictures import bars

SIZES = ["n", "h", "w", "c", "k", "r", "s", "stride", "pad"]


def measured_speedups(file, element):
    """Of the fastest dense and the fastest sparse kernel, by layer."""
    least = {}
    with open(file, newline="") as lines:
        for row in csv.DictReader(line for line in lines if not line.startswith("#")):
            if not row["kernel"].startswith(f"conv_{element}_"):
                continue
            key = (tuple(int(row[s]) for s in SIZES), "_sp24_" in row["kernel"])
            least[key] = min(least.get(key, float("inf")), int(row["elapsed_cycles"]))
    return {layer: least[layer, False] / cycles for (layer, sparse), cycles in least.items() if sparse}


def main():
    study = json.load(open(sys.argv[1]))
    measured = measured_speedups(sys.argv[2], study["type"])
    gpus = study["gpus"]
    rows = []
    for layers in zip(*(gpu["layers"] for gpu in gpus)):
        shape = layers[0]["shape"]
        label = f"{layers[0]['name']}: {shape['c']} -> {shape['k']}, {shape['r']}x{shape['s']}"
        rows.append((label, [*(layer["speedup"] for layer in layers), measured[tuple(shape[s] for s in SIZES)]]))
    series = [f"{gpu['name']}, simulated" for gpu in gpus] + ["H200, measured"]
    print(bars(f"{study['title']}, {layers[0]['shape']['n']} images: speedup of 2:4 over dense", "x", series, rows), end="")


main()
