# SPDX-License-Identifier: Apache-2.0
"""Products of quantized values in models that the runtime's reference kernels refuse.

DEPTH_TO_SPACE of version 2 makes them do so. The optimized kernels, which run such models, scale
sums of CONV_2D and FULLY_CONNECTED with another second rounding.
"""

import numpy as np

from golden_case import SAME, Operand
from goldens_control import ModelCase

DEFAULT = "BUILTIN_WITHOUT_DEFAULT_DELEGATES"


def codes_tensor(case, name, shape, scale, zero, values=None, axis=0):
    operand = Operand(
        "i8" if values is None else {"int8": "i8", "int32": "i32"}[values.dtype.name],
        "result" if values is None else "constant", values, shape, scale, zero, axis)
    return case.builder.tensor(name, operand, shape)


def beyond(operator, variant, product):
    """`product` followed by the operator that only the optimized kernels take."""
    case = ModelCase(operator, variant, "beyond_reference", kernels=DEFAULT)
    random = np.random.default_rng(case.seed)
    source = codes_tensor(case, "input", (1, 12, 12, 8), (0.05,), (3,))
    case.builder.graph.inputs.append(source)
    result = product(case, random, source)
    spread = codes_tensor(case, "spread", (1, 24, 24, 4), (0.4,), (-5,))
    case.op("DEPTH_TO_SPACE", [result], [spread], "DepthToSpaceOptions", blockSize=2)
    case.builder.model.operatorCodes[-1].version = 2
    case.outputs(spread)
    case.steps = [[random.integers(-128, 128, (1, 12, 12, 8)).astype(np.int8)]]
    return case


def convolution(case, random, source):
    scales = tuple(float(s) for s in np.float32(0.004 + 0.001 * np.arange(16)))
    weights = random.integers(-127, 128, (16, 3, 3, 8)).astype(np.int8)
    bias = random.integers(-3000, 3000, 16).astype(np.int32)
    return case.op(
        "CONV_2D",
        [source, codes_tensor(case, "filter", weights.shape, scales, (0,) * 16, weights),
         codes_tensor(case, "bias", bias.shape, tuple(0.05 * s for s in scales), (0,) * 16, bias)],
        [codes_tensor(case, "sums", (1, 12, 12, 16), (0.4,), (-5,))],
        "Conv2DOptions", padding=SAME, strideW=1, strideH=1,
        dilationWFactor=1, dilationHFactor=1)


def dense(case, random, source):
    weights = random.integers(-127, 128, (16, 8)).astype(np.int8)
    bias = random.integers(-3000, 3000, 16).astype(np.int32)
    return case.op(
        "FULLY_CONNECTED",
        [source, codes_tensor(case, "weights", weights.shape, (0.01,), (0,), weights),
         codes_tensor(case, "bias", bias.shape, (0.0005,), (0,), bias)],
        [codes_tensor(case, "sums", (1, 12, 12, 16), (0.4,), (-5,))],
        "FullyConnectedOptions", keepNumDims=True)


def matrices(case, random, source):
    right = random.integers(-127, 128, (1, 12, 8, 16)).astype(np.int8)
    return case.op(
        "BATCH_MATMUL", [source, codes_tensor(case, "right", right.shape, (0.01,), (4,), right)],
        [codes_tensor(case, "sums", (1, 12, 12, 16), (0.4,), (-5,))], "BatchMatMulOptions")


def cases():
    yield beyond("CONV_2D", "i8_pc_q", convolution)
    yield beyond("FULLY_CONNECTED", "i8_pt_q", dense)
    yield beyond("BATCH_MATMUL", "i8_q", matrices)
