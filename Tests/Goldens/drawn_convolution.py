# SPDX-License-Identifier: Apache-2.0
"""CONV_2D, DEPTHWISE_CONV_2D and TRANSPOSE_CONV with everything drawn at random."""

from dataclasses import replace

import numpy as np

from golden_case import NONE, RELU, RELU6, RELU_N1_TO_1, SAME, SIGN_BIT, TANH, VALID, code_range
from goldens_convolution import DEPTHWISE, FORMATS, TRANSPOSED, Geometry, with_options

NAMED = {form.variant: form for form in FORMATS}
NAMED["i8_q"] = replace(NAMED["i8_pt_q"], variant="i8_q")
FILTERS = {"i8": (0.002, 0.05), "u8": (0.002, 0.05), "i4": (0.02, 0.5), "i2": (0.1, 2)}


def window(draw, length):
    """Taps, stride, dilation along an axis; now and then more taps than the image has pixels."""
    taps = draw.between(1, 3) if draw.chance(0.7) else draw.between(1, length + 3)
    stride = 1 if draw.chance(0.4) else draw.between(1, 4)
    dilation = 1 if stride > 1 and draw.chance(0.7) else draw.choice([1, 1, 1, 2, 3])
    return taps, stride, dilation


def channels_of(draw, hybrid):
    """Input channels, channels that a filter reads, output channels."""
    if hybrid or draw.chance(0.75):
        depth = draw.size(9)
        return depth, depth, draw.size(9)
    groups, each, filters = draw.between(1, 4), draw.between(1, 4), draw.between(1, 4)
    return groups * each, each, groups * filters


def geometry(draw, operator, per_tensor_hybrid):
    """An image and a filter; for depthwise the filter's first number is the multiplier."""
    height, width = draw.size(8), draw.size(8)
    (rows, down, tall), (columns, across, wide) = window(draw, height), window(draw, width)
    depth, each, filters = channels_of(draw, per_tensor_hybrid)
    batch = 1 if draw.chance(0.6) else draw.between(0 if draw.chance(0.1) else 1, 4)
    shape = Geometry(
        "", (batch, height, width, depth), (filters, rows, columns, each), (down, across),
        (tall, wide), draw.choice([SAME, VALID]), activation_of(draw))
    if operator == "DEPTHWISE_CONV_2D":
        filters = 1 if draw.chance() else draw.between(1, 5)
        return replace(shape, filter=(filters, rows, columns))
    if operator == "TRANSPOSE_CONV":
        return replace(shape, filter=(filters, rows, columns, depth), dilation=(1, 1))
    return shape


def activation_of(draw, odd=True):
    """A fused activation; `odd` are those that kernels accept and ignore."""
    usual = [RELU, RELU6, RELU_N1_TO_1]
    return NONE if draw.chance(0.6) else draw.choice(usual * 3 + [TANH, SIGN_BIT] * odd)


def filter_scales(draw, form, channels):
    """One scale, or one per channel: alike, spread or all the same."""
    if form.filter == "f32":
        return ()
    low, high = FILTERS[form.filter]
    if not form.per_channel:
        return np.float32([draw.scale(low, high)])
    if draw.chance(0.15):
        return np.float32([draw.scale(low, high)] * channels)
    reach = 1 if draw.chance(0.8) else 100
    return np.float32([draw.scale(low / reach, high * reach) for _ in range(channels)])


def activations(case, draw, form, shape):
    """Input values; in hybrid formats images of unlike ranges, some of zeros."""
    values = draw.values(case, form.input, shape)
    if form.filter != "f32" and form.input == "f32":
        for image in range(shape[0]):
            if draw.chance(0.4):
                values[image] *= draw.choice([0, 0.01, 30])
            if draw.chance(0.3):
                values[image] = draw.choice([1, -1]) * np.abs(values[image]) + 1
    return values


def sum_reach(form, taps):
    """The usual magnitude of a sum of products of quantized values."""
    spans = np.ptp(code_range(form.input)) * np.ptp(code_range(form.filter)) / 12
    return spans * np.sqrt(taps)


def bias_of(case, draw, form, channels, taps):
    """A bias of usual size, of none or of a size that leaves the results' range."""
    factor = draw.choice([0, 0.3, 1, 1, 1, 30])
    if form.bias == "f32":
        return case.normal(channels) * np.float32(factor)
    widest = 2**30 if form.bias == "i32" else 2**40
    return np.clip(case.normal(channels) * sum_reach(form, taps) * factor / 3, -widest, widest)


def affine_of(draw, form, scales, taps):
    """Quantization of input and output; results fill, exceed or barely use the output's range."""
    if form.input == "f32":
        return ((), 0), ((), 0)
    source = draw.affine(form.input)
    fill = 5 if draw.chance(0.7) else draw.choice([1e-5, 1e-3, 0.01, 0.3, 60, 2000, 1e7])
    real = sum_reach(form, taps) * source[0] * float(np.max(scales))
    target = np.float32(real * fill / np.ptp(code_range(form.input)))
    if draw.chance(0.1):
        target = 2.0 ** np.round(np.log2(target))
    return source, (float(target), draw.zero(form.input))


def convolution(case, draw):
    form = NAMED[case.variant]
    form = replace(form, fed_filter=form.fed_filter or (form.filter != "i4" and draw.chance(0.15)))
    depthwise, transposed = (case.operator == o for o in ("DEPTHWISE_CONV_2D", "TRANSPOSE_CONV"))
    per_tensor_hybrid = form.input == "f32" and form.filter != "f32"
    shape = geometry(draw, case.operator, per_tensor_hybrid)
    filter_shape, channels, axis = shape.filter, shape.filter[0], 0
    if depthwise:
        channels = shape.input[3] * shape.filter[0]
        filter_shape, axis = (1, *shape.filter[1:], channels), 3
    taps = int(np.prod(shape.filter[1:]))
    scales = filter_scales(draw, form, channels)
    source, target = affine_of(draw, form, scales, taps)
    values = activations(case, draw, form, shape.input)
    if form.filter == "f32":
        weights = case.normal(*filter_shape, spread=draw.choice([0.05, 0.5, 3]))
    else:
        weights = case.weights(*filter_shape, kind=form.filter)
    zero = draw.zero("u8") if form.filter == "u8" and form.input == "u8" else 0
    if transposed:
        output = np.array(transposed_shape(draw, shape), np.int32)
        draw.place(case)(output)
    else:
        case.fed(values, form.input, *source)
    place = case.fed if form.fed_filter else case.constant
    place(weights, form.filter, scales, zero, axis if len(scales) > 1 else 0)
    if transposed:
        case.fed(values, form.input, *source)
    if case.operator == "CONV_2D" or draw.chance(0.8):
        bias = bias_of(case, draw, form, channels, taps)
        steps = np.float64(scales) * source[0] if form.input != "f32" else ()
        draw.place(case, 0.1)(bias, form.bias, steps)
    elif transposed and draw.chance():
        case.missing()
    case.result(form.input, *target)
    case.tolerance = "sum"
    return with_options(case, form, shape)


def transposed_shape(draw, shape):
    """One of the shapes that a convolution would make the input's of."""
    batch, *lengths, _ = shape.input
    result = [batch]
    for length, taps, stride in zip(lengths, shape.filter[1:3], shape.stride):
        if shape.padding == SAME:
            result.append((length - 1) * stride + draw.between(1, stride))
        else:
            result.append((length - 1) * stride + taps + draw.between(0, stride - 1))
    return [*result, shape.filter[0]]


DRAWN = {
    "CONV_2D": (" ".join(NAMED), convolution),
    "DEPTHWISE_CONV_2D": (" ".join(DEPTHWISE + ["i8_q"]), convolution),
    "TRANSPOSE_CONV": (" ".join(TRANSPOSED + ["i8_q"]), convolution),
}
