#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The accuracy that README.md states is that of the published report, metric by metric, none left out; and the report
names the commit that it was built from, or README.md says that it does not."""
import html
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LABELS = {  # title in the report: beginning of the row in the README
    "cycles": "SM cycles with a warp resident",
    "elapsed cycles": "elapsed SM cycles",
    "time": "time, at a fixed clock",
    "warp instructions": "warp and tensor instructions",
    "tensor instructions": "warp and tensor instructions",
    "shared-memory wavefronts": "shared-memory wavefronts",
    "L2 sectors": "sectors of L2",
    "DRAM bytes read": "bytes read from DRAM",
    "DRAM bytes written": "bytes written to DRAM",
    "speedup": "sparse over dense",
}


def figures(report):
    """(mean, worst, Pearson or None) in percent by title."""
    summary = report[report.index('id="summary"'):report.index('id="scatter"')]
    found = {}
    for row in re.findall(r"<tr[^>]*>(.*?)</tr>", summary):
        cells = [html.unescape(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)]
        if cells:
            found[cells[1]] = (float(cells[3].split()[0]), float(cells[5].split()[0]), float(cells[7]))
    tile = re.search(r"<span>Sparse-to-dense speedup</span><b>([\d.]+) %</b><span>.*?worst ([\d.]+) %", report)
    found["speedup"] = (float(tile.group(1)), float(tile.group(2)), None)
    return found


def stated(cell):
    number = re.match(r"[\d.]+", cell.strip())
    return (float(number.group()), len(number.group().partition(".")[2])) if number else (None, 0)


def agrees(cell, value):
    number, digits = stated(cell)
    return number is not None and abs(number - value) <= 0.5 * 10 ** -digits + 1e-9


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)


def wrong_commit(report, readme):
    revision = re.search(r"stcsim [\d.]+ \(([^)]*)\)", report).group(1)
    admitted = "built from a modified tree" in readme
    if revision.endswith("+") or revision == "unknown":
        return [] if admitted else [f"the report was built from {revision}, and README.md does not say so"]
    if admitted:
        return [f"README.md says that the report was built from a modified tree, but it was built from {revision}"]
    whole = git("rev-parse", "--is-shallow-repository").stdout.strip() == "false"
    if whole and git("cat-file", "-e", f"{revision}^{{commit}}").returncode != 0:
        return [f"the report was built from {revision}, which is no commit of this repository"]
    return []


def main():
    report = (ROOT / "docs" / "h200_gemm.html").read_text()
    readme = (ROOT / "README.md").read_text()
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in readme.splitlines()
            if line.strip().startswith("|")]
    wrong = wrong_commit(report, readme)
    for title, (mean, worst, pearson) in figures(report).items():
        label = LABELS.get(title)
        row = next((r for r in rows if label and r[0].startswith(label)), None)
        if row is None:
            wrong.append(f"README.md has no row for '{title}'")
        elif not (agrees(row[1], mean) and agrees(row[2], worst) and (pearson is None or agrees(row[3], pearson))):
            wrong.append(f"README.md says {row}, the report {mean} %, worst {worst} %, Pearson {pearson} for '{title}'")
    points = re.search(r"(\d+) points of", report).group(1)
    if f"over the {points} cold-L2 points" not in readme:
        wrong.append(f"README.md does not say that the report has {points} points")
    print("\n".join(wrong) or f"{len(figures(report))} figures agree")
    sys.exit(1 if wrong else 0)


main()
