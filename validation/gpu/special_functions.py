# SPDX-License-Identifier: Apache-2.0
"""Finds the tables of models/arith/special_function_tables.h in what MUFU gives for all operands. Needs numpy and scipy.

  special_functions.py PROGRAM FOLDER     PROGRAM is special_functions.cu, compiled, and runs on a GPU; FOLDER keeps its results.
                                          Prints, for each function, c0, c1, c2 of its parts and what is added to all sums.

A part's results y(p) for places p of 2^17 are truncated sums c0 + c1 p + c2 square(p), where square() lacks the products of two
bits below column 19. So y <= c0 + c1 p + c2 square(p) < y + ulp(y) for all p, a linear program in three unknowns; its solutions
lie so close together that c1 and c2 (whole numbers of 2^-24) are certain, and c0 (2^-26) but for the constant. (That the square
lacks these products shows in the residuals of ordinary quadratics, fitted to the coefficients of each product of two bits.)
"""
import pathlib
import subprocess
import sys

import numpy as np
from scipy.optimize import linprog

PLACE_BITS, FIRST_COLUMN, SUM_BITS = 17, 19, 58
PLACES = 1 << PLACE_BITS


def squares():
    places = np.arange(PLACES, dtype=np.int64)
    bits = [(places >> i) & 1 for i in range(PLACE_BITS)]
    total = np.zeros_like(places)
    for i in range(PLACE_BITS):
        if 2 * i >= FIRST_COLUMN:
            total += bits[i] << (2 * i)
        for j in range(i):
            if i + j + 1 >= FIRST_COLUMN:
                total += (bits[i] & bits[j]) << (i + j + 1)
    return total


SQUARES = squares()


def program_of(places, low, high, start=80, rounds=60):
    """The middle of all (c0, c1, c2) whose sums lie in [low, high), by linear programs over more and more places."""
    width, base = (high - low).max(), low[0]
    below, above, widths = (low - base) / width, (high - base) / width, (high - low) / width
    p, q = places / PLACES, SQUARES[places] / float(PLACES) ** 2
    chosen = np.unique(np.linspace(0, len(places) - 1, start).astype(int))
    for _ in range(rounds):
        m = np.stack([np.ones(len(chosen)), p[chosen], q[chosen]], 1)
        w = widths[chosen][:, None]
        found = linprog([0, 0, 0, -1], A_ub=np.vstack([np.hstack([-m, w]), np.hstack([m, w])]),
                        b_ub=np.concatenate([-below[chosen], above[chosen]]), bounds=[(None, None)] * 4, method="highs").x
        if found is None:
            return None
        sums = found[0] + found[1] * p + found[2] * q
        from_below, from_above = (sums - below) / widths, (above - sums) / widths
        if min(from_below.min(), from_above.min()) >= found[3] - 1e-6:
            return found[:3] * width
        chosen = np.unique(np.concatenate([chosen, np.argsort(from_below)[:15], np.argsort(from_above)[:15]]))
    return None


def part(places, words):
    """c1, c2 and the range [low, high) of c0 in 2^-58; None if no part is like this."""
    exponents = (words >> 23 & 0xff).astype(int)
    low = words.view(np.float32).astype(np.float64)
    high = low + 2.0 ** (exponents - 127 - 23)
    found = program_of(places, low, high)
    if found is None:
        return None
    c1, c2 = (int(round(float(c) * 2 ** 24)) for c in found[1:])
    rest = (c1 * places << PLACE_BITS) + c2 * SQUARES[places]
    least = int((np.round(low * 2.0 ** SUM_BITS).astype(np.int64) - rest).max())
    most = int((np.round(high * 2.0 ** SUM_BITS).astype(np.int64) - rest).min())
    return (c1, c2, least, most) if least < most else None


class Results:
    def __init__(self, program, folder):
        self.program, self.folder = pathlib.Path(program).resolve(), pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def of(self, function, exponent):
        """For the 2^23 operands 2^exponent to 2^(exponent + 1)."""
        file = self.folder / f"{function}_{exponent}"
        if not file.exists():
            subprocess.run([str(self.program), function, f"{exponent + 127 << 23:x}", str(file)], check=True)
        return np.fromfile(file, np.uint32)


def parts_of(results, function):
    """[(places, results)] of a function's parts, in the order of its table."""
    def split(words, count, step=1):
        words = words[::step]
        size = len(words) // count
        return [(np.arange(size) * (PLACES // size), words[i * size:(i + 1) * size]) for i in range(count)]
    if function == "rcp":
        return split(results.of("rcp", 0), 128)
    if function in ("rsqrt", "sqrt"):
        return split(results.of(function, 0), 64) + split(results.of(function, 1), 64)
    if function == "lg2":
        return split(results.of("lg2", 0), 64)
    if function == "ex2":  # 2^(1 + x) / 2: operands from 1 on have all places
        words = results.of("ex2", 0)
        return split((words - (1 << 23)).astype(np.uint32), 64)
    if function == "tanh":
        counts = {-8: 1, -7: 1, -6: 1, -5: 2, -4: 2, -3: 4, -2: 4, -1: 4, 0: 8, 1: 16, 2: 8}
        return [one for exponent, count in counts.items()
                for one in split(results.of("tanh", exponent), count, (1 << 23) // (count * PLACES))]
    return sine_parts(results)


def sine_parts(results):
    """Angles come from operands by FMUL.RZ with 0.15915494; those of the first quarter, in 2^-25 turns."""
    angles, words = [], []
    for exponent in range(-20, 1):
        x = (np.uint32(exponent + 127 << 23) + np.arange(1 << 23, dtype=np.uint32)).view(np.float32).astype(np.float64)
        turns = x * float(np.float32(0.15915494))
        scale = 2.0 ** (np.floor(np.log2(turns)) - 23)
        angle = np.floor(np.floor(turns / scale) * scale * 2.0 ** 25).astype(np.int64)
        inside = (angle > 0) & (angle < 1 << 23)
        angles.append(angle[inside])
        words.append(results.of("sin", exponent)[inside])
    angles, first = np.unique(np.concatenate(angles), return_index=True)
    words = np.concatenate(words)[first]
    edges = np.searchsorted(angles, np.arange(65) * PLACES)
    return [(angles[a:b] % PLACES, words[a:b]) for a, b in zip(edges, edges[1:])]


def behind_exceptions(function, places, words):
    """Of a first part, what says as much: without 1 for 1 / sqrt(1), and 0 and what is near it for log2 and sine, which
    have more bits than a linear program can tell."""
    first = {"rsqrt": 1, "lg2": PLACES // 8, "sin": PLACES // 8}.get(function, 0)
    return places[places >= first], words[places >= first]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    results = Results(*sys.argv[1:])
    for function in ("rcp", "rsqrt", "sqrt", "ex2", "lg2", "sin", "tanh"):
        found = [part(*behind_exceptions(function, *one)) if i == 0 else part(*one)
                 for i, one in enumerate(parts_of(results, function))]
        print(function, "bias from", end=" ")
        grid = 1 << SUM_BITS - 26
        good = [one for one in found if one]
        biases = [least % grid for _, _, least, _ in good]
        common = [b for b in set(biases) if all((b - least) % grid < most - least for _, _, least, most in good)]
        print([(b - grid if b > grid // 2 else b) for b in common] or "none that all have", "of 2^-58")
        for one in found:
            print("  none" if one is None else f"  c0 {one[2] / grid:.4f} to {one[3] / grid:.4f}, c1 {one[0]}, c2 {one[1]}")


if __name__ == "__main__":
    main()
