# SPDX-License-Identifier: Apache-2.0
"""Element-wise operators of one operand, with shapes, scales and parameters drawn at random."""

import numpy as np

from drawn_binary import affine, spiced
from golden_case import TYPES, code_range
from goldens_unary import FIXED_OUTPUT, PLAIN, POSITIVE, QUANTIZED, TABLES, kernels_of


def shape_of(draw, most=6):
    shape = draw.shape(0, most)
    return shape[:-1] + (0,) if shape and draw.chance(0.03) else shape


def plain(case, draw):
    kind = case.kind
    case.tolerance, case.kernels = PLAIN[case.operator][1], kernels_of(case.operator)
    values = draw.values(case, kind, shape_of(draw))
    if kind[0] not in "iu" and draw.chance(0.3):
        values = (np.round(values.astype(np.float64) * 2) / 2).astype(TYPES[kind][1])
    if case.operator in POSITIVE + ("LOG",) and draw.chance(0.8):
        values = np.abs(values)
    if case.operator not in ("SIN", "COS") or kind != "f16":
        values = spiced(case, draw, values, kind)
    case.fed(values, kind)
    case.result(kind)
    return case.options(TABLES.get(case.operator, ""))


def codes(case, draw, kind, shape, least=None):
    """Quantized values over the whole type or a part of it, none below `least`."""
    values = draw.values(case, kind, shape)
    if least is not None:
        values = np.maximum(values, least).astype(TYPES[kind][1])
    return values


def natural_scale(case, draw, scale, zero):
    """About the scale at which the function's results fill the output's range."""
    low, high = code_range(case.kind)
    span = max(abs(low - zero), abs(high - zero)) * scale
    steps = (high - low) / 2
    largest = {
        "EXP": np.exp(min(span, 20)),
        "LOG": abs(np.log(span)) + abs(np.log(scale)),
        "SQRT": np.sqrt(span),
        "RSQRT": 1 / np.sqrt(scale),
    }.get(case.operator, span)
    return float(np.float32(largest / steps * draw.choice([0.2, 0.5, 0.9, 1, 1, 2])))


def quantized(case, draw):
    kind, operator = case.kind, case.operator
    case.kernels = kernels_of(operator)
    scale, zero = affine(draw, kind)
    if kind == "i16" and operator in ("TANH", "LOGISTIC", "GELU", "EXP") and draw.chance(0.4):
        scale = 2.0 ** draw.between(-16, -8)
    target = FIXED_OUTPUT.get(operator, {}).get(kind)
    if target is None:
        target = natural_scale(case, draw, scale, zero), draw.zero(kind)
    if operator in ("RELU", "RELU6", "NEG", "ABS") and draw.chance(0.3):
        target = scale, zero if operator != "NEG" else draw.zero(kind)
    least = None
    if operator in POSITIVE:
        least = zero + (1 if operator == "RSQRT" and kind == "i16" else 0)
        zero = min(zero, code_range(kind)[1] - 2)
        least = min(least, code_range(kind)[1])
    case.fed(codes(case, draw, kind, shape_of(draw), least), kind, scale, zero)
    case.result(kind, *target)
    return case.options(TABLES.get(operator, ""))


def either(case, draw):
    return (quantized if case.variant.endswith("_q") else plain)(case, draw)


def leaky_relu(case, draw):
    kind = case.kind
    case.fed(spiced(case, draw, draw.values(case, kind, shape_of(draw)), kind), kind,
             *(affine(draw, kind) if kind != "f32" else ()))
    scale = case.operands[0].scale
    if kind != "f32":
        factor = draw.choice([0.2, 0.5, 1, 1, 2, 5])
        case.result(kind, float(np.float32(scale[0] * factor)), draw.zero(kind))
    else:
        case.result(kind)
    alpha = draw.choice([0.0, 0.01, 0.1, 0.2, 0.3, 1.0, 1.7, -0.3, -2.0, 1e-4, 0.5])
    return case.options("LeakyReluOptions", alpha=alpha)


def prelu(case, draw):
    kind = case.kind
    shape = draw.shape(1, 4)
    slope = draw.choice([
        shape[-1:], (1,) * (len(shape) - 2) + shape[-1:] if len(shape) > 1 else shape[-1:],
        (1,), shape, shape[1:] or (1,), draw.broadcast(shape), (),
    ])
    if kind == "f32":
        case.fed(spiced(case, draw, draw.values(case, kind, shape), kind))
        draw.place(case)(spiced(case, draw, case.normal(*slope, spread=0.5), kind, 0.1), kind)
        case.result(kind)
        return case
    scale, zero = affine(draw, kind)
    alpha, alpha_zero = draw.affine(kind, 0.0005, 0.05)
    case.fed(draw.values(case, kind, shape), kind, scale, zero)
    draw.place(case)(draw.values(case, kind, slope), kind, alpha, alpha_zero)
    case.result(kind, float(np.float32(scale * draw.choice([0.3, 1, 1, 2.5]))), draw.zero(kind))
    return case


def gelu(case, draw):
    kind = case.kind
    if kind[0] == "f":
        case.tolerance = "exp"
        case.fed(spiced(case, draw, draw.values(case, kind, shape_of(draw)), kind), kind)
        case.result(kind)
    else:
        scale, zero = affine(draw, kind)
        case.fed(draw.values(case, kind, shape_of(draw)), kind, scale, zero)
        case.result(kind, natural_scale(case, draw, scale, zero), draw.zero(kind))
    return case.options("GeluOptions", approximate=draw.chance())


VARIANTS = {
    operator: " ".join([kinds] + [f"{kind}_q" for kind in QUANTIZED.get(operator, "").split()])
    for operator, (kinds, _) in PLAIN.items()
}

DRAWN = {operator: (variants, either) for operator, variants in VARIANTS.items()}
DRAWN["LEAKY_RELU"] = ("f32 u8_q i8_q i16_q", leaky_relu)
DRAWN["PRELU"] = ("f32 u8_q i8_q i16_q", prelu)
DRAWN["GELU"] = ("f32 f16 u8_q i8_q i16_q", gelu)
