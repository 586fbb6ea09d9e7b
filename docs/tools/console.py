#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands that a page shows and compares what they print with what it says.

  console.py PROGRAM PAGE...            fails where a command fails or prints something else
  console.py PROGRAM --refresh PAGE...  writes what they print now into the pages
  --slow                                also those of ```console slow

A block ```console holds commands ("$ stcsim ...") with lines of their output; "..." stands for lines left out. A line
agrees with one that has the same words and numbers within 5 %."""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^```console( slow)?\n(.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
TOLERANCE = 0.05


def words(line):
    return " ".join(NUMBER.sub("#", line).split())


def numbers(line):
    return [float(text.replace(",", "")) for text in NUMBER.findall(line)]


def near(shown, printed):
    return all(abs(a - b) <= max(TOLERANCE * abs(b), 0.2) for a, b in zip(numbers(shown), numbers(printed)))


def output_of(command, program):
    arguments = shlex.split(command)
    if arguments[0] != "stcsim":
        sys.exit(f"only stcsim is run: {command}")
    done = subprocess.run([program] + arguments[1:], cwd=ROOT, text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"$ {command}\nexit code {done.returncode}\n{done.stderr}")
    return done.stdout.splitlines()


def replay(block, program, refresh):
    """The block as it should be, and what is wrong with it."""
    out, wrong, printed = [], [], []
    for line in block.splitlines():
        if line.startswith("$ "):
            printed = output_of(line[2:], program)
            out.append(line)
            continue
        same = [real for real in printed if words(real) == words(line)]
        found = next((real for real in same if near(line, real)), same[0] if same else None)
        if line == "..." or not line.strip():
            out.append(line)
        elif found is None:
            wrong.append(f"not printed: {line}")
            out.append(line)
        else:
            if not near(line, found):
                wrong.append(f"says  {line}\nprints {found}")
            out.append(found if refresh else line)
    return "\n".join(out) + "\n", wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    parser.add_argument("--refresh", action="store_true")
    parser.add_argument("--slow", action="store_true")
    options = parser.parse_args()
    failed, commands = False, 0
    for page in options.pages:
        text = page.read_text()
        for slow, block in BLOCK.findall(text):
            if slow and not options.slow:
                continue
            commands += block.count("$ ")
            fresh, wrong = replay(block, options.program, options.refresh)
            text = text.replace(block, fresh)
            failed = failed or bool(wrong) and not options.refresh
            for message in wrong:
                print(f"{page}: {message}")
        if options.refresh:
            page.write_text(text)
    print(f"{commands} commands")
    if commands == 0:
        sys.exit("no commands were found")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
