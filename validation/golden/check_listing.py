#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `stcsim inspect --listing` with `cuobjdump -sass`, instruction by instruction, for whole cubins.

    check_listing.py --stcsim build/sim/stcsim traces/kernels/sm_*/*.cubin

Needs cuobjdump. Exit code 1 when any instruction differs in anything but whitespace.
"""
import argparse
import json
import subprocess
import sys
import tempfile

from reduce_listing import instructions


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stcsim", default="build/sim/stcsim")
    parser.add_argument("--cuobjdump", default="cuobjdump")
    parser.add_argument("cubins", nargs="+")
    options = parser.parse_args()
    total = wrong = 0
    for path in options.cubins:
        with tempfile.NamedTemporaryFile("w+", suffix=".sass") as listing:
            subprocess.run([options.cuobjdump, "-sass", path], stdout=listing, check=True)
            expected = list(instructions(listing.name))
        run = subprocess.run([options.stcsim, "inspect", path, "--json", "--listing"], capture_output=True, text=True, check=True)
        found = [line for kernel in json.loads(run.stdout)["kernels"] for line in kernel["listing"]]
        texts = {}
        for line in found:
            texts.setdefault((line["address"], line["low"], line["high"]), line.get("text", line.get("error")))
        if len(expected) != len(found):
            print(f"{path}: {len(found)} instructions instead of {len(expected)}")
            wrong += 1
        for address, low, high, text in expected:
            total += 1
            own = " ".join(str(texts.get((int(address, 16), "0x" + low, "0x" + high))).split())
            if own != text:
                wrong += 1
                print(f"{path} {address}: {own!r} instead of {text!r}")
    print(f"{total} instructions compared, {wrong} differ")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
