# SPDX-License-Identifier: Apache-2.0
"""The two tables of the study: runs.csv (a row a seed) and summary.csv (mean and standard deviation over the seeds)."""
import csv
import pathlib
import statistics

FOLDER = pathlib.Path(__file__).resolve().parent
RUNS = ["method", "pattern", "density", "seed", "kept_magnitude", "pruned", "tuned"]
SUMMARY = ["method", "pattern", "density", "seeds", "kept_magnitude", "pruned", "pruned_sd", "tuned", "tuned_sd"]


def summarise(runs):
    """`runs`: dictionaries of text, as read from runs.csv."""
    groups = {}
    for run in runs:
        groups.setdefault((run["method"], run["pattern"], run["density"]), []).append(run)
    rows = []
    for (method, pattern, density), members in groups.items():
        row = dict(method=method, pattern=pattern, density=density, seeds=str(len(members)))
        for key in ("kept_magnitude", "pruned", "tuned"):
            values = [float(m[key]) for m in members]
            row[key] = f"{statistics.fmean(values):.2f}"
            if key != "kept_magnitude":
                row[key + "_sd"] = f"{statistics.stdev(values):.2f}"
        rows.append(row)
    return rows


def read(name):
    with open(FOLDER / name, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def read_runs():
    return read("runs.csv")


def read_summary():
    return read("summary.csv")


def write(name, columns, rows, comments):
    with open(FOLDER / name, "w", newline="") as file:
        file.writelines(f"# {line}\n" for line in comments)
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
