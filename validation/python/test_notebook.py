# SPDX-License-Identifier: Apache-2.0
"""The notebook runs, and prints what it shows: the same words, numbers within 5 % (as the pages' commands)."""
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/tools"))


def test_notebook_prints_what_it_shows():
    pytest.importorskip("nbclient")
    import nbformat
    from console import near, words
    from notebook import NOTEBOOK, executed, texts
    shown, printed = texts(nbformat.read(NOTEBOOK, as_version=4)), texts(executed())
    assert len(shown) == len(printed) > 5
    for old, new in zip(shown, printed):
        old, new = old.splitlines(), new.splitlines()
        assert [words(line) for line in old] == [words(line) for line in new]
        assert all(near(a, b) for a, b in zip(old, new)), f"{old}\n{new}"
    assert not re.search(r"Traceback", "".join("\n".join(shown)))
