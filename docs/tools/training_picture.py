#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/training.svg: speedup of a training step with 2:4 over the dense one, published beside what an H200 takes for the
same steps: training_picture.py validation/measured/h200/training.csv > docs/training.svg"""
import csv
import sys

from pictures import bars

# tokens, inputs and outputs, hidden, published speedup with 2:4 weights, with 2:4 activations (configs/training/README.md)
MLPS = [(44160, 1024, 4096, 1.253, 0.971), (16384, 2048, 6144, 1.086, 1.088), (2048, 5120, 15360, 0.72, 1.032),
        (1024, 8192, 24576, 0.617, 0.918), (2048, 8192, 24576, 0.622, 1.055), (4096, 8192, 24576, 0.64, 1.13)]
LAYERS = [(13008, 1024, 4096, 1.238), (13008, 4096, 1024, 1.269)]


class Cycles:
    def __init__(self, file):
        lines = (line for line in open(file, newline="") if not line.startswith("#"))
        self.rows = {(r["kernel"], *(int(r[s]) for s in "mnk")): int(r["elapsed_cycles"]) for r in csv.DictReader(lines)}

    def gemm(self, kind, m, n, k):
        """Of the tiles that were measured the fastest."""
        return min(cycles for (name, *sizes), cycles in self.rows.items()
                   if sizes == [m, n, k] and name in (f"train_{kind}_128x256x64_s3", f"train_{kind}_128x128x64_s3"))

    def prune(self, choice, rows, columns):
        return self.rows[f"train_prune_{choice}", rows, columns, 0]


def layer(of, t, i, o):
    dw = of.gemm("dense_km_kn_mn", o, i, t)
    dense = of.gemm("dense_mk_nk_mn", t, o, i) + of.gemm("dense_mk_kn_mn", t, i, o) + dw
    sparse = of.gemm("sp24_mk_nk_nm", o, t, i) + of.gemm("sp24_mk_nk_nm", i, t, o) + dw + of.prune("exact", o, i)
    return dense / sparse


def mlp(of, t, i, h):
    """Speedup with 2:4 weights and with 2:4 activations."""
    dw = of.gemm("dense_km_kn_mn", i, h, t) + of.gemm("dense_km_kn_mn", h, i, t)
    first, dh = of.gemm("dense_mk_nk_mn_relu2", t, h, i), of.gemm("dense_mk_kn_mn_relu2_gradient", t, h, i)
    dense = first + of.gemm("dense_mk_nk_mn", t, i, h) + dw + dh + of.gemm("dense_mk_kn_mn", t, i, h)
    weights = (of.prune("exact", h, i) + of.prune("exact", i, h) + of.gemm("sp24_mk_nk_nm_relu2", h, t, i) +
               2 * of.gemm("sp24_mk_nk_nm", i, t, h) + of.gemm("sp24_mk_nk_nm_relu2_gradient", h, t, i) + dw)
    activations = (first + of.prune("exact", t, h) + of.gemm("sp24_mk_nk_mn", t, i, h) +
                   of.gemm("sp24_mk_kn_nm", h, i, t) + dh + of.prune("like", t, h) + of.gemm("sp24_mk_kn_mn", h, i, t) +
                   of.gemm("sp24_mk_kn_mn", t, i, h))
    return dense / weights, dense / activations


def main():
    of = Cycles(sys.argv[1])
    rows = [(f"{i} -> {o}, {t}: weights", [published, layer(of, t, i, o)]) for t, i, o, published in LAYERS]
    steps = [(t, i, h, ours, published) for t, i, h, *published in MLPS for ours in [mlp(of, t, i, h)]]
    for which, what in enumerate(("weights", "activations")):
        rows += [(f"MLP {i}-{h}, {t}: {what}", [published[which], ours[which]]) for t, i, h, ours, published in steps]
    print(bars("Training step, forward and backward: speedup of 2:4 over dense, by sizes and tokens", "x",
               ["published, A100", "H200, measured"], rows), end="")


main()
