# SPDX-License-Identifier: Apache-2.0
"""A classifier of scikit-learn's digits (1797 images of 8 x 8, 10 classes): 64 - 64 - 64 - 10, ReLU, in numpy alone.

The two square layers are pruned, the last is not. Everything follows from a seed; another processor or numpy may add in
another order, which moves an accuracy by an image or two."""
import numpy as np
from sklearn.datasets import load_digits

SIZES = (64, 64, 64, 10)
PRUNED = (0, 1)  # layers
TRAINING_IMAGES = 1200
BATCH = 60
MOMENTUM = 0.9
DECAY = 1e-4


class Digits:
    """The images in a fixed random order; the first are trained on, the others tell the accuracy."""

    def __init__(self):
        data = load_digits()
        order = np.random.default_rng(0).permutation(len(data.target))
        images = (data.data[order] / 16).astype(np.float32)
        self.x, self.y = images[:TRAINING_IMAGES], data.target[order][:TRAINING_IMAGES]
        self.test_x, self.test_y = images[TRAINING_IMAGES:], data.target[order][TRAINING_IMAGES:]


class Network:
    def __init__(self, rng):
        shapes = list(zip(SIZES[1:], SIZES[:-1]))
        self.weights = [(rng.standard_normal(s) * np.sqrt(2 / s[1])).astype(np.float32) for s in shapes]
        self.biases = [np.zeros(s[0], np.float32) for s in shapes]

    def copy(self):
        other = object.__new__(Network)
        other.weights, other.biases = [w.copy() for w in self.weights], [b.copy() for b in self.biases]
        return other

    def outputs(self, x, weights):
        """Of every layer, the input first."""
        values = [x]
        for i, (w, b) in enumerate(zip(weights, self.biases)):
            z = values[-1] @ w.T + b
            values.append(np.maximum(z, 0) if i + 1 < len(weights) else z)
        return values

    def gradients(self, x, y, weights):
        """Of the mean cross entropy: weights, biases."""
        values = self.outputs(x, weights)
        p = np.exp(values[-1] - values[-1].max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        p[np.arange(len(y)), y] -= 1
        g = p / len(y)
        of_weights, of_biases = [None] * len(weights), [None] * len(weights)
        for i in reversed(range(len(weights))):
            of_weights[i], of_biases[i] = g.T @ values[i], g.sum(axis=0)
            if i > 0:
                g = (g @ weights[i]) * (values[i] > 0)
        return of_weights, of_biases

    def accuracy(self, digits):
        """Percent of the test images."""
        return 100 * float((self.outputs(digits.test_x, self.weights)[-1].argmax(axis=1) == digits.test_y).mean())


def train(network, digits, pruning, epochs, rate, rng):
    """Stochastic gradient descent with momentum; the rate falls to zero along a cosine. `pruning` (methods.py) chooses
    what the forward pass multiplies by and what of a gradient is applied."""
    speed_w = [np.zeros_like(w) for w in network.weights]
    speed_b = [np.zeros_like(b) for b in network.biases]
    batches = len(digits.x) // BATCH
    for step in range(epochs * batches):
        if step % batches == 0:
            order = rng.permutation(len(digits.x))
        now = rate * np.float32(0.5 * (1 + np.cos(np.pi * step / (epochs * batches))))
        images = order[step % batches * BATCH:][:BATCH]
        used = [pruning.used(i, w) for i, w in enumerate(network.weights)]
        of_weights, of_biases = network.gradients(digits.x[images], digits.y[images], used)
        pruning.observe(network, of_weights, step / (epochs * batches))
        for i, w in enumerate(network.weights):
            speed_w[i] = MOMENTUM * speed_w[i] + pruning.applied(i, w, of_weights[i] + DECAY * w)
            speed_b[i] = MOMENTUM * speed_b[i] + of_biases[i]
            network.weights[i] = w - now * speed_w[i]
            network.biases[i] = network.biases[i] - now * speed_b[i]
    network.weights = [pruning.used(i, w) for i, w in enumerate(network.weights)]
