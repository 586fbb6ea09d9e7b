#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `cmake --install` makes works for people: the program away from the source tree, the examples by
find_package(stcsim) and by add_subdirectory, every exported library.

usage: package_test.py BUILD_FOLDER"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def run(*command, folder=None):
    done = subprocess.run([str(part) for part in command], cwd=folder, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={key: value for key, value in os.environ.items()
                                                         if not key.startswith("STC_")})
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nexit code {done.returncode}\n{done.stdout}")
    return done.stdout


def expect(what, condition, text=""):
    print(("ok      " if condition else "FAILED  ") + what)
    if not condition:
        sys.exit(text)


# Whether and how things are compiled is the question here, not how fast the result is.
QUICK = ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0"]


def build(source, folder, *options):
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    run("cmake", "-G", "Ninja", "-S", source, "-B", folder, *launcher, *QUICK, *options)
    run("cmake", "--build", folder)


SHELL_FILES = ("man/man1/stcsim.1", "bash-completion/completions/stcsim", "zsh/site-functions/_stcsim",
               "fish/vendor_completions.d/stcsim.fish")


def check_debian_package(build_folder, work):
    """It holds what people run and what their shells read; it names the libraries that it needs."""
    if not shutil.which("dpkg-shlibdeps") or not shutil.which("cpack"):
        print("skipped the Debian package: there is no dpkg-dev")
        return
    # Whether it is whole is the question here, not how small it is.
    run("cpack", "--config", pathlib.Path(build_folder).resolve() / "CPackConfig.cmake", "-B", work, "-D",
        "CPACK_DEBIAN_COMPRESSION_TYPE=none", folder=work)
    (package,) = work.glob("stcsim_*.deb")
    names = set(re.findall(r" \./(\S+)$", run("dpkg-deb", "--contents", package), re.M))
    for name in ("usr/bin/stcsim", "usr/share/stcsim/configs/gpus/a100.yaml", "usr/share/stcsim/traces/kernels/manifest.yaml",
                 *(f"usr/share/{file}" for file in SHELL_FILES)):
        expect(f"the Debian package has {name}", name in names or f"{name}.gz" in names, "\n".join(sorted(names)))
    needs = run("dpkg-deb", "--field", package, "Depends")
    expect("it needs what the program is linked with", all(name in needs for name in ("libc6", "libsystemc", "libyaml-cpp")), needs)


def check_program(prefix, elsewhere):
    """Kernels and GPUs are found beside the program, and nothing of the source tree is used."""
    program = prefix / "bin/stcsim"
    data = prefix / "share/stcsim"
    text = (data / "configs/workloads/gemm_512_integers.yaml").read_text()
    (elsewhere / "run.yaml").write_text(text.replace("../gpus", str(data / "configs/gpus")))
    run(program, "run", "run.yaml", "--json", "result.json", "--set", "options.values=addresses",
        "--set", "options.check=false", folder=elsewhere)
    expect("the installed program runs a run file of another folder",
           json.loads((elsewhere / "result.json").read_text()), "no result")
    for file in SHELL_FILES:
        expect(f"share/{file} is there", "stcsim" in (prefix / "share" / file).read_text(), file)
    manifest = data / "traces/kernels/manifest.yaml"
    manifest.rename(data / "manifest.away")
    message = subprocess.run([program, "run", "run.yaml"], cwd=elsewhere, capture_output=True, text=True).stderr
    (data / "manifest.away").rename(manifest)
    expect("its kernels are the installed ones", str(manifest) in message, message)
    report = run(program, "compare", data / "validation/measured/h200/intervals.csv", "--filter",
                 "kernel=micro_barrier,warps=1", folder=elsewhere)
    expect("measured points find their GPU and cubins", "cycles" in report, report)


def check_libraries(prefix, work):
    build(ROOT / "validation/package/every_library", work / "every", f"-DCMAKE_PREFIX_PATH={prefix}")
    data = prefix / "share/stcsim"
    text = run(work / "every/every_library", data / "configs/gpus/a100.yaml",
               data / "traces/kernels/sm_80/f16_dense_64x64x64_w32x32_s4.cubin")
    expect("every exported library links and runs", re.match(r"\d CTAs, mma.sp.* keeps 2 and 3, 1.0 is 0x3c00", text), text)


def run_example(name, prefix, work, *arguments):
    """Builds an example in both ways; what it prints is the same."""
    source = ROOT / "examples" / name
    build(source, work / name / "installed", f"-DCMAKE_PREFIX_PATH={prefix}")
    build(source, work / name / "subdirectory", f"-DSTCSIM_SOURCE={ROOT}", "--no-warn-unused-cli")
    found = run(work / name / "installed" / name, *arguments)
    added = run(work / name / "subdirectory" / name, *arguments)
    expect(f"{name}: find_package and add_subdirectory agree", found == added, added)
    return found


def check_examples(prefix, work):
    gpus = prefix / "share/stcsim/configs/gpus"
    text = run_example("arithmetic_of_mma", prefix, work, gpus / "a100.yaml", gpus / "h200.yaml")
    blocks = re.findall(r"^NVIDIA (\w+) .*: D = 0x\w+, (\d) blocks", text, re.MULTILINE)
    expect("arithmetic_of_mma: an A100 has two blocks, an H200 one", blocks == [("A100", "2"), ("H200", "1")], text)
    gpu = prefix / "share/stcsim/configs/gpus/a100.yaml"
    text = run_example("tensor_core_in_your_design", prefix, work, gpu)
    for name, latency in ("mma.m16n8k16.f32.f16.f16.f32", 24), ("mma.sp.m16n8k32.f32.f16.f16.f32", 24):
        expect(f"tensor_core_in_your_design computes {name} in its time",
               re.search(rf"^{name} entered in cycle \d+, D after {latency} cycles, 0 of 128 outputs wrong", text, re.M),
               text)


def check_memory_example(prefix, work):
    """The installed one only: the tree's libraries have been compiled once already."""
    ramulator = os.environ.get("RAMULATOR_SOURCE", "")
    folder = work / "dram"
    build(ROOT / "examples/dram_of_your_own", folder, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DRAMULATOR_SOURCE={ramulator}")
    workload = prefix / "share/stcsim/configs/workloads/low_level_gemm.yaml"
    built_in = run(folder / "dram_of_your_own", workload, "built-in")
    own = run(folder / "dram_of_your_own", workload, "own")
    cycles = re.compile(r"(\d+) cycles, (\d+) sectors read")
    one, other = cycles.match(built_in), cycles.match(own)
    expect("a device memory of one's own is read as the built-in one is, in another time",
           one and other and one[2] == other[2] and one[1] != other[1], built_in + own)
    if ramulator:
        text = run(folder / "dram_of_your_own", workload, "ramulator", f"{ramulator}/configs/HBM-config.cfg")
        expect("Ramulator as device memory", cycles.match(text) and cycles.match(text)[2] == one[2], text)
    else:
        print("skipped Ramulator as device memory: RAMULATOR_SOURCE names no source tree of Ramulator 1")


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        prefix = work / "prefix"
        (work / "elsewhere").mkdir()
        (work / "debian").mkdir()
        run("cmake", "--install", sys.argv[1], "--prefix", prefix)
        check_program(prefix, work / "elsewhere")
        check_debian_package(sys.argv[1], work / "debian")
        check_libraries(prefix, work)
        check_examples(prefix, work)
        check_memory_example(prefix, work)


if __name__ == "__main__":
    main()
