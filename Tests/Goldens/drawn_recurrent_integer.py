# SPDX-License-Identifier: Apache-2.0
"""Recurrent operators with integer states whose sizes, parts and scales are drawn at random."""

from dataclasses import dataclass

import numpy as np

from golden_draw import Draw
from goldens_recurrent import RecurrentCase
from goldens_recurrent_integer import Cell, Scales, basic, micro_svdf, narrow, svdf, wide


@dataclass
class DrawnCodes(RecurrentCase):
    """A recurrent case whose matrices have a drawn scale and drawn zeros."""

    draw: Draw | None = None

    def __post_init__(self):
        super().__post_init__()
        self.random = self.draw.random
        self.gain = self.draw.choice([0.1, 0.5, 1, 1, 1, 3])
        self.empty = self.draw.choice([0, 0, 0, 0.5])

    def constant(self, values, kind, scale=(), zero=0):
        values = np.asarray(values)
        if values.ndim == 2:
            values = np.where(self.random.random(values.shape) < self.empty, zero, values)
            scale = scale * self.gain if kind == "i8" else scale
        super().constant(values, kind, scale, zero)

    def intermediate(self, kind, scale, zero):
        super().intermediate(kind, scale * float(np.exp(self.random.uniform(-1, 1))), zero)


def new(case, draw):
    return DrawnCodes(case.operator, case.variant, case.name, draw=draw)


def limits(draw):
    return {
        name: draw.choice([0.05, 0.3, 0.9, 2.0])
        for name in ("cellClip", "projClip") if draw.chance(0.3)
    }


def scales(draw):
    return Scales(
        input=draw.affine("i8", 0.002, 0.1), state=draw.affine("i8", 0.002, 0.05),
        gate=draw.scale(0.0001, 0.005), result=draw.affine("i8", 0.002, 0.02),
        cell_power=draw.between(-15, -9),
    )


def wide_lstm(case, draw):
    more = limits(draw)
    projection, cells = draw.chance(), draw.size()
    # Peepholes are read beyond their end where there are more outputs than cells.
    outputs = draw.between(1, cells) if projection else cells
    cell = Cell(
        cifg=draw.chance(0.3), peephole=draw.chance(0.4), projection=projection,
        projection_bias=draw.chance(), norm=draw.chance(0.4), cells=cells, outputs=outputs)
    if case.operator != "LSTM":
        more["timeMajor"] = draw.chance()
    shape = (draw.size(5), draw.size(5), draw.size())
    sizes = scales(draw)
    if not projection:
        sizes.result = sizes.state
    return wide(case.operator, case.name, cell, shape, sizes, new(case, draw), **more)


def narrow_lstm(case, draw):
    return narrow(
        case.name, draw.size(4), draw.size(), draw.size(), draw.size(),
        Scales(input=draw.affine("i8", 0.002, 0.1), state=draw.affine("i8", 0.002, 0.05)),
        new(case, draw), **limits(draw))


def basic_lstm(case, draw):
    return basic(
        case.name, draw.size(4), draw.size(), draw.size(), draw.choice([0.2, 1, 4, 20]),
        draw.between(0, 255), draw.chance(0.3), new(case, draw))


VARIANTS = {"i8x8_16_q": wide_lstm, "i8x8_8_q": narrow_lstm, "u8_basic_q": basic_lstm}


def lstm(case, draw):
    return VARIANTS[case.variant](case, draw)


def integer_svdf(case, draw):
    if case.variant == "i8x8_q":
        state = draw.choice([(draw.scale(0.002, 0.2), 0), (draw.scale(4, 20), draw.between(-60, 60))])
        return micro_svdf(
            case.name, draw.size(4), draw.size(), draw.size(6), draw.between(1, 4), draw.size(),
            draw.zero("i8"), draw.scale(0.002, 0.1), state, draw.affine("i8", 0.005, 0.5),
            new(case, draw))
    return svdf(
        case.name, draw.size(4), draw.size(), draw.size(6), draw.between(1, 4), draw.size(),
        draw.chance(0.7), draw.zero("i8"), draw.scale(0.002, 0.1), draw.scale(0.00002, 0.002),
        draw.affine("i8", 0.005, 0.5), new(case, draw))


DRAWN = {
    "LSTM": (" ".join(VARIANTS), lstm),
    "UNIDIRECTIONAL_SEQUENCE_LSTM": ("i8x8_16_q", wide_lstm),
    "SVDF": ("i8x16_q i8x8_q", integer_svdf),
}
