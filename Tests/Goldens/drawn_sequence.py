# SPDX-License-Identifier: Apache-2.0
"""Recurrent operators with float states whose sizes, parts and values are drawn at random."""

import math
from dataclasses import dataclass, replace

import numpy as np

from golden_case import NONE, RELU, RELU6, RELU_N1_TO_1, SIGN_BIT, TANH
from golden_draw import Draw
from goldens_recurrent import RecurrentCase
from goldens_sequence import (
    WEIGHTS, Cell, basic_float, both_lstms, both_rnns, lstm, rnn, svdf,
)

ACTIVATIONS = (NONE, RELU, RELU_N1_TO_1, RELU6, TANH, SIGN_BIT)
HYBRID = tuple(WEIGHTS)


@dataclass
class DrawnCase(RecurrentCase):
    """A recurrent case whose weights and inputs have drawn magnitudes and zeros."""

    draw: Draw | None = None

    def __post_init__(self):
        super().__post_init__()
        self.random = self.draw.random
        self.level = self.draw.choice([0.1, 1, 1, 1, 4, 30])
        self.gain = self.draw.choice([0.05, 0.5, 1, 1, 1, 2, 8])
        self.empty = self.draw.choice([0, 0, 0, 0.5, 0.9])

    def sequence(self, *shape):
        """Steps of one magnitude or of different ones, some of them zero."""
        values = self.normal(*shape) * np.float32(self.level)
        rows = values.reshape(-1, shape[-1])
        if self.draw.chance(0.2):
            rows *= np.exp(self.normal(len(rows), 1, spread=2)).astype(np.float32)
        if self.draw.chance(0.2):
            rows[self.random.random(len(rows)) < 0.5] = 0
        if self.draw.chance(0.1):
            values = np.abs(values) * self.draw.choice([1, -1])
        return values.astype(np.float32)

    def constant(self, values, kind, scale=(), zero=0):
        values = np.asarray(values)
        if values.ndim == 2:
            values = np.where(self.random.random(values.shape) < self.empty, 0, values)
            if kind == "f32":
                values = values * self.gain
            else:
                scale = self.draw.choice([scale * self.gain, 2.0 ** round(math.log2(scale))])
        super().constant(values, kind, scale, zero)


def new(case, draw):
    return DrawnCase(case.operator, case.variant, case.name, draw=draw)


def activation(draw):
    return TANH if draw.chance() else draw.choice(ACTIVATIONS)


def cell(draw, norm=False, projection=None):
    projection = draw.chance() if projection is None else projection
    cells = draw.size()
    return Cell(
        cifg=draw.chance(0.3), peephole=draw.chance(0.4), projection=projection,
        projection_bias=draw.chance(), norm=norm, cells=cells,
        outputs=draw.size() if projection else cells,
    )


def limits(draw):
    return {
        name: draw.choice([0.05, 0.4, 1.5, 10])
        for name in ("cellClip", "projClip") if draw.chance(0.3)
    }


def single_lstm(case, draw):
    norm = case.variant.endswith("_ln")
    parts = cell(draw, norm)
    more = limits(draw)
    rank = 2 if case.operator == "LSTM" else 3
    if rank == 3:
        more["timeMajor"] = draw.chance()
        if case.variant == "f32_diag":
            parts.projection, parts.outputs, parts.diagonal = False, parts.cells, True
            more["diagonalRecurrentTensors"] = True
    shape = tuple(draw.size(5) for _ in range(rank - 1)) + (draw.size(),)
    return lstm(
        case.operator, case.variant, case.name, parts, activation(draw), shape,
        draw.chance(0.1), new(case, draw), **more)


def basic_lstm(case, draw):
    return basic_float(
        case.name, draw.size(5), draw.size(), draw.size(), draw.chance(0.3), new(case, draw))


def any_lstm(case, draw):
    return basic_lstm(case, draw) if case.variant == "f32_basic" else single_lstm(case, draw)


def single_rnn(case, draw):
    rank = 2 if case.operator == "RNN" else 3
    more = {"timeMajor": draw.chance()} if rank == 3 else {}
    shape = tuple(draw.size(5) for _ in range(rank - 1)) + (draw.size(),)
    return rnn(
        case.operator, case.variant, case.name, activation(draw), shape, draw.size(),
        draw.chance(0.1), new(case, draw), **more)


def two_rnns(case, draw):
    merged, time_major = draw.chance(), draw.chance()
    shape = (draw.size(4), draw.size(4), draw.size())
    if merged and time_major and case.variant != "f32":
        # The runtime dies of a second sequence.
        shape = (shape[0], 1, shape[2])
    crossed = draw.chance(0.4)
    auxiliary = shape[2] if crossed or draw.chance(0.3) else 0
    if crossed and draw.chance(0.3):
        # Narrower steps are read out of bounds, save for a float, batch-major node.
        least = 1 if case.variant == "f32" and not time_major else shape[2]
        auxiliary = draw.between(least, shape[2] + 3)
    return both_rnns(
        case.variant, case.name, activation(draw), shape, auxiliary, crossed,
        (draw.size(), draw.size()), merged, time_major, new(case, draw))


def two_lstms(case, draw):
    merged, time_major = draw.chance(), draw.chance()
    shape = (draw.size(4), draw.size(4), draw.size())
    if merged and not time_major:
        # The runtime keeps the merged states of a second sequence elsewhere.
        shape = (1, *shape[1:])
    # The runtime wants both cells to be of one size.
    first, second = cell(draw), cell(draw)
    sizes = {"cells": first.cells, "outputs": first.outputs, "projection": first.projection}
    cells = (first, replace(second, **sizes))
    crossed = draw.chance(0.4)
    auxiliary = draw.size() if crossed else shape[2] if draw.chance(0.3) else 0
    return both_lstms(
        case.variant, case.name, cells, activation(draw), shape, auxiliary, crossed, merged,
        time_major, new(case, draw), **limits(draw))


def float_svdf(case, draw):
    return svdf(
        case.variant, case.name, activation(draw), draw.size(5), draw.size(), draw.size(6),
        draw.between(1, 4), draw.size(), draw.chance(0.7), draw.chance(0.1), new(case, draw))


FULL = " ".join(f"{variant} {variant}_ln" for variant in HYBRID if variant != "hybrid_u8")
FULL += " hybrid_u8 hybrid_u8_ln"

DRAWN = {
    "LSTM": (f"{FULL} f32_basic", any_lstm),
    "UNIDIRECTIONAL_SEQUENCE_LSTM": (f"{FULL} f32_diag", single_lstm),
    "BIDIRECTIONAL_SEQUENCE_LSTM": (" ".join(HYBRID), two_lstms),
    "RNN": (" ".join(HYBRID), single_rnn),
    "UNIDIRECTIONAL_SEQUENCE_RNN": (" ".join(HYBRID), single_rnn),
    "BIDIRECTIONAL_SEQUENCE_RNN": ("f32 hybrid_i8 hybrid_i8_asym", two_rnns),
    "SVDF": (" ".join(HYBRID), float_svdf),
}
