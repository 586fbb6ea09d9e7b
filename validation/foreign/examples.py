# SPDX-License-Identifier: Apache-2.0
"""CUTLASS's own examples, unmodified, under `stcsim exec`: those of an A100 for their values, those for Hopper for the cycles
that the same launches take on an H200 (cutlass_examples.csv) and for their values as far as they look at them. Many compare
CUTLASS with a kernel that runs on the same device, and so would pass on a device that does nothing: of two of the A100's, D is
compared with a product that is computed here."""
import csv
import json
import os
import pathlib
import re
import statistics
import struct
import subprocess
import tempfile

from build import CACHE, HERE, NVCC_FLAGS, PACKAGES, ROOT, Missing, compiler_version, digest, nvcc, package, toolkit


def matrix(folder, number, element, rows, columns, by_columns):
    """[row][column] of a freed buffer."""
    values = [value for (value,) in struct.iter_unpack(element, (folder / str(number)).read_bytes())]
    assert len(values) == rows * columns, f"buffer {number} has {len(values)} elements, not {rows} x {columns}"
    return [[values[c * rows + r] if by_columns else values[r * columns + c] for c in range(columns)] for r in range(rows)]


def difference(a, b, d):
    """What is wrong with D = A x B, whose elements are whole numbers; "" when nothing is."""
    if not any(value for row in d for value in row):
        return "D is zero"
    columns = list(zip(*b))
    for r, row in enumerate(a):
        for c, column in enumerate(columns):
            wanted = sum(x * y for x, y in zip(row, column))
            if d[r][c] != wanted:
                return f"D[{r}][{c}] is {d[r][c]}, not {wanted}"
    return ""


def check_basic_gemm(folder):
    # Freed: reference, D, B, A.
    a, b = matrix(folder, 3, "f", 64, 64, True), matrix(folder, 2, "f", 64, 64, True)
    return difference(a, b, matrix(folder, 1, "f", 64, 64, True))


def check_stream_k(folder):
    # Freed: workspaces of three kernels, reference, D (of the last kernel), C, B, A.
    last = max(int(file.name) for file in folder.iterdir())
    a, b = matrix(folder, last, "e", 128, 64, False), matrix(folder, last - 1, "e", 64, 128, False)
    return difference(a, b, matrix(folder, last - 3, "e", 128, 128, False))


# Example, its arguments, what it prints when it is content with itself and how often, what we compute.
EXAMPLES = [
    ("00_basic_gemm/basic_gemm", ["64", "64", "64"], "Passed.", 1, check_basic_gemm),
    ("09_turing_tensorop_conv2dfprop/turing_tensorop_conv2dfprop",
     ["--n=1", "--h=16", "--w=16", "--c=32", "--k=32", "--r=3", "--s=3", "--iterations=1", "--ref-check"], "Passed.", 1, None),
    ("15_ampere_sparse_tensorop_gemm/ampere_sparse_tensorop_gemm", [], "Passed", 1, None),
    ("16_ampere_tensorop_conv2dfprop/ampere_tensorop_conv2dfprop",
     ["--n=1", "--h=16", "--w=16", "--c=32", "--k=32", "--r=3", "--s=3", "--iterations=1", "--ref-check"], "Passed.", 1, None),
    ("41_fused_multi_head_attention/fused_multihead_attention_fixed_seqlen",
     ["--head_number=2", "--batch_size=1", "--head_size=64", "--seq_length=128", "--iterations=1"], "Passed", 1, None),
    ("47_ampere_gemm_universal_streamk/ampere_gemm_universal_streamk",
     ["--m=128", "--n=128", "--k=64", "--iterations=1"], "Disposition: Passed", 5, check_stream_k),
]

# Examples whose source is in the folder of another name.
HOPPER_SOURCES = {"49_hopper_gemm_with_collective_builder": "49_hopper_gemm_with_collective_builder/49_collective_builder",
                  "55_hopper_int4_bf16_gemm": "55_hopper_mixed_dtype_gemm/55_hopper_int4_bf16_gemm"}


def compiled(name, flags=("-arch=sm_80",)):
    source = package("nvidia-cutlass")
    target = CACHE / "programs" / f"{pathlib.Path(name).name}-{digest(PACKAGES, compiler_version(), NVCC_FLAGS, *flags)}"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        includes = [f"-I{source}/{folder}" for folder in ("include", "tools/util/include", "examples/common")]
        partial = target.with_suffix(".partial")
        done = subprocess.run([nvcc(), "-cudart", "shared", *flags, *NVCC_FLAGS, *includes,
                               f"{source}/examples/{name}.cu", "-o", str(partial)], capture_output=True, text=True)
        if done.returncode != 0:
            raise Missing(f"{name} does not compile: {done.stderr[-2000:]}")
        partial.rename(target)
    return target


def preloaded(folder):
    library = pathlib.Path(folder) / "dump_on_free.so"
    subprocess.run(["g++", "-std=c++17", "-O1", "-shared", "-fPIC", str(HERE / "dump_on_free.cpp"), "-o", str(library), "-ldl"],
                   check=True)
    return library


def run_example(name, arguments, words, times, check, stcsim, values_only):
    """What is wrong; "" when nothing is."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "buffers"
        folder.mkdir()
        options = ["--launch", "1000000"] if values_only else []
        done = subprocess.run([str(stcsim), "exec", *options, "--", "env", f"LD_PRELOAD={preloaded(scratch)}",
                               str(compiled(name)), *arguments], env=dict(os.environ, DUMP_FOLDER=str(folder)),
                              capture_output=True, text=True)
        if done.returncode != 0 or done.stdout.count(words) != times:
            return f"exit code {done.returncode}: {done.stdout[-500:]}{done.stderr[-1500:]}"
        return check(folder) if check else ""


def run_examples(stcsim, values_only):
    """Number of examples with something wrong."""
    bad = 0
    for example in EXAMPLES:
        problem = run_example(*example, stcsim, values_only)
        bad += problem != ""
        print(f"{example[0]}: {problem or 'right'}", flush=True)
    return bad


def measured_rows():
    """{(example, arguments): {launch number: (schedule, cycles an H200 took)}}: medians over launches, without a process's
    first where there are others."""
    target = ROOT / "validation" / "measured" / "h200" / "cutlass_examples.csv"
    with open(target) as file:
        rows = [row for row in csv.DictReader(line for line in file if not line.startswith("#")) if row["number"]]
    cycles = {}
    for row in rows:
        products = cycles.setdefault((row["example"], row["arguments"]), {})
        products.setdefault((int(row["number"]), row["schedule"]), []).append((int(row["launch"]), int(row["cycles_elapsed"])))
    return {place: {number: (schedule, statistics.median([taken for launch, taken in launches
                                                          if launch != 0 or len(launches) == 1]))
                    for (number, schedule), launches in products.items()} for place, products in cycles.items()}


def hopper_cycles(arguments, numbers, program, stcsim):
    """{launch number: simulated cycles}, and "right", "not checked" (the example was not asked to look) or what is wrong."""
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "launches.json"
        done = subprocess.run([str(stcsim), "exec", "--gpu", str(ROOT / "configs/gpus/h200.yaml"), "--cold", "--json", str(file),
                               "--launch", ",".join(map(str, sorted(numbers))), "--", str(program), *arguments.split(),
                               "--iterations=1", "--warmup=0"], capture_output=True, text=True)
        launches = json.loads(file.read_text())["launches"] if file.exists() else []
    words = "not checked"
    if done.returncode != 0 or re.search(r"Failed|\[FAIL\]", done.stdout):
        words = f"WRONG: exit code {done.returncode}: {done.stdout[-500:]}{done.stderr[-1500:]}"
    elif re.search(r"Passed|\[OK\]", done.stdout):
        words = "right"
    return {launch["number"]: launch["cycles"] for launch in launches if launch["timed"]}, words


def run_hopper_examples(stcsim, only):
    """Prints a table; number of examples with something wrong."""
    flags = ("-gencode", "arch=compute_90a,code=sm_90a", f"-L{toolkit()}/lib64/stubs", "-lcuda")
    bad, errors = 0, []
    for (example, arguments), products in measured_rows().items():
        name = f"{example} {arguments}"
        if only is not None and not only.search(name):
            continue
        program = compiled(HOPPER_SOURCES.get(example, f"{example}/{example}"), flags)
        cycles, words = hopper_cycles(arguments, products, program, stcsim)
        bad += words.startswith("WRONG")
        print(f"{name}: {words}", flush=True)
        for number, taken in cycles.items():
            schedule, silicon = products[number]
            errors.append(100 * (taken / silicon - 1))
            print(f"  {schedule}: {taken:,} cycles, an H200 {silicon:,.0f} ({errors[-1]:+.1f} %)", flush=True)
    if errors:
        print(f"{len(errors)} products: mean {statistics.mean(map(abs, errors)):.1f} %, median "
              f"{statistics.median(map(abs, errors)):.1f} %, bias {statistics.mean(errors):+.1f} %, worst {max(errors, key=abs):+.1f} %")
    return bad
