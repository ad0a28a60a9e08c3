# SPDX-License-Identifier: Apache-2.0
"""Softmax and normalizations with shapes, scales and parameters drawn at random."""

import numpy as np

from golden_case import TYPES
from goldens_normalization import LOG_PROBABILITY, PROBABILITY, UNIT


def rows(draw, most):
    """A shape whose innermost axis is now and then as long as a classifier's."""
    if draw.chance(0.15):
        return (*draw.shape(0, 1, 3), draw.between(100, 1001))
    return draw.shape(1, most)


def scores(case, draw, kind, shape):
    """Feeds rows of scores, quantized with any scale."""
    if kind in ("f32", "f16"):
        values = draw.values(case, kind, shape)
        if draw.chance(0.15) and case.operator.endswith("SOFTMAX"):
            values = (values * 20).astype(TYPES[kind][1])
        return case.fed(values, kind)
    return case.fed(draw.values(case, kind, shape), kind, *draw.affine(kind, 0.0005, 1.5))


def softmax(case, draw):
    source, _, target = case.variant.removesuffix("_q").partition("_to_")
    target = target or source
    case.tolerance = "exp"
    scores(case, draw, source, rows(draw, draw.choice([4, 4, 6])))
    output = PROBABILITY.get(target, ((), 0)) if target == source else (1 / 65536, -32768)
    case.result(target, *output)
    beta = draw.choice([1.0, 1.0, 1.0, 0.5, 2.0, 0.1, 3.7, 10.0, 0.01])
    return case.options("SoftmaxOptions", beta=beta)


def log_softmax(case, draw):
    case.tolerance = "exp"
    scores(case, draw, case.kind, rows(draw, draw.choice([4, 4, 6])))
    case.result(case.kind, *LOG_PROBABILITY.get(case.kind, ((), 0)))
    return case.options("LogSoftmaxOptions")


def l2_normalization(case, draw):
    case.tolerance = "sum"
    shape = rows(draw, 4)
    scores(case, draw, case.kind, shape)
    if case.kind == "f32" and draw.chance(0.2):
        case.operands[0].values[..., :1] = 0
        case.operands[0].values *= np.float32(draw.choice([0, 1e-4, 1e-6]))
    case.result(case.kind, *UNIT.get(case.kind, ((), 0)))
    return case.options("L2NormOptions")


def local_response(case, draw):
    case.tolerance, case.kernels = "exp", "BUILTIN_WITHOUT_DEFAULT_DELEGATES"
    shape = draw.shape(4, 4)
    case.fed(draw.values(case, "f32", shape))
    case.result("f32")
    return case.options(
        "LocalResponseNormalizationOptions",
        radius=draw.between(0, 9),
        bias=draw.choice([1.0, 2.0, 0.5, 0.1]),
        alpha=draw.choice([1.0, 0.0001, 0.3, 2.0]),
        beta=draw.choice([0.5, 0.75, 1.0, 2.0, 0.3]),
    )


DRAWN = {
    "SOFTMAX": ("f32 f16 u8_q i8_q i16_q i8_to_i16_q u8_to_i16_q", softmax),
    "LOG_SOFTMAX": ("f32 u8_q i8_q", log_softmax),
    "L2_NORMALIZATION": ("f32 u8_q i8_q", l2_normalization),
    "LOCAL_RESPONSE_NORMALIZATION": ("f32", local_response),
}
