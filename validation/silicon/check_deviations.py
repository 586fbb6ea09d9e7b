#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""validation/DEVIATIONS.md has a row in its table for every entry, in the same order, each entry its four parts, and
every entry that known_gaps.yaml names is there. What watches an entry exists: a group of known_gaps.yaml, a test, a
source or folder, or a part of the program. A gap of more than 3 % names its entry."""
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent
PARTS = ["Where", "Cause", "Tried", "Open"]
PROGRAM = ["stcsim compare", "check"]
MOST_UNEXPLAINED = 3  # per cent


def watchers(gaps):
    """What may stand in the table's last column."""
    names = set(PROGRAM) | set(re.findall(r'filter: "(\w+)', gaps)) | set(re.findall(r"table: (\w+)", gaps))
    names |= set(re.findall(r"metric: (\w+)", gaps))
    for file in FOLDER.glob("**/*"):
        path = file.relative_to(FOLDER.parent).as_posix()
        names |= {path, path.removesuffix(file.suffix), file.stem}
        if file.suffix == ".cpp":
            text = file.read_text()
            names |= {name for pair in re.findall(r"TEST\w*\((\w+),\s*(\w+)", text) for name in pair}
            names |= {"/".join(pair) for pair in re.findall(r"INSTANTIATE_TEST_SUITE_P\(\s*(\w+),\s*(\w+)", text)}
        elif file.name == "CMakeLists.txt":
            names |= set(re.findall(r"NAME ([\w.]+)", file.read_text()))
    return names


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
    known = watchers(gaps)
    for name, watched in re.findall(r"^\| \[(\w+)\]\(#.*\| ([^|]*) \|$", text, re.M):
        errors += [f"{name} is watched by {what}, which does not exist" for what in re.findall(r"`([^`]+)`", watched)
                   if what.split(" (")[0] not in known]
    errors += [f"known_gaps.yaml: no entry explains {row[0]}" for row in re.findall(r'(filter: "[^"]*").*high: ([\d.]+)(.*)', gaps)
               if float(row[1]) > MOST_UNEXPLAINED and "explained" not in row[2]]
    print("\n".join(errors + [f"{len(names)} entries, {len(errors)} errors"]))
    sys.exit(1 if errors or not names else 0)


if __name__ == "__main__":
    main()
