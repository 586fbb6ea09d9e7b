# SPDX-License-Identifier: Apache-2.0
"""Compiles the Triton kernels without a GPU: FOLDER/sm_80/NAME.cubin and NAME.txt: "symbol warps shared_bytes
scratch_bytes" (of each CTA), and a line "rows columns swizzle" for each box of a tensor map that the host is to make.

  python3 compile.py FOLDER
"""
import inspect
import pathlib
import sys

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from kernels import HOPPER, KERNELS


def compile_one(name, entry, folder, capability):
    kernel, types, constants, warps, stages = entry
    parameters = [p for p in inspect.signature(kernel.fn).parameters if p not in constants]
    signature = dict(zip(parameters, types.split()), **{key: "constexpr" for key in constants})
    names = list(inspect.signature(kernel.fn).parameters)
    # As at run time: pointers and sizes that are multiples of 16 are known to be so.
    aligned = {(names.index(p),): [["tt.divisibility", 16]] for p, t in signature.items() if t.startswith("*")}
    source = ASTSource(kernel, signature, constexprs={(names.index(k),): v for k, v in constants.items()}, attrs=aligned)
    made = triton.compile(source, target=GPUTarget("cuda", capability, 32), options={"num_warps": warps, "num_stages": stages})
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.cubin").write_bytes(made.asm["cubin"])
    about = made.metadata
    boxes = [(*one["block_size"], one["swizzle"]) for one in about.tensordesc_meta or []]
    lines = [(about.name, about.num_warps, about.shared, about.global_scratch_size), *boxes]
    (folder / f"{name}.txt").write_text("".join(" ".join(map(str, line)) + "\n" for line in lines))


def main():
    folder = pathlib.Path(sys.argv[1])
    for capability in (80, 90):
        for name, entry in {**KERNELS, **(HOPPER if capability == 90 else {})}.items():
            compile_one(name, entry, folder / f"sm_{capability}", capability)


if __name__ == "__main__":
    main()
