# SPDX-License-Identifier: Apache-2.0
"""AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D with everything drawn at random."""

from drawn_convolution import activation_of
from golden_case import SAME, VALID


def pool(case, draw):
    height, width = draw.size(9), draw.size(9)
    window = [
        draw.between(1, 3) if draw.chance(0.6) else draw.between(1, length + 3)
        for length in (height, width)
    ]
    depth = draw.size(6) if draw.chance(0.8) else draw.choice([16, 31, 33, 64])
    shape = (draw.between(1, 3), height, width, depth)
    affine = draw.affine(case.kind) if case.variant.endswith("_q") else ((), 0)
    case.fed(draw.values(case, case.kind, shape), case.kind, *affine)
    if case.operator == "AVERAGE_POOL_2D" and affine[0] and draw.chance(0.2):
        affine = draw.affine(case.kind)
    case.result(case.kind, *affine)
    case.tolerance = "exact" if case.operator == "MAX_POOL_2D" else "sum"
    return case.options(
        "Pool2DOptions",
        padding=draw.choice([SAME, VALID]),
        strideH=draw.between(1, 4),
        strideW=draw.between(1, 4),
        filterHeight=window[0],
        filterWidth=window[1],
        fusedActivationFunction=activation_of(draw),
    )


DRAWN = {
    "AVERAGE_POOL_2D": ("f32 u8_q i8_q i16_q", pool),
    "MAX_POOL_2D": ("f32 u8_q i8_q i16_q", pool),
    "L2_POOL_2D": ("f32", pool),
}
