# SPDX-License-Identifier: Apache-2.0
"""Structured sparsity, and single matrix instructions."""
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _core
from ._errors import InputError
from ._machine import Keys, PathLike, gpu_file, sets_of


def _matrix(a: Any, name: str = "the matrix") -> np.ndarray:
    array = np.asarray(a)
    if array.ndim != 2:
        raise InputError(f"{name} has {array.ndim} dimensions, but must have 2")
    if array.dtype.kind not in "iuf":
        raise InputError(f"{name} has elements of type {array.dtype}, but must have real numbers")
    return array


def _floats(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array, np.float32)


class Compressed(NamedTuple):
    """A matrix of which an N:M pattern's weights are stored."""

    values: np.ndarray  #: [rows][k N / M], of the matrix's type
    indices: np.ndarray  #: uint8 [rows][k N / M]: place of each inside its group, 0 to M - 1
    pattern: str  #: "2:4"
    k: int  #: columns of the whole matrix


def prune(a: Any, pattern: str = "2:4") -> np.ndarray:
    """A copy of `a` [rows][k], of the same type, in which of every M weights along k the N of the largest magnitude are
    left and the others are zero; of equal ones the first. `pattern` is "N:M" ("1:2", "2:4", "4:8/2" in pairs). InputError
    when k is no multiple of M."""
    array = _matrix(a)
    rows, k = array.shape
    columns = _columns(pattern, rows, k, _core.pruned_indices(pattern, rows, k, _floats(array)))
    pruned = np.zeros_like(array)
    np.put_along_axis(pruned, columns, np.take_along_axis(array, columns, 1), 1)
    return pruned


def _columns(pattern: str, rows: int, k: int, indices: np.ndarray) -> np.ndarray:
    return _core.stored_columns(pattern, rows, k, indices).reshape(rows, -1)


def compress(a: Any, pattern: str = "2:4") -> Compressed:
    """Stored weights and indices of a pruned matrix `a` [rows][k]. InputError, which names the first group, where more than
    N of M are not zero."""
    array = _matrix(a)
    rows, k = array.shape
    indices = _core.indices_of(pattern, rows, k, _floats(array))
    values = np.take_along_axis(array, _columns(pattern, rows, k, indices), 1)
    return Compressed(values, indices.reshape(rows, -1), pattern, k)


def decompress(compressed: Compressed) -> np.ndarray:
    """The whole matrix [rows][k], zero where nothing is stored. InputError when indices are not those of the pattern."""
    values = compressed.values
    whole = np.zeros((values.shape[0], compressed.k), values.dtype)
    indices = np.ascontiguousarray(compressed.indices, np.uint8).reshape(-1)
    np.put_along_axis(whole, _columns(compressed.pattern, values.shape[0], compressed.k, indices), values, 1)
    return whole


def metadata(compressed: Compressed, element_bits: Optional[int] = None) -> np.ndarray:
    """The metadata words that the library's kernels read: uint32 [k / KE][rows / 16][32 lanes], a word being the register
    that a lane gives to `mma.sp`. `element_bits` are those of a weight on the GPU (16 for f16, 8 for s8, 32 for tf32);
    those of the array's type where it is None. InputError when rows are no multiple of 16, or k of KE."""
    bits = 8 * compressed.values.dtype.itemsize if element_bits is None else element_bits
    if bits not in (8, 16, 32):
        raise InputError(f"element_bits is {bits}, but must be 8, 16 or 32")
    rows = compressed.values.shape[0]
    indices = np.ascontiguousarray(compressed.indices, np.uint8).reshape(-1)
    return _core.metadata_of(compressed.pattern, rows, compressed.k, bits, indices).reshape(-1, rows // 16, 32)


def rounded(a: Any, type: str) -> np.ndarray:
    """`a` with each value rounded to the nearest one of a type of the GPU, "f16", "bf16", "tf32", "e4m3", "e5m2", "s8" ...;
    float32 of the same shape. InputError when a value is out of the type's range."""
    array = np.asarray(a, np.float64)
    return _core.rounded_to(type, np.ascontiguousarray(array).reshape(-1)).reshape(array.shape).astype(np.float32)


def mma(op: str, a: Any, b: Any, c: Any, gpu: PathLike = "a100", set: Optional[Keys] = None) -> np.ndarray:
    """D[16, 8] = A[16, k] x B[k, 8] + C[16, 8] by one matrix instruction, bit by bit as the GPU computes it.

    `op` is named as in PTX, in full or as `stcsim mma --list` has it: "mma.sp.m16n8k32.f32.f16.f16.f32". For a sparse one
    `a` is the pruned matrix [16][k] with its zeros. D has float32, or int32 for integer operations. InputError when the GPU
    has no such instruction, shapes are not those above, or a value is none of the operand's format."""
    shape = _core.mma_shape(op)
    wanted = {"A": (a, (16, shape["k"])), "B": (b, (shape["k"], 8)), "C": (c, (16, 8))}
    operands = []
    for name, (operand, size) in wanted.items():
        array = _matrix(operand, name)
        if array.shape != size:
            raise InputError(f"{name} is {array.shape[0]} x {array.shape[1]}, but {shape['name']} takes {size[0]} x {size[1]}")
        operands.append(np.ascontiguousarray(array, np.float64).reshape(-1))
    d = _core.mma(op, gpu_file(gpu), sets_of(set), *operands).reshape(16, 8)
    return d.astype(np.int32 if shape["c"] == "s32" else np.float32)
