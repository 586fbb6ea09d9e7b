# SPDX-License-Identifier: Apache-2.0
"""Runs foreign cases on the simulator, each a process of its own, and keeps what came out."""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from build import CACHE, digest

REFUSALS = (209, 801)  # no machine code for this GPU, not supported
STATUS = {0: "right", 1: "wrong", 2: "refused", 3: "fault"}


# What programs ask of their device -> the parameter of the GPU's file.
FACTS = {"sm_version": "sm_version", "sms": "sms", "shared_bytes": "sm.occupancy.shared_bytes",
         "shared_bytes_per_cta": "sm.occupancy.shared_bytes_per_cta", "l2_mib": "memory.l2.capacity_mib"}


def described(gpu, stcsim):
    """The GPU as stcsim prints it."""
    return subprocess.run([str(stcsim), "gpu", str(gpu)], capture_output=True, text=True, check=True).stdout


def device_facts(description):
    values = dict(re.findall(r"^\s+(\S+)\s+(\d+)\s", description, re.MULTILINE))
    return " ".join(f"{fact}={values[parameter]}" for fact, parameter in FACTS.items())


def environment(gpu, launches, stcsim, triton):
    blobs = CACHE / "blobs"
    blobs.mkdir(parents=True, exist_ok=True)
    return dict(os.environ, FOREIGN_DEVICE=device_facts(described(gpu, stcsim)), FOREIGN_LAUNCHES=str(launches), FOREIGN_BLOBS=str(blobs),
                FOREIGN_STCSIM=str(stcsim), FOREIGN_GPU=str(gpu), FOREIGN_TRITON=str(triton))


def launches_of(folder):
    """What each launch of a case cost."""
    found = []
    for result in sorted(folder.glob("*/result.json")):
        launch = json.loads(result.read_text())
        found.append({"launch": int(result.parent.name), "kernel": launch["kernel"]["name"],
                      "cycles_elapsed": launch["cycles_elapsed"],
                      "warp_instructions": launch["instructions"]["warp"]})
    return found


def run_case(program, case, gpu, stcsim, triton, seconds):
    folder = CACHE / "launches" / gpu.stem / case
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    begin = time.time()
    process = subprocess.Popen([str(program), case], env=environment(gpu, folder, stcsim, triton), text=True,
                               errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        words, _ = process.communicate(timeout=seconds)
        status = STATUS.get(process.returncode, "failed")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # the simulator that it started too
        process.communicate()
        status, words = "failed", f"took more than {seconds} s"
    result = {"case": case, "status": status, "words": words.strip(), "seconds": round(time.time() - begin, 1),
              "launches": launches_of(folder)}
    (folder / "case.json").write_text(json.dumps(result, indent=1) + "\n")
    return result


def run_as_program(program, case, gpu, stcsim, triton, seconds):
    """A case as a program under `stcsim exec`; nothing is recorded."""
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "launches.json"
        begin = time.time()
        process = subprocess.Popen([str(stcsim), "exec", "--gpu", str(gpu), "--cold", "--json", str(file), "--", str(program), case],
                                   env=dict(os.environ, FOREIGN_TRITON=str(triton)), text=True, errors="replace",
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            words, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.terminate()  # it ends the program too
            process.communicate()
            return {"case": case, "status": "failed", "words": f"took more than {seconds} s", "seconds": seconds}
        made = json.loads(file.read_text()) if file.exists() else {"launches": [], "not_supported": []}
    refused = made["not_supported"] or any(launch.get("error") in REFUSALS for launch in made["launches"])
    status = STATUS.get(process.returncode, "failed") if process.returncode in (0, 1) else "refused" if refused else "fault"
    return {"case": case, "status": status, "words": words.strip(), "seconds": round(time.time() - begin, 1)}


def simulation_of(program, case, gpu, stcsim, triton, seconds, options):
    """(seconds, warp instructions) that the launches of a case took to simulate; None where it does not end well."""
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "launches.json"
        command = [str(stcsim), "exec", "--gpu", str(gpu), "--cold", "--threads", "1", *options, "--json", str(file), "--", str(program), case]
        try:
            done = subprocess.run(command, env=dict(os.environ, FOREIGN_TRITON=str(triton)), capture_output=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode != 0 or not file.exists():
            return None
        made = json.loads(file.read_text())
    executed = sum(launch["result"]["instructions"]["warp"] for launch in made["launches"] if "result" in launch)
    return made["total"]["simulation_s"], executed


def speed_of(program, case, gpu, stcsim, triton, seconds):
    """{warp instructions, seconds with time, seconds for values alone}, the least of two runs each; None: it did not end well."""
    timed = [simulation_of(program, case, gpu, stcsim, triton, seconds, []) for _ in range(2)]
    values = [simulation_of(program, case, gpu, stcsim, triton, seconds, ["--launch", "1000000"]) for _ in range(2)]
    if None in timed + values:
        return None
    return {"instructions": timed[0][1], "timed": min(timed)[0], "values": min(values)[0]}


def run_programs(program, cases, gpu, stcsim, triton, jobs, seconds):
    """Results by case, all of them run now."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = pool.map(lambda case: run_as_program(program, case, gpu, stcsim, triton, seconds), cases)
        return {result["case"]: result for result in results}


def run_cases(program, cases, keys, gpu, stcsim, triton, jobs, seconds):
    """Results by case; those whose key has not changed since they were stored are not run again. `keys` says what a
    case was built from."""
    simulator = digest(stcsim, described(gpu, stcsim))
    results, missing = {}, []
    for case in cases:
        stored = CACHE / "launches" / gpu.stem / case / "case.json"
        key = digest(keys[case], simulator)
        known = json.loads(stored.read_text()) if stored.exists() else {}
        if known.get("key") == key:
            results[case] = known
        else:
            missing.append((case, key))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        def one(item):
            case, key = item
            result = run_case(program, case, gpu, stcsim, triton, seconds)
            result["key"] = key
            (CACHE / "launches" / gpu.stem / case / "case.json").write_text(json.dumps(result, indent=1) + "\n")
            return result
        for number, result in enumerate(pool.map(one, missing), 1):
            results[result["case"]] = result
            print(f"{gpu.stem} {number}/{len(missing)} {result['case']}: {result['status']} ({result['seconds']} s)",
                  file=sys.stderr, flush=True)
    return {case: results[case] for case in cases}
