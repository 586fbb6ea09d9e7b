#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Flips single bits of compiled instructions and writes what nvdisasm reads: the evidence that the decoder never guesses.

    make_flips.py --sm 80 > flips_sm_80.txt

Takes one instance per operation from sass_sm_N.txt. One line a flip: address, low word, high word, text, or - when
nvdisasm calls it illegal. Illegal ones are all kept, of the others a reproducible share. Needs nvdisasm.
"""
import argparse
import random
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

NOP = (0x7918, 0x000FC00000000000)
BITS = [bit for bit in range(12, 105) if bit != 91] + [125]
SHARE = 0.12


def disassemble(nvdisasm, sm, words):
    """Texts by position; None for what is illegal (nvdisasm stops at the first, so those are replaced one by one)."""
    words = list(words)
    illegal = set()
    while True:
        with tempfile.NamedTemporaryFile(suffix=".bin") as image:
            image.write(b"".join(struct.pack("<QQ", low, high) for low, high in words + [NOP]))
            image.flush()
            run = subprocess.run([nvdisasm, "-b", f"SM{sm}", image.name], capture_output=True, text=True, check=False)
        if not (place := re.search(r"at address 0x([0-9a-f]+)", run.stderr)):
            break
        position = int(place.group(1), 16) // 16
        illegal.add(position)
        words[position] = NOP
    texts = {}
    for line in run.stdout.splitlines():
        if match := re.match(r"\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", line):
            texts[int(match.group(1), 16) // 16] = " ".join(match.group(2).replace("`", "").split())
    return [None if position in illegal else texts.get(position) for position in range(len(words))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sm", required=True, help="80, 90, 90a")
    parser.add_argument("--nvdisasm", default="nvdisasm")
    options = parser.parse_args()
    rng = random.Random(int(options.sm.rstrip("a")))
    instances = {}
    for line in (Path(__file__).parent / f"sass_sm_{options.sm}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        _, low, high, text = line.split(" ", 3)
        low, high = int(low, 16), int(high, 16)
        name = re.sub(r"^@\S+ ", "", text).split(" ")[0].split(".")[0]
        instances.setdefault((low & 0xFFF | (high >> 27 & 1) << 12, name), []).append((low, high))
    print(f"# sm_{options.sm}: one bit flipped: address, low word, high word, text by nvdisasm or - (illegal)")
    for key in sorted(instances):
        low, high = rng.choice(instances[key])
        flipped = [((high << 64 | low) ^ 1 << bit) for bit in BITS]
        words = [(value & (1 << 64) - 1, value >> 64) for value in flipped]
        for position, text in enumerate(disassemble(options.nvdisasm, options.sm, words)):
            if text is None or rng.random() < SHARE:
                print(f"{16 * position:04x} {words[position][0]:016x} {words[position][1]:016x} {text or '-'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
