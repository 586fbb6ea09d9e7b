#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reduces `cuobjdump -sass` output to the golden listing that listing_golden_test compares with.

    cuobjdump -sass a.cubin > a.sass; ...
    reduce_listing.py --sm 80 a.sass b.sass > sass_sm_80.txt

One line an instruction: address, low word, high word, text. Instructions of the same shape (same mnemonic, same kinds
of operands) are kept at most `--keep` times, so that the file stays small while every form that occurs is in it.
"""
import argparse
import re
import sys
from collections import Counter

FIRST = re.compile(r"\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;?\s+/\* 0x([0-9a-f]{16}) \*/")
SECOND = re.compile(r"\s+/\* 0x([0-9a-f]{16}) \*/")


def instructions(path):
    pending = None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if match := FIRST.match(line):
                pending = match.groups()
            elif pending and (match := SECOND.match(line)):
                address, text, low = pending
                yield address, low, match.group(1), " ".join(text.rstrip(" ;").split())
                pending = None


def shape(text):
    text = re.sub(r"\b(U?R|U?P|B|SB)\d+\b", r"\1#", text)
    return re.sub(r"-?\b(0x[0-9a-f]+|\d+(\.\d+)?(e[-+]\d+)?)\b", "#", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sm", required=True, help="80, 90, 90a")
    parser.add_argument("--keep", type=int, default=2)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    seen = Counter()
    print(f"# sm_{options.sm}: address, low word, high word, text by cuobjdump -sass")
    for path in options.files:
        for address, low, high, text in instructions(path):
            key = (shape(text), low[-3:])
            seen[key] += 1
            if seen[key] <= options.keep:
                print(address, low, high, text)
    return 0 if seen else 1


if __name__ == "__main__":
    sys.exit(main())
