#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/onnx_network on models made here: a small convolutional network, an encoder's end, a file that is cut short.

  onnx_test.py STCSIM      exit status 77 without the Python package onnx
"""
import pathlib
import subprocess
import sys
import tempfile

try:
    import onnx
    from onnx import TensorProto, helper
except ImportError:
    print("skipped: the Python package onnx is missing")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[3]
FLOAT = TensorProto.FLOAT


def weight(name, *shape):
    size = 1
    for extent in shape:
        size *= extent
    return helper.make_tensor(name, FLOAT, shape, [0.0] * size)


def model(nodes, inputs, outputs, weights):
    values = [[helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in side] for side in (inputs, outputs)]
    graph = helper.make_graph(nodes, "small", values[0], values[1], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def network(folder, made, *more):
    onnx.save(made, folder / "model.onnx")
    return subprocess.run([sys.executable, ROOT / "scripts" / "onnx_network", folder / "model.onnx", *more], capture_output=True, text=True)


def images(folder):
    nodes = [helper.make_node("Conv", ["x", "w1"], ["a"], name="first", strides=[2, 2], pads=[3, 3, 3, 3]),
             helper.make_node("Relu", ["a"], ["b"]),
             helper.make_node("MaxPool", ["b"], ["c"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
             helper.make_node("Conv", ["c", "w2"], ["d"], name="second", pads=[1, 1, 1, 1]),
             helper.make_node("Add", ["c", "d"], ["e"], name="sum"),
             helper.make_node("Sin", ["e"], ["f"]),
             helper.make_node("GlobalAveragePool", ["f"], ["g"]),
             helper.make_node("Flatten", ["g"], ["h"]),
             helper.make_node("Gemm", ["h", "w3"], ["y"], name="classes", transB=1)]
    done = network(folder, model(nodes, [("x", [1, 3, 32, 32])], [("y", [1, 10])],
                                 [weight("w1", 64, 3, 7, 7), weight("w2", 64, 64, 3, 3), weight("w3", 10, 64)]), "--batch", "2")
    assert done.returncode == 0, done.stderr
    for line in ["first\", convolution: {h: 32, w: 32, c: 8, k: 64, r: 7, s: 7, stride: 2, pad: 3}", "# Left out: 1 of Sin",
                 "max_pool: {h: 16, w: 16, c: 64}", "second\", convolution: {h: 8, w: 8, c: 64, k: 64, r: 3, s: 3, stride: 1, pad: 1}",
                 "sum\", add_relu: {h: 8, w: 8, c: 64}", "average_pool: {h: 8, w: 8, c: 64}",
                 "classes\", linear: {inputs: 64, outputs: 10, rows: sequences}", "batch: 2"]:
        assert line in done.stdout, (line, done.stdout)
    return done.stdout


def tokens(folder):
    nodes = [helper.make_node("LayerNormalization", ["x", "g"], ["a"]),
             helper.make_node("MatMul", ["a", "w"], ["b"], name="up"),
             helper.make_node("Softmax", ["b"], ["y"])]
    done = network(folder, model(nodes, [("x", [1, 16, 64])], [("y", [1, 16, 256])], [weight("g", 64), weight("w", 64, 256)]))
    for line in ["layer_norm: {columns: 64}", "up\", linear: {inputs: 64, outputs: 256}", "softmax: {columns: 256}"]:
        assert line in done.stdout, (line, done.stdout, done.stderr)


def cut_short(folder):
    whole = (folder / "model.onnx").read_bytes()
    (folder / "cut.onnx").write_bytes(whole[:len(whole) // 2])
    done = subprocess.run([sys.executable, ROOT / "scripts" / "onnx_network", folder / "cut.onnx"], capture_output=True, text=True)
    assert done.returncode == 2 and "cut.onnx" in done.stderr and done.stdout == "" and "Traceback" not in done.stderr, done


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "network.yaml").write_text(images(folder))
        done = subprocess.run([sys.argv[1], "network", folder / "network.yaml"], capture_output=True, text=True, cwd=ROOT,
                              env={"STC_CACHE": scratch, "PATH": "/usr/bin:/bin"})
        assert done.returncode == 0 and "second" in done.stdout, done.stderr
        tokens(folder)
        cut_short(folder)
    print("3 models")


if __name__ == "__main__":
    main()
