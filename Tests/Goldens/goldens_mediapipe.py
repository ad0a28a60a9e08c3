# SPDX-License-Identifier: Apache-2.0
"""MediaPipe's custom operators, which the runtime has in its XNNPACK delegate only.

That delegate hands the indices of MaxPoolingWithArgmax2D to MaxUnpooling2D as integers in a float
tensor, so that only both together have a golden: a model with the two in it.
"""

import numpy as np

from golden_case import Case
from goldens_control import ModelCase

SAME, VALID = 1, 2


def structure(*fields):
    return np.array(fields, np.int32).tobytes()


def transpose(name, shape, filters, taps, stride, padding=SAME):
    case = Case("Convolution2DTransposeBias", "f32", name, "sum", "AUTO")
    depth = shape[-1]
    case.fed(case.normal(*shape))
    case.constant(case.normal(filters, *taps, depth, spread=0.4))
    case.constant(case.normal(filters))
    rows, columns = (
        stride * (n - 1) + k - (max(0, k - (n - 1) % stride - 1) if padding == SAME else 0)
        for n, k in zip(shape[1:3], taps)
    )
    case.result("f32", shape=(shape[0], rows, columns, filters))
    case.custom = structure(padding, stride, stride)
    return case


def there_and_back(operator, name, shape, window, padding=SAME):
    """Maxima, and the image with all but them set to zero."""
    case = ModelCase(operator, "f32", name, "AUTO", "exact")
    batch, height, width, depth = shape
    rows, columns = height // window[0], width // window[1]
    image = case.input("f32", *shape)
    maxima = case.value("f32", batch, rows, columns, depth)
    indices = case.value("f32", batch, rows, columns, depth)
    result = case.value("f32", *shape)
    rest = window[::-1] + window[::-1] + (0, 0, 0, 0, 0)
    pool, unpool = "MaxPoolingWithArgmax2D", "MaxUnpooling2D"
    case.builder.operator(pool, [image], [maxima, indices], custom=structure(padding, *rest))
    case.builder.operator(unpool, [maxima, indices], [result], custom=structure(VALID, *rest))
    case.outputs(maxima, result)
    random = np.random.default_rng(case.seed)
    case.steps = [[random.standard_normal(shape).astype(np.float32)]]
    return case


def cases():
    for operator in ("MaxPoolingWithArgmax2D", "MaxUnpooling2D"):
        yield there_and_back(operator, "two_by_two", (1, 4, 6, 3), (2, 2))
        yield there_and_back(operator, "three_by_two", (1, 6, 8, 2), (3, 2))
        yield there_and_back(operator, "valid", (2, 4, 4, 5), (2, 2), VALID)
    yield transpose("two_by_two", (1, 4, 6, 3), 2, (2, 2), 2)
    yield transpose("four_by_four", (1, 4, 4, 2), 3, (4, 4), 2)
    yield transpose("valid", (1, 3, 5, 2), 2, (3, 3), 2, VALID)
    yield transpose("stride_1", (1, 4, 5, 2), 2, (3, 3), 1)
    yield transpose("batched", (2, 4, 4, 2), 1, (2, 2), 2)
