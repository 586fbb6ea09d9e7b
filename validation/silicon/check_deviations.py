#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""validation/DEVIATIONS.md has a row in its table for every entry, in the same order, each entry its four parts, and
every entry that known_gaps.yaml names is there."""
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent
PARTS = ["Where", "Cause", "Tried", "Open"]


def main():
    text = (FOLDER / "DEVIATIONS.md").read_text()
    rows = re.findall(r"^\| \[(\w+)\]\(#", text, re.M)
    entries = re.split(r"^### ", text, flags=re.M)[1:]
    names = [entry.split(".")[0] for entry in entries]
    errors = [] if rows == names else [f"the table has {rows}, the entries are {names}"]
    for name, entry in zip(names, entries):
        parts = re.findall(r"^- \*\*(\w+)", entry, re.M)
        if parts != PARTS:
            errors.append(f"{name} has the parts {parts}, must have {PARTS}")
    gaps = (FOLDER / "known_gaps.yaml").read_text()
    errors += [f"known_gaps.yaml: no entry {name}" for name in set(re.findall(r"explained: (\w+)}", gaps)) - set(names)]
    print("\n".join(errors + [f"{len(names)} entries, {len(errors)} errors"]))
    sys.exit(1 if errors or not names else 0)


if __name__ == "__main__":
    main()
