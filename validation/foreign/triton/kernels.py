# SPDX-License-Identifier: Apache-2.0
"""Triton kernels as people write them. `KERNELS` says how each is compiled: types of the arguments, constants, warps,
stages. Arguments are listed in the order of the kernel's parameters; constants are no parameters of the cubin."""
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + i, mask=i < columns, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * columns + i, e / tl.sum(e, axis=0), mask=i < columns)


@triton.jit
def layer_norm(x, weight, bias, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    mask = i < columns
    v = tl.load(x + row * columns + i, mask=mask, other=0.0)
    mean = tl.sum(v, axis=0) / columns
    centred = tl.where(mask, v - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / columns + eps)
    w = tl.load(weight + i, mask=mask)
    b = tl.load(bias + i, mask=mask)
    tl.store(out + row * columns + i, centred * scale * w + b, mask=mask)


@triton.jit
def rms_norm(x, weight, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * columns + i, mask=i < columns, other=0.0).to(tl.float32)
        total += v * v
    scale = tl.rsqrt(tl.sum(total, axis=0) / columns + eps)
    for start in range(0, columns, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * columns + i, mask=i < columns, other=0.0).to(tl.float32)
        w = tl.load(weight + i, mask=i < columns, other=0.0).to(tl.float32)
        tl.store(out + row * columns + i, (v * scale * w).to(tl.float16), mask=i < columns)


@triton.jit
def matmul(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    pa = a + rows[:, None] * k + inner[None, :]
    pb = b + inner[:, None] * n + columns[None, :]
    total = tl.zeros([BM, BN], tl.float32)
    for start in range(0, k, BK):
        va = tl.load(pa, mask=(rows[:, None] < m) & (inner[None, :] + start < k), other=0.0)
        vb = tl.load(pb, mask=(inner[:, None] + start < k) & (columns[None, :] < n), other=0.0)
        total = tl.dot(va, vb, total)
        pa += BK
        pb += BK * n
    tl.store(c + rows[:, None] * n + columns[None, :], total, mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def matmul_s8(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros([BM, BN], tl.int32)
    for start in range(0, k, BK):
        va = tl.load(a + rows[:, None] * k + (start + inner)[None, :])
        vb = tl.load(b + columns[None, :] * k + (start + inner)[:, None])
        total = tl.dot(va, vb, total)
    tl.store(c + rows[:, None] * n + columns[None, :], total)


@triton.jit
def w4a16(a, packed, scales, c, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Weights of four bits, eight a word along k, a scale for each column and 64 of k."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros([BM, BN], tl.float32)
    for start in range(0, k, BK):
        va = tl.load(a + rows[:, None] * k + (start + inner)[None, :])
        words = tl.load(packed + ((start + inner) // 8)[:, None] * n + columns[None, :])
        nibbles = (words >> ((inner % 8) * 4)[:, None]) & 15
        scale = tl.load(scales + (start // 64) * n + columns)
        vb = (nibbles - 8).to(tl.float16) * scale[None, :]
        total = tl.dot(va, vb, total)
    tl.store(c + rows[:, None] * n + columns[None, :], total)


@triton.jit
def attention(q, k, v, out, length, scale, D: tl.constexpr, BQ: tl.constexpr, BK: tl.constexpr, CAUSAL: tl.constexpr):
    """One head a program; softmax as it goes."""
    rows = tl.program_id(0) * BQ + tl.arange(0, BQ)
    head = tl.program_id(1) * length * D
    d = tl.arange(0, D)
    vq = tl.load(q + head + rows[:, None] * D + d[None, :])
    most = tl.full([BQ], -float("inf"), tl.float32)
    weight = tl.zeros([BQ], tl.float32)
    total = tl.zeros([BQ, D], tl.float32)
    end = (tl.program_id(0) + 1) * BQ if CAUSAL else length
    for start in range(0, end, BK):
        keys = start + tl.arange(0, BK)
        vk = tl.load(k + head + keys[None, :] * D + d[:, None])
        s = tl.dot(vq, vk) * scale
        if CAUSAL:
            s = tl.where(rows[:, None] >= keys[None, :], s, -float("inf"))
        now = tl.maximum(most, tl.max(s, axis=1))
        p = tl.exp2((s - now[:, None]) * 1.44269504)
        shrink = tl.exp2((most - now) * 1.44269504)
        weight = weight * shrink + tl.sum(p, axis=1)
        vv = tl.load(v + head + keys[:, None] * D + d[None, :])
        total = tl.dot(p.to(tl.float16), vv, total * shrink[:, None])
        most = now
    tl.store(out + head + rows[:, None] * D + d[None, :], total / weight[:, None])


@triton.jit
def matmul_maps(a, b, c, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPLIT: tl.constexpr):
    """Operands and result by tensor maps that the host made; with SPLIT, one group of warps copies and two multiply."""
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros([BM, BN], tl.float32)
    for start in tl.range(0, k, BK, warp_specialize=SPLIT):
        total = tl.dot(a.load([row, start]), b.load([start, column]), total)
    c.store([row, column], total.to(tl.float16))


@triton.jit
def matmul_own_maps(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """The same by tensor maps that each program makes itself, in scratch memory of its own."""
    ma = tl.make_tensor_descriptor(a, [m, k], [k, 1], [BM, BK])
    mb = tl.make_tensor_descriptor(b, [k, n], [n, 1], [BK, BN])
    mc = tl.make_tensor_descriptor(c, [m, n], [n, 1], [BM, BN])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros([BM, BN], tl.float32)
    for start in range(0, k, BK):
        total = tl.dot(ma.load([row, start]), mb.load([start, column]), total)
    mc.store([row, column], total.to(tl.float16))


@triton.jit
def attention_maps(q, k, v, out, length, scale, D: tl.constexpr, BQ: tl.constexpr, BK: tl.constexpr, CAUSAL: tl.constexpr,
                   SPLIT: tl.constexpr):
    """`attention` by tensor maps over all heads' rows; with SPLIT, one group of warps copies and two multiply."""
    first, head = tl.program_id(0) * BQ, tl.program_id(1) * length
    rows = first + tl.arange(0, BQ)
    vq = q.load([head + first, 0])
    most = tl.full([BQ], -float("inf"), tl.float32)
    weight = tl.zeros([BQ], tl.float32)
    total = tl.zeros([BQ, D], tl.float32)
    end = first + BQ if CAUSAL else length
    for start in tl.range(0, end, BK, warp_specialize=SPLIT):
        s = tl.dot(vq, k.load([head + start, 0]).T) * scale
        if CAUSAL:
            s = tl.where(rows[:, None] >= (start + tl.arange(0, BK))[None, :], s, -float("inf"))
        now = tl.maximum(most, tl.max(s, axis=1))
        p = tl.exp2((s - now[:, None]) * 1.44269504)
        shrink = tl.exp2((most - now) * 1.44269504)
        weight = weight * shrink + tl.sum(p, axis=1)
        total = tl.dot(p.to(tl.float16), v.load([head + start, 0]), total * shrink[:, None])
        most = now
    out.store([head + first, 0], (total / weight[:, None]).to(tl.float16))


@triton.jit
def cross_entropy(logits, labels, losses, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(logits + row * columns + i, mask=i < columns, other=-float("inf"))
    most = tl.max(v, axis=0)
    total = tl.log(tl.sum(tl.exp(v - most), axis=0)) + most
    tl.store(losses + row, total - tl.load(logits + row * columns + tl.load(labels + row)))


@triton.jit
def rope(x, cosines, sines, out, length, HALF: tl.constexpr):
    place = tl.program_id(0)
    i = tl.arange(0, HALF)
    base = (tl.program_id(1) * length + place) * 2 * HALF
    a = tl.load(x + base + i)
    b = tl.load(x + base + HALF + i)
    c = tl.load(cosines + place * HALF + i)
    s = tl.load(sines + place * HALF + i)
    tl.store(out + base + i, a * c - b * s)
    tl.store(out + base + HALF + i, b * c + a * s)


@triton.jit
def swiglu(gate, up, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    g = tl.load(gate + i, mask=i < n).to(tl.float32)
    u = tl.load(up + i, mask=i < n).to(tl.float32)
    tl.store(out + i, (g * tl.sigmoid(g) * u).to(tl.bfloat16), mask=i < n)


@triton.jit
def cumulative_sum(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + i, mask=i < columns, other=0)
    tl.store(out + row * columns + i, tl.cumsum(v, axis=0), mask=i < columns)


@triton.jit
def row_sort(x, out, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.sort(tl.load(x + i)))


@triton.jit
def arg_max(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + i, mask=i < columns, other=-float("inf"))
    tl.store(out + row, tl.argmax(v, axis=0))


@triton.jit
def transpose(x, out, rows, columns, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x + r[:, None] * columns + c[None, :])
    tl.store(out + c[:, None] * rows + r[None, :], tl.trans(v))


@triton.jit
def dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.rand(seed, i) > p
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, tl.where(keep, v / (1 - p), 0.0), mask=i < n)


@triton.jit
def histogram(x, bins, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_add(bins + v, 1, mask=i < n)


def box(rows, columns):
    return f"tensordesc<fp16[{rows},{columns}]>"


MATMUL = {"BM": 64, "BN": 64, "BK": 32}
# name: (kernel, argument types, constants, warps, stages)
KERNELS = {
    "add": (add, "*fp32 *fp32 *fp32 i32", {"BLOCK": 256}, 4, 1),
    "softmax": (softmax, "*fp32 *fp32 i32", {"BLOCK": 256}, 4, 1),
    "layer_norm": (layer_norm, "*fp32 *fp32 *fp32 *fp32 i32 fp32", {"BLOCK": 512}, 4, 1),
    "rms_norm": (rms_norm, "*fp16 *fp16 *fp16 i32 fp32", {"BLOCK": 256}, 4, 2),
    "matmul_f16": (matmul, "*fp16 *fp16 *fp32 i32 i32 i32", MATMUL, 4, 3),
    "matmul_bf16_small": (matmul, "*bf16 *bf16 *fp32 i32 i32 i32", {"BM": 32, "BN": 32, "BK": 32}, 2, 2),
    "matmul_tf32": (matmul, "*fp32 *fp32 *fp32 i32 i32 i32", {"BM": 32, "BN": 32, "BK": 32}, 2, 3),
    "matmul_s8": (matmul_s8, "*i8 *i8 *i32 i32 i32 i32", {"BM": 32, "BN": 32, "BK": 64}, 2, 2),
    "w4a16": (w4a16, "*fp16 *i32 *fp16 *fp32 i32 i32", {"BM": 32, "BN": 32, "BK": 64}, 2, 2),
    "attention": (attention, "*fp16 *fp16 *fp16 *fp32 i32 fp32", {"D": 64, "BQ": 32, "BK": 32, "CAUSAL": False}, 2, 2),
    "attention_causal": (attention, "*fp16 *fp16 *fp16 *fp32 i32 fp32", {"D": 32, "BQ": 32, "BK": 32, "CAUSAL": True}, 2, 2),
    # Of one and two warpgroups: on sm_90 both products are wgmma, the second with A in registers.
    "attention_warpgroup": (attention, "*fp16 *fp16 *fp16 *fp32 i32 fp32", {"D": 64, "BQ": 64, "BK": 64, "CAUSAL": False}, 4, 2),
    "attention_warpgroups": (attention, "*fp16 *fp16 *fp16 *fp32 i32 fp32", {"D": 128, "BQ": 128, "BK": 64, "CAUSAL": True}, 8, 2),
    "attention_long": (attention, "*fp16 *fp16 *fp16 *fp32 i32 fp32", {"D": 64, "BQ": 128, "BK": 64, "CAUSAL": False}, 8, 3),
    "matmul_f16_wide": (matmul, "*fp16 *fp16 *fp32 i32 i32 i32", {"BM": 128, "BN": 128, "BK": 64}, 8, 3),
    "cross_entropy": (cross_entropy, "*fp32 *i32 *fp32 i32", {"BLOCK": 1024}, 4, 1),
    "rope": (rope, "*fp32 *fp32 *fp32 *fp32 i32", {"HALF": 32}, 1, 1),
    "swiglu": (swiglu, "*bf16 *bf16 *bf16 i32", {"BLOCK": 512}, 4, 1),
    "cumulative_sum": (cumulative_sum, "*i32 *i32 i32", {"BLOCK": 512}, 4, 1),
    "row_sort": (row_sort, "*fp32 *fp32", {"BLOCK": 256}, 4, 1),
    "arg_max": (arg_max, "*fp32 *i32 i32", {"BLOCK": 512}, 4, 1),
    "transpose": (transpose, "*fp32 *fp32 i32 i32", {"B": 32}, 4, 1),
    "dropout": (dropout, "*fp32 *fp32 i32 fp32 i32", {"BLOCK": 256}, 4, 1),
    "histogram": (histogram, "*i32 *i32 i32", {"BLOCK": 256}, 4, 1),
}

# Only for sm_90: boxes of f16 by tensor maps.
HOPPER = {
    "matmul_maps": (matmul_maps, f"{box(128, 64)} {box(64, 128)} {box(128, 128)} i32",
                    {"BM": 128, "BN": 128, "BK": 64, "SPLIT": False}, 8, 3),
    "matmul_specialised": (matmul_maps, f"{box(64, 64)} {box(64, 128)} {box(64, 128)} i32",
                           {"BM": 64, "BN": 128, "BK": 64, "SPLIT": True}, 4, 3),
    "matmul_own_maps": (matmul_own_maps, "*fp16 *fp16 *fp16 i32 i32 i32", {"BM": 128, "BN": 128, "BK": 64}, 8, 3),
    "attention_maps": (attention_maps, f"{box(128, 128)} {box(64, 128)} {box(64, 128)} {box(128, 128)} i32 fp32",
                       {"D": 128, "BQ": 128, "BK": 64, "CAUSAL": True, "SPLIT": False}, 8, 2),
    "attention_specialised": (attention_maps, f"{box(64, 128)} {box(64, 128)} {box(64, 128)} {box(64, 128)} i32 fp32",
                              {"D": 128, "BQ": 64, "BK": 64, "CAUSAL": False, "SPLIT": True}, 4, 2),
}
