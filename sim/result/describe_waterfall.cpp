// SPDX-License-Identifier: Apache-2.0
#include "sim/result/describe_waterfall.h"

namespace stc::sim {
namespace {

using Part = Waterfall::Part;

/// A part with the step under it.
struct Row {
  Part part;
  const WaterfallStep* under;
};

Description<Row> row() {
  Description<Row> of("What one limit takes; the first is what is left to the kernel when all are lifted.");
  of.always("limit", words("As in options.ideal; 'kernel': the kernel's own."),
            [](const Row& from) { return Json(from.part.key); });
  of.always("meaning", words("What it is."), [](const Row& from) { return Json(from.part.meaning); });
  of.maybe("speedup_part", signed_number("ratio", "Speedup without this limit less that under it."),
           [](const Row& from) { return from.under->dense ? Json(from.part.speedup) : unknown(); });
  of.maybe("speedup", real_number("ratio", "Under this limit and those of the rows before, others lifted."),
           [](const Row& from) {
             if (!from.under->dense) return unknown();
             return Json(static_cast<double>(from.under->dense->cycles_elapsed) /
                         static_cast<double>(from.under->sparse.cycles_elapsed));
           });
  of.always("cycles_part", signed_number("SM cycles", "That the limit adds to the kernel."),
            [](const Row& from) { return Json(from.part.cycles); });
  of.always("cycles_elapsed", whole_number("SM cycles", "Of the kernel under it."),
            [](const Row& from) { return Json(from.under->sparse.cycles_elapsed); });
  of.maybe("dense_cycles_part", signed_number("SM cycles", "That the limit adds to the dense kernel."),
           [](const Row& from) { return from.under->dense ? Json(from.part.dense_cycles) : unknown(); });
  of.maybe("dense_cycles_elapsed", whole_number("SM cycles", "Of the dense kernel under it."),
           [](const Row& from) { return from.under->dense ? Json(from.under->dense->cycles_elapsed) : unknown(); });
  of.always("command", words("That gives these cycles."), [](const Row& from) { return Json(from.under->command); });
  return of;
}

Description<Waterfall> all_of_waterfall() {
  Description<Waterfall> of(
      "From the ideal to the simulated speedup (without a dense kernel: cycles), with --why; each part by a run.");
  of.maybe("ideal_speedup", real_number("ratio", "Of the times for which tensor cores must multiply."),
           [](const Waterfall& from) { return from.compares() ? Json(from.ideal()) : unknown(); });
  of.maybe("speedup", real_number("ratio", "Simulated, with launch overhead."),
           [](const Waterfall& from) { return from.compares() ? Json(from.speedup(0)) : unknown(); });
  of.always("least_cycles", real_number("SM cycles", "In which the tensor cores do nothing but multiply."),
            [](const Waterfall& from) { return Json(from.least_cycles(false)); });
  of.maybe("dense_least_cycles", real_number("SM cycles", "The same of the dense kernel."),
           [](const Waterfall& from) { return from.compares() ? Json(from.least_cycles(true)) : unknown(); });
  of.always("parts", list_of(row().schema(), "From the ideal to the simulated speedup; their sum is the gap."),
            [of_one = row()](const Waterfall& from) {
              Json list = Json::array();
              std::size_t step = from.steps.size() - 1;
              for (const Part& part : from.parts()) list.push_back(of_one.json({part, &from.steps[step--]}));
              return list;
            });
  return of;
}

}  // namespace

const Description<Waterfall>& describe_waterfall() {
  static const Description<Waterfall> description = all_of_waterfall();
  return description;
}

}  // namespace stc::sim
