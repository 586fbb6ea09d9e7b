# SPDX-License-Identifier: Apache-2.0
"""The Python package: runs, arrays, exceptions."""
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import stcsim

ROOT = Path(__file__).resolve().parents[2]
SMALL = "f16_sp24_64x64x64"
SAMPLES = ROOT / "validation/functional/cubins/sm_80"


def matrices(m=64, n=64, k=128, seed=1):
    random = np.random.default_rng(seed)
    return (random.integers(-4, 5, (m, k)).astype(np.float16), random.integers(-4, 5, (k, n)).astype(np.float16))


def test_gemm_returns_the_product():
    a, b = matrices()
    a = stcsim.prune(a)
    result = stcsim.gemm(a, b, SMALL)
    assert result.d.dtype == np.float32 and result.d.shape == (64, 64)
    assert np.array_equal(result.d, a.astype(np.float32) @ b.astype(np.float32))
    assert result.d.any() and result.cycles > 1000 and result.passed
    assert set(result.buffers) == {"A", "E", "B", "D"}


def test_metadata_of_compress_is_what_the_kernel_got():
    a, b = matrices()
    small = stcsim.compress(stcsim.prune(a))
    result = stcsim.gemm(stcsim.prune(a), b, SMALL)
    assert np.array_equal(result.buffer("E", np.uint32), stcsim.metadata(small).reshape(-1))
    assert np.array_equal(result.buffer("A", np.float16, small.values.shape), small.values)


def test_integers_have_integer_results():
    random = np.random.default_rng(2)
    a = stcsim.prune(random.integers(-128, 128, (128, 128)).astype(np.int8))
    b = random.integers(-128, 128, (128, 128)).astype(np.int8)
    result = stcsim.gemm(a, b, "s8_sp24_128x128x128", gpu="h200")
    assert result.d.dtype == np.int32
    assert np.array_equal(result.d, a.astype(np.int32) @ b.astype(np.int32))


def test_a_run_file_gives_what_the_program_gives(program, tmp_path):
    file = ROOT / "configs/workloads/gemm_512_integers.yaml"
    result = stcsim.run(file, {"workload.gemm.k": 128, "workload.gemm.m": 64, "gpu.sms": 54}, keep=["D"])
    out = tmp_path / "result.json"
    subprocess.run([program, "run", file, "--set", "workload.gemm.k=128", "--set", "workload.gemm.m=64", "--set", "gpu.sms=54",
                    "--json", out], check=True, capture_output=True)
    import json
    printed = json.loads(out.read_text())
    assert result["cycles"] == printed["cycles"] and result["stalls"] == printed["stalls"]
    assert set(result.buffers) == {"D"} and result["check"]["passed"]


def test_records_have_units_and_a_frame():
    a, b = matrices()
    result = stcsim.gemm(stcsim.prune(a), b, SMALL, options={"l2": "warm"})
    rows = {row["key"]: row for row in result.records()}
    assert rows["cycles"]["value"] == result.cycles and rows["cycles"]["unit"] == "SM cycles" and rows["cycles"]["meaning"]
    assert rows["time_us"]["unit"] == "microseconds"
    assert sum(result.stalls().values()) == pytest.approx(1)
    pandas = pytest.importorskip("pandas")
    frame = result.frame()
    assert isinstance(frame, pandas.DataFrame) and frame.loc["cycles", "value"] == result.cycles


def test_values_addresses_have_no_buffers():
    a, b = matrices()
    result = stcsim.gemm(stcsim.prune(a), b, SMALL, options={"values": "addresses"})
    assert result.buffers == {} and result.d is None and result.cycles > 0


def test_launch_changes_copies_of_its_arrays():
    random = np.random.default_rng(5)
    a, b = (random.integers(-2, 3, (64, 64)).astype(np.float16) for _ in range(2))
    d = np.zeros((64, 64), np.float32)
    size = np.int32(64)
    cubin = stcsim.data_folder() / "traces/kernels/sm_80/f16_dense_64x64x64_w32x32_s4.cubin"
    result = stcsim.launch(cubin, [a, np.ascontiguousarray(b.T), d, size, size, size], grid=1, block=128, shared_bytes=65536)
    assert np.array_equal(result.arrays[2], a.astype(np.float32) @ b) and not d.any()
    assert np.array_equal(result.arrays[0], a) and result.arrays[3] is None
    # One array is one buffer.
    twice = stcsim.launch(cubin, [a, a, d, size, size, size], grid=[1, 1], block=(128,), shared_bytes=65536, gpu="a100")
    assert np.array_equal(twice.arrays[2], a.astype(np.float32) @ a.T)


def test_a_run_file_takes_arrays():
    a = np.ones(65536, np.float16)
    result = stcsim.run(ROOT / "configs/workloads/low_level_gemm.yaml", buffers={"A": a, "B": a})
    assert np.all(result.buffer("D", np.float32) == 256)
    with pytest.raises(stcsim.InputError, match="4 bytes are given, but the buffer has 131072"):
        stcsim.run(ROOT / "configs/workloads/low_level_gemm.yaml", buffers={"A": np.zeros(1, np.int32)})


@pytest.mark.parametrize("call, message", [
    (lambda: stcsim.run("nofile.yaml"), "nofile.yaml: no such file"),
    (lambda: stcsim.gemm(*matrices(), SMALL), "more than 2 of 4 are nonzero"),
    (lambda: stcsim.gemm(np.zeros((64, 64)), np.zeros((65, 64)), SMALL), "as many columns"),
    (lambda: stcsim.gemm(np.zeros((64, 60)), np.zeros((60, 64)), SMALL), "multiple of the tile size 64"),
    (lambda: stcsim.gemm(np.full((64, 64), 0.1, np.float32), np.zeros((64, 64)), "f16_dense_64x64x64"), "no value of f16"),
    (lambda: stcsim.gemm(np.zeros((64, 64)), np.full((64, 64), 1e6), "f16_dense_64x64x64"), "B[0, 0] is 1000000"),
    (lambda: stcsim.gemm(*matrices(), SMALL, set={"smz": 4}), "did you mean 'sms'?"),
    (lambda: stcsim.gemm(*matrices(), SMALL, options={"value": "full"}), "did you mean 'values'?"),
    (lambda: stcsim.gemm(*matrices(), SMALL, gpu="nogpu"), "nogpu"),
    (lambda: stcsim.launch(SAMPLES / "sample_memory.cubin", [4], 1, 32), "numpy.int32(4096)"),
    (lambda: stcsim.kernels(ROOT / "README.md"), "README.md"),
    (lambda: stcsim.prune(np.zeros((4, 6)), "2:4"), "k = 6"),
    (lambda: stcsim.mma("mma.m16n8k99.f32.f16.f16.f32", *[np.zeros((16, 8))] * 3), "A is 16 x 8"),
    (lambda: stcsim.gpu("a100", {"tensor_core.multipliers": 4}), "nearest: "),
])
def test_errors_are_exceptions_with_one_message(call, message):
    with pytest.raises(stcsim.InputError) as error:
        call()
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_fault_of_the_kernel_is_an_exception():
    a, b = matrices()
    with pytest.raises(stcsim.SimulationFault, match="cycles"):
        stcsim.gemm(stcsim.prune(a), b, SMALL, options={"max_cycles": 100})


def test_prune_compress_and_back():
    a = np.random.default_rng(3).standard_normal((32, 64)).astype(np.float32)
    for pattern in ("2:4", "1:4", "4:8", "4:8/2"):
        pruned = stcsim.prune(a, pattern)
        stored, group = (int(part) for part in pattern.split("/")[0].split(":"))
        assert np.count_nonzero(pruned) == a.size * stored // group
        small = stcsim.compress(pruned, pattern)
        assert np.array_equal(stcsim.decompress(small), pruned)
    kept = np.sort(np.abs(a.reshape(-1, 4)))[:, 2:].sum()
    assert np.abs(stcsim.prune(a)).sum() == pytest.approx(kept, rel=1e-5)


def test_mma_computes_one_instruction():
    random = np.random.default_rng(4)
    a = stcsim.prune(random.integers(-4, 5, (16, 32)).astype(np.float16))
    b, c = random.integers(-4, 5, (32, 8)), random.integers(-4, 5, (16, 8))
    for op in ("mma.sp.m16n8k32.f32.f16.f16.f32",
               "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"):
        assert np.array_equal(stcsim.mma(op, a, b, c), a.astype(np.float32) @ b + c)


def test_the_machine_and_the_library_are_records():
    assert {row["key"]: row["value"] for row in stcsim.gpu("a100", {"sms": 54})}["sms"] == 54
    assert any(row["name"].startswith(SMALL) and row["pattern"] == "2:4" for row in stcsim.library())
    assert stcsim.kernels(SAMPLES / "sample_memory.cubin")[0]["sm_version"] == 80


def test_runs_in_threads_are_side_by_side_and_alike():
    a, b = matrices()
    a = stcsim.prune(a)
    results = [None] * 3

    def work(number):
        results[number] = stcsim.gemm(a, b, SMALL, threads=1)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    ticks = 0
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.001)
        ticks += 1
    assert ticks > 10, "Python stood still"
    assert len({result.cycles for result in results}) == 1


def test_control_c_ends_a_run(tmp_path):
    script = ("import stcsim, sys\n"
              "print('ready', flush=True)\n"
              "try:\n"
              f"    stcsim.run({str(ROOT / 'configs/workloads/demo_4096_sparse.yaml')!r})\n"
              "except KeyboardInterrupt:\n"
              "    sys.exit(42)\n")
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    children = [int(child) for child in
                subprocess.run(["ps", "--ppid", str(process.pid), "-o", "pid="], capture_output=True, text=True).stdout.split()]
    assert children, "no worker runs"
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 42
    assert not any(os.path.exists(f"/proc/{child}") for child in children)
