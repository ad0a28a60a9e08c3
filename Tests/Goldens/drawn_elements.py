# SPDX-License-Identifier: Apache-2.0
"""ADD_N, ATAN2, bit operators, BUCKETIZE, parts of complex numbers, element-wise StableHLO."""

import numpy as np

from drawn_binary import place_two, shapes, spiced
from goldens_elements import INTEGERS
from goldens_stablehlo import ALL, WHOLE
from golden_case import TYPES

DEFAULT = "BUILTIN_WITHOUT_DEFAULT_DELEGATES"


def numbers(case, draw, kind, shape, probability=0.2):
    return spiced(case, draw, draw.values(case, kind, shape), kind, probability)


def sums(case, draw):
    kind, shape = case.kind, draw.shape(0, 6)
    case.tolerance = "sum"
    for index in range(draw.between(2, 9)):
        values = numbers(case, draw, kind, shape, 0.05)
        (draw.place(case) if index else case.fed)(values, kind)
    case.result(kind)
    return case.options("AddNOptions")


def angles(case, draw):
    kind, shape = case.kind, draw.shape(0, 6)
    case.tolerance = "exp"
    place_two(case, draw, *((numbers(case, draw, kind, shape, 0.3), kind) for _ in range(2)))
    case.result(kind)
    return case.options("ATan2Options")


def bits(case, draw):
    kind = case.kind
    left, right = shapes(draw, 5)
    counts = numbers(case, draw, kind, right)
    if case.operator == "RIGHT_SHIFT" and draw.chance(0.6):
        counts = case.codes(*right, kind=kind, low=0, high=np.dtype(TYPES[kind][1]).itemsize * 8)
    place_two(case, draw, (numbers(case, draw, kind, left), kind), (counts, kind))
    case.result(kind)
    tables = {"BITWISE_XOR": "BitwiseXorOptions", "RIGHT_SHIFT": "RightShiftOptions"}
    return case.options(tables[case.operator])


def buckets(case, draw):
    kind, shape = case.kind, draw.shape(0, 5)
    bounds = np.sort(case.normal(draw.between(0, 20), spread=draw.choice([0.5, 3, 30])))
    if draw.chance():
        bounds = np.round(bounds)
    values = case.normal(*shape, spread=draw.choice([0.5, 3, 30]))
    if draw.chance():
        values = np.round(values)
    case.fed(spiced(case, draw, values.astype(TYPES[kind][1]), kind, 0.1), kind)
    case.result("i32")
    return case.options("BucketizeOptions", boundaries=[float(b) for b in bounds])


def complex_parts(case, draw):
    case.tolerance = "arithmetic" if case.operator == "COMPLEX_ABS" else "exact"
    shape = draw.shape(0, 5)
    parts = [numbers(case, draw, "f64", shape) * 10.0 ** draw.between(-9, 9) for _ in range(2)]
    with np.errstate(all="ignore"):
        case.fed((parts[0] + 1j * parts[1]).astype(TYPES[case.kind][1]), case.kind)
    case.result({"c64": "f32", "c128": "f64"}[case.kind])
    return case


def stablehlo(case, draw):
    kind, shape = case.kind, draw.shape(0, 6)
    case.tolerance = "exact"
    if case.operator.endswith(("AND", "LEFT")):
        case.kernels = DEFAULT
    left, right = (numbers(case, draw, kind, shape) for _ in range(2))
    if case.operator.endswith("LEFT"):
        right = case.codes(*shape, kind=kind, low=0, high=np.dtype(TYPES[kind][1]).itemsize * 8 - 1)
    place_two(case, draw, (left, kind), (right, kind))
    case.result(kind)
    return case


DRAWN = {
    "ADD_N": ("f32 i32", sums),
    "ATAN2": ("f32 f64 f16", angles),
    "BITWISE_XOR": (" ".join(INTEGERS), bits),
    "RIGHT_SHIFT": (" ".join(INTEGERS), bits),
    "BUCKETIZE": ("f32 f64 i32 i64", buckets),
    "COMPLEX_ABS": ("c64 c128", complex_parts),
    "REAL": ("c64 c128", complex_parts),
    "IMAG": ("c64 c128", complex_parts),
    "STABLEHLO_AND": (" ".join(WHOLE), stablehlo),
    "STABLEHLO_SHIFT_LEFT": ("i8 i16 i32", stablehlo),
}
for name in ("ADD", "MULTIPLY", "MAXIMUM", "MINIMUM"):
    DRAWN[f"STABLEHLO_{name}"] = (" ".join(ALL), stablehlo)
