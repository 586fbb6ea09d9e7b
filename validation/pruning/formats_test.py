# SPDX-License-Identifier: Apache-2.0
"""`stcsim formats` keeps as much of the committed weights as the study: formats_test.py STCSIM"""
import json
import pathlib
import subprocess
import sys

import tables

WEIGHTS = pathlib.Path(__file__).resolve().parents[2] / "configs/weights"
PATTERNS = ["2:4", "4:8", "1:4", "2:8", "4:16", "8:32", "1:8", "1:16"]
MOST = 0.1  # percent: the mean of two layers is not quite their magnitude taken together


def kept(program, layer):
    command = [program, "formats", "--weights", str(WEIGHTS / f"digits_layer{layer}.npy"), "--patterns",
               ",".join(PATTERNS), "--json", "-"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    names = {"2:4 both ways": "2:4 transposable"}
    return {names.get(p["name"], p["name"]): 100 * p["kept"]["magnitude"] for p in report["prunings"]}


def main():
    layers = [kept(sys.argv[1], layer) for layer in (1, 2)]
    study = {r["pattern"]: float(r["kept_magnitude"]) for r in tables.read_runs()
             if r["method"] == "fixed" and r["seed"] == "0"}
    compared = PATTERNS + ["2:4 transposable"]
    wrong = [f"{p}: formats {sum(l[p] for l in layers) / 2:.2f} %, study {study[p]:.2f} %" for p in compared
             if abs(sum(l[p] for l in layers) / 2 - study[p]) > MOST]
    print("\n".join(wrong) or f"{len(compared)} patterns agree")
    return 1 if wrong else 0


sys.exit(main())
