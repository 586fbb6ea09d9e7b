// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/probe_wgmma_cases.h"

#include <cmath>

#include "validation/kernels/probe_wgmma_ops.h"

namespace stc::gpu_probe {
namespace {

#define STC_WGMMA_TEXT_(id) #id
#define STC_WGMMA_TEXT(id) STC_WGMMA_TEXT_(id)
#define STC_WGMMA_ADD_DENSE(nb, nc, tail, shape, d, a, b, sat) \
  add(STC_WGMMA_NAME(shape, d, a, b, sat), STC_WGMMA_TEXT(STC_WGMMA_ID(shape, d, a, b, sat)), nb, nc, #a, #b, #d, -1);
#define STC_WGMMA_SPARSE_ENTRY(nb, nc, tail, shape, d, a, b, sat, sel)                                               \
  add(STC_WGMMA_SP_NAME(shape, d, a, b, sat), STC_WGMMA_TEXT(STC_WGMMA_SP_ID(shape, d, a, b, sat, sel)), nb, nc, #a, \
      #b, #d, sel);

std::vector<ProbeOp> make_wgmma_ops() {
  std::vector<ProbeOp> ops;
  const auto add = [&ops](const char* name, const char* id, int nb, int nc, const char* a, const char* b, const char* d,
                          int selector) {
    ProbeOp op;
    op.name = name;
    op.kernel = id;
    op.a_registers = 4, op.b_registers = nb, op.c_registers = nc;
    op.a = a, op.b = b, op.c = d;
    op.sparse = selector >= 0;
    op.selector = selector < 0 ? 0 : selector;
    op.k = nb * 128 / bits_of(op.b);
    op.needs_sm89 = op.a[0] == 'e';
    ops.push_back(op);
  };
  STC_WGMMA_DENSE_OPS(STC_WGMMA_ADD_DENSE)
  STC_WGMMA_SPARSE_OPS()
  return ops;
}

double power(int exponent) { return std::ldexp(1.0, exponent); }

/// 1 and small products, or a C with more bits than are kept, of both signs.
void add_cuts(const ProbeOp& op, std::vector<DotCase>& cases) {
  const auto add = [&cases](std::string detail, std::vector<double> a, std::vector<double> b, double c) {
    DotCase dot;
    dot.probe = "W1", dot.detail = std::move(detail), dot.a = std::move(a), dot.b = std::move(b), dot.c = c;
    cases.push_back(dot);
  };
  for (const double sign : {1.0, -1.0}) {
    const std::string of = sign < 0 ? "-" : "";
    for (int f = 8; f <= 16; ++f) {
      const double small = power(-(f / 2)), other = power(-(f - f / 2));
      add(of + "(1 + 2^-" + std::to_string(f) + ")", {sign, sign * small}, {1, other}, 0);
      add(of + "(1 - 2^-" + std::to_string(f) + ")", {sign, -sign * small}, {1, other}, 0);
      add(of + "(1 + 4 x 2^-" + std::to_string(f) + ")", {sign, sign * small, sign * small, sign * small, sign * small},
          {1, other, other, other, other}, 0);
      add("c = " + of + "1, product -" + of + "2^-" + std::to_string(f), {-sign * small}, {other}, sign);
      add("c = " + of + "2^-" + std::to_string(f) + " beside product " + of + "1", {sign}, {1}, sign * power(-f));
      add("c = -" + of + "2^-" + std::to_string(f) + " beside product " + of + "1", {sign}, {1}, -sign * power(-f));
      if (op.c == "f16" && f > 10) continue;  // which has no such C
      add("c = " + of + "(1 + 2^-" + std::to_string(f) + "), no product", {0}, {0}, sign * (1 + power(-f)));
    }
    add("1.75 x 1.75 sixteen times and c", std::vector<double>(16, sign * 1.75), std::vector<double>(16, 1.75), sign);
  }
}

}  // namespace

const std::vector<ProbeOp>& wgmma_probe_ops() {
  static const std::vector<ProbeOp> ops = make_wgmma_ops();
  return ops;
}

std::vector<DotCase> directed_wgmma_cases(const ProbeOp& op) {
  std::vector<DotCase> cases = directed_cases(op);
  if (op.a == "e4m3" || op.a == "e5m2") add_cuts(op, cases);
  return cases;
}

}  // namespace stc::gpu_probe
