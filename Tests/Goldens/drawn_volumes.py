# SPDX-License-Identifier: Apache-2.0
"""CONV_3D and CONV_3D_TRANSPOSE with everything drawn at random."""

import numpy as np

from drawn_convolution import activation_of
from golden_case import SAME, VALID
from goldens_volumes import positions


def convolution(case, draw):
    volume = [draw.size(6) for _ in range(3)]
    window = [draw.between(1, 3) if draw.chance(0.9) else draw.between(1, 6) for _ in volume]
    strides = [1 if draw.chance(0.4) else draw.between(1, 3) for _ in volume]
    dilations = [1 if draw.chance(0.7) else draw.between(1, 3) for _ in volume]
    padding = draw.choice([SAME, VALID])
    batch, depth, filters = draw.between(1, 3), draw.size(4), draw.size(4)
    inner = [
        positions(extent, *rest)
        for extent, *rest in zip(volume, window, [padding] * 3, strides, dilations)
    ]
    place = draw.place(case)
    if case.operator == "CONV_3D":
        case.fed(draw.values(case, "f32", (batch, *volume, depth)))
        place(case.normal(*window, depth, filters))
    else:
        draw.place(case)(np.array([batch, *volume, filters], np.int32))
        place(case.normal(*window, filters, depth))
        case.fed(draw.values(case, "f32", (batch, *(max(1, n) for n in inner), depth)))
    if draw.chance(0.7):
        case.constant(case.normal(filters))
    case.result("f32")
    case.tolerance = "sum"
    return case.options(
        "Conv3DOptions", padding=padding, fusedActivationFunction=activation_of(draw),
        strideD=strides[0], strideH=strides[1], strideW=strides[2],
        dilationDFactor=dilations[0], dilationHFactor=dilations[1], dilationWFactor=dilations[2])


DRAWN = {"CONV_3D": ("f32", convolution), "CONV_3D_TRANSPOSE": ("f32", convolution)}
