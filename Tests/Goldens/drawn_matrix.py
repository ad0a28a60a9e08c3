# SPDX-License-Identifier: Apache-2.0
"""FULLY_CONNECTED and BATCH_MATMUL with everything drawn at random."""

from dataclasses import replace

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from drawn_convolution import FILTERS, activation_of, bias_of, sum_reach
from golden_case import code_range
from goldens_matrix import FORMATS, SHUFFLED, compressed_rows

NAMED = {form.variant: form for form in FORMATS}
NAMED["i8_q"] = replace(NAMED["i8_pt_q"], variant="i8_q")
SCALES = FILTERS | {"i16": (1e-5, 1e-3)}


def form_of(draw, variant):
    """The variant's number format, or another one like it that has no name."""
    form = NAMED[variant]
    if variant.startswith("i16x8") and draw.chance(0.2):
        form = replace(form, weights=draw.choice(["i4", "i2"]))
    if variant == "i16x16_q":
        wide = draw.chance()
        form = replace(form, bias="i64" if wide else "i32", per_channel=draw.chance())
    if variant in ("hybrid_i2_pc", "i8_i2w_q"):
        form = replace(form, per_channel=draw.chance())
    fed = form.weights in ("f32", "i8", "u8", "i16") and draw.chance(0.15)
    return replace(form, fed_weights=form.fed_weights or fed)


def weight_scales(draw, form, units):
    if form.weights == "f32":
        return ()
    low, high = SCALES[form.weights]
    reach = 1 if draw.chance(0.8) else 30
    count = units if form.per_channel else 1
    return np.float32([draw.scale(low / reach, high * reach) for _ in range(count)])


def rows_and_depth(draw):
    """The input's shape and the weights' depth, which need not be its last dimension."""
    rank = draw.between(1, 4)
    shape = [draw.size(5) for _ in range(rank)]
    if draw.chance(0.3):
        shape[-1] = draw.choice([1, 15, 16, 17, 33, 64, 127])
    depth = shape[-1]
    if rank > 1 and draw.chance(0.2):
        depth = int(np.prod(shape[draw.between(0, rank - 1) :]))
    return shape, depth


def dense(case, draw):
    form = form_of(draw, case.variant)
    shape, depth = rows_and_depth(draw)
    units = draw.size(12)
    scales = weight_scales(draw, form, units)
    hybrid = form.input == "f32" and form.weights != "f32"
    source = target = ((), 0)
    values = draw.values(case, form.input, shape)
    if form.input != "f32":
        source = draw.affine(form.input)
        fill = 5 if draw.chance(0.7) else draw.choice([1e-5, 1e-3, 0.01, 0.3, 60, 2000, 1e7])
        if form.output == "i16" and form.input == "u8":
            fill = max(fill, 0.01)  # The runtime does not saturate what exceeds 32 bits.
        real = sum_reach(replace_filter(form), depth) * source[0] * float(np.max(scales))
        step = float(np.float32(real * fill / np.ptp(code_range(form.output))))
        target = 2.0 ** round(np.log2(step)) if draw.chance(0.1) else step, draw.zero(form.output)
    elif hybrid:
        rows = values.reshape(-1, depth)
        for row in rows:
            row *= draw.choice([0, 0.01, 1, 1, 1, 30])
            if draw.chance(0.2):
                row[:] = draw.choice([1, -1]) * np.abs(row) + 1
    case.fed(values, form.input, *source)
    if form.weights == "f32":
        weights = case.normal(units, depth, spread=draw.choice([0.05, 0.5, 3]))
    else:
        weights = case.weights(units, depth, kind=form.weights)
    zero = draw.zero("u8") if form.weights == form.input == "u8" else 0
    if case.variant in ("i8_pt_q", "i8_q", "i8_rtw_q") and draw.chance(0.2):
        zero = draw.zero("i8")
    place = case.fed if form.fed_weights else case.constant
    place(weights, form.weights, scales, zero)
    if draw.chance(0.75) or case.variant == "u8_to_i16_q":
        bias = bias_of(case, draw, replace_filter(form), units, depth)
        steps = np.float64(scales) * source[0] if source[0] else ()
        draw.place(case, 0.1)(bias, form.bias, steps)
    elif draw.chance():
        case.missing()
    case.result(form.output, *target)
    case.tolerance = "sum"
    narrow = {"i32": schema.TensorType.INT32, "i64": schema.TensorType.INT64}
    announced = form.narrow_bias or case.variant == "i16x16_q"
    return case.options(
        "FullyConnectedOptions",
        fusedActivationFunction=activation_of(draw, odd=False),
        keepNumDims=depth == shape[-1] and draw.chance(0.4),
        asymmetricQuantizeInputs=form.asymmetric,
        quantizedBiasType=narrow[form.bias] if announced else 0,
    )


def replace_filter(form):
    """What drawn_convolution asks of a format."""
    class Names:
        input, filter, bias = form.input, form.weights, form.bias
    return Names


def shuffled(case, draw):
    batch, units, depth = draw.choice([1, 4]), 4 * draw.between(1, 6), 16 * draw.between(1, 5)
    scales = draw.scale(1 / 512, 1 / 32), draw.scale(1 / 512, 1 / 32)
    case.fed(case.codes(batch, depth, kind="u8"), "u8", scales[0], 128)
    weights = case.codes(units, depth, kind="u8", low=1)
    blocks = weights.reshape(units // 4, 4, depth // 16, 16).transpose(0, 2, 1, 3)
    case.constant(blocks.reshape(units, depth) ^ 0x80, "u8", scales[1], 128)
    case.constant(case.normal(units) * 20000, "i32", scales[0] * scales[1])
    case.result("i16", draw.scale(1 / 16384, 1 / 256))
    case.result("u8", scales[0], 128, shape=(batch, depth))
    return case.options(
        "FullyConnectedOptions", weightsFormat=SHUFFLED,
        fusedActivationFunction=activation_of(draw, odd=False),
    )


def sparse(case, draw):
    units, depth = draw.size(9), draw.size(20)
    mask = case.random.random((units, depth)) < draw.choice([0, 0.1, 0.5, 1])
    mask[0, 0] = True
    case.fed(case.normal(draw.size(5), depth))
    operand = case.constant((case.normal(units, depth) * mask)[mask])
    operand.shape, operand.sparsity = (units, depth), compressed_rows(mask)
    if draw.chance():
        case.constant(case.normal(units))
    case.result("f32")
    case.tolerance = "sum"
    return case.options(
        "FullyConnectedOptions", fusedActivationFunction=activation_of(draw, odd=False))


def fully_connected(case, draw):
    special = {"u8_shuffled_q": shuffled, "f32_sparse": sparse}
    return special.get(case.variant, dense)(case, draw)


KINDS = {
    "f32": ("f32", "f32", "f32"),
    "f32_crhs": ("f32", "f32", "f32"),
    "i8_q": ("i8", "i8", "i8"),
    "i16_q": ("i16", "i16", "i16"),
    "i8_to_i32": ("i8", "i8", "i32"),
    "i16x8_q": ("i16", "i8", "i16"),
}


def product(case, draw):
    kinds = KINDS.get(case.variant, ("f32", "i8", "f32"))
    hybrid = kinds[0] != "i8" and kinds[:2] == ("f32", "i8")
    # With asymmetric inputs the runtime lacks sums of all but the first of five axes.
    asymmetric = case.variant == "hybrid_i8_asym" or case.variant[-3:] == "_pc" and draw.chance()
    batch = [draw.size(3) for _ in range(draw.between(0, 2 if asymmetric else 3))]
    rows, depth, columns = draw.size(7), draw.size(9), draw.size(7)
    if draw.chance(0.15):
        rows, depth, columns = draw.size(20), draw.choice([32, 65, 128]), draw.size(20)
    adj_x, adj_y = draw.chance(0.3), draw.chance(0.4)
    matrices = [(depth, rows) if adj_x else (rows, depth),
                (columns, depth) if adj_y else (depth, columns)]
    leading = [tuple(batch), tuple(batch)]
    if draw.chance():
        leading[draw.between(0, 1)] = draw.broadcast(tuple(batch))
    left, right = (tuple(a) + b for a, b in zip(leading, matrices))
    per_channel = case.variant == "hybrid_i8_pc"
    scales = [((), 0)] * 3
    axis = 0
    if not hybrid and kinds[0] != "f32":
        scales = [draw.affine(kind) if kind != "i32" else ((), 0) for kind in kinds]
        if case.variant == "i16x8_q":
            scales[1] = (scales[1][0], 0)
        if kinds[2] != "i32":
            spread = np.ptp(code_range(kinds[0])) * np.ptp(code_range(kinds[1])) / 12
            real = spread * np.sqrt(depth) * scales[0][0] * scales[1][0]
            fill = draw.choice([1e-5, 0.02, 1, 5, 5, 5, 5, 100, 1e6])
            step = np.float32(real * fill / np.ptp(code_range(kinds[2])))
            scales[2] = (float(step), scales[2][1])
    elif hybrid:
        count = columns if per_channel else 1
        scales[1] = (np.float32([draw.scale() for _ in range(count)]), 0)
        axis = len(right) - (2 if adj_y else 1) if count > 1 else 0
    values = draw.values(case, kinds[0], left)
    if hybrid:
        flat = values.reshape(-1, left[-1])
        for row in flat:
            row *= draw.choice([0, 0.01, 1, 1, 1, 30])
    draw.place(case, 0.85)(values, kinds[0], *scales[0])
    weights = case.weights(*right) if hybrid else draw.values(case, kinds[1], right)
    often = 0 if case.variant == "f32_crhs" else 0.2 if hybrid else 0.6
    draw.place(case, often)(weights, kinds[1], *scales[1], axis)
    case.result(kinds[2], *scales[2])
    case.tolerance = "sum"
    return case.options(
        "BatchMatMulOptions", adjX=adj_x, adjY=adj_y, asymmetricQuantizeInputs=asymmetric)


DRAWN = {
    "FULLY_CONNECTED": (" ".join([*NAMED, "u8_shuffled_q", "f32_sparse"]), fully_connected),
    "BATCH_MATMUL": (" ".join(KINDS) + " hybrid_i8 hybrid_i8_asym hybrid_i8_pc", product),
}
