# SPDX-License-Identifier: Apache-2.0
"""capture_test.py STCSIM STCGPU PROGRAM: `stcgpu capture` of programs under `stcsim exec`, whose runtime stands in for that of a
GPU: launches that it keeps run again with the same cycles and leave the same memory; programs that end badly keep their exit code."""
import json
import pathlib
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


def launches_run_again(folder):
    code, words, cycles = capture(folder, "registered")
    require(code == 0 and "stcgpu: 3 launches of " in words, f"registered: {code} {words}")
    require(kept(folder) == ["001", "002", "003"], f"kept {kept(folder)}")
    for number, wanted in enumerate(cycles, 1):
        again = run(folder / "kept" / f"{number:03}" / "run.yaml")
        require(again.returncode == 0, f"launch {number}: {again.stderr}")
        result = json.loads(again.stdout)
        require(result["cycles_elapsed"] == wanted, f"launch {number}: {result['cycles_elapsed']} cycles, not {wanted}")
        require(all(one["passed"] for one in result["expectations"]) and result["expectations"], f"launch {number}: memory")
    for data in folder.glob("kept/data/*"):
        data.write_bytes(data.read_bytes()[1:])
    cut = run(folder / "kept" / "002" / "run.yaml")
    require(cut.returncode == 2 and cut.stdout == "", f"data that are cut off: {cut.returncode} {cut.stderr}")


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
                                    ("other_device", 0, 0), ("never_uses_gpu", 0, 0), ("driver_launches", 0, 0),
                                    ("out_of_bounds", 0, 0), ("captured_graph", 0, 0)):
        code, words, _ = capture(folder, scenario)
        require(code == wanted, f"{scenario}: {code}, not {wanted}: {words}")
        require(f"stcgpu: {count} launch" in words, f"{scenario}: {words}")
        require("only programs that load" not in words, f"{scenario}: {words}")
    require("launches into a graph are not recorded" in words, f"captured_graph: {words}")


def processes_have_folders_of_their_own(folder):
    code, words, _ = capture(folder, "forks_before")
    require(code == 0 and kept(folder) == ["001"], f"forks_before: {code} {words}")
    require((folder / "kept" / "process2" / "001" / "run.yaml").exists(), f"forks_before: {words}")


def what_cannot_be_started(folder):
    done = subprocess.run([STCSIM, "exec", "--", STCGPU, "capture", "--out", folder / "none", "--", "./no-such-program"],
                          capture_output=True, text=True)
    other = subprocess.run([STCSIM, "exec", "--", STCGPU, "capture", "--out", folder / "none", "--", "true"], capture_output=True, text=True)
    require("stcgpu: only programs that load CUDA's runtime can be watched" in other.stderr, other.stderr)
    require(done.returncode == 2 and "stcgpu: ./no-such-program: cannot be started: No such file" in done.stderr, done.stderr)
    require(not (folder / "none").exists(), "a folder was made for nothing")


for test in (launches_run_again, a_crash_loses_nothing, chosen_launches, processes_have_folders_of_their_own, programs_keep_their_exit_codes, what_cannot_be_started):
    with tempfile.TemporaryDirectory() as scratch:
        test(pathlib.Path(scratch))
