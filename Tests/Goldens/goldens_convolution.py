# SPDX-License-Identifier: Apache-2.0
"""CONV_2D, DEPTHWISE_CONV_2D and TRANSPOSE_CONV in every number format."""

from dataclasses import dataclass, replace

import numpy as np
from ai_edge_litert.schema_py_generated import TensorType

from golden_case import (
    NONE, RELU, RELU6, RELU_N1_TO_1, SAME, SIGN_BIT, TANH, VALID, Case, code_range,
)


@dataclass
class Format:
    """How a convolution's operands are stored; scales and zero points of input and filter."""

    variant: str
    input: str = "f32"
    filter: str = "f32"
    bias: str = "f32"
    per_channel: bool = False
    input_scale: tuple = ()
    input_zero: int = 0
    filter_scale: float = 0.0
    filter_zero: int = 0
    output_zero: int = 0
    fed_filter: bool = False


FLOAT = Format("f32")
INT8 = Format("i8_pc_q", "i8", "i8", "i32", True, 0.037, -9, 0.011, 0, 7)
FORMATS = [
    FLOAT,
    Format("f32_rtw", fed_filter=True),
    Format("u8_q", "u8", "u8", "i32", False, 0.041, 117, 0.013, 139, 121),
    Format("i8_pt_q", "i8", "i8", "i32", False, 0.037, -9, 0.011, 0, 7),
    INT8,
    Format("i8_i4w_q", "i8", "i4", "i32", True, 0.037, 21, 0.13, 0, -11),
    Format("i16x8_q", "i16", "i8", "i64", True, 0.00021, 0, 0.011),
    Format("i16x8_b32_q", "i16", "i8", "i32", True, 0.00021, 0, 0.011),
    Format("hybrid_i8", filter="i8", filter_scale=0.011),
    Format("hybrid_i8_pc", filter="i8", filter_scale=0.011, per_channel=True),
    Format("hybrid_i4_pc", filter="i4", filter_scale=0.13, per_channel=True),
    Format("hybrid_u8", filter="u8", filter_scale=0.011),
]
DEPTHWISE = "f32 u8_q i8_pt_q i8_pc_q i8_i4w_q i16x8_q hybrid_i8_pc".split()
TRANSPOSED = "f32 u8_q i8_pt_q i8_pc_q i16x8_q i16x8_b32_q hybrid_i8 hybrid_i8_pc".split()


@dataclass
class Geometry:
    """Shapes are NHWC and OHWI; for depthwise the filter's first number is the multiplier."""

    name: str
    input: tuple
    filter: tuple
    stride: tuple = (1, 1)
    dilation: tuple = (1, 1)
    padding: int = SAME
    activation: int = NONE


CORE = [
    Geometry("pointwise", (1, 3, 4, 8), (6, 1, 1, 8), padding=VALID),
    Geometry("strided", (1, 6, 7, 3), (4, 3, 3, 3), (2, 2), activation=RELU),
    Geometry("valid", (2, 5, 6, 3), (5, 3, 2, 3), padding=VALID),
]
MORE = [
    Geometry("same", (1, 5, 7, 3), (4, 3, 3, 3)),
    Geometry("even_filter", (1, 5, 5, 2), (3, 2, 4, 2)),
    Geometry("dilated", (1, 7, 8, 2), (3, 3, 3, 2), dilation=(2, 3)),
    Geometry("dilated_valid", (1, 9, 8, 2), (3, 3, 2, 2), dilation=(3, 2), padding=VALID),
    Geometry("uneven_strides", (1, 9, 8, 2), (3, 3, 3, 2), (3, 1), padding=VALID),
    Geometry("large_stride", (1, 7, 7, 2), (3, 1, 1, 2), (3, 4)),
    Geometry("groups", (1, 4, 4, 6), (4, 3, 3, 3)),
    Geometry("many_groups", (1, 4, 5, 4), (8, 3, 2, 1), (1, 2)),
    Geometry("one_pixel", (1, 1, 1, 5), (3, 3, 3, 5)),
    Geometry("one_row", (1, 1, 9, 3), (4, 1, 5, 3)),
    Geometry("wide", (1, 2, 2, 33), (19, 1, 1, 33)),
    Geometry("relu6", (1, 4, 4, 3), (4, 3, 3, 3), activation=RELU6),
    Geometry("relu_n1_to_1", (1, 4, 4, 3), (4, 3, 3, 3), activation=RELU_N1_TO_1),
    # The kernels accept these two and leave them out.
    Geometry("fused_tanh", (1, 4, 4, 3), (4, 3, 3, 3), activation=TANH),
    Geometry("fused_sign_bit", (1, 4, 4, 3), (4, 3, 3, 3), activation=SIGN_BIT),
]
DEPTHWISE_CORE = [
    Geometry("same", (1, 5, 6, 4), (1, 3, 3)),
    Geometry("strided", (1, 6, 7, 3), (2, 3, 3), (2, 2), activation=RELU6),
    Geometry("valid", (2, 5, 6, 3), (1, 3, 2), padding=VALID),
]
DEPTHWISE_MORE = [
    Geometry("multiplier", (1, 4, 4, 3), (4, 3, 3), padding=VALID),
    Geometry("from_one_channel", (1, 5, 5, 1), (8, 3, 3)),
    Geometry("dilated", (1, 7, 8, 3), (1, 3, 3), dilation=(2, 3)),
    Geometry("dilated_valid", (1, 9, 9, 2), (2, 3, 3), dilation=(2, 2), padding=VALID),
    Geometry("five_by_five", (1, 6, 5, 3), (1, 5, 5)),
    Geometry("uneven_strides", (1, 9, 8, 2), (1, 3, 3), (3, 3), padding=VALID),
    Geometry("one_pixel", (1, 1, 1, 5), (1, 3, 3)),
    Geometry("wide", (1, 3, 3, 35), (1, 3, 3), activation=RELU),
]
TRANSPOSED_CORE = [
    Geometry("same", (1, 3, 4, 3), (2, 3, 3, 3), (2, 2)),
    Geometry("valid", (1, 3, 3, 2), (4, 3, 2, 2), (2, 1), padding=VALID),
]
TRANSPOSED_MORE = [
    Geometry("unit_stride", (2, 4, 4, 2), (3, 3, 3, 2)),
    Geometry("odd_output", (1, 3, 3, 2), (2, 4, 4, 2), (2, 2)),
    Geometry("gaps", (1, 2, 3, 2), (2, 1, 1, 2), (2, 2), padding=VALID),
    Geometry("large_stride", (1, 2, 3, 3), (2, 3, 3, 3), (3, 4)),
    Geometry("relu6", (1, 3, 3, 3), (2, 3, 3, 3), (2, 2), activation=RELU6),
]


def filter_scales(form, channels):
    """One scale, or one per output channel within a factor of four."""
    if not form.filter_scale:
        return ()
    spread = 0.5 + 1.5 * np.arange(channels) / max(channels - 1, 1) if form.per_channel else 1.0
    return np.atleast_1d((form.filter_scale * spread * np.ones(1)).astype(np.float32))


def operands(case, form, shape, filter_shape, channels, taps):
    """Draws input, filter and bias; gives them, the filter's and bias's scales, the output's."""
    scales = filter_scales(form, channels)
    if form.input == "f32":
        values = case.normal(*shape)
    else:
        values = case.codes(*shape, kind=form.input)
    if form.filter == "f32":
        weights = case.normal(*filter_shape, spread=0.5)
    else:
        weights = case.weights(*filter_shape, kind=form.filter)
    if form.bias == "f32":
        return values, weights, scales, case.normal(channels), (), ()
    reach = np.ptp(code_range(form.input)) * np.ptp(code_range(form.filter)) / 12
    spread = reach * np.sqrt(taps)
    offset = (case.normal(channels) * spread / 3).astype(np.int64)
    widest = float(np.max(scales)) * form.input_scale * spread
    bias_scales = scales.astype(np.float64) * form.input_scale
    return values, weights, scales, offset, bias_scales, widest * 5 / np.ptp(code_range(form.input))


def convolution(operator, form, shape, bias=True, scales=None):
    """A case of CONV_2D, DEPTHWISE_CONV_2D or TRANSPOSE_CONV."""
    case = Case(operator, form.variant, shape.name, "sum")
    depthwise = operator == "DEPTHWISE_CONV_2D"
    transposed = operator == "TRANSPOSE_CONV"
    if depthwise:
        channels = shape.input[3] * shape.filter[0]
        filter_shape, axis = (1, *shape.filter[1:], channels), 3
        taps = shape.filter[1] * shape.filter[2]
    else:
        channels, filter_shape, axis = shape.filter[0], shape.filter, 0
        taps = np.prod(shape.filter[1:])
    values, weights, drawn, offset, bias_scale, output_scale = operands(
        case, form, shape.input, filter_shape, channels, taps
    )
    if scales:
        drawn, bias_scale, output_scale = [scales[1]], [scales[0] * scales[1]], scales[2]
    if transposed:
        case.constant(np.array(transposed_shape(shape), np.int32))
    else:
        case.fed(values, form.input, scales[0] if scales else form.input_scale, form.input_zero)
    place = case.fed if form.fed_filter else case.constant
    place(weights, form.filter, drawn, form.filter_zero, axis if len(drawn) > 1 else 0)
    if transposed:
        case.fed(values, form.input, form.input_scale, form.input_zero)
    if bias:
        case.constant(offset, form.bias, bias_scale)
    elif transposed:
        case.missing()
    case.result(form.input, output_scale, form.output_zero)
    return with_options(case, form, shape)


def transposed_shape(shape):
    """The output's shape, one larger than need be for `odd_output`."""
    batch, rows, columns, _ = shape.input
    channels, height, width, _ = shape.filter
    down, across = shape.stride
    if shape.padding == SAME:
        odd = 1 if shape.name == "odd_output" else 0
        return [batch, rows * down - odd, columns * across - odd, channels]
    return [batch, (rows - 1) * down + height, (columns - 1) * across + width, channels]


def with_options(case, form, shape):
    fields = {
        "padding": shape.padding,
        "strideH": shape.stride[0],
        "strideW": shape.stride[1],
        "fusedActivationFunction": shape.activation,
    }
    if case.operator == "TRANSPOSE_CONV":
        if form.variant == "i16x8_b32_q":
            fields["quantizedBiasType"] = TensorType.INT32
        return case.options("TransposeConvOptions", **fields)
    fields |= {"dilationHFactor": shape.dilation[0], "dilationWFactor": shape.dilation[1]}
    if case.operator == "DEPTHWISE_CONV_2D":
        fields["depthMultiplier"] = shape.filter[0]
        return case.options("DepthwiseConv2DOptions", **fields)
    if form.variant == "i16x8_b32_q":
        fields["quantizedBiasType"] = TensorType.INT32
    return case.options("Conv2DOptions", **fields)


def rounding_ties(operator, geometry):
    """Scales that put many results exactly between two quantized values."""
    for variant, kind, output in (("i8_pt_q", "i8", 64.0), ("u8_q", "u8", 64.0)):
        form = next(f for f in FORMATS if f.variant == variant)
        shape = replace(geometry, name="ties", activation=NONE)
        yield convolution(operator, form, shape, scales=(0.25, 0.5, output))


def saturated():
    """int8 results beyond both ends of the range."""
    shape = replace(CORE[2], name="saturated")
    yield convolution("CONV_2D", INT8, shape, scales=(0.037, 0.011, 0.02))


def general(operator, shapes):
    """int8 with a single scale, its filter arriving at run time or its bias left out.

    The runtime's int8 CONV_2D demands a bias.
    """
    form = next(f for f in FORMATS if f.variant == "i8_pt_q")
    form = replace(form, variant="i8_q")
    for shape in shapes:
        yield convolution(operator, form, shape)
    shape = replace(shapes[0], name="fed_filter")
    yield convolution(operator, replace(form, fed_filter=True), shape)
    if operator != "CONV_2D":
        yield convolution(operator, form, replace(shapes[0], name="no_bias"), bias=False)


def outlier():
    """A hybrid convolution of two images with unlike ranges, one all zeros."""
    for variant in ("hybrid_i8", "hybrid_i8_pc"):
        form = next(f for f in FORMATS if f.variant == variant)
        case = convolution("CONV_2D", form, replace(CORE[2], name="ranges", input=(3, 4, 4, 3)))
        values = case.operands[0].values
        values[0] = np.abs(values[0]) + 3
        values[1] = 0
        values[2] *= 100
        yield case


def scattered():
    """A hybrid transposed convolution, whose products are rounded one by one: no bit may differ."""
    form = next(f for f in FORMATS if f.variant == "hybrid_i8_pc")
    shape = replace(TRANSPOSED_MORE[0], name="scattered", input=(2, 5, 5, 7), filter=(3, 4, 4, 7))
    case = convolution("TRANSPOSE_CONV", form, shape)
    case.tolerance = "exact"
    yield case


def cases():
    named = {form.variant: form for form in FORMATS}
    for form in FORMATS:
        for shape in CORE:
            yield convolution("CONV_2D", form, shape)
    for shape in MORE:
        yield convolution("CONV_2D", FLOAT, shape)
        yield convolution("CONV_2D", INT8, shape)
    for variant in DEPTHWISE:
        for shape in DEPTHWISE_CORE:
            yield convolution("DEPTHWISE_CONV_2D", named[variant], shape)
    for shape in DEPTHWISE_MORE:
        yield convolution("DEPTHWISE_CONV_2D", FLOAT, shape)
        yield convolution("DEPTHWISE_CONV_2D", INT8, shape)
    for variant in ("f32", "u8_q", "i8_pc_q", "i16x8_q"):
        bare = replace(DEPTHWISE_CORE[0], name="no_bias")
        yield convolution("DEPTHWISE_CONV_2D", named[variant], bare, bias=False)
    for variant in TRANSPOSED:
        for shape in TRANSPOSED_CORE:
            yield convolution("TRANSPOSE_CONV", named[variant], shape)
    for shape in TRANSPOSED_MORE:
        yield convolution("TRANSPOSE_CONV", FLOAT, shape)
        yield convolution("TRANSPOSE_CONV", INT8, shape)
    for variant in ("f32", "i8_pc_q", "i16x8_q"):
        bare = replace(TRANSPOSED_CORE[0], name="no_bias")
        yield convolution("TRANSPOSE_CONV", named[variant], bare, bias=False)
    yield from rounding_ties("CONV_2D", CORE[2])
    yield from rounding_ties("DEPTHWISE_CONV_2D", DEPTHWISE_CORE[2])
    yield from saturated()
    yield from general("CONV_2D", CORE)
    yield from general("DEPTHWISE_CONV_2D", DEPTHWISE_CORE)
    yield from general("TRANSPOSE_CONV", TRANSPOSED_CORE)
    yield from outlier()
    yield from scattered()
