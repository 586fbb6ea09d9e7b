# SPDX-License-Identifier: Apache-2.0
"""Masks by magnitude: 1 where a weight stays. Weights are [outputs, inputs]; groups of M lie along the inputs."""
import itertools

import numpy as np


def unstructured(weights, density):
    """The largest weights of the whole matrix."""
    kept = max(1, round(weights.size * density))
    order = np.argsort(-np.abs(weights).ravel(), kind="stable")
    mask = np.zeros(weights.size, np.float32)
    mask[order[:kept]] = 1
    return mask.reshape(weights.shape)


def n_of_m(weights, n, m):
    """The n largest of every m neighbours of a row."""
    groups = np.abs(weights).reshape(-1, m)
    order = np.argsort(-groups, axis=1, kind="stable")[:, :n]
    mask = np.zeros_like(groups)
    np.put_along_axis(mask, order, 1, axis=1)
    return mask.reshape(weights.shape).astype(np.float32)


def _transposable_blocks():
    """The 90 masks of a 4x4 block with two ones in each row and column."""
    rows = [r for r in itertools.product((0, 1), repeat=4) if sum(r) == 2]
    blocks = [np.array(b, np.float32) for b in itertools.product(rows, repeat=4)]
    return np.array([b for b in blocks if (b.sum(axis=0) == 2).all()])


BLOCKS = _transposable_blocks()


def transposable(weights):
    """2:4 along rows and columns: of each 4x4 block, the one mask of 90 that keeps the most magnitude."""
    rows, columns = weights.shape
    blocks = np.abs(weights).reshape(rows // 4, 4, columns // 4, 4).transpose(0, 2, 1, 3)
    best = np.einsum("ijab,mab->ijm", blocks, BLOCKS).argmax(axis=2)
    return np.ascontiguousarray(BLOCKS[best].transpose(0, 2, 1, 3).reshape(rows, columns))


def mask_of(pattern, weights):
    """'50 %' (kept, unstructured), '2:4' or '2:4 transposable'."""
    if pattern.endswith("transposable"):
        return transposable(weights)
    if ":" in pattern:
        return n_of_m(weights, *map(int, pattern.split(":")))
    return unstructured(weights, float(pattern.rstrip("% ")) / 100)


def density_of(pattern):
    """Share of the weights that stay."""
    if ":" in pattern:
        n, m = map(int, pattern.split()[0].split(":"))
        return n / m
    return float(pattern.rstrip("% ")) / 100
