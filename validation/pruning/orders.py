# SPDX-License-Identifier: Apache-2.0
"""What is published about pruning, as checks of the summary: which accuracy must exceed which."""
import tables

# Larger groups weaken the constraint at equal density, until there is none.
RISING = [["2:4 transposable", "2:4", "4:8", "8:16", "50 %"], ["1:4", "2:8", "4:16", "8:32", "25 %"],
          ["1:8", "2:16", "4:32", "12.5 %"], ["1:16", "2:32", "6.25 %"]]
FREE = ["50 %", "2:4", "4:8", "8:16", "2:4 transposable"]  # cost nothing after fine-tuning
FREE_LOSS = 0.5    # percent: three test images
COLLAPSE = 5       # times the loss of 95 % sparsity at 99 %


class Orders:
    def __init__(self, summary):
        self.rows = {(r["method"], r["pattern"]): r for r in summary}
        self.failures = []
        self.checked = 0

    def of(self, key, pattern, method="fixed"):
        return float(self.rows[method, pattern][key])

    def loss(self, pattern, method="fixed"):
        return self.of("tuned", "100 %", "dense") - self.of("tuned", pattern, method)

    def require(self, holds, what):
        self.checked += 1
        if not holds:
            self.failures.append(what)

    def larger_groups_weaken_the_constraint(self):
        for chain in RISING:
            for key in ("kept_magnitude", "pruned"):
                values = [self.of(key, pattern) for pattern in chain]
                self.require(values == sorted(set(values)), f"{key} does not rise along {', '.join(chain)}: {values}")

    def half_costs_nothing_after_tuning(self):
        for pattern in FREE:
            self.require(self.loss(pattern) <= FREE_LOSS, f"{pattern} costs {self.loss(pattern):.2f} after fine-tuning")

    def collapse_beyond_95_percent(self):
        self.require(self.loss("1 %") >= COLLAPSE * self.loss("5 %"),
                     f"99 % sparsity costs {self.loss('1 %'):.2f}, 95 % {self.loss('5 %'):.2f}: no collapse between them")
        for more, fewer in (("5 %", "3 %"), ("3 %", "2 %"), ("2 %", "1 %")):
            for key in ("pruned", "tuned"):
                self.require(self.of(key, fewer) < self.of(key, more), f"{key}: {fewer} kept is no worse than {more}")

    def masks_that_change_win_where_few_weights_stay(self):
        for method, patterns in (("iterative", ("3 %", "2 %", "1 %")), ("rigl", ("2 %", "1 %"))):
            for pattern in patterns:
                self.require(self.loss(pattern, method) < self.loss(pattern),
                             f"{method} is no better than one-shot pruning at {pattern} kept")


def orders_of(summary):
    """All orders, checked."""
    orders = Orders(summary)
    orders.larger_groups_weaken_the_constraint()
    orders.half_costs_nothing_after_tuning()
    orders.collapse_beyond_95_percent()
    orders.masks_that_change_win_where_few_weights_stay()
    return orders


def check(runs, summary):
    """Prints what does not hold; the exit code."""
    orders = orders_of(summary)
    orders.require(tables.summarise(runs) == summary, "summary.csv is not the summary of runs.csv")
    for failure in orders.failures:
        print(f"pruning_accuracy: {failure}")
    print(f"pruning_accuracy: {orders.checked} orders checked, {len(orders.failures)} do not hold")
    return 1 if orders.failures else 0
