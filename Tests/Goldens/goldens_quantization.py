# SPDX-License-Identifier: Apache-2.0
"""QUANTIZE, DEQUANTIZE, FAKE_QUANT, CAST and DENSIFY.

The runtime's Python binding cannot feed int2, whose values are therefore constants.
"""

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from golden_case import TYPES, Case, code_range

SCALES = {
    "i2": (0.75, 0),
    "i4": (0.5, -1),
    "u4": (0.5, 6),
    "i8": (0.05, -7),
    "u8": (0.05, 120),
    "i16": (0.0003, 0),
    "i32": (0.00002, 0),
}
REQUANTIZE = "i8_to_i8 i8_to_u8 u8_to_i8 u8_to_u8 i16_to_i8 i16_to_i16 i16_to_i32 i32_to_i8"
REQUANTIZE += " i32_to_i16 i8_to_i16 u8_to_i16"
CASTS = "f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 bool c64".split()
# What QUANTIZE rounds: both neighbors of ties, and numbers beyond both ends.
STEPS = np.concatenate([np.arange(-8, 8.5, 0.5), [1e6, -1e6, 0.49999997, -0.49999997, -0.0]])


def quantize():
    for kind in ("u8", "i8", "i16", "i4", "u4"):
        scale, zero = SCALES[kind]
        for name, steps in (("ties", 0.25), ("typical", scale)):
            case = Case("QUANTIZE", f"f32_to_{kind}", name)
            low, high = code_range(kind)
            drawn = case.random.uniform((low - zero) * steps, (high - zero) * steps, 30) * 1.05
            case.fed(np.float32(STEPS * steps if name == "ties" else drawn))
            case.result(kind, steps, zero)
            yield case.options("QuantizeOptions")
    for kind in ("i8", "u8", "i16"):
        for name, axis, channels in (("last_axis", 2, 4), ("first_axis", 0, 2)):
            case = Case("QUANTIZE", f"f32_to_{kind}_pc", name)
            case.fed(case.normal(2, 3, 4, spread=5))
            zero = 0 if kind == "i16" else case.codes(channels, kind=kind, low=3, high=90)
            case.result(kind, SCALES[kind][0] * (1 + np.arange(channels)), zero, axis)
            yield case.options("QuantizeOptions")


def requantize():
    for pair in REQUANTIZE.split():
        source, target = pair.split("_to_")
        (s0, z0), (s1, z1) = SCALES[source], SCALES[target]
        ratio = 2.0 ** (8 if source == "i16" and target == "i8" else 1)
        if source == "i32":
            ratio = 2.0**24 if target == "i8" else 2.0**16
        for name, scale in (("ties", s0 * ratio), ("typical", s0 * ratio * 0.7), ("own", s1)):
            if name == "own" and source == "i32":
                continue
            case = Case("QUANTIZE", pair, name)
            case.fed(case.codes(64, kind=source), source, s0, z0)
            case.result(target, scale, z1)
            yield case.options("QuantizeOptions")
    for kind in ("i8", "u8", "i16"):
        scale, zero = SCALES[kind]
        for name, factor in (("same", 1), ("wider", 3.3), ("narrower", 0.21)):
            case = Case("QUANTIZE", f"{kind}_q", name)
            case.fed(case.codes(3, 17, kind=kind), kind, scale, zero)
            case.result(kind, scale * factor, zero)
            yield case.options("QuantizeOptions")


def dequantize():
    for kind in ("u8", "i8", "i16", "i4", "u4"):
        case = Case("DEQUANTIZE", f"{kind}_q", "codes")
        case.fed(case.codes(4, 10, kind=kind), kind, *SCALES[kind])
        case.result("f32")
        yield case.options("DequantizeOptions")
    case = Case("DEQUANTIZE", "f16", "values", "exact")
    numbers = [np.nan, np.inf, -np.inf, -0.0, 6e-8, 65504, 0.333]
    case.fed(np.concatenate([numbers, case.normal(9)]), "f16")
    case.result("f32")
    yield case.options("DequantizeOptions")
    case = Case("DEQUANTIZE", "f16", "constant", "exact")
    case.constant(case.normal(2, 3, kind="f16"))
    case.result("f32")
    yield case.options("DequantizeOptions")
    for kind in ("i8", "u8", "i4", "u4", "i2"):
        for name, axis, channels in (("last_axis", 2, 4), ("first_axis", 0, 2)):
            case = Case("DEQUANTIZE", f"{kind}_pc", name)
            zero = 0 if kind in ("i4", "i2") else case.codes(channels, kind=kind)
            scales = SCALES[kind][0] * (1 + np.arange(channels))
            place = case.constant if kind == "i2" else case.fed
            place(case.codes(2, 3, 4, kind=kind), kind, scales, zero, axis)
            case.result("f32")
            yield case.options("DequantizeOptions")
    for kind in ("i4", "u4", "i2"):
        case = Case("DEQUANTIZE", f"{kind}_q", "constant")
        case.constant(case.codes(3, 7, kind=kind), kind, *SCALES[kind])
        case.result("f32")
        yield case.options("DequantizeOptions")


def fake_quant():
    for name, low, high, bits in (
        ("bits_8", -1.0, 2.0, 8),
        ("bits_4", -0.3, 0.9, 4),
        ("positive", 0.0, 6.0, 8),
        ("bits_16", -3.0, 3.0, 16),
    ):
        case = Case("FAKE_QUANT", "f32", name)
        case.fed(case.normal(40, spread=2))
        case.result("f32")
        yield case.options("FakeQuantOptions", min=low, max=high, numBits=bits)


def castable(case, source, target):
    """Values that both types hold, save for fractions: beyond the range C++ leaves it open."""
    if source == "bool":
        return np.array([True, False, True])
    floating = source in ("f32", "f16", "bf16", "f64", "c64")
    low, high = (-100, 100) if floating else code_range(source)
    if target[0] in "iu" and floating:
        least, greatest = code_range(target)
        low, high = max(low, least), min(high, greatest)
    numbers = np.array([0, 1, low, high, 2, 3, 100], np.float64)
    if floating:
        numbers = np.concatenate([numbers, case.random.uniform(low, high, 5), [0.5, 1.5, 2.75]])
        if target[0] not in "iu":
            numbers = np.concatenate([numbers, [-0.5, 1 / 3]])
    if source == "c64":
        return (numbers + 2j).astype(np.complex64)
    if source == "i64":
        return np.array([0, 1, low, high, 2**40 + 3, -5, 3])
    return np.array([int(n) for n in numbers]) if not floating else numbers


def cast():
    for source in CASTS:
        for target in CASTS:
            case = Case("CAST", f"{source}_to_{target}", "values", "exact")
            case.fed(castable(case, source, target).astype(TYPES[source][1]), source)
            case.result(target)
            yield case.options("CastOptions", inDataType=code(source), outDataType=code(target))
    case = Case("CAST", "i4_to_f32", "values", "exact")
    case.fed(np.arange(-8, 8), "i4")
    case.result("f32")
    yield case.options("CastOptions", inDataType=code("i4"), outDataType=code("f32"))
    for kind in ("i2", "u4"):
        least, greatest = code_range(kind)
        case = Case("CAST", f"{kind}_to_f32", "values", "exact")
        place = case.constant if kind == "i2" else case.fed
        place(np.resize(np.arange(least, greatest + 1), 19), kind)
        case.result("f32")
        yield case.options("CastOptions", inDataType=code(kind), outDataType=code("f32"))
    for kind in ("i4", "u4", "i2"):
        case = Case("CAST", f"f32_to_{kind}", "values", "exact")
        numbers = [0, -0.0, 0.99, -0.99, 1.5, -1.5, 7.9, -8.9, 15.9, 16, 300, -300, np.inf, -np.inf]
        case.fed(np.concatenate([numbers, case.random.uniform(-20, 20, 9)]), "f32")
        case.result(kind)
        yield case.options("CastOptions", inDataType=code("f32"), outDataType=code(kind))
    for target in ("f16", "bf16"):
        case = Case("CAST", f"f32_to_{target}", "ties", "exact")
        halfway = [1 + 2**-11, 1 + 3 * 2**-11, 1 + 2**-8, 1 + 3 * 2**-8, 1e-6, 65519, 65520, 1e38]
        case.fed(np.float32(halfway + [-n for n in halfway] + [np.inf, np.nan]))
        case.result(target)
        yield case.options("CastOptions", inDataType=code("f32"), outDataType=code(target))


def code(kind):
    return getattr(schema.TensorType, TYPES[kind][0])


def sparse_rows(mask):
    """A sparsity table: dense rows, compressed columns."""
    rows, columns = schema.DimensionMetadataT(), schema.DimensionMetadataT()
    rows.format, rows.denseSize = schema.DimensionType.DENSE, len(mask)
    columns.format = schema.DimensionType.SPARSE_CSR
    columns.arraySegmentsType = columns.arrayIndicesType = schema.SparseIndexVector.Uint8Vector
    columns.arraySegments, columns.arrayIndices = schema.Uint8VectorT(), schema.Uint8VectorT()
    columns.arraySegments.values = np.concatenate([[0], np.cumsum(mask.sum(1))]).astype(np.uint8)
    columns.arrayIndices.values = np.nonzero(mask)[1].astype(np.uint8)
    return [rows, columns]


def densify():
    for kind in ("f32", "f16", "i8"):
        case = Case("DENSIFY", kind, "rows", "exact")
        mask = case.random.random((4, 6)) < 0.4
        mask[1] = False
        values = case.drawn(4, 6, kind=kind)[mask]
        table = schema.SparsityParametersT()
        table.traversalOrder, table.dimMetadata = [0, 1], sparse_rows(mask)
        operand = case.constant(values, kind)
        operand.shape, operand.sparsity = mask.shape, table
        case.result(kind)
        yield case.options("DensifyOptions")
        case = Case("DENSIFY", kind, "blocks", "exact")
        mask = np.array([[True, False, True], [False, True, False]])
        values = case.drawn(mask.sum(), 2, 2, kind=kind)
        table = schema.SparsityParametersT()
        inner = [schema.DimensionMetadataT(), schema.DimensionMetadataT()]
        for dimension in inner:
            dimension.format, dimension.denseSize = schema.DimensionType.DENSE, 2
        table.traversalOrder, table.blockMap = [0, 1, 2, 3], [0, 1]
        table.dimMetadata = sparse_rows(mask) + inner
        operand = case.constant(values, kind)
        operand.shape, operand.sparsity = (4, 6), table
        case.result(kind)
        yield case.options("DensifyOptions")


def cases():
    yield from quantize()
    yield from requantize()
    yield from dequantize()
    yield from fake_quant()
    yield from cast()
    yield from densify()
