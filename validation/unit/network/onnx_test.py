#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/onnx_network on models made here: small networks, what no network file can say, wrong arguments, a cut file.

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
SCRIPT = ROOT / "scripts" / "onnx_network"
FLOAT = TensorProto.FLOAT


def weight(name, *shape):
    size = 1
    for extent in shape:
        size *= extent
    return helper.make_tensor(name, FLOAT, shape, [0.0] * size)


def model(nodes, inputs, outputs, weights, opset=17):
    """Of values (name, shape), of f32, or (name, shape, type)."""
    values = [[helper.make_tensor_value_info(name, of[0] if of else FLOAT, shape) for name, shape, *of in side]
              for side in (inputs, outputs)]
    graph = helper.make_graph(nodes, "small", values[0], values[1], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


def run(*arguments, **more):
    return subprocess.run([sys.executable, SCRIPT, *arguments], stderr=subprocess.PIPE, text=True,
                          **{"stdout": subprocess.PIPE, **more})


def network(folder, made, *more):
    onnx.save(made, folder / "model.onnx")
    return run(folder / "model.onnx", *more)


def holds(done, *lines):
    assert done.returncode == 0 and "Traceback" not in done.stderr, done
    for line in lines:
        assert line in done.stdout, (line, done.stdout, done.stderr)


def refused(done, *lines):
    assert done.returncode == 2 and not done.stdout and "Traceback" not in done.stderr, done
    for line in lines:
        assert line in done.stderr, (line, done.stderr)


def images(folder):
    nodes = [helper.make_node("Conv", ["x", "w1"], ["a"], name="first", strides=[2, 2], pads=[3, 3, 3, 3]),
             helper.make_node("Relu", ["a"], ["b"]),
             helper.make_node("MaxPool", ["b"], ["c"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
             helper.make_node("Conv", ["c", "w2"], ["d"], name="second", pads=[1, 1, 1, 1]),
             helper.make_node("Add", ["c", "d"], ["e"], name="sum"),
             helper.make_node("Relu", ["e"], ["r"]),
             helper.make_node("Sin", ["r"], ["f"]),
             helper.make_node("GlobalAveragePool", ["f"], ["g"]),
             helper.make_node("Flatten", ["g"], ["h"]),
             helper.make_node("Gemm", ["h", "w3"], ["y"], name="classes", transB=1)]
    weights = [weight("w1", 64, 3, 7, 7), weight("w2", 64, 64, 3, 3), weight("w3", 10, 64)]
    done = network(folder, model(nodes, [("x", [1, 3, 32, 32])], [("y", [1, 10])], weights), "--batch", "2")
    holds(done, "first\", convolution: {h: 32, w: 32, c: 8, k: 64, r: 7, s: 7, stride: 2, pad: 3}",
          "# Left out: 1 of Sin", "max_pool: {h: 16, w: 16, c: 64}",
          "second\", convolution: {h: 8, w: 8, c: 64, k: 64, r: 3, s: 3, stride: 1, pad: 1}",
          "sum\", add_relu: {h: 8, w: 8, c: 64}", "average_pool: {h: 8, w: 8, c: 64}",
          "classes\", linear: {inputs: 64, outputs: 10, rows: sequences}", "batch: 2")
    assert "sequence:" not in done.stdout and not done.stderr, done
    return done.stdout


def tokens(folder):
    nodes = [helper.make_node("LayerNormalization", ["x", "g"], ["a"]),
             helper.make_node("MatMul", ["a", "w"], ["b"], name="up"),
             helper.make_node("Softmax", ["b"], ["y"])]
    made = model(nodes, [("x", [1, 16, 64])], [("y", [1, 16, 256])], [weight("g", 64), weight("w", 64, 256)])
    holds(network(folder, made), "layer_norm: {columns: 64}", "up\", linear: {inputs: 64, outputs: 256}",
          "softmax: {columns: 256}", "\nsequence: 16\n")


def equal_names(folder, stcsim):
    nodes = [helper.make_node("MatMul", ["x", "w"], ["a"], name="up"), helper.make_node("MatMul", ["a", "w"], ["y"], name="up")]
    done = network(folder, model(nodes, [("x", [1, 16, 64])], [("y", [1, 16, 64])], [weight("w", 64, 64)]))
    holds(done, "name: \"up\"", "name: \"up_1\"")
    simulated(folder, stcsim, done.stdout, "up_1")


def one_convolution(folder, size, kernel, **given):
    given = {"name": "one", "strides": [2, 2], **given}
    sizes = [size] * len(kernel)
    nodes = [helper.make_node("Conv", ["x", "w"], ["y"], **given), helper.make_node("GlobalAveragePool", ["x"], ["z"])]
    nodes = nodes if len(kernel) == 2 else nodes[:1]
    outputs = [("y", ["n", "k", *"hw"[:len(kernel)]])]
    weights = [weight("w", 64, 8 // given.get("group", 1), *kernel)]
    return network(folder, model(nodes, [("x", [1, 8, *sizes])], outputs, weights))


def padding(folder):
    """33 and stride 2: one more on each side. 32: one more on one side."""
    for kind in ("SAME_UPPER", "SAME_LOWER"):
        done = one_convolution(folder, 33, [3, 3], auto_pad=kind)
        holds(done, "h: 33, w: 33, c: 8, k: 64, r: 3, s: 3, stride: 2, pad: 1}")
        pads = [0, 0, 1, 1] if kind == "SAME_UPPER" else [1, 1, 0, 0]
        done = one_convolution(folder, 32, [3, 3], auto_pad=kind)
        holds(done, f"# Left out: 1 of Conv (one: auto_pad {kind}: pads {pads}")
    holds(one_convolution(folder, 33, [3, 3], auto_pad="VALID"), "stride: 2, pad: 0}")
    for given, reason in [({"pads": [0, 1, 1, 1]}, "pads [0, 1, 1, 1] must be one"), ({"group": 8}, "groups"),
                          ({"dilations": [2, 2]}, "dilations"), ({"strides": [2, 1]}, "strides [2, 1]")]:
        done = one_convolution(folder, 32, [3, 3], **given)
        holds(done, "# Left out: 1 of Conv (one: ", reason)
        assert "convolution:" not in done.stdout, done
    done = one_convolution(folder, 32, [3], strides=[2])
    refused(done, "# Left out: 1 of Conv (one: weights of rank 3", "has no layer")


def encoder(folder, ids, *more):
    nodes = [helper.make_node("Gather", ["table", "ids"], ["a"]),
             helper.make_node("LayerNormalization", ["a", "g"], ["b"]),
             helper.make_node("Constant", [], ["w"], value=weight("", 64, 128)),
             helper.make_node("MatMul", ["b", "w"], ["y"], name="up")]
    weights = [weight("table", 32, 64), weight("g", 64)]
    made = model(nodes, [("ids", ids, TensorProto.INT64)], [("y", [*ids, 128])], weights)
    done = network(folder, made, *more)
    holds(done, "gather: {columns: 64, vocabulary: 32}", "layer_norm: {columns: 64}",
          "up\", linear: {inputs: 64, outputs: 128}")
    return done


def sequences(folder):
    holds(encoder(folder, [1, 128]), "\nsequence: 128\n")
    holds(encoder(folder, [1, 128], "--sequence", "64"), "\nsequence: 64\n")
    done = encoder(folder, ["batch", "tokens"])
    holds(done, "# The sequence length is not known (the shapes do not tell it): 1 token is assumed; give --sequence.")
    assert "\nsequence:" not in done.stdout and "give --sequence" in done.stderr, done
    done = encoder(folder, ["batch", "tokens"], "--sequence", "64")
    assert "\nsequence: 64\n" in done.stdout and not done.stderr, done


def one_pool(folder, size, **given):
    nodes = [helper.make_node("MaxPool", ["x"], ["y"], name="one", kernel_shape=[3, 3], strides=[2, 2], **given),
             helper.make_node("GlobalAveragePool", ["x"], ["z"])]
    return network(folder, model(nodes, [("x", [1, 8, size, size])], [("z", [1, 8, 1, 1])], []))


def pools(folder):
    holds(one_pool(folder, 32, pads=[1, 1, 1, 1]), "max_pool: {h: 32, w: 32, c: 8}")
    holds(one_pool(folder, 32, auto_pad="SAME_LOWER"), "max_pool: {h: 32, w: 32, c: 8}")
    for size, given, reason in [(33, {"pads": [1, 1, 1, 1]}, "33 x 33 pixels: only even"), (32, {}, "pads [0, 0, 0, 0]"),
                                (32, {"auto_pad": "SAME_UPPER"}, "pads [0, 0, 1, 1]"),
                                (32, {"auto_pad": "VALID"}, "pads [0, 0, 0, 0]"),
                                (32, {"pads": [1, 1, 1, 1], "dilations": [2, 2]}, "dilations")]:
        done = one_pool(folder, size, **given)
        holds(done, f"# Left out: 1 of MaxPool (one: {reason}")
        assert "max_pool:" not in done.stdout, done


def scores(folder):
    """Of heads: neither softmax nor sum is one of tokens or images."""
    nodes = [helper.make_node("Add", ["x", "mask"], ["a"], name="masked"),
             helper.make_node("Softmax", ["a"], ["b"], name="heads"),
             helper.make_node("Add", ["b", "b"], ["c"], name="twice"),
             helper.make_node("MatMul", ["c", "w"], ["y"], name="up")]
    made = model(nodes, [("x", [1, 4, 16, 16]), ("mask", [1, 1, 1, 16])], [("y", [1, 4, 16, 64])], [weight("w", 16, 64)])
    done = network(folder, made)
    holds(done, "1 of Add (masked: sizes [1, 4, 16, 16] and [1, 1, 1, 16] differ", "1 of Softmax (heads: scores of heads",
          "1 of Add (twice: a sum of images that no ReLU follows", "up\", linear: {inputs: 16, outputs: 64}")
    assert "add_relu" not in done.stdout and "softmax:" not in done.stdout, done


def flattened(folder):
    """Rows of a matrix are tokens where there are more than the batch has."""
    def made(batch, rows):
        nodes = [helper.make_node("Reshape", ["x", "to"], ["a"]), helper.make_node("MatMul", ["a", "w"], ["y"], name="up")]
        to = helper.make_tensor("to", TensorProto.INT64, [2], [-1, 64])
        return model(nodes, [("x", [batch, 16, 64])], [("y", [rows, 128])], [to, weight("w", 64, 128)])
    done = network(folder, made(2, 32))
    holds(done, "up\", linear: {inputs: 64, outputs: 128}}", "\nsequence: 16\n")
    refused(network(folder, made("batch", "rows")), "up: whether the rows of a are tokens or sequences is not known")


def left_out(folder):
    """Nothing is left: every reason, then that."""
    nodes = [helper.make_node("MatMul", ["x", "w"], ["a"], name="three"), helper.make_node("Sin", ["a"], ["b"]),
             helper.make_node("Softmax", ["b"], ["y"], name="rows", axis=1)]
    made = model(nodes, [("x", [4, 16, 64])], [("y", [4, 16, 64])], [weight("w", 4, 64, 64)])
    done = network(folder, made)
    refused(done, "# Left out: 1 of MatMul (three: weights of rank 3", "# Left out: 1 of Sin\n",
            "# Left out: 1 of Softmax (rows: axis 1 is not the last of 3)")
    assert done.stderr.splitlines()[-1].endswith("has no layer that a network file knows"), done
    softmax = helper.make_node("Softmax", ["x"], ["y"])  # its axis was 1 before opset 13
    made = model([softmax], [("x", [1, 16, 64])], [("y", [1, 16, 64])], [], opset=11)
    refused(network(folder, made), "axis 1 is not the last of 3")
    made = model([softmax], [("x", ["batch", 64])], [("y", ["batch", 64])], [], opset=11)
    holds(network(folder, made), "softmax: {columns: 64, rows: sequences}")


def arguments(folder):
    """Of the model that is there."""
    for option, wrong, most in [("--batch", "0", 65536), ("--sequence", "0", 131072), ("--sequence", "-5", 131072),
                                ("--sequence", "x", 131072), ("--batch", "65537", 65536)]:
        refused(run(folder / "model.onnx", option, wrong), option, f"{wrong}: must be a whole number from 1 to {most}")
    with open("/dev/full", "w") as full:
        done = run(folder / "model.onnx", stdout=full)
    assert done.returncode == 2 and "cannot be written" in done.stderr and done.stderr.count("\n") == 1, done


def quoting(folder, stcsim):
    """A title and a path that YAML would read otherwise."""
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"], name="up")]
    made = model(nodes, [("x", [1, 64, 64])], [("y", [1, 64, 64])], [weight("w", 64, 64)])
    gpu = folder / "a, b: {c} #d.yaml"
    gpu.write_text((ROOT / "configs" / "gpus" / "a100.yaml").read_text())
    title = "one \"two\" \\three\n# four: \u00e9"
    done = network(folder, made, "--title", title, "--gpu", gpu)
    holds(done, r'title: "one \"two\" \\three\n# four: ' + "\u00e9\"\n", f'{{"A, B: {{C}} #D": "{gpu.resolve()}"}}')
    simulated(folder, stcsim, done.stdout, "A, B: {C} #D")


def simulated(folder, stcsim, text, line):
    (folder / "network.yaml").write_text(text, encoding="utf-8")
    done = subprocess.run([stcsim, "network", folder / "network.yaml"], capture_output=True, text=True, cwd=ROOT,
                          env={"STC_CACHE": str(folder), "PATH": "/usr/bin:/bin"})
    assert done.returncode == 0 and line in done.stdout, (done.stdout, done.stderr)


def cut_short(folder):
    whole = (folder / "model.onnx").read_bytes()
    (folder / "cut.onnx").write_bytes(whole[:len(whole) // 2])
    refused(run(folder / "cut.onnx"), "cut.onnx")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        simulated(folder, sys.argv[1], images(folder), "second")
        for test in (tokens, padding, pools, scores, flattened, sequences, left_out, arguments, cut_short):
            test(folder)
        quoting(folder, sys.argv[1])
        equal_names(folder, sys.argv[1])
    print("networks, what is left out, arguments")


if __name__ == "__main__":
    main()
