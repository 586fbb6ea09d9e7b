# SPDX-License-Identifier: Apache-2.0
"""The generated part of the documentation, docs/generated/: GPU files as tables, the help of all commands, the keys of
a result, and pictures of the examples, all from the program itself."""
import collections
import csv
import json
import pathlib
import re
import subprocess

from pictures import bars

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DEMO = ["run", "configs/workloads/demo_1024_sparse.yaml", "--set", "options.values=addresses", "--set", "options.check=false"]
STEPS = [("as it is", []), ("L2 warm", ["--set", "options.l2=warm"]),
         ("shared memory twice as wide",
          ["--set", "gpu.sm.lsu.data_width_bytes=256", "--set", "gpu.sm.lsu.return_bytes_per_cycle=128"]),
         ("warp tiles of 64 x 64", ["--set", "workload.gemm.kernel=f16_sp24_128x128x64_w64x64_s3"]),
         ("nothing but multipliers limits", ["--set", "gpu=configs/gpus/a100_unlimited.yaml"])]


class Program:
    def __init__(self, path, folder):
        self.path, self.folder, self.demos = str(path), folder, {}

    def text(self, *arguments):
        return subprocess.run([self.path, *arguments], cwd=ROOT, text=True, capture_output=True, check=True).stdout

    def demo(self, *changes):
        if changes not in self.demos:
            self.demos[changes] = json.loads(self.text(*DEMO, *changes, "--json", "-"))
        return self.demos[changes]


def code_page(title, text):
    return f"# {title}\n\n```text\n{text.rstrip()}\n```\n"


def gpu_page(program, name):
    return code_page(f"{name}.yaml", program.text("gpu", f"configs/gpus/{name}.yaml"))


def help_page(program):
    commands = ["run", "exec", "inspect", "gpu", "mma", "compare", "conv", "crossover", "explore", "formats", "train", "network", "completion", "man"]
    return "# Help\n\n" + "".join(f"## {command}\n\n```text\n{program.text(command, '--help').rstrip()}\n```\n\n"
                                  for command in commands)


def described(schema, node, path):
    """(key, unit or type, sentence) of every figure below a node."""
    while "$ref" in node:
        target = schema
        for step in node["$ref"].split("/")[1:]:
            target = target[step]
        node = target | {key: value for key, value in node.items() if key != "$ref"}
    if path and "description" in node:
        yield path, node.get("type", ""), node["description"]
    for key, below in node.get("properties", {}).items():
        if path.count(".") < 3:
            yield from described(schema, below, f"{path}.{key}" if path else key)


def result_page(program):
    schema = json.loads(program.text("run", "--schema"))
    rows = [f"| `{key}` | {kind if isinstance(kind, str) else ' or '.join(kind)} | {text.replace('|', '/')} |"
            for key, kind, text in described(schema, schema, "")]
    return "\n".join(["# The JSON of a result", "", "| key | type | meaning |", "|---|---|---|", *rows, ""])


def stalls_picture(program):
    result = program.demo()
    share = [{key: 100 * count / sum(run["stalls"].values()) for key, count in run["stalls"].items()}
             for run in (result, result["dense"])]
    keys = sorted(share[0], key=lambda key: -share[0][key])[:9]
    return bars("Cycles of the warps, 1024 x 1024 x 1024 on an A100", " %", ["2:4 sparse", "dense"],
                [(key, [part[key] for part in share]) for key in keys])


def steps_picture(program):
    return bars("Speedup of the sparse kernel over the dense one", "x", ["speedup"],
                [(name, [program.demo(*changes)["comparison"]["speedup"]]) for name, changes in STEPS])


def instructions_picture(program):
    counts = [collections.Counter(re.findall(r"\*/\s+B\S+\s+(?:@\S+ )?([A-Z0-9_]+)", program.text(
        "inspect", f"traces/kernels/sm_80/f16_{kind}_128x128x64_w64x32_s3.cubin", "--listing"))) for kind in ("sp24", "dense")]
    keys = [key for key, _ in (counts[0] + counts[1]).most_common(12)]
    return bars("Instructions in the code of two kernels", "", ["2:4 sparse", "dense"],
                [(key, [count[key] for count in counts]) for key in keys])


def evidence_picture(program):
    counts = [collections.Counter(re.findall(r"evidence: (\w+)", program.text("gpu", f"configs/gpus/{name}.yaml")))
              for name in ("a100", "h200")]
    return bars("Evidence of the numbers in the GPU files", "", ["A100", "H200"],
                [(key, [count[key] for count in counts]) for key, _ in (counts[0] + counts[1]).most_common()])


def compare_picture(program):
    program.text("compare", "validation/measured/h200/intervals.csv", "--filter", "group=barrier,warps<=4", "--out",
                 str(program.folder / "barrier"))
    with open(program.folder / "barrier/compare.csv", newline="") as file:
        rows = [(row["point"].split(", ")[1].split(" (")[0], [float(row["simulated"]), float(row["measured"])])
                for row in csv.DictReader(file) if row["metric"] == "cycles"]
    return bars("1024 times __syncthreads", " cycles", ["simulated", "measured on an H200"], rows)


def formats_picture(program):
    prunings = json.loads(program.text("formats", "--rows", "256", "--columns", "256", "--json", "-"))["prunings"]
    return bars("Kept magnitude of normally distributed weights", " %", ["pattern", "unstructured, as many weights"],
                [(one["name"], [100 * one[kind]["magnitude"] for kind in ("kept", "unstructured")])
                 for one in prunings if one["kind"] == "pattern"])


GENERATED = {
    "a100.md": lambda program: gpu_page(program, "a100"),
    "h200.md": lambda program: gpu_page(program, "h200"),
    "help.md": help_page,
    "result.md": result_page,
    "stalls.svg": stalls_picture,
    "steps.svg": steps_picture,
    "instructions.svg": instructions_picture,
    "evidence.svg": evidence_picture,
    "compare.svg": compare_picture,
    "formats.svg": formats_picture,
}


def generate(program_path, folder, work):
    """Writes all of it into `folder`."""
    program = Program(program_path, work)
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in GENERATED.items():
        (folder / name).write_text(make(program))
