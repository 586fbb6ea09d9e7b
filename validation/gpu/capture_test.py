# SPDX-License-Identifier: Apache-2.0
"""capture_test.py STCSIM STCGPU PROGRAM: `stcgpu capture` of programs under `stcsim exec`, whose runtime stands in for that of a
GPU: launches that it keeps run again with the same cycles and leave the same memory; programs that end badly keep their exit code."""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

STCSIM, STCGPU, PROGRAM = sys.argv[1:4]
GPU = pathlib.Path(__file__).resolve().parent.parent.parent / "configs" / "gpus" / "a100.yaml"


def require(condition, what):
    if not condition:
        sys.exit(f"capture_test: {what}")


def capture(folder, scenario, *options):
    """Exit code, what was said, cycles of the launches."""
    report = folder / "exec.json"
    done = subprocess.run([STCSIM, "exec", "--cold", "--json", report, "--", STCGPU, "capture", "--gpu", GPU, "--out", folder / "kept",
                           *options, "--", PROGRAM, scenario], capture_output=True, text=True)
    cycles = [launch.get("cycles") for launch in json.loads(report.read_text())["launches"]] if report.exists() else []
    require(not list(folder.glob("kept/.*")), f"{scenario}: records are left behind")
    return done.returncode, done.stderr, cycles


def kept(folder):
    return sorted(path.parent.name for path in folder.glob("kept/*/run.yaml"))


def run(file):
    return subprocess.run([STCSIM, "run", file, "--json", "-"], capture_output=True, text=True)


def three_run_again(folder, scenario):
    """Of each interface: the runtime's, the driver's."""
    code, words, cycles = capture(folder, scenario)
    require(code == 0 and "stcgpu: 3 launches of " in words, f"{scenario}: {code} {words}")
    require(kept(folder) == ["001", "002", "003"], f"{scenario}: kept {kept(folder)}")
    for number, wanted in enumerate(cycles[:3], 1):
        again = run(folder / "kept" / f"{number:03}" / "run.yaml")
        require(again.returncode == 0, f"{scenario}, launch {number}: {again.stderr}")
        result = json.loads(again.stdout)
        require(result["cycles_elapsed"] == wanted, f"{scenario}, launch {number}: {result['cycles_elapsed']} cycles, not {wanted}")
        require(all(one["passed"] for one in result["expectations"]) and result["expectations"], f"{scenario}, launch {number}: memory")


def driver_launches_run_again(folder):
    three_run_again(folder, "driver_launches")


def launches_run_again(folder):
    three_run_again(folder, "registered")
    for data in folder.glob("kept/data/*"):
        data.write_bytes(data.read_bytes()[1:])
    cut = run(folder / "kept" / "002" / "run.yaml")
    require(cut.returncode == 2 and cut.stdout == "", f"data that are cut off: {cut.returncode} {cut.stderr}")


def no_capture_joins_an_earlier_one(folder):
    require(capture(folder, "own_code")[0] == 42, "first capture")
    code, words, _ = capture(folder, "own_code")
    require(code == 2 and "holds launches of an earlier capture (001)" in words, f"second capture: {code} {words}")


def a_crash_loses_nothing(folder):
    """What was launched before is there, whole."""
    code, words, _ = capture(folder, "crashes")
    require(code == 134 and kept(folder) == ["001"], f"crashes: {code} {words}")
    again = run(folder / "kept" / "001" / "run.yaml")
    require(again.returncode == 0, again.stderr)


def chosen_launches(folder):
    code, _, _ = capture(folder, "registered", "--launch", "1,3-9")
    require(code == 0 and kept(folder) == ["001", "003"], f"chosen: {kept(folder)}")


def programs_keep_their_exit_codes(folder):
    for scenario, wanted, count in (("own_code", 42, 1), ("crashes", 134, 1), ("two_threads", 0, 6), ("never_synchronises", 0, 1),
                                    ("other_device", 0, 0), ("never_uses_gpu", 0, 0), ("driver_launches", 0, 3),
                                    ("out_of_bounds", 0, 0), ("captured_graph", 0, 0), ("nodes_left_out", 0, 1)):
        place = folder / scenario  # of its own, as captures mix with no earlier ones
        place.mkdir()
        code, words, _ = capture(place, scenario)
        require(code == wanted, f"{scenario}: {code}, not {wanted}: {words}")
        require(f"stcgpu: {count} launch" in words, f"{scenario}: {words}")
        require("only programs that load" not in words, f"{scenario}: {words}")


def kernels_of_graphs_run_again(folder):
    """Each kernel of a graph is a launch, with the arguments that the graph has by then; graphs with parts that cannot
    be launched alone are told of."""
    code, words, _ = capture(folder, "built_graph")
    require(code == 0 and kept(folder) == ["001", "002", "003"], f"built_graph: {code} {kept(folder)} {words}")
    require("launches of a graph with host functions, child graphs or allocations are not recorded" in words, words)
    for number in kept(folder):
        again = run(folder / "kept" / number / "run.yaml")
        require(again.returncode == 0, f"built_graph, {number}: {again.stderr}")
        require(json.loads(again.stdout)["expectations"], f"built_graph, {number}: nothing was changed")


def processes_have_folders_of_their_own(folder):
    code, words, _ = capture(folder, "forks_before")
    require(code == 0 and kept(folder) == ["001"], f"forks_before: {code} {words}")
    require((folder / "kept" / "process2" / "001" / "run.yaml").exists(), f"forks_before: {words}")


SEQUENCE = """gpu: {root}/configs/gpus/a100.yaml
launch:
  buffers: {{F: {{bytes: 256}}, O: {{bytes: 512}}, I: {{bytes: 512, fill: {{constant: {{type: i32, value: 7}}}}}}}}
  sequence:
    - {{module: {variables}, kernel: write_before_reading, grid: [1], block: [64], args: [F],
       symbols: {{coefficients: {{fill: {{constant: {{type: f32, value: 2}}}}}}}}}}
    - {{module: {root}/validation/unit/sim/data/misbehave.cubin, kernel: write_at, grid: [1], block: [64], args: [I, {{i32: 64}}]}}
    - {{module: {variables}, kernel: use_variables, grid: [1], block: [64], args: [O]}}
  expect: [{{buffer: O, file: o.bin}}, {{buffer: I, file: i.bin}}]
"""


def a_sequence_runs_there(folder):
    """Launches on the same memory, whose variables and constants stay; `stcgpu run` says what each took."""
    root = GPU.parent.parent.parent
    (folder / "run.yaml").write_text(SEQUENCE.format(root=root, variables=root / "validation/functional/cubins/sm_80/sample_variables.cubin"))
    (folder / "o.bin").write_bytes(struct.pack("64d", *(2 * (t % 4 + 1) + 2 * t + 5 for t in range(64))))
    (folder / "i.bin").write_bytes(struct.pack("128i", *([7] * 64 + [1] * 64)))
    done = subprocess.run([STCSIM, "exec", "--", STCGPU, "run", folder / "run.yaml", "--runs", "2", "--json", "-"],
                          capture_output=True, text=True)
    require(done.returncode == 0, f"a sequence: {done.returncode} {done.stdout} {done.stderr}")
    result = json.loads(done.stdout)
    steps = result["sequence"]["before"]
    require([step["kernel"]["name"] for step in steps] == ["write_before_reading", "write_at"], f"a sequence: {steps}")
    require(all(step["measurement"]["runs"] == 2 for step in steps + [result]), "a sequence: times of each launch")
    require("cycles_elapsed" not in result["sequence"] and result["sequence"]["time_us"] > 0, "a sequence: time")
    require([one["passed"] for one in result["expectations"]] == [True, True], f"a sequence: {result['expectations']}")
    words = subprocess.run([STCSIM, "exec", "--", STCGPU, "run", folder / "run.yaml", "--runs", "2"], capture_output=True, text=True).stdout
    require("launch 1/3, write_before_reading: " in words and words.count("L2 cold)") == 3 and "memory is as expected" in words, words)


def what_cannot_be_started(folder):
    done = subprocess.run([STCSIM, "exec", "--", STCGPU, "capture", "--out", folder / "none", "--", "./no-such-program"],
                          capture_output=True, text=True)
    other = subprocess.run([STCSIM, "exec", "--", STCGPU, "capture", "--out", folder / "none", "--", "true"], capture_output=True, text=True)
    require("stcgpu: only programs that load CUDA's runtime can be watched" in other.stderr, other.stderr)
    require(done.returncode == 2 and "stcgpu: ./no-such-program: cannot be started: No such file" in done.stderr, done.stderr)
    require(not (folder / "none").exists(), "a folder was made for nothing")


for test in (launches_run_again, kernels_of_graphs_run_again, driver_launches_run_again, no_capture_joins_an_earlier_one, a_sequence_runs_there, a_crash_loses_nothing, chosen_launches, processes_have_folders_of_their_own, programs_keep_their_exit_codes, what_cannot_be_started):
    with tempfile.TemporaryDirectory() as scratch:
        test(pathlib.Path(scratch))
