# SPDX-License-Identifier: Apache-2.0
"""Runs: of a run file, a kernel of the library, any kernel of a cubin."""
import json
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._errors import InputError, raise_failure
from ._machine import Keys, PathLike, gpu_file, sets_of
from ._result import Result

_NO_FLOATS = np.zeros(0, np.float32)
_SCALARS = {"int8": "i8", "uint8": "u8", "int16": "i16", "uint16": "u16", "int32": "i32", "uint32": "u32", "int64": "i64",
            "uint64": "u64", "float16": "f16", "float32": "f32", "float64": "f64"}
_RESULTS = {"f32": np.float32, "s32": np.int32, "i32": np.int32, "f16": np.float16}


def _bytes_of(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _simulate(name: str, text: Optional[str], sets: Sequence[str], contents: Mapping[str, np.ndarray], threads: int,
              keep: Optional[Sequence[str]], a: np.ndarray = _NO_FLOATS, b: np.ndarray = _NO_FLOATS) -> Result:
    if threads < 0 or threads > 1024:
        raise InputError(f"threads is {threads}, but must lie in 0 .. 1024 (0: one per processor)")
    answer, printed, buffers = _core.run(name, text, list(sets), {key: _bytes_of(value) for key, value in contents.items()},
                                         a, b, threads, None if keep is None else list(keep))
    found = json.loads(answer)
    if "failure" in found:
        raise_failure(found["failure"], found["message"], printed)
    return Result(found, printed, buffers)


def run(file: PathLike, set: Optional[Keys] = None, *, buffers: Optional[Mapping[str, np.ndarray]] = None, threads: int = 0,
        keep: Optional[Sequence[str]] = None) -> Result:
    """Runs a run file (YAML), as `stcsim run` does; its `save` is left out, the result has the buffers.

    `set` replaces keys of the file, or of the GPU with `gpu.` in front: {"workload.gemm.m": 2048, "gpu.sms": 54,
    "options.l2": "warm"}. `buffers` gives buffers of a `launch` their contents, arrays of as many bytes. `threads` may run
    SMs side by side (0: one per processor); no figure depends on it. `keep` names the buffers that the result has (all
    where it is None). InputError, SimulationFault: see `stcsim`."""
    return _simulate(os.fspath(file), None, sets_of(set), buffers or {}, threads, keep)


def _options(options: Optional[Keys]) -> Dict[str, Any]:
    return dict(options or {})


def _operand(matrix: Any, name: str) -> np.ndarray:
    array = np.asarray(matrix)
    if array.ndim != 2:
        raise InputError(f"{name} has {array.ndim} dimensions, but must be a matrix")
    if array.dtype.kind not in "iuf":
        raise InputError(f"{name} has elements of type {array.dtype}, but must have real numbers")
    floats = array.astype(np.float32)
    if not np.array_equal(floats.astype(array.dtype), array, equal_nan=array.dtype.kind == "f"):
        raise InputError(f"{name} has elements that float32 does not hold: round it first (stcsim.rounded)")
    return floats


def gemm(a: Any, b: Any, kernel: str, gpu: PathLike = "a100", *, options: Optional[Keys] = None, set: Optional[Keys] = None,
         threads: int = 0) -> Result:
    """D[m, n] = A[m, k] x B[k, n] with a kernel of the library (`stcsim.library()`), bit by bit as the GPU computes it.

    `a` is [m][k] and `b` [k][n], of any type of numbers whose values the kernel's type holds exactly (float16 for an f16
    kernel, int8 for s8; for bf16 and tf32 see `rounded`); m, n and k are multiples of the kernel's tile. For a sparse
    kernel `a` is the pruned matrix with its zeros (`prune`); it is compressed here. `kernel` is a name or the beginning of
    one. `options` are those of run files ({"l2": "warm", "check": True, "compare_dense": True}), `set` replaces keys of the
    GPU ({"sms": 54}). The result's `d` is [m][n], float32 (int32 for s8), unless `options` has values: addresses.
    InputError when sizes or values are not possible; the message names the first element that is not."""
    left, right = _operand(a, "A"), _operand(b, "B")
    if left.shape[1] != right.shape[0]:
        raise InputError(f"A is {left.shape[0]} x {left.shape[1]}, B is {right.shape[0]} x {right.shape[1]}: "
                         "A must have as many columns as B has rows")
    m, k = left.shape
    n = right.shape[1]
    text = json.dumps({"gpu": os.path.abspath(gpu_file(gpu)), "workload": {"gemm": {"kernel": kernel, "m": m, "n": n, "k": k}},
                       "options": _options(options)}, indent=1)
    result = _simulate("stcsim.gemm", text, sets_of(set, "gpu."), {}, threads, None, np.ascontiguousarray(left),
                       np.ascontiguousarray(right.T))
    if "D" in result.buffers:
        result.d = result.buffers["D"].view(np.dtype(_RESULTS[_accumulator(result)])).reshape(m, n)
    return result


def _accumulator(result: Result) -> str:
    name = result["kernel.name"]
    return next(kernel["accumulator"] for kernel in json.loads(_core.library()) if kernel["name"] == name)


def _size(value: Union[int, Sequence[int]]) -> List[int]:
    return [int(value)] if np.isscalar(value) else [int(part) for part in value]  # type: ignore[union-attr, arg-type]


def _arguments(args: Sequence[Any]) -> Tuple[List[Any], Dict[str, np.ndarray], List[Optional[str]]]:
    """As a run file writes them, the buffers by name, and the buffer of each argument. One array is one buffer."""
    written: List[Any] = []
    contents: Dict[str, np.ndarray] = {}
    names: List[Optional[str]] = []
    known: Dict[int, str] = {}
    for number, value in enumerate(args):
        if isinstance(value, np.ndarray):
            name = known.setdefault(id(value), f"arg{number}")
            if value.size == 0:
                raise InputError(f"argument {number} is an array without elements")
            contents[name] = value
            written.append(name)
            names.append(name)
            continue
        names.append(None)
        if isinstance(value, (bytes, bytearray)):
            written.append({"hex": bytes(value).hex()})
        elif isinstance(value, np.generic) and value.dtype.name in _SCALARS:
            number_of = int(value) if value.dtype.kind in "iu" else float(value)
            written.append({_SCALARS[value.dtype.name]: number_of})
        else:
            raise InputError(f"argument {number} is a {type(value).__name__}: give a NumPy array (a buffer), a NumPy scalar "
                             "such as numpy.int32(4096), whose type says its size, or bytes (a struct)")
    return written, contents, names


def launch(cubin: PathLike, args: Sequence[Any], grid: Union[int, Sequence[int]], block: Union[int, Sequence[int]], *,
           kernel: Optional[str] = None, shared_bytes: int = 0, gpu: PathLike = "a100", options: Optional[Keys] = None,
           set: Optional[Keys] = None, threads: int = 0, **launch: Any) -> Result:
    """Launches a kernel of a cubin, as `kernel<<<grid, block, shared_bytes>>>(args...)` does.

    `args`: NumPy arrays are buffers on the GPU (an array given twice is one buffer), NumPy scalars and bytes are passed by
    value. `grid` and `block` are sizes in x, or up to (x, y, z), in CTAs and threads. `kernel` is its mangled name
    (`stcsim.kernels`), needed where the cubin has several. Further keywords are keys of a run file's `launch`: cluster,
    cooperative, symbols ... . The arrays given stay as they are: `result.arrays` has those of the arguments after the
    launch, of the same type and shape (empty when options have values: addresses). InputError, SimulationFault: see
    `stcsim`."""
    written, contents, names = _arguments(args)
    plan: Dict[str, Any] = {"module": os.path.abspath(os.fspath(cubin))}
    if kernel is not None:
        plan["kernel"] = kernel
    plan.update({"grid": _size(grid), "block": _size(block), "dynamic_shared_bytes": shared_bytes,
                 "buffers": {name: {"bytes": array.nbytes} for name, array in contents.items()}, "args": written, **launch})
    text = json.dumps({"gpu": os.path.abspath(gpu_file(gpu)), "launch": plan, "options": _options(options)}, indent=1)
    result = _simulate("stcsim.launch", text, sets_of(set, "gpu."), contents, threads, None)
    if result.buffers:
        result.arrays = [None if name is None else
                         result.buffers[name].view(contents[name].dtype).reshape(contents[name].shape) for name in names]
    return result
