# SPDX-License-Identifier: Apache-2.0
"""BITCAST, CUMSUM, FLOOR_MOD, POW, SIGN and ZEROS_LIKE with shapes and values drawn at random."""

import numpy as np

from drawn_binary import place_two, shapes, spiced
from golden_case import TYPES
from goldens_movement import BITCASTS, width


def numbers(case, draw, kind, shape, probability=0.2):
    return spiced(case, draw, draw.values(case, kind, shape), kind, probability)


def bitcasts(case, draw):
    source, target = case.variant.split("_to_")
    ratio = width(target) // width(source)
    shape = draw.shape(0, 5) + ((ratio,) if ratio > 1 else ())
    case.tolerance = "exact"
    case.fed(numbers(case, draw, source, shape), source)
    case.result(target)
    return case.options("BitcastOptions")


def running_sums(case, draw):
    kind, shape = case.kind, draw.shape(1, 6)
    case.tolerance = "sum"
    case.fed(numbers(case, draw, kind, shape, 0.05), kind)
    axis = draw.between(-len(shape), len(shape) - 1)
    draw.place(case)(np.array([axis] if draw.chance(0.3) else axis, np.int32))
    case.result(kind)
    return case.options("CumsumOptions", exclusive=draw.chance(), reverse=draw.chance())


def remainders(case, draw):
    kind = case.kind
    left, right = shapes(draw, 4)
    divisor = numbers(case, draw, kind, right)
    if draw.chance():
        divisor = case.codes(*right, low=1, high=9) * case.random.choice([-1, 1], right)
        divisor = divisor * (0.75 if kind == "f32" else 1)
    divisor = np.where(divisor == 0, 3, divisor)
    if kind != "f32":
        divisor = np.where(divisor == -1, -2, divisor)
    divisor = divisor.astype(TYPES[kind][1])
    place_two(case, draw, (numbers(case, draw, kind, left), kind), (divisor, kind))
    case.result(kind)
    return case.options("FloorModOptions")


def powers(case, draw):
    left, right = shapes(draw, 4)
    case.tolerance = "exp"
    if case.kind == "f32":
        base = case.normal(*left, spread=draw.choice([0.5, 3]))
        base = base if draw.chance(0.2) else np.abs(base)
        exponent = case.normal(*right, spread=draw.choice([0.5, 2, 4]))
        exponent = np.round(exponent) if draw.chance(0.4) else exponent
        base, exponent = (spiced(case, draw, x, "f32", 0.1) for x in (base, exponent))
    else:
        base = case.codes(*left, kind="i32", low=-9, high=9)
        exponent = case.codes(*right, kind="i32", low=0, high=draw.choice([3, 9]))
        if draw.chance(0.2):
            base = case.codes(*left, kind="i32", low=-46340, high=46340)
            exponent = case.codes(*right, kind="i32", low=0, high=2)
    place_two(case, draw, (base, case.kind), (exponent, case.kind))
    case.result(case.kind)
    return case.options("PowOptions")


def one_operand(case, draw):
    kind = case.kind
    case.tolerance = "exact"
    case.fed(numbers(case, draw, kind, draw.shape(0, 6), 0.4), kind)
    case.result(kind)
    return case.options({"SIGN": "SignOptions", "ZEROS_LIKE": "ZerosLikeOptions"}[case.operator])


DRAWN = {
    "BITCAST": (" ".join(BITCASTS), bitcasts),
    "CUMSUM": ("f32 i32 i64", running_sums),
    "FLOOR_MOD": ("f32 i32 i64 i8 i16", remainders),
    "POW": ("f32 i32", powers),
    "SIGN": ("f32 f64 i32", one_operand),
    "ZEROS_LIKE": ("f32 i32 i64", one_operand),
}
