# SPDX-License-Identifier: Apache-2.0
"""Builds the foreign programs: packages, objects, Triton's cubins, the two executables. Everything is kept outside the
tree under a hash of what it was made from, so that a second call makes only what changed."""
import concurrent.futures
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = ROOT / "validation" / "foreign"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "stcsim" / "foreign"
# name -> (version, what of it is needed: a folder on the include or module path)
PACKAGES = {"nvidia-cutlass": ("4.2.0.0", "cutlass_library/source"), "triton": ("3.9.0", ".")}
NVCC_FLAGS = ["-std=c++17", "--expt-relaxed-constexpr", "-diag-suppress", "186,550,177"]
OWN_FLAGS = {"plain/debug": ["-G", "-no-compress"]}  # which the runtime reads uncompressed
FAMILIES = ("plain", "cub", "cutlass", "triton")


class Missing(Exception):
    """Something that the machine lacks; says what."""


def nvcc():
    found = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not found:
        raise Missing("there is no nvcc")
    return found


def toolkit():
    return pathlib.Path(nvcc()).resolve().parent.parent


def package(name):
    """Folder of an installed package, fetched from the registry of Python packages when it is not here yet."""
    version, inside = PACKAGES[name]
    folder = CACHE / "packages" / f"{name}-{version}"
    if not folder.exists():
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(partial),
                               f"{name}=={version}"], capture_output=True, text=True)
        if done.returncode != 0:
            raise Missing(f"{name} {version} cannot be fetched: {done.stderr.strip().splitlines()[-1:]}")
        partial.rename(folder)
    return folder / inside


def digest(*parts):
    hashed = hashlib.sha256()
    for part in parts:
        hashed.update(part.read_bytes() if isinstance(part, pathlib.Path) else str(part).encode())
        hashed.update(b"\0")
    return hashed.hexdigest()[:20]


def sources(only=None):
    """Names of files with cases ("plain/scan"), those that `only` matches."""
    names = [path.relative_to(HERE).with_suffix("").as_posix() for family in FAMILIES
             for path in sorted((HERE / family).glob("*.cu"))]
    return [name for name in names if only is None or only.search(name)]


def compiler_version():
    return subprocess.run([nvcc(), "--version"], capture_output=True, text=True).stdout


def architectures(name):
    """Files with _sm90a at the end use what only that variant of sm_90 has."""
    return ["90a"] if name.endswith("_sm90a") else ["80", "90"]


def flags_of(name):
    lambdas = ["--extended-lambda"] if name.startswith("cub/") else []
    return NVCC_FLAGS + OWN_FLAGS.get(name, []) + lambdas + [word for arch in architectures(name)
                         for word in ("-gencode", f"arch=compute_{arch},code=sm_{arch}")]


def object_command(name, target):
    flags = [*flags_of(name), f"-I{ROOT}"]
    if name.startswith("cutlass/"):
        flags += [f"-I{package('nvidia-cutlass')}/include", f"-I{package('nvidia-cutlass')}/tools/util/include"]
    return [nvcc(), "-c", str(HERE / f"{name}.cu"), "-o", str(target), f'-DFOREIGN_FILE="{name}"', *flags]


def object_key(name, version):
    shared = sorted(HERE.glob("*.h")) + sorted((HERE / name).parent.glob("*.h"))
    return digest(HERE / f"{name}.cu", *shared, version, PACKAGES, flags_of(name))


def build_object(name, version):
    """Path of the object, made if it is not in the cache; the compiler's words when it fails."""
    target = CACHE / "objects" / f"{name.replace('/', '.')}-{object_key(name, version)}.o"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_suffix(f".{os.getpid()}.o")
        done = subprocess.run(object_command(name, partial), capture_output=True, text=True)
        if done.returncode != 0:
            return name, None, done.stdout + done.stderr
        partial.rename(target)
    return name, target, ""


def build_objects(names, jobs):
    """{name: object}; [(name, error)]"""
    version = compiler_version()
    objects, errors = {}, []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, target, error in pool.map(lambda name: build_object(name, version), names):
            if target:
                objects[name] = target
            else:
                errors.append((name, error))
            print(f"\r{len(objects) + len(errors)} of {len(names)} files compiled", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return objects, errors


def link(objects, kind):
    """The program of these objects: kind "simulator" with the recording runtime, "native" with CUDA's own, "shared" with
    CUDA's own from outside the program, as `stcsim exec` takes it."""
    tensor_maps = [ROOT / "sim/cudart/driver_tensor_map.cpp", ROOT / "models/isa/state/tensor_map.cpp",
                   ROOT / "models/isa/state/tensor_map.h"]
    runtime = sorted((HERE / "runtime").glob("*.cpp")) + sorted((HERE / "runtime").glob("*.h")) + tensor_maps
    parts = sorted(objects.values())
    target = CACHE / "programs" / f"{kind}-{digest(*[part.name for part in parts], *(runtime if kind == 'simulator' else []))}"
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    command = ["g++", "-o", str(target) + ".partial", *map(str, parts)]
    if kind == "simulator":
        command += ["-std=c++17", "-O2", f"-I{ROOT}", f"-I{toolkit()}/include",
                    *[str(path) for path in runtime if path.suffix == ".cpp"]]
    elif kind == "shared":
        command += [f"-L{toolkit()}/lib64", "-lcudart"]
    else:
        command += ["-static-libstdc++", "-static-libgcc", f"-L{toolkit()}/lib64", "-lcudart_static", "-ldl", "-lrt",
                    "-lpthread"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Missing(f"the {kind} program cannot be linked: {done.stderr[-2000:]}")
    os.replace(str(target) + ".partial", target)
    return target


def triton_cubins():
    """Folder with the cubins of the Triton kernels."""
    made_from = [HERE / "triton" / "kernels.py", HERE / "triton" / "compile.py"]
    folder = CACHE / "triton" / digest(*made_from, PACKAGES["triton"])
    if not folder.exists():
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        with tempfile.TemporaryDirectory() as scratch:
            env = dict(os.environ, PYTHONPATH=str(package("triton")), TRITON_CACHE_DIR=scratch)
            done = subprocess.run([sys.executable, str(made_from[1]), str(partial)], env=env, capture_output=True, text=True)
        if done.returncode != 0:
            raise Missing(f"the Triton kernels do not compile: {done.stderr[-2000:]}")
        partial.rename(folder)
    return folder
