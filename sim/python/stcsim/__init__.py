# SPDX-License-Identifier: Apache-2.0
"""stcsim: kernels on a simulated NVIDIA GPU, cycle by cycle, with its sparse tensor core.

    import numpy as np, stcsim
    a = stcsim.prune(np.random.randn(512, 512).astype(np.float16), "2:4")
    b = np.random.randn(512, 512).astype(np.float16)
    result = stcsim.gemm(a, b, kernel="f16_sp24_64x64x64", gpu="a100", options={"compare_dense": True})
    print(result.d, result.cycles, result["comparison.speedup"])

Functions run simulations with the C++ code of `stcsim run`, each in a process of its own that is forked for it: SystemC,
which the model is written in, builds no machine once one has run in a process. So calls may be repeated at will, from
several threads at once, too; Python's lock is free while they wait, and Ctrl-C ends a run.

Whatever is wrong with the input is an `InputError` (a ValueError) with the message that the program prints; a fault or
deadlock of the simulated kernel is a `SimulationFault`; a bug of stcsim an `InternalError`.
"""
from pathlib import Path as _Path

from . import _core

_data = _Path(__file__).parent / "data"
if _data.is_dir():
    _core.use_data_folder(str(_data))

from ._errors import InputError, InternalError, SimulationFault  # noqa: E402
from ._machine import data_folder, gpu, gpu_file, kernels, library  # noqa: E402
from ._matrices import Compressed, compress, decompress, metadata, mma, prune, rounded  # noqa: E402
from ._result import Result  # noqa: E402
from ._run import gemm, launch, run  # noqa: E402

__version__ = _core.version()
__all__ = ["Compressed", "InputError", "InternalError", "Result", "SimulationFault", "compress", "data_folder", "decompress",
           "gemm", "gpu", "gpu_file", "kernels", "launch", "library", "metadata", "mma", "prune", "rounded", "run"]
