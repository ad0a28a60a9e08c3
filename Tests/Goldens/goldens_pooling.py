# SPDX-License-Identifier: Apache-2.0
"""AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D."""

from golden_case import NONE, RELU, RELU6, RELU_N1_TO_1, SAME, VALID, Case

# Input, window, strides, padding.
GEOMETRY = {
    "valid": ((1, 4, 6, 3), (2, 2), (2, 2), VALID),
    "same": ((2, 5, 5, 2), (3, 3), (2, 2), SAME),
    "overlapping": ((1, 5, 6, 3), (3, 2), (1, 1), SAME),
    "global": ((1, 5, 7, 5), (5, 7), (1, 1), VALID),
    "uneven": ((1, 7, 4, 17), (2, 3), (3, 1), SAME),
}
USUAL = list(GEOMETRY)
# Wider than the image by two strides: the output has no rows, either.
GEOMETRY["too_wide"] = ((2, 5, 3, 2), (2, 7), (1, 2), VALID)
SCALES = {"u8": (0.047, 131), "i8": (0.047, 3), "i16": (0.0002, 0)}


def pool(operator, kind, name, geometry, activation=NONE):
    shape, (height, width), (down, across), padding = GEOMETRY[geometry]
    plain = kind == "f32"
    tolerance = "exact" if operator == "MAX_POOL_2D" else "sum"
    case = Case(operator, kind if plain else f"{kind}_q", name, tolerance)
    values = case.normal(*shape, spread=4) if plain else case.codes(*shape, kind=kind)
    scale, zero = SCALES.get(kind, ((), 0))
    case.fed(values, kind, scale, zero)
    case.result(kind, scale, zero)
    return case.options(
        "Pool2DOptions",
        padding=padding,
        strideH=down,
        strideW=across,
        filterHeight=height,
        filterWidth=width,
        fusedActivationFunction=activation,
    )


def cases():
    for operator in ("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D"):
        for kind in ("f32",) if operator == "L2_POOL_2D" else ("f32", "u8", "i8", "i16"):
            for geometry in USUAL:
                yield pool(operator, kind, geometry, geometry)
            yield pool(operator, kind, "relu", "valid", RELU)
            if kind in ("f32", "i8"):
                yield pool(operator, kind, "too_wide", "too_wide")
            yield pool(operator, kind, "relu6", "overlapping", RELU6)
        yield pool(operator, "f32", "relu_n1_to_1", "valid", RELU_N1_TO_1)
