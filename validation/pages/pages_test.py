#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every kind of page that stcsim writes, looked at in a browser; and pages that are broken on purpose, which must be found.

  pages_test.py PROGRAM broken            pages with one defect each
  pages_test.py PROGRAM KIND [--keep DIR] a page of this kind"""
import os
import pathlib
import subprocess
import sys
import tempfile

import check_pages

ROOT = pathlib.Path(__file__).resolve().parents[2]

SMALL_GEMM = ["run", "configs/workloads/gemm_512_integers.yaml", "--set", "options.values=addresses", "--set",
              "options.check=false", "--set", "workload.gemm.k=128", "--html", "DIR/page.html"]
# A program of the tests of `stcsim exec`; its scenarios are the words behind it.
EXEC = ["exec", "--set", "sms=2", "--html", "DIR/page.html", "--", os.environ.get("EXEC_PROGRAM", "EXEC_PROGRAM")]

# Arguments that write the page DIR/NAME: small inputs, pages as long ones have them.
KINDS = {
    "compare": ("compare.html", ["compare", "validation/measured/h200/intervals.csv", "--filter", "group=barrier,warps<=4",
                                 "--out", "DIR"]),
    "gemms": ("compare.html", ["compare", "validation/measured/h200/gemm.csv", "--filter", "m<=512,n<=512,k<=256", "--out", "DIR"]),
    "explore": ("report.html", ["explore", "configs/sweeps/feed.yaml", "--set", "shapes.deep.k=1536", "--set",
                                "grid.pattern=[2:4, 2:8]", "--out", "DIR"]),
    "crossover": ("report.html", ["crossover", "configs/crossover/small.yaml", "--set", "density=[0.3, 0.05]", "--set",
                                  "kernels=[dense_f32, csr_f32, dense_f16, sp24_f16]", "--out", "DIR"]),
    "conv": ("page.html", ["conv", "configs/convolution/channels.yaml", "--set", "n=1", "--set",
                           "layers={1x1 64: {h: 28, w: 28, c: 64, k: 64, r: 1, s: 1, stride: 1, pad: 0}, "
                           "1x1 128: {h: 28, w: 28, c: 128, k: 128, r: 1, s: 1, stride: 1, pad: 0}}",
                           "--html", "DIR/page.html"]),
    "train": ("page.html", ["train", "configs/training/small.yaml", "--set", "workload.train_linear.tokens=[512]", "--html",
                            "DIR/page.html"]),
    "run": ("page.html", [*SMALL_GEMM, "--set", "options.compare_dense=true"]),
    "one_kernel": ("page.html", SMALL_GEMM),
    "why": ("page.html", [*SMALL_GEMM, "--set", "workload.gemm.m=128", "--set", "options.compare_dense=true", "--why"]),
    "why_one_kernel": ("page.html", [*SMALL_GEMM, "--set", "workload.gemm.m=128", "--why"]),
    "exec": ("page.html", [*EXEC, "driver_launches"]),
    "exec_failing": ("page.html", [*EXEC, "out_of_bounds"]),
    "network": ("page.html", ["network", "configs/networks/small.yaml", "--set", "batch=4", "--html", "DIR/page.html"]),
}

CHART = '<svg width="300" height="100" viewBox="0 0 300 100">{}</svg>'
MARK = '<circle class="dot s0" cx="150" cy="50" r="4" fill="#2a78d6"/>'
SOUND = "<p>A page.</p>" + CHART.format('<text x="10" y="20" fill="gray">left</text>' + MARK)
# What is wrong with a page, and what of it stands in the defect that is found.
BROKEN = {
    "wider than the page": SOUND + '<div style="width:2000px;background:#888">wide</div>',
    "text leaves its box": SOUND + '<p style="width:60px;white-space:nowrap;overflow:hidden">a sentence that is cut off here</p>',
    "a column too narrow": SOUND + '<table><tr><td style="width:40px;overflow-wrap:anywhere">' + "reason after reason " * 8 +
                           '</td><td class="name" style="width:95%">x</td></tr></table>',
    "an empty chart": SOUND + CHART.format('<text x="10" y="20" fill="gray">measured</text><line class="axis" x1="0" y1="90" x2="300" y2="90"/>'),
    "clipped by its drawing": SOUND + CHART.format('<text x="280" y="20" fill="gray">a long label</text>' + MARK),
    "texts overlap: <text": SOUND + CHART.format('<text x="10" y="20" fill="gray">1,000</text><text x="14" y="22" fill="gray">2,000</text>' + MARK),
    "texts overlap: <p": SOUND + '<p style="height:20px">below</p><p style="margin-top:-36px">above it</p>',
    "text hardly seen": SOUND + '<p style="background:#fff;color:#eee">pale</p>',
    "console: ": SOUND + "<script>undefinedFunction();</script>",
}


def page_of(body):
    return ('<!DOCTYPE html><html><head><title>t</title><style>:root{color-scheme:light dark}body{margin:0;font:15px sans-serif}'
            f"p{{margin:0 0 12px}}</style></head><body><main>{body}</main></body></html>")


def broken():
    with tempfile.TemporaryDirectory() as folder:
        pages = []
        for number, body in enumerate([SOUND, *BROKEN.values()]):
            pages.append(pathlib.Path(folder) / f"{number}.html")
            pages[-1].write_text(page_of(body))
        wrong = check_pages.look_at(pages)
    failures = [f"a sound page has a defect: {found}" for found in wrong if found[0] == str(pages[0])]
    for page, sentence in zip(pages[1:], BROKEN):
        seen = {(width, scheme) for name, width, scheme, defect in wrong if name == str(page) and sentence in defect}
        # What is wrong at every width and in every colour is found in each.
        if len(seen) < 4:
            failures.append(f"not found in {4 - len(seen)} of 4 visits: {sentence}")
    print("\n".join(failures) or f"{len(BROKEN)} broken pages were found")
    return 1 if failures else 0


def look_at_kind(program, kind, keep):
    with tempfile.TemporaryDirectory() as folder:
        out = keep or pathlib.Path(folder) / "out"
        out.mkdir(parents=True, exist_ok=True)
        name, arguments = KINDS[kind]
        done = subprocess.run([program, *[part.replace("DIR", str(out)) for part in arguments]], cwd=ROOT, text=True,
                              capture_output=True)
        if done.returncode not in (0, 1):
            sys.exit(f"{kind}: exit code {done.returncode}\n{done.stderr}")
        wrong = check_pages.look_at([out / name])
    for page, width, scheme, defect in wrong:
        print(f"{kind}, {width} px, {scheme}: {defect}")
    print(f"{kind}: {len(wrong)} defects")
    return 1 if wrong else 0


def main():
    if check_pages.browser() is None:
        print("pages: skipped: there is no chromium (scripts/setup --browser)")
        sys.exit(77)
    program, kind = sys.argv[1:3]
    keep = pathlib.Path(sys.argv[4]).resolve() if "--keep" in sys.argv else None
    sys.exit(broken() if kind == "broken" else look_at_kind(program, kind, keep))


if __name__ == "__main__":
    main()
