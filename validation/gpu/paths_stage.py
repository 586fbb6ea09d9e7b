# SPDX-License-Identifier: Apache-2.0
"""Order of the paths of diverged warps, and instruction counts of kernels that diverge, on a GPU: the cases, and the
CSV that joins what paths_main wrote with what ncu counted."""
import csv
import random

import counters

MASKS = [0x00000001, 0x80000000, 0xfffffffe, 0x7fffffff, 0x55555555, 0xaaaaaaaa, 0x0000ffff, 0xffff0000, 0x0001ffff,
         0xfffe0000, 0x00007fff, 0xffff8000, 0x00ff00ff, 0x000000ff, 0xff000000, 0x0fffffff, 0xf0000000, 0xffffffff, 0]
FEW = [0x00000001, 0x80000000, 0xfffffffe, 0x7fffffff, 0x55555555, 0x0000ffff, 0xffff0000, 0x000000ff, 0xf0000000]
COUNTED = {"instructions": "instructions", "thread_instructions": "thread_instructions", "elapsed_cycles": "elapsed_cycles",
           "active_cycles_max": "active_cycles_max"}
# kernel of path_counts.cu: launches as (CTAs, threads)
COUNTS = {"recursion": [(1, 32), (2, 64)], "deep_recursion": [(1, 32), (2, 64)], "tree": [(1, 32), (1, 64)],
          "big_switch": [(1, 32), (2, 128)], "pointers": [(1, 32), (1, 64)], "virtuals": [(1, 32), (1, 64)],
          "mandelbrot": [(1, 64), (4, 128)], "collatz": [(1, 32), (2, 128)], "search": [(1, 32), (2, 128)],
          "guards": [(1, 64), (1, 128)], "lock_per_thread": [(1, 4), (1, 32), (1, 64), (1, 192)],
          "lock_per_cta": [(1, 64), (8, 64), (64, 64)], "ticket_per_cta": [(8, 32), (64, 32)],
          "histogram": [(1, 32), (4, 128)], "append": [(1, 32), (4, 128)], "returned": [(1, 32), (4, 128)],
          "cas_maximum": [(1, 32), (1, 128)], "shared_bins": [(1, 32), (1, 128)]}


def bits(mask, shift=0):
    return [(mask >> lane & 1) << shift for lane in range(32)]


def both(first, second):
    return [a | b for a, b in zip(first, second)]


def draws(generator, values):
    return [generator.choice(values) for _ in range(32)]


def trail_cases():
    """(kernel, data) of the kernels of paths.cu, a warp each."""
    g = random.Random(7)
    for kernel in ("if", "unless", "skip"):
        yield from ((kernel, bits(mask)) for mask in MASKS)
    for kernel in ("return", "sleep", "wait_load", "wait_sleep", "wait_add", "wait_cas", "wait_first", "votes"):
        yield from ((kernel, bits(mask)) for mask in FEW)
    for mask in FEW:
        yield "load", both(bits(mask), [2 * lane for lane in range(32)])
        for trips in (1, 20, 600, 5000):
            yield "long", [bit | trips << 4 for bit in bits(mask)]
        yield "long_loads", [bit | 300 << 4 for bit in bits(mask)]
        yield "syncwarp", both(bits(mask), bits(0x0f0f0f0f, 1))
        yield "syncwarp", both(bits(mask), bits(mask, 1))
        yield "votes", both(bits(mask), bits(0x0f0f0f0f, 1))
    lanes = list(range(32))
    quarters = [[lane & 3 for lane in lanes], [lane >> 3 for lane in lanes], [3 - (lane >> 3) for lane in lanes],
                [0 if lane < 20 else 1 if lane < 26 else 2 if lane < 30 else 3 for lane in lanes],
                [3 if lane < 20 else 2 if lane < 26 else 1 if lane < 30 else 0 for lane in lanes],
                [1 if lane < 20 else 3 if lane < 26 else 0 if lane < 30 else 2 for lane in lanes]]
    quarters += [draws(g, [0, 1, 2, 3]) for _ in range(4)] + [draws(g, [0, 1, 1, 1, 2, 3, 3]) for _ in range(4)]
    for kernel in ("nested", "exit", "pointers"):
        yield from ((kernel, data) for data in quarters)
    trips = [[lane % 5 for lane in lanes], lanes, lanes[::-1], [9 if lane == 7 else 2 for lane in lanes],
             [2 if lane == 7 else 9 for lane in lanes], [0 if lane & 1 else 3 for lane in lanes]]
    trips += [draws(g, range(8)) for _ in range(3)]
    yield from (("loop", data) for data in trips)
    yield from (("loops", [a & 7 | (b & 7) << 4 for a, b in zip(draws(g, range(5)), draws(g, range(5)))]) for _ in range(5))
    yield from (("loop_branch", draws(g, range(1 << 15))) for _ in range(10))
    tables = [[lane % 10 for lane in lanes], [9 - lane % 10 for lane in lanes], [lane // 4 for lane in lanes],
              [7 - lane // 4 for lane in lanes], [3 if lane == 9 else 5 for lane in lanes],
              [3 if lane != 9 else 5 for lane in lanes], [0 if lane < 16 else 8 for lane in lanes],
              [8 if lane < 16 else 0 for lane in lanes], [1 if lane < 10 else 2 if lane < 20 else 0 for lane in lanes]]
    tables += [draws(g, range(10)) for _ in range(6)]
    yield from (("switch", data) for data in tables)
    yield from (("pointers", draws(g, range(16))) for _ in range(6))
    yield from (("recursion", data) for data in ([1 + lane % 5 for lane in lanes], [5 - lane % 5 for lane in lanes],
                                                 [4 if lane < 16 else 3 for lane in lanes], [5] * 32,
                                                 draws(g, range(1, 7)), draws(g, range(1, 7))))
    for kernel in ("lock", "lock_sleep", "lock_inside", "ticket"):
        for data in ([0] * 32, [lane & 1 for lane in lanes], [lane & 3 for lane in lanes], [lane // 8 for lane in lanes],
                     [lane // 2 for lane in lanes], [0 if lane in (3, 9, 20) else lane & 15 for lane in lanes]):
            yield kernel, data


FRAMES = ("fib", "once", "mutual", "callloop", "ack", "tree", "tree2", "qsort")


def frame_cases():
    """(kernel, data) of the kernels of path_frames.cu, a warp each."""
    g = random.Random(3)
    lanes = list(range(32))

    def split(a, b, n=16):
        return [a if lane < n else b for lane in lanes]

    def by(count, values):
        return [values[lane % count] for lane in lanes]

    sets = [[3] * 32, split(2, 1), split(2, 1, 1), split(1, 2, 31), split(3, 2), split(2, 3), split(3, 1), split(3, 0),
            split(4, 2), split(4, 3, 8), by(4, range(4)), by(4, [3, 2, 1, 0]), by(6, range(6)), draws(g, range(6))]
    yield from (("fib", data) for data in sets)
    for data in (split(1, 0), split(2, 1), split(1, 2), split(3, 1), split(3, 2, 8), by(3, range(3)), by(5, range(5)),
                 draws(g, range(6))):
        yield "once", data
        yield "mutual", data
    yield from (("callloop", data) for data in (split(1, 0), split(2, 1), split(1, 2), split(3, 1), by(3, range(3)),
                                                by(4, range(4))))
    for data in ([17] * 32, split(17, 16), split(18, 17), split(32, 17), split(33, 32), by(2, [32, 33]),
                 by(3, [32, 33, 34])):
        yield "ack", data
    for data in [draws(g, range(4)) for _ in range(6)]:
        yield "tree", data
        yield "tree2", data
    yield from (("tree2", data) for data in ([3] * 32, [1] * 32, [2] * 32, [3, 1, 2, 3] * 8))
    yield "qsort", by(2, range(2))
    yield from (("qsort", draws(g, range(100))) for _ in range(4))


WALKS = ("sort4", "sort6", "tail", "call_in_loop", "walk", "vote", "fork")


def walk_cases():
    """(kernel, data) of the kernels of path_walks.cu, a warp each: a few groups of lanes with one walk each, and lanes
    that walk alone."""
    g = random.Random(77)
    for kernel in WALKS:
        for count in (2, 2, 3, 3, 4, 5, 6, 8, 32):
            walks = [g.randrange(1 << 20) | 1 for _ in range(count)]
            yield kernel, [walks[lane * count // 32] for lane in range(32)]
        for count in (2, 3, 5):
            walks = [g.randrange(1 << 14) | 1 for _ in range(count)]
            yield kernel, [walks[lane % count] for lane in range(32)]


def count_data(threads):
    return [(i * 2654435761 >> 16) & 0x7fff for i in range(max(threads, 256))]


def cases():
    """Every case as (cubin, kernel, CTAs, threads, data)."""
    for kernel, data in trail_cases():
        yield "paths", f"path_{kernel}", 1, 32, data
    for kernel, data in frame_cases():
        yield "path_frames", f"path_{kernel}", 1, 32, data
    for kernel, data in walk_cases():
        yield "path_walks", f"path_{kernel}", 1, 32, data
    for kernel, launches in COUNTS.items():
        for ctas, threads in launches:
            yield "path_counts", f"count_{kernel}", ctas, threads, count_data(ctas * threads)


def write_cases(path):
    rows = ["\t".join([cubin, kernel, str(ctas), str(threads), " ".join(map(str, data))])
            for cubin, kernel, ctas, threads, data in cases()]
    path.write_text("\n".join(rows) + "\n")
    return len(rows)


def join(results, counted, folder):
    """paths.csv, frames.csv and walks.csv (trails) and path_counts.csv from the rows of paths_main and, in the same
    order, of ncu."""
    with open(results) as file:
        rows = list(csv.DictReader(file))
    with open(folder / "paths.csv", "w") as trails, open(folder / "frames.csv", "w") as frames, \
            open(folder / "walks.csv", "w") as walks, open(folder / "path_counts.csv", "w") as counts:
        for table in (trails, frames, walks):
            table.write("kernel,data,trail,instructions\n")
        counts.write("kernel,ctas,threads,words_hash," + ",".join(COUNTED) + "\n")
        for row, found in zip(rows, counted):
            name = row["kernel"].removeprefix("path_")
            if row["kernel"].startswith("path_"):
                (frames if name in FRAMES else walks if name in WALKS else trails).write(
                    f"{row['kernel']},{row['data']},{row['result']},{found['instructions']}\n")
            else:
                counts.write(",".join([row["kernel"], row["ctas"], row["threads"], row["result"],
                                       *[found[metric] for metric in COUNTED]]) + "\n")
    return len(rows) == len(counted)


def ncu(program, arguments):
    metrics = {name: counters.METRICS[name][0] for name in COUNTED}
    return metrics, counters.command(metrics, [], [program, *arguments])
