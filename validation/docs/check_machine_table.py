#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The files, folders and tests that the table of models/README.md names exist. A file stands there without its ending,
below models/ or beside the file named before it; a test below the project, or beside the one named before it."""
import pathlib
import re
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
ENDINGS = ["", ".h", ".cpp", ".def"]


def missing(names, top):
    """The names that are neither below top nor in the folder of the name before them."""
    folder = top
    for name in names:
        found = [path for start in (top, folder) for ending in ENDINGS if (path := start / (name + ending)).exists()]
        if not found:
            yield name
        folder = found[0].parent if found else folder


def main():
    rows = [line.strip("|\n").split("|") for line in (PROJECT / "models/README.md").read_text().splitlines() if line.startswith("| ")]
    blocks = [row for row in rows if len(row) == 5 and "`" in row[1]]
    quoted = re.compile(r"`([^`]+)`")
    errors = [f"{block[0].strip()}: no {name}" for block in blocks
              for name in [*missing(quoted.findall(block[1]), PROJECT / "models"),
                           *missing(quoted.findall(block[4]), PROJECT)]]
    print("\n".join(errors + [f"{len(blocks)} blocks, {len(errors)} errors"]))
    sys.exit(1 if errors or not blocks else 0)


if __name__ == "__main__":
    main()
