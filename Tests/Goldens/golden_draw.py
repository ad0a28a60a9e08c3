# SPDX-License-Identifier: Apache-2.0
"""Draws shapes, attributes and quantization at random, for cases that nobody thought of.

A module drawn_<family>.py names operators, their variants and a function that fills a case:

    def reduction(case, draw):
        shape = draw.shape(1, 4)
        case.fed(draw.values(case, case.kind, shape))
        ...

    DRAWN = {"SUM": ("f32 i32 i64", reduction)}

What the runtime refuses is drawn again.
"""

import math

import numpy as np

from golden_case import code_range

FLOATS = ("f32", "f16", "bf16", "f64")


class Draw:
    """Choices from one generator, so that a seed gives the same case each time."""

    def __init__(self, random):
        self.random = random

    def between(self, low, high):
        """A whole number from low to high, both included."""
        return int(self.random.integers(low, high, endpoint=True))

    def chance(self, probability=0.5):
        return bool(self.random.random() < probability)

    def choice(self, options):
        options = list(options)
        return options[self.between(0, len(options) - 1)]

    def some(self, options, least=0):
        """A random subset in random order."""
        options = list(options)
        count = self.between(min(least, len(options)), len(options))
        return [options[i] for i in self.random.permutation(len(options))[:count]]

    def size(self, largest=9):
        """A dimension: mostly small, sometimes one, now and then past a register's width."""
        if self.chance(0.15):
            return 1
        return self.between(17, 37) if self.chance(0.05) else self.between(2, largest)

    def shape(self, least=1, most=4, largest=7):
        """A shape of least…most dimensions and at most some thousand elements."""
        shape = [self.size(largest) for _ in range(self.between(least, most))]
        while math.prod(shape) > 4000:
            shape[int(np.argmax(shape))] = 2
        return tuple(shape)

    def broadcast(self, shape):
        """A shape that broadcasts to `shape`: fewer leading dimensions, some of them one."""
        kept = shape[self.between(0, len(shape)) :] if self.chance(0.4) else shape
        return tuple(1 if self.chance(0.3) else size for size in kept)

    def scale(self, low=0.002, high=0.2):
        """A scale as converters write them: float32, no round number, now and then a power of 2."""
        if self.chance(0.1):
            return 2.0 ** self.between(round(math.log2(low)), round(math.log2(high)))
        value = math.exp(self.random.uniform(math.log(low), math.log(high)))
        return float(np.float32(value))

    def zero(self, kind):
        """A zero point: any value of the type, its ends and its middle more often; 0 for int16."""
        if kind in ("i16", "i32"):
            return 0
        low, high = code_range(kind)
        if self.chance(0.3):
            return self.choice([low, high, (low + high + 1) // 2, 0 if low < 0 else low])
        return self.between(low, high)

    def affine(self, kind, low=0.002, high=0.2):
        """A scale and a zero point."""
        factor = 1 / 200 if kind == "i16" else 1
        return self.scale(low * factor, high * factor), self.zero(kind)

    def values(self, case, kind, shape):
        """Values of a type; floats of one of several magnitudes, integers over all or part."""
        if kind in FLOATS:
            return case.normal(*shape, spread=self.choice([0.3, 1, 3, 10]), kind=kind)
        if kind in ("bool", "str", "c64", "c128") or self.chance(0.7):
            return case.drawn(*shape, kind=kind)
        low, high = code_range(kind)
        middle = self.between(low // 2, high // 2)
        reach = max(1, (high - low) // 16)
        return case.codes(*shape, kind=kind, low=max(low, middle - reach), high=middle + reach)

    def place(self, case, probability=0.25):
        """`case.fed` now and then, else `case.constant`: for operands that are either."""
        return case.fed if self.chance(probability) else case.constant
