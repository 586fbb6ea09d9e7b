# SPDX-License-Identifier: Apache-2.0
"""How masks come about while a network is trained. Each method answers three questions for network.train(): which
weights the forward pass uses, what of a gradient is applied, and, between steps, whether the masks change."""
import numpy as np

from masks import mask_of, unstructured
from network import PRUNED


class Dense:
    def used(self, layer, weights):
        return weights

    def applied(self, layer, weights, gradient):
        return gradient

    def observe(self, network, gradients, progress):
        pass


class Fixed(Dense):
    """The masks of the trained network, for good."""

    def __init__(self, network, pattern):
        self.pattern = pattern
        self.masks = {i: mask_of(pattern, network.weights[i]) for i in PRUNED}

    def used(self, layer, weights):
        return weights * self.masks[layer] if layer in self.masks else weights

    def applied(self, layer, weights, gradient):
        return gradient * self.masks[layer] if layer in self.masks else gradient


class Iterative(Fixed):
    """Magnitude pruning in twelve steps along a cubic schedule over the first half of the training (Zhu and Gupta 2017);
    what is gone stays away."""

    STEPS = 12

    def __init__(self, network, pattern):
        super().__init__(network, "100 %")
        self.kept = float(pattern.rstrip("% ")) / 100
        self.step = 0

    def observe(self, network, gradients, progress):
        step = min(self.STEPS, int(progress * 2 * self.STEPS) + 1)
        if step == self.step:
            return
        self.step = step
        density = self.kept + (1 - self.kept) * (1 - step / self.STEPS) ** 3
        for i in PRUNED:
            self.masks[i] = unstructured(network.weights[i] * self.masks[i], density)


class Recovering(Fixed):
    """SR-STE (Zhou et al. 2021): every step takes the masks of the weights as they are, gradients reach pruned weights
    too, and a decay pulls those towards zero."""

    DECAY = 0.02  # of pruned weights, beside the network's own

    def applied(self, layer, weights, gradient):
        if layer not in self.masks:
            return gradient
        return gradient + self.DECAY * (1 - self.masks[layer]) * weights

    def observe(self, network, gradients, progress):
        for i in PRUNED:
            self.masks[i] = mask_of(self.pattern, network.weights[i])


class Regrowing(Fixed):
    """RigL (Evci et al. 2020): now and then a share of the smallest weights makes room for the pruned ones of largest
    gradient, which start at zero; the share falls along a cosine, and the last quarter of the training leaves the masks."""

    SHARE, ROUNDS = 0.3, 15

    def __init__(self, network, pattern):
        super().__init__(network, pattern)
        self.round = 0

    def observe(self, network, gradients, progress):
        now = int(progress / 0.75 * self.ROUNDS)
        if now == self.round or progress >= 0.75:
            return
        self.round = now
        share = self.SHARE / 2 * (1 + np.cos(np.pi * progress / 0.75))
        for i in PRUNED:
            self.masks[i] = self.regrown(network, i, gradients[i], share)

    def regrown(self, network, layer, gradient, share):
        mask = self.masks[layer].ravel().copy()
        weights = (network.weights[layer] * self.masks[layer]).ravel()
        moved = int(share * mask.sum())
        alive, dead = np.flatnonzero(mask), np.flatnonzero(mask == 0)
        mask[alive[np.argsort(np.abs(weights[alive]), kind="stable")[:moved]]] = 0
        grown = dead[np.argsort(-np.abs(gradient.ravel()[dead]), kind="stable")[:moved]]
        mask[grown] = 1
        weights[grown] = 0
        network.weights[layer] = (weights * mask).reshape(network.weights[layer].shape)
        return mask.reshape(network.weights[layer].shape)


METHODS = {"fixed": Fixed, "iterative": Iterative, "sr-ste": Recovering, "rigl": Regrowing}
