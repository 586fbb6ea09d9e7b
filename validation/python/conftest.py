# SPDX-License-Identifier: Apache-2.0
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def program():
    """The program beside the package, built from the same sources."""
    path = Path(os.environ.get("STCSIM_PROGRAM", ROOT / "build/sim/stcsim"))
    if not path.exists():
        pytest.skip(f"{path} is not built")
    return path
