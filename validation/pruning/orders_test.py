# SPDX-License-Identifier: Apache-2.0
"""The orders can fail: each group of them must notice a table in which one accuracy is another."""
import copy
import sys

import orders
import tables

# (method, pattern, figure, value) that breaks an order.
BREAKS = [("fixed", "2:8", "pruned", "99.00"), ("fixed", "1:4", "kept_magnitude", "52.00"),
          ("fixed", "2:4", "tuned", "97.00"), ("fixed", "1 %", "tuned", "95.00"), ("fixed", "3 %", "tuned", "97.00"),
          ("rigl", "1 %", "tuned", "80.00"), ("iterative", "2 %", "tuned", "90.00")]


def main():
    summary = tables.read_summary()
    missed = [f"the committed table: {failure}" for failure in orders.orders_of(summary).failures]
    for method, pattern, key, value in BREAKS:
        broken = copy.deepcopy(summary)
        next(r for r in broken if (r["method"], r["pattern"]) == (method, pattern))[key] = value
        if not orders.orders_of(broken).failures:
            missed.append(f"{method} {pattern} {key} = {value} was not noticed")
    for text in missed:
        print(text)
    return 1 if missed else 0


sys.exit(main())
