# SPDX-License-Identifier: Apache-2.0
"""Measures the GEMM library: times, hardware counters, hashes of D, NVIDIA's libraries on the same shapes.

Every part has its own time limit and leaves what it has; merge() joins whatever there is into gemm.csv."""
import csv
import json
import os
import pathlib
import re
import shutil
import site
import subprocess
import sys
import time

import counters

# m, n, k: multiples of every tile (256, 256, 128).
SHAPES = [(512, 512, 512), (1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096), (8192, 8192, 8192),
          (8192, 512, 2048),     # tall
          (512, 8192, 2048),     # wide
          (4096, 4096, 256),     # small k
          (1024, 1024, 16384),   # large k
          (256, 256, 128),       # one tile or a few
          (768, 2816, 640), (2304, 3328, 1920), (5376, 5376, 2688),  # no powers of two
          (3072, 1024, 4096)]
# For the bit-exact check of stcsim run; small, because the simulator computes every value.
HASH_RUNS = [(kernel, *shape) for kernel, shape in [
    ("f16_dense_128x128x64_w64x32_s3", (512, 512, 512)), ("f16_sp24_128x128x64_w64x32_s3", (512, 512, 512)),
    ("f16_sp24_128x128x64_w64x64_s3", (768, 512, 640)), ("f16_dense_64x64x64_w32x32_s4", (256, 320, 1024)),
    ("f16_sp24_64x64x64_w32x32_s4", (256, 320, 1024)), ("f16_sp24_128x256x64_w64x64_s3", (256, 512, 2048)),
    ("bf16_dense_128x128x64_w64x64_s3", (256, 384, 512)), ("bf16_sp24_128x128x64_w64x64_s3", (256, 384, 512)),
    ("tf32_dense_128x128x32_w64x64_s3", (256, 384, 512)), ("tf32_sp12_128x128x32_w64x64_s3", (256, 384, 512)),
    ("s8_dense_128x128x128_w64x64_s3", (256, 384, 512)), ("s8_sp24_128x128x128_w64x64_s3", (256, 384, 512))]]
CTAS_SHAPES = [(2048, 2048, 256), (2048, 2048, 1024), (2304, 3328, 640)]  # for the CTAs of each SM
POINT = ["kernel", "m", "n", "k", "l2"]
CHUNK_KERNELS = 4  # profiled by one process: a crash costs no more
FEW = ["elapsed_cycles", "elapsed_cycles_min", "active_cycles_max", "active_cycles_avg", "duration_ns"]
CYCLES_RUNS = 5  # launches of a point, in as many processes, whose median is its cycles


class GemmStage:
    def __init__(self, root, work, program, run, say, seconds):
        """`program` is stcgpu; `run(command, seconds, log, env)` and `say` are those of scripts/measure."""
        self.root, self.work, self.program, self.run_command, self.say = root, work, program, run, say
        self.deadline = time.time() + seconds
        self.environment = dict(os.environ, STC_KERNELS=str(root / "traces" / "kernels"))
        text = (root / "traces" / "kernels" / "manifest.yaml").read_text()
        names = re.findall(r"^  - name: (\S+)", text, re.MULTILINE)
        self.kernels = [name for name in names if "_wg" not in name]
        # Those of warpgroups: D here, cycles in gemm_wgmma.csv, whose head has the command.
        self.hash_runs = HASH_RUNS + [(name, 768, 512, 640) for name in names if "_wg" in name]
        metrics = counters.supported(counters.available(60)[0])
        self.all_metrics = metrics
        self.few_metrics = {k: v for k, v in metrics.items() if k in FEW}

    def starts(self):
        """Whether stcgpu loads here; its own C++ library is put aside when this machine's C library is too old for it."""
        if self.run([self.program, "--help"], 20):
            return True
        copy = self.work.parent / "stcgpu"
        shutil.copytree(self.program.parent, copy)
        for name in ("libstdc++.so.6", "libgcc_s.so.1"):
            (copy / name).unlink(missing_ok=True)
        self.program = copy / "stcgpu"
        return self.run([self.program, "--help"], 20)

    def left(self, most):
        return min(most, self.deadline - time.time())

    def run(self, command, seconds, log=None):
        if seconds < 5:
            self.say("  no time left for it")
            return False
        return self.run_command(command, seconds, log, self.environment)

    def write_points(self, name, kernels, states, shapes=SHAPES):
        path = self.work / name
        path.write_text("".join(f"{kernel} {m} {n} {k} {state}\n" for kernel in kernels for m, n, k in shapes
                                for state in states))
        return path

    # --- parts -------------------------------------------------------------------------------------------------

    def hashes(self):
        rows = []
        for kernel, m, n, k in self.hash_runs:
            target = self.work / "hash.json"
            sets = [f"workload.gemm.{key}={value}" for key, value in
                    (("kernel", kernel), ("m", m), ("n", n), ("k", k), ("seed", 11), ("input", "random"))]
            command = [self.program, "run", "configs/workloads/gemm_512_integers.yaml", "--runs", "3", "--json", target]
            for item in sets:
                command += ["--set", item]
            if not self.run(command, self.left(20), self.work / "log_hashes.txt"):
                continue
            result = json.loads(target.read_text())
            found = {buffer["name"]: buffer["hash"] for buffer in result["buffers"]}
            check = result.get("check", {})
            rows.append([kernel, m, n, k, 11, "random", found["A"], found.get("E", ""), found["B"], found["D"],
                         check.get("passed", ""), check.get("error", "")])
        with open(self.work / "d_hashes.csv", "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["kernel", "m", "n", "k", "seed", "input", "a_hash", "e_hash", "b_hash", "d_hash",
                             "check_passed", "check_error"])
            writer.writerows(rows)
        return len(rows) == len(self.hash_runs)

    def times(self, name, runs, seconds):
        points = self.write_points(f"points_{name}.txt", self.kernels, ("cold", "warm"))
        limit = self.left(seconds)
        with open(self.work / f"clocks_{name}.csv", "w") as log:
            try:
                watch = subprocess.Popen(["nvidia-smi", "--query-gpu=clocks.sm,clocks.mem,power.draw,temperature.gpu",
                                          "--format=csv,nounits", "-lms", "200", "--id=0"], stdout=log)
            except OSError:
                watch = None
            ok = self.run([self.program, "gemm", points, "--out", self.work / f"{name}.csv", "--runs", str(runs),
                           "--seconds", f"{max(1, limit - 10):.0f}"], limit, self.work / f"log_{name}.txt")
            if watch:
                watch.terminate()
        return ok

    def profile(self, name, state, metrics, flush, seconds, shapes=SHAPES):
        """Counters of one launch per point; ncu empties the caches before every pass when `flush`. A process's first
        launch takes some 1300 cycles more than any other, whatever its kernel: it is not counted."""
        end = time.time() + self.left(seconds)
        rows, ok = [], True
        for first in range(0, len(self.kernels), CHUNK_KERNELS):
            points = self.write_points("points_profile.txt", self.kernels[first:first + CHUNK_KERNELS], (state,), shapes)
            lines = points.read_text().splitlines()
            points.write_text("\n".join([lines[0], *lines]) + "\n")
            expected = [line.split() for line in lines]
            log = self.work / f"ncu_{name}_{first}.txt"
            options = ["--profile-from-start", "off", "--replay-mode", "kernel"]
            command = counters.command(metrics, options, [self.program, "gemm", points, "--out", self.work / "ignored.csv",
                                                          "--profile"], "all" if flush else "none")
            done = self.run(command, end - time.time(), log)
            found = counters.parse(log.read_text(), metrics)[1:] if log.exists() else []
            names = [point[0] for point in expected]
            if [row["kernel"].split("(")[0] for row in found] == names:
                rows += [{**row, **dict(zip(POINT, point))} for point, row in zip(expected, found)]
            else:
                self.say(f"  {len(found)} launches counted, {len(names)} expected: left out, see {log.name}")
                done = False
            ok = ok and done
            self.write_rows(self.work / f"counters_{name}.csv", rows, POINT + list(metrics))
        return ok

    def cycles(self, state, seconds):
        """Cycles of CYCLES_RUNS launches of every point, of what one pass counts: between passes ncu restores memory and
        so empties the caches."""
        end = time.time() + self.left(seconds)
        done = [self.profile(f"{state}_{i}", state, self.few_metrics, state == "cold", (end - time.time()) / (CYCLES_RUNS - i))
                for i in range(CYCLES_RUNS)]
        return all(done)

    def ctas(self, seconds):
        """How many CTAs the SMs got: ctas_per_sm.csv, a row per kernel and shape of CTAS_SHAPES."""
        done = self.profile("ctas", "warm", counters.CTAS, False, seconds, CTAS_SHAPES)
        if (self.work / "counters_ctas.csv").exists():
            shutil.move(self.work / "counters_ctas.csv", self.work / "ctas_per_sm.csv")
        return done

    def libraries(self, seconds):
        """Compiles and runs library_gemm with whatever libraries this machine has, in Python packages or toolkit."""
        folders = [pathlib.Path(p) for p in site.getsitepackages() + [site.getusersitepackages()] + sys.path if p]
        nvcc = subprocess.run(["which", "nvcc"], capture_output=True, text=True).stdout.strip()
        toolkit = pathlib.Path(os.path.realpath(nvcc)).parent.parent if nvcc else pathlib.Path("/usr/local/cuda")

        def search(pattern):
            for folder in folders:
                for part in ("nvidia", "cusparselt", "nvidia_cusparselt", "torch/lib"):
                    for path in sorted((folder / part).rglob(pattern)) if (folder / part).is_dir() else []:
                        return path
            for part in ("include", "lib64", "targets/x86_64-linux/include", "targets/x86_64-linux/lib"):
                for path in sorted((toolkit / part).glob(pattern)):
                    return path
            try:  # another Python's packages
                found = subprocess.run(["find", "/", "-xdev", "-name", pattern], capture_output=True, text=True,
                                       timeout=self.left(15)).stdout.split()
            except (subprocess.TimeoutExpired, ValueError):
                found = []
            return pathlib.Path(found[0]) if found else None

        includes = [toolkit / "include", toolkit / "targets/x86_64-linux/include"]
        flags, libraries, paths = [], [], []
        for macro, header, library in (("STC_CUBLASLT", "cublasLt.h", "libcublasLt.so*"),
                                       ("STC_CUSPARSELT", "cusparseLt.h", "libcusparseLt.so*")):
            header_path, library_path = search(header), search(library)
            self.say(f"  {header}: {header_path}, {library_path}")
            if header_path and library_path:
                flags.append(f"-D{macro}")
                includes.append(header_path.parent)
                libraries.append(library_path)
                paths.append(str(library_path.parent))
        program = self.work / "library_gemm"
        shapes = self.work / "shapes.txt"
        shapes.write_text("".join(f"{m} {n} {k}\n" for m, n, k in SHAPES))
        command = ["g++", "-std=c++17", "-O2", "-I.", *flags, *[f"-isystem{path}" for path in includes],
                   "validation/gpu/library_gemm.cpp", "validation/gpu/cuda_driver.cpp", "-o", program,
                   *libraries, f"-L{toolkit}/lib64/stubs", f"-L{toolkit}/targets/x86_64-linux/lib/stubs", "-lcuda",
                   *[f"-Wl,-rpath,{path}" for path in paths], "-Wl,--allow-shlib-undefined"]
        if not flags or not self.run(command, self.left(60), self.work / "log_libraries.txt"):
            return False
        return self.run([program, shapes, self.work / "libraries.csv"], self.left(seconds),
                        self.work / "log_libraries.txt")

    def empty_kernels(self, lines, micro_main, cubins):
        """Clocks of launches that do nothing, by CTAs and warps; `lines` are the points of group launch."""
        rows = []
        for line in lines:
            (self.work / "list.txt").write_text(line + "\n")
            options = ["--kernel-name", "micro_empty", "--launch-skip", "2", "--launch-count", "3"]
            log = self.work / "ncu_empty.txt"
            log.unlink(missing_ok=True)
            self.run(counters.command(self.few_metrics, options, [micro_main, self.work / "list.txt", cubins, self.work, "1"]),
                     self.left(15), log)
            fields = line.split("\t")
            for row in counters.parse(log.read_text(), self.few_metrics) if log.exists() else []:
                rows.append({"ctas": fields[3], "warps": fields[4], **row})
        self.write_rows(self.work / "empty_kernels.csv", rows, ["ctas", "warps", *self.few_metrics])
        return bool(rows)

    # --- joining -----------------------------------------------------------------------------------------------

    @staticmethod
    def write_rows(path, rows, columns):
        with open(path, "w", newline="") as file:
            writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n", restval="")
            writer.writeheader()
            writer.writerows(rows)

    def merge(self):
        """gemm.csv: times, counters, and cycles as the median of several launches."""
        table = {}
        columns = POINT + ["runs", "time_us_median", "time_us_min", "time_us_max"]

        def read(name):
            path = self.work / name
            return list(csv.DictReader(path.open())) if path.exists() else []

        for kernel in self.kernels:
            for m, n, k in SHAPES:
                for state in ("cold", "warm"):
                    key = (kernel, str(m), str(n), str(k), state)
                    table[key] = dict(zip(POINT, key))
        for row in read("times.csv"):
            table[tuple(row[c] for c in POINT)].update(row)
        for row in read("times_again.csv"):
            table[tuple(row[c] for c in POINT)]["second_time_us_median"] = row["time_us_median"]
        for row in read("counters_cold.csv"):
            table[tuple(row[c] for c in POINT)].update(row)
        for state in ("cold", "warm"):
            launches = {}
            for i in range(CYCLES_RUNS):
                for row in read(f"counters_{state}_{i}.csv"):
                    launches.setdefault(tuple(row[c] for c in POINT), []).append(row)
            for key, found in launches.items():
                entry = table[key]
                for name in self.few_metrics:
                    entry[name] = sorted((row[name] for row in found), key=float)[(len(found) - 1) // 2]
                elapsed = [int(row["elapsed_cycles"]) for row in found]
                entry.update(cycles_runs=len(found), elapsed_cycles_lowest=min(elapsed), elapsed_cycles_highest=max(elapsed))
        columns += ["second_time_us_median", "cycles_runs", "elapsed_cycles_lowest", "elapsed_cycles_highest",
                    *self.all_metrics]
        rows = [row for row in table.values() if len(row) > len(POINT)]
        self.write_rows(self.work / "gemm.csv", rows, columns)
        self.say(f"gemm.csv: {len(rows)} points")
        return len(rows)
