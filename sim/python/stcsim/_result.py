# SPDX-License-Identifier: Apache-2.0
"""The result of a run."""
import functools
import json
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

import numpy as np

from . import _core


@functools.lru_cache(maxsize=1)
def _schema() -> Dict[str, Any]:
    return json.loads(_core.schema())


def _resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A definition that the schema refers to."""
    while "$ref" in schema:
        found: Any = _schema()
        for key in schema["$ref"].lstrip("#/").split("/"):
            found = found[key]
        schema = found
    return schema


def _leaves(value: Any, schema: Mapping[str, Any], path: str) -> Iterator[Tuple[str, Any, Mapping[str, Any]]]:
    schema = _resolved(schema)
    if isinstance(value, dict):
        for key, part in value.items():
            own = schema.get("properties", {}).get(key) or schema.get("additionalProperties") or {}
            yield from _leaves(part, own if isinstance(own, dict) else {}, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for number, part in enumerate(value):
            yield from _leaves(part, schema.get("items", {}), f"{path}.{number}")
    else:
        yield path, value, schema


class Result:
    """What a run cost, and the buffers that it left.

    `result["tensor.busy_fraction"]` is one figure by its path, `result.cycles` and the like the usual ones, `data` all of
    them as the JSON of `stcsim run --json` has them. `buffers` maps names to bytes, uint8 arrays; it is empty when
    `options.values` is `addresses`, which computes none. `d` is the product of a GEMM [m][n], `arrays` are the arguments
    of `launch` after it, None for scalars. `passed` tells whether all checks that the run made have passed. `printed` is
    what the kernel's threads have printed (bytes). str(result) is the table of `stcsim run`."""

    def __init__(self, answer: Mapping[str, Any], printed: bytes, buffers: Dict[str, np.ndarray]):
        self.data: Dict[str, Any] = answer["result"]
        self.table: str = answer["table"]
        self.passed: bool = answer["passed"]
        self.printed = printed
        self.buffers = buffers
        self.d: Optional[np.ndarray] = None
        self.arrays: List[Optional[np.ndarray]] = []

    def __getitem__(self, path: str) -> Any:
        """A figure, or a group of them as a dict. KeyError when the run has none of this path."""
        found: Any = self.data
        for key in path.split("."):
            if not isinstance(found, dict) or key not in found:
                raise KeyError(f"the result has no '{path}'")
            found = found[key]
        return found

    def __str__(self) -> str:
        return self.table

    def __repr__(self) -> str:
        return f"<stcsim.Result: {self.cycles:,} cycles, {self.time_us:.2f} us>"

    @property
    def cycles(self) -> int:
        """SM cycles from the first CTA's start to the last one's end."""
        return self["cycles"]

    @property
    def time_us(self) -> float:
        """Microseconds with launch overhead."""
        return self["time_us"]

    def buffer(self, name: str, dtype: Any, shape: Any = -1) -> np.ndarray:
        """A buffer's bytes as an array of `dtype` and `shape`. KeyError when the result has no such buffer."""
        return self.buffers[name].view(dtype).reshape(shape)

    def records(self) -> List[Dict[str, Any]]:
        """All figures: dicts with `key`, `value`, `unit` ("" where it has none) and `meaning`."""
        return [{"key": path, "value": value, "unit": schema.get("unit", ""), "meaning": schema.get("description", "")}
                for path, value, schema in _leaves(self.data, _schema(), "")]

    def frame(self) -> Any:
        """`records()` as a pandas.DataFrame with `key` as its index. ImportError where pandas is not installed."""
        import pandas
        return pandas.DataFrame(self.records()).set_index("key")

    def stalls(self) -> Dict[str, float]:
        """Where the warps' cycles went: share of them by reason, the largest first."""
        cycles = {name: value for name, value in self["stalls"].items() if isinstance(value, (int, float)) and value}
        whole = sum(cycles.values())
        return {name: value / whole for name, value in sorted(cycles.items(), key=lambda item: -item[1])}
