# SPDX-License-Identifier: Apache-2.0
"""What there is to run on, and to run."""
import json
import os
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Union

from . import _core

PathLike = Union[str, "os.PathLike[str]"]
Keys = Mapping[str, Any]


def data_folder() -> Path:
    """Folder with `configs/` and `traces/kernels/`, as in the source tree."""
    return Path(_core.data_folder())


def gpu_file(gpu: PathLike) -> str:
    """Path of a GPU's description: `gpu` itself where it is a file, else that of a name such as "a100" or "h200"."""
    text = os.fspath(gpu)
    named = data_folder() / "configs" / "gpus" / f"{text}.yaml"
    return str(named) if os.sep not in text and not os.path.exists(text) and named.is_file() else text


def sets_of(keys: Optional[Keys], prefix: str = "") -> List[str]:
    """KEY=VALUE texts, as `--set` takes them; YAML is a superset of JSON."""
    return [f"{prefix}{key}={value if isinstance(value, str) else json.dumps(value)}" for key, value in (keys or {}).items()]


def gpu(gpu: PathLike = "a100", set: Optional[Keys] = None) -> List[Dict[str, Any]]:
    """Every parameter of a GPU: records with `key`, `value`, `unit`, `low`, `high`, `meaning`, `evidence`, ready for
    `pandas.DataFrame`. `set` replaces some: {"sms": 54}. InputError when there is no such GPU or key."""
    return json.loads(_core.gpu(gpu_file(gpu), sets_of(set)))["parameters"]


def kernels(cubin: PathLike) -> List[Dict[str, Any]]:
    """The kernels of a cubin: records with `name` (mangled), `sm_version`, `registers` (per thread), `max_threads`,
    `static_shared_bytes`, `local_bytes` (per thread) and `parameter_bytes` (of each argument). InputError when it is none."""
    return json.loads(_core.kernels(os.fspath(cubin)))


def library() -> List[Dict[str, Any]]:
    """The GEMM kernels that come with stcsim: records with `name`, `element` and `accumulator` (types), `pattern`, `tile`
    (m, n, k) and `sm_versions`."""
    return json.loads(_core.library())
