# SPDX-License-Identifier: Apache-2.0
"""FULLY_CONNECTED and BATCH_MATMUL in every number format."""

from dataclasses import dataclass, replace

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from golden_case import NONE, RELU, RELU6, Case, code_range

SHUFFLED = schema.FullyConnectedOptionsWeightsFormat.SHUFFLED4x16INT8


@dataclass
class Format:
    """How FULLY_CONNECTED stores its operands; scales and zero points of input and weights."""

    variant: str
    input: str = "f32"
    weights: str = "f32"
    bias: str = "f32"
    output: str = "f32"
    per_channel: bool = False
    input_scale: tuple = ()
    input_zero: int = 0
    weight_scale: float = 0.0
    weight_zero: int = 0
    output_zero: int = 0
    fed_weights: bool = False
    asymmetric: bool = False
    narrow_bias: bool = False


INT8 = Format("i8_pc_q", "i8", "i8", "i32", "i8", True, 0.037, -9, 0.011, 0, 7)
INT16 = Format("i16x8_q", "i16", "i8", "i64", "i16", False, 0.00021, 0, 0.011)
HYBRID = Format("hybrid_i8", weights="i8", weight_scale=0.011)
FORMATS = [
    Format("f32"),
    Format("f32_rtw", fed_weights=True),
    Format("u8_q", "u8", "u8", "i32", "u8", False, 0.041, 117, 0.013, 139, 121),
    replace(INT8, variant="i8_pt_q", per_channel=False),
    INT8,
    replace(INT8, variant="i8_rtw_q", per_channel=False, fed_weights=True),
    replace(INT8, variant="i8_i4w_q", weights="i4", per_channel=False, weight_scale=0.13),
    replace(INT8, variant="i8_i4w_pc_q", weights="i4", weight_scale=0.13),
    replace(INT8, variant="i8_i2w_q", weights="i2", per_channel=False, weight_scale=0.6),
    INT16,
    replace(INT16, variant="i16x8_pc_q", per_channel=True),
    replace(INT16, variant="i16x8_b32_q", bias="i32", narrow_bias=True),
    replace(INT16, variant="i16x16_q", weights="i16", weight_scale=0.00004),
    Format("u8_to_i16_q", "u8", "u8", "i32", "i16", False, 0.041, 117, 0.013, 139, 0),
    HYBRID,
    replace(HYBRID, variant="hybrid_i8_asym", asymmetric=True),
    replace(HYBRID, variant="hybrid_i8_pc", per_channel=True),
    replace(HYBRID, variant="hybrid_i8_pc_asym", per_channel=True, asymmetric=True),
    replace(HYBRID, variant="hybrid_i4", weights="i4", weight_scale=0.13),
    replace(HYBRID, variant="hybrid_i4_pc", weights="i4", weight_scale=0.13, per_channel=True),
    replace(HYBRID, variant="hybrid_i2_pc", weights="i2", weight_scale=0.6, per_channel=True),
    replace(HYBRID, variant="hybrid_u8", weights="u8"),
]


def scales_of(form, units):
    if not form.weight_scale:
        return ()
    spread = 0.5 + 1.5 * np.arange(units) / max(units - 1, 1) if form.per_channel else np.ones(1)
    return (form.weight_scale * spread).astype(np.float32)


def dense(form, name, shape, units, activation=NONE, bias=True, depth=None, keep=False, real=None):
    """A case of FULLY_CONNECTED; `real` overrides the input's, weights' and output's scales."""
    case = Case("FULLY_CONNECTED", form.variant, name, "sum")
    depth = shape[-1] if depth is None else depth
    scales, input_scale = scales_of(form, units), form.input_scale
    plain = form.input == "f32"
    values = case.normal(*shape) if plain else case.codes(*shape, kind=form.input)
    output_scale = bias_scale = ()
    if form.weights == "f32":
        weights = case.normal(units, depth, spread=0.5)
    else:
        weights = case.weights(units, depth, kind=form.weights)
    offset = case.normal(units)
    if not plain:
        reach = np.ptp(code_range(form.input)) * np.ptp(code_range(form.weights)) / 12
        spread = reach * np.sqrt(depth)
        output_scale = spread * input_scale * scales.max() * 5 / np.ptp(code_range(form.output))
        if real:
            input_scale, scales, output_scale = real[0], np.float32([real[1]]), real[2]
        offset = (offset * spread / 3).astype(np.int64)
        bias_scale = scales.astype(np.float64) * input_scale
    case.fed(values, form.input, input_scale, form.input_zero)
    place = case.fed if form.fed_weights else case.constant
    place(weights, form.weights, scales, form.weight_zero)
    if bias:
        case.constant(offset, form.bias, bias_scale)
    else:
        case.missing()
    case.result(form.output, output_scale, form.output_zero)
    return case.options(
        "FullyConnectedOptions",
        fusedActivationFunction=activation,
        keepNumDims=keep,
        asymmetricQuantizeInputs=form.asymmetric,
        quantizedBiasType=schema.TensorType.INT32 if form.narrow_bias else 0,
    )


def shuffled():
    """uint8 weights in 4 × 16 blocks with the sign bit flipped; int16 output and a workspace."""
    for name, batch, activation in (("single", 1, NONE), ("batch_4", 4, RELU)):
        case = Case("FULLY_CONNECTED", "u8_shuffled_q", name)
        units, depth = 8, 32
        case.fed(case.codes(batch, depth, kind="u8"), "u8", 1 / 128, 128)
        weights = case.codes(units, depth, kind="u8", low=1)
        blocks = weights.reshape(units // 4, 4, depth // 16, 16).transpose(0, 2, 1, 3)
        case.constant(blocks.reshape(units, depth) ^ 0x80, "u8", 1 / 128, 128)
        offset = (case.normal(units) * 20000).astype(np.int32)
        case.constant(offset, "i32", 1 / 16384)
        case.result("i16", 1 / 4096)
        case.result("u8", 1 / 128, 128, shape=(batch, depth))
        yield case.options(
            "FullyConnectedOptions", weightsFormat=SHUFFLED, fusedActivationFunction=activation
        )


def sparse():
    """Float weights as compressed rows: only the values that are not zero."""
    case = Case("FULLY_CONNECTED", "f32_sparse", "rows", "sum")
    units, depth = 5, 8
    mask = case.random.random((units, depth)) < 0.4
    mask[2] = False
    weights = case.normal(units, depth) * mask
    case.fed(case.normal(3, depth))
    operand = case.constant(weights[mask])
    operand.shape = (units, depth)
    operand.sparsity = compressed_rows(mask)
    case.constant(case.normal(units))
    case.result("f32")
    yield case.options("FullyConnectedOptions")


def compressed_rows(mask):
    """The sparsity table of a matrix whose second dimension is compressed."""
    segments = np.concatenate([[0], np.cumsum(mask.sum(axis=1))]).astype(np.int32)
    rows, columns = schema.DimensionMetadataT(), schema.DimensionMetadataT()
    rows.format, rows.denseSize = schema.DimensionType.DENSE, mask.shape[0]
    columns.format = schema.DimensionType.SPARSE_CSR
    columns.arraySegmentsType = columns.arrayIndicesType = schema.SparseIndexVector.Int32Vector
    columns.arraySegments, columns.arrayIndices = schema.Int32VectorT(), schema.Int32VectorT()
    columns.arraySegments.values = segments
    columns.arrayIndices.values = np.nonzero(mask)[1].astype(np.int32)
    table = schema.SparsityParametersT()
    table.traversalOrder, table.dimMetadata = [0, 1], [rows, columns]
    return table


def hybrid_ranges():
    """Rows of unlike ranges: one of zeros, one positive, one large."""
    for form in FORMATS:
        if not form.variant.startswith("hybrid"):
            continue
        case = dense(form, "ranges", (4, 12), 5)
        values = case.operands[0].values
        values[0] = 0
        values[1] = np.abs(values[1]) + 3
        values[2] *= 100
        yield case


def fully_connected():
    for form in FORMATS:
        yield dense(form, "batch", (3, 12), 5)
        if form.variant != "i8_rtw_q":
            yield dense(form, "relu", (1, 19), 7, RELU)
        if form.variant != "u8_to_i16_q":
            yield dense(form, "no_bias", (2, 16), 4, bias=False)
    named = {form.variant: form for form in FORMATS}
    for variant in ("f32", "i8_pc_q", "hybrid_i8", "i16x8_q"):
        form = named[variant]
        yield dense(form, "flattened", (2, 3, 4), 5, depth=6)
        yield dense(form, "kept", (2, 3, 8), 5, keep=True)
        yield dense(form, "vector", (8,), 3)
        yield dense(form, "wide", (2, 65), 37)
    for variant in ("f32", "u8_q", "i8_pt_q", "i8_pc_q"):
        yield dense(named[variant], "relu6", (3, 9), 6, RELU6)
    for variant in ("u8_q", "i8_pt_q"):
        yield dense(named[variant], "ties", (6, 10), 8, real=(0.25, 0.5, 64.0))
        yield dense(named[variant], "saturated", (4, 10), 6, real=(0.25, 0.5, 16.0))
        yield dense(named[variant], "beyond_32_bits", (4, 10), 6, real=(1.0, 1.0, 1e-7))
    form = replace(named["i8_pt_q"], variant="i8_q", input_zero=-128, output_zero=-128)
    yield dense(form, "batch", (4, 20), 6)
    yield dense(form, "relu6", (3, 9), 6, RELU6)
    yield dense(form, "kept_no_bias", (2, 3, 8), 5, keep=True, bias=False)
    yield dense(form, "wide", (1, 130), 17)
    yield dense(named["i16x8_q"], "ties", (6, 10), 8, real=(0.25, 0.5, 64.0))


# Left and right shapes, adj_x, adj_y.
PRODUCTS = {
    "matrix": ((3, 7), (7, 4), False, False),
    "batched": ((2, 3, 5), (2, 5, 4), False, False),
    "adjoint_y": ((2, 3, 5), (2, 4, 5), False, True),
    "adjoint_x": ((2, 5, 3), (2, 5, 4), True, False),
    "broadcast": ((2, 1, 3, 5), (3, 5, 4), False, False),
    "grid": ((2, 3, 3, 5), (2, 3, 5, 4), False, False),
}


def product(variant, name, kinds, scales=((), (), ()), constant=False, asymmetric=False):
    """A case of BATCH_MATMUL; kinds and scales of left, right and output."""
    left, right, adj_x, adj_y = PRODUCTS[name]
    case = Case("BATCH_MATMUL", variant, name, "sum")
    drawn = [
        case.normal(*shape) if kind == "f32" else case.codes(*shape, kind=kind)
        for kind, shape in zip(kinds, (left, right))
    ]
    (s0, z0), (s1, z1), (s2, z2) = ((s, 0) if s == () else s for s in scales)
    case.fed(drawn[0], kinds[0], s0, z0)
    if variant.startswith("hybrid"):
        drawn[1] = case.weights(*right)
    place = case.constant if constant else case.fed
    axis = len(right) - (2 if adj_y else 1) if np.size(s1) > 1 else 0
    place(drawn[1], kinds[1], s1, z1, axis)
    case.result(kinds[2], s2, z2)
    return case.options(
        "BatchMatMulOptions", adjX=adj_x, adjY=adj_y, asymmetricQuantizeInputs=asymmetric
    )


def batch_matmul():
    int8 = ((0.04, -3), (0.05, 11), (0.8, 5))
    for name in PRODUCTS:
        yield product("f32", name, ("f32",) * 3)
        yield product("i8_q", name, ("i8",) * 3, int8)
        yield product("i16_q", name, ("i16",) * 3, ((0.0003, 0), (0.0002, 0), (0.006, 0)))
    for name in ("matrix", "batched", "adjoint_y"):
        yield product("f32_crhs", name, ("f32",) * 3, constant=True)
        yield product("i8_to_i32", name, ("i8", "i8", "i32"), ((0.04, -3), (0.05, 11), ()))
        yield product("i16x8_q", name, ("i16", "i8", "i16"), ((0.0003, 0), (0.02, 0), (0.003, 0)))
        right = ((), (0.02, 0), ())
        kinds = ("f32", "i8", "f32")
        yield product("hybrid_i8", name, kinds, right, True)
        yield product("hybrid_i8_asym", name, kinds, right, True, True)
    per_channel = ((), (np.float32([0.01, 0.02, 0.03, 0.015]), 0), ())
    yield product("hybrid_i8_pc", "matrix", ("f32", "i8", "f32"), per_channel, True)
    yield product("hybrid_i8_pc", "adjoint_y", ("f32", "i8", "f32"), per_channel, True)
    # Several leading axes: the runtime takes other rows' scales.
    for variant in ("hybrid_i8", "hybrid_i8_asym"):
        asymmetric = variant.endswith("asym")
        yield product(variant, "grid", ("f32", "i8", "f32"), ((), (0.02, 0), ()), True, asymmetric)
    yield product("hybrid_i8", "adjoint_x", ("f32", "i8", "f32"), ((), (0.02, 0), ()), True)


def cases():
    yield from fully_connected()
    yield from shuffled()
    yield from sparse()
    yield from hybrid_ranges()
    yield from batch_matmul()
