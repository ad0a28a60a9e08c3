# SPDX-License-Identifier: Apache-2.0
"""Element-wise operators of two operands, with shapes, scales and activations drawn at random."""

import numpy as np

from golden_case import NONE, RELU, RELU6, RELU_N1_TO_1, TYPES, code_range
from goldens_binary import FUSED, PLAIN, QUANTIZED, finish

# The highest rank drawn; what the runtime cannot broadcast is drawn again.
RANKS = {"MAXIMUM": 8, "MINIMUM": 8, "FLOOR_DIV": 5}
SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 6.0, 3e38, -3e38, 1e-40]
WHOLE = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")


def shapes(draw, most=6):
    """Shapes of two operands: equal ones, one that broadcasts, or both."""
    shape = draw.shape(0, most)
    if shape and draw.chance(0.05):
        place = draw.between(0, len(shape) - 1)
        shape = shape[:place] + (0,) + shape[place + 1 :]
    if draw.chance(0.3):
        return shape, shape
    pair = [shape, draw.broadcast(shape)]
    if draw.chance(0.3):
        pair[0] = tuple(1 if draw.chance(0.3) else size for size in shape)
    return pair if draw.chance(0.6) else pair[::-1]


def affine(draw, kind):
    """A scale and a zero point; now and then of an unusual magnitude."""
    usual = (0.002, 0.2)
    spans = [usual] * 6 + [(1e-6, 1e-3), (0.3, 50), (1e-3, 3)]
    scale, zero = draw.affine(kind, *draw.choice(spans))
    if kind == "i16" and draw.chance(0.1):
        zero = draw.between(-300, 300)
    return scale, zero


def spiced(case, draw, values, kind, probability=0.2):
    """The values, now and then with some of the type's special ones among them."""
    if not draw.chance(probability) or kind in ("bool", "str", "c64", "c128"):
        return values
    if kind in WHOLE:
        least, greatest = code_range(kind)
        special = np.array([least, greatest, least + 1, 0, 1, 2]).astype(TYPES[kind][1])
    else:
        with np.errstate(over="ignore"):
            special = np.array(SPECIAL, np.float64).astype(TYPES[kind][1])
    chosen = case.random.random(values.shape) < 0.4
    return np.where(chosen, case.random.choice(special, values.shape), values)


def place_two(case, draw, left, right):
    """Feeds both operands, or one of them is a constant."""
    constant = draw.choice([None, None, 0, 1])
    for index, (values, *rest) in enumerate((left, right)):
        (case.constant if index == constant else case.fed)(values, *rest)


def activation_of(case, draw):
    if case.operator not in FUSED or case.kind == "c64":
        return NONE
    return draw.choice([NONE, NONE, RELU, RELU6, RELU_N1_TO_1])


def plain(case, draw):
    if case.operator in ("MAXIMUM", "MINIMUM"):
        case.tolerance = "exact"
    kind = case.kind
    left, right = shapes(draw, RANKS.get(case.operator, 6))
    a = spiced(case, draw, draw.values(case, kind, left), kind)
    b = spiced(case, draw, draw.values(case, kind, right), kind)
    if case.operator in ("DIV", "FLOOR_DIV") and kind in WHOLE:
        b = np.where((b == 0) | (b == -1), 3, b).astype(TYPES[kind][1])
        b = (b if draw.chance() else np.sign(b) * (np.abs(b) % 9 + 1)).astype(TYPES[kind][1])
        b = np.where(b == -1, -2, b)
    if case.operator == "FLOOR_DIV" and kind == "f32":
        a, b = (np.nan_to_num(x, nan=1.5, posinf=7, neginf=-7) for x in (a, b))
        b = np.where(b == 0, 0.75, b)
    place_two(case, draw, (a, kind), (b, kind))
    case.result(kind)
    fields = {"potScaleInt16": draw.chance()} if case.operator in ("ADD", "SUB") else {}
    return finish(case, activation_of(case, draw), **fields)


def output_scale(case, draw, left, right):
    """A scale that results fill, or fill to a part, or do not fit into."""
    codes = code_range(case.kind)
    reach = (codes[1] - codes[0]) / 2
    if case.operator == "MUL":
        natural = left * right * reach
    elif case.operator == "DIV":
        natural = left / right * draw.choice([0.01, 0.1, 1])
    elif case.operator == "SQUARED_DIFFERENCE":
        natural = (left + right) ** 2 * reach
    else:
        natural = left + right
    factor = draw.choice([0.1, 0.3, 0.5, 0.9, 1, 1, 1.3, 4])
    return float(np.float32(natural * factor))


def power_of_two(draw):
    """Scales for the int16 path that shifts one operand only."""
    output = draw.between(-14, -2)
    other = output - draw.between(0, 9)
    pair = (output, other) if draw.chance() else (other, output)
    return [2.0**power for power in (*pair, output)]


def quantized(case, draw):
    kind = case.kind
    left, right = shapes(draw, RANKS.get(case.operator, 6))
    (s0, z0), (s1, z1) = affine(draw, kind), affine(draw, kind)
    if draw.chance(0.2):
        s1, z1 = s0, z0
    s2, z2 = output_scale(case, draw, s0, s1), draw.zero(kind)
    if kind == "i16" and case.operator in ("ADD", "SUB") and draw.chance(0.4):
        s0, s1, s2 = power_of_two(draw)
        if case.operator == "ADD":
            right = left
    if case.operator in ("MAXIMUM", "MINIMUM"):
        s1, z1 = s2, z2 = s0, z0
    a, b = draw.values(case, kind, left), draw.values(case, kind, right)
    if case.operator == "DIV":
        b = np.where(b == z1, z1 + (5 if z1 < 100 else -5), b)
    place_two(case, draw, (a, kind, s0, z0), (b, kind, s1, z1))
    case.result(kind, s2, z2)
    fields = {"potScaleInt16": draw.chance(0.7)} if case.operator in ("ADD", "SUB") else {}
    return finish(case, activation_of(case, draw), **fields)


def wide_products(case, draw):
    """MUL of int16 operands with an 8-bit output, which knows neither scales nor broadcasting."""
    kind = case.variant.split("_")[2]
    shape = draw.shape(0, 4)
    scales = [draw.scale(1e-5, 0.01) for _ in range(2)]
    for scale in scales:
        case.fed(draw.values(case, "i16", shape), "i16", scale)
    case.result(kind, *affine(draw, kind))
    return finish(case, draw.choice([NONE, RELU, RELU6, RELU_N1_TO_1]))


def either(case, draw):
    return (quantized if case.variant.endswith("_q") else plain)(case, draw)


VARIANTS = {
    operator: " ".join([kinds] + [f"{kind}_q" for kind in QUANTIZED.get(operator, "").split()])
    for operator, kinds in PLAIN.items()
}
for operator in ("MAXIMUM", "MINIMUM"):
    VARIANTS[operator] += " i8_q u8_q i16_q"

DRAWN = {operator: (variants, either) for operator, variants in VARIANTS.items()}


def multiplication(case, draw):
    return (wide_products if "_to_" in case.variant else either)(case, draw)


DRAWN["MUL"] = (VARIANTS["MUL"] + " i16_to_i8_q i16_to_u8_q", multiplication)
