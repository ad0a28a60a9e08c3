# SPDX-License-Identifier: Apache-2.0
"""QUANTIZE, DEQUANTIZE, FAKE_QUANT and CAST with shapes and scales drawn at random."""

import numpy as np

from drawn_binary import affine, spiced
from golden_case import TYPES, code_range
from goldens_quantization import CASTS, REQUANTIZE, code

NARROW = ("i4", "u4", "i2")


def affine_of(draw, kind):
    """A scale and a zero point, of int32 and types of few bits, too."""
    if kind == "i32":
        return draw.scale(1e-6, 1e-3), draw.choice([0, 0, 0, draw.between(-(2**20), 2**20)])
    return draw.affine(kind, 0.05, 2) if kind in NARROW else affine(draw, kind)


def channels_of(draw, kind, shape):
    """An axis with a scale and a zero point for each of its places."""
    axis = draw.between(0, len(shape) - 1)
    places = [affine_of(draw, kind) for _ in range(shape[axis])]
    zeros = [0 if kind in ("i4", "i2", "i16") else zero for _, zero in places]
    zeros = [0] * len(zeros) if draw.chance(0.3) else zeros
    return [scale for scale, _ in places], zeros, axis


def reals(case, draw, shape, scale, zero, kind):
    """Floats over a bit more than the type's range; now and then multiples of half a step."""
    low, high = code_range(kind)
    values = case.random.uniform(low - zero, high - zero, shape) * draw.choice([0.1, 1, 1.1, 3])
    if draw.chance(0.4):
        values = np.round(values * 2) / 2
    return np.float32(values) * np.float32(scale)


def quantize(case, draw):
    source, _, target = case.variant.removesuffix("_pc").removesuffix("_q").partition("_to_")
    target = target or source
    if case.variant.endswith("_pc"):
        shape = draw.shape(1, 4)
        parameters = channels_of(draw, target, shape)
    else:
        shape, parameters = draw.shape(0, 6), affine_of(draw, target)
    if source == "f32":
        scale, zero = (np.atleast_1d(p)[0] for p in parameters[:2])
        case.fed(reals(case, draw, shape, scale, zero, target))
    else:
        own = affine_of(draw, source)
        if draw.chance(0.3):
            ratio = 2.0 ** draw.between(-3, 9)
            parameters = float(np.float32(own[0] * ratio)), parameters[1]
        case.fed(spiced(case, draw, draw.values(case, source, shape), source), source, *own)
    case.result(target, *parameters)
    return case.options("QuantizeOptions")


def dequantize(case, draw):
    kind = case.variant.removesuffix("_q").removesuffix("_pc")
    place = case.constant if kind == "i2" else draw.place(case, 0.7)
    if kind == "f16":
        case.tolerance = "exact"
        place(spiced(case, draw, draw.values(case, kind, draw.shape(0, 6)), kind), kind)
    elif case.variant.endswith("_pc"):
        shape = draw.shape(1, 4)
        place(draw.values(case, kind, shape), kind, *channels_of(draw, kind, shape))
    else:
        shape = draw.shape(0, 6)
        place(draw.values(case, kind, shape), kind, *affine_of(draw, kind))
    case.result("f32")
    return case.options("DequantizeOptions")


def fake_quant(case, draw):
    low = draw.choice([0.0, -1.0, -0.3, -6.0, -draw.scale(0.01, 9)])
    high = draw.choice([0.0 if low else 0.5, 1.0, 6.0, 0.7, draw.scale(0.01, 9)])
    case.fed(draw.values(case, "f32", draw.shape(0, 6)))
    case.result("f32")
    bits, narrow = draw.choice([2, 4, 8, 8, 10, 16]), draw.chance(0.3)
    return case.options("FakeQuantOptions", min=low, max=high, numBits=bits, narrowRange=narrow)


def cast(case, draw):
    source, target = case.variant.split("_to_")
    case.tolerance = "exact"
    values = draw.values(case, source, draw.shape(0, 6))
    if source in ("f32", "f64") and draw.chance(0.3):
        values = values * 10.0 ** draw.between(-9, 12)
    values = spiced(case, draw, np.asarray(values).astype(TYPES[source][1]), source, 0.3)
    (case.constant if source == "i2" else case.fed)(values, source)
    case.result(target)
    return case.options("CastOptions", inDataType=code(source), outDataType=code(target))


PAIRS = [f"{source}_to_{target}" for source in CASTS for target in CASTS]
PAIRS += "i4_to_f32 u4_to_f32 i2_to_f32 f32_to_i4 f32_to_u4 f32_to_i2".split()
FLOAT_TO = [f"f32_to_{kind}" for kind in "u8 i8 i16 i4 u4 i8_pc u8_pc i16_pc".split()]
DRAWN = {
    "CAST": (" ".join(PAIRS), cast),
    "DEQUANTIZE": ("u8_q i8_q i16_q i4_q u4_q i2_q f16 i8_pc u8_pc i4_pc u4_pc i2_pc", dequantize),
    "FAKE_QUANT": ("f32", fake_quant),
    "QUANTIZE": (" ".join([*FLOAT_TO, REQUANTIZE, "i8_q u8_q i16_q"]), quantize),
}
