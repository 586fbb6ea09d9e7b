#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels that stcsim builds and writes as machine code: NVIDIA's disassembler reads them as stcsim does.

  written_cubins_test.py PROGRAM

Skipped where there is no cuobjdump (CUDA's toolkit, or the Python package nvidia-cuda-cuobjdump with nvidia-cuda-nvdisasm)."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
PROGRAM = ""
CUOBJDUMP = shutil.which("cuobjdump") or shutil.which("cuobjdump", path="/usr/local/cuda/bin")

RUN = """gpu: {root}/configs/gpus/{gpu}.yaml
workload:
  gemm: {{pattern: "{pattern}", type: {type}, tile: [128, 128, {k}], warp: [64, 64], stages: 3, m: 128, n: 128, k: {k}}}
options: {{values: addresses}}
"""


class WrittenCubins(unittest.TestCase):
    @unittest.skipUnless(CUOBJDUMP, "there is no cuobjdump")
    def test_disassembler_reads_the_same(self):
        for gpu in ("a100", "h200"):
            for pattern, kind, k in (("dense", "f16", 64), ("2:4", "f16", 64), ("2:4", "s8", 128), ("1:2", "tf32", 32)):
                with self.subTest(gpu=gpu, pattern=pattern, type=kind), tempfile.TemporaryDirectory() as folder:
                    run = pathlib.Path(folder, "run.yaml")
                    run.write_text(RUN.format(root=ROOT, gpu=gpu, pattern=pattern, type=kind, k=k))
                    subprocess.run([PROGRAM, "run", run, "--keep", f"{folder}/kept"], cwd=ROOT, check=True, capture_output=True)
                    cubins = list(pathlib.Path(folder, "kept", "data").glob("*.bin"))
                    self.assertEqual(len(cubins), 1)
                    compared = subprocess.run(
                        [sys.executable, FOLDER / "check_listing.py", "--stcsim", PROGRAM, "--cuobjdump", CUOBJDUMP, *cubins],
                        text=True, capture_output=True)
                    self.assertEqual(compared.returncode, 0, compared.stdout + compared.stderr)
                    self.assertRegex(compared.stdout, r"^[1-9]\d\d+ instructions compared, 0 differ")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
