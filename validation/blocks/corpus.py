#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collects the programs from which blocks are taken: FOLDER/FAMILY/*.cubin, of the kernel library and of what
`scripts/foreign run --gpu h200` has compiled.

  validation/blocks/corpus.py FOLDER"""
import os
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "stcsim" / "foreign"


def foreign(folder):
    """Each cubin of a launch once, under the name of its program."""
    for family in sorted((CACHE / "launches" / "h200").iterdir()):
        seen = set()
        for run in sorted(family.rglob("run.yaml")):
            module = re.search(r"module:\s*(\S+)", run.read_text()).group(1)
            if module in seen:
                continue
            seen.add(module)
            target = folder / family.name
            target.mkdir(parents=True, exist_ok=True)
            program = run.relative_to(family).parts[0]
            number = len(list(target.glob(f"{program}*.cubin")))
            shutil.copy(module, target / (f"{program}.cubin" if number == 0 else f"{program}_{number}.cubin"))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    shutil.copytree(ROOT / "traces" / "kernels" / "sm_90", folder / "gemm",
                    ignore=lambda _, names: [name for name in names if not name.endswith(".cubin")])
    if not (CACHE / "launches" / "h200").is_dir():
        sys.exit("corpus.py: no foreign programs; run scripts/foreign run --gpu h200")
    foreign(folder)
    print(f"{len(list(folder.rglob('*.cubin')))} cubins in {folder}")


if __name__ == "__main__":
    main()
