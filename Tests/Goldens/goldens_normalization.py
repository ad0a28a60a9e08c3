# SPDX-License-Identifier: Apache-2.0
"""SOFTMAX, LOG_SOFTMAX, L2_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION."""

import numpy as np

from golden_case import Case

SCALES = {
    "f32": ((), 0),
    "f16": ((), 0),
    "u8": (0.1, 128),
    "i8": (0.1, -3),
    "i16": (0.0004, 0),
}
# The output's scale and zero point that the runtime asks for.
PROBABILITY = {"u8": (1 / 256, 0), "i8": (1 / 256, -128), "i16": (1 / 32768, 0)}
LOG_PROBABILITY = {"u8": (16 / 256, 255), "i8": (16 / 256, 127)}
UNIT = {"u8": (1 / 128, 128), "i8": (1 / 128, 0)}


def rows(operator, variant, name, kind, shape, output, scale=None, tolerance="exp"):
    """A case over rows of the innermost axis; `output` is its type, scale and zero point."""
    case = Case(operator, variant, name, tolerance)
    own, zero = SCALES[kind]
    if kind in ("f32", "f16"):
        case.fed(case.normal(*shape, spread=3, kind=kind))
    else:
        case.fed(case.codes(*shape, kind=kind), kind, own if scale is None else scale, zero)
    case.result(*output)
    return case


def softmax():
    shapes = {"rows": (3, 7), "rank_4": (1, 2, 2, 5), "vector": (10,), "one": (2, 1)}
    for kind in ("f32", "f16", "u8", "i8", "i16"):
        variant = kind if kind[0] == "f" else f"{kind}_q"
        output = (kind, *PROBABILITY.get(kind, ((), 0)))
        for name, shape in shapes.items():
            yield rows("SOFTMAX", variant, name, kind, shape, output).options(
                "SoftmaxOptions", beta=1.0
            )
        for name, beta in (("beta_2", 2.0), ("beta_small", 0.1)):
            yield rows("SOFTMAX", variant, name, kind, (4, 9), output).options(
                "SoftmaxOptions", beta=beta
            )
    for kind in ("u8", "i8", "i16"):
        for name, scale in (("steep", 0.9), ("flat", 0.001)):
            scale = scale / 256 if kind == "i16" else scale
            output = (kind, *PROBABILITY[kind])
            yield rows("SOFTMAX", f"{kind}_q", name, kind, (3, 11), output, scale).options(
                "SoftmaxOptions", beta=1.0
            )
    for kind in ("u8", "i8"):
        for name in ("rows", "rank_4"):
            output = ("i16", 1 / 65536, -32768)
            yield rows("SOFTMAX", f"{kind}_to_i16_q", name, kind, shapes[name], output).options(
                "SoftmaxOptions", beta=1.0
            )
    case = Case("SOFTMAX", "f32", "large", "exp")
    case.fed(np.float32([[1e4, 0, -1e4], [88, 89, 90], [-3e38, -3e38, 0]]))
    case.result("f32")
    yield case.options("SoftmaxOptions", beta=1.0)


def log_softmax():
    for kind in ("f32", "u8", "i8"):
        variant = kind if kind == "f32" else f"{kind}_q"
        output = (kind, *LOG_PROBABILITY.get(kind, ((), 0)))
        for name, shape in {"rows": (3, 7), "rank_4": (1, 2, 2, 5), "vector": (10,)}.items():
            yield rows("LOG_SOFTMAX", variant, name, kind, shape, output).options(
                "LogSoftmaxOptions"
            )
        if kind != "f32":
            for name, scale in (("steep", 0.5), ("flat", 0.004)):
                yield rows("LOG_SOFTMAX", variant, name, kind, (3, 11), output, scale).options(
                    "LogSoftmaxOptions"
                )


def l2_normalization():
    for kind in ("f32", "u8", "i8"):
        variant = kind if kind == "f32" else f"{kind}_q"
        output = (kind, *UNIT.get(kind, ((), 0)))
        for name, shape in {"rows": (3, 7), "rank_4": (1, 2, 3, 5), "vector": (12,)}.items():
            case = rows("L2_NORMALIZATION", variant, name, kind, shape, output, tolerance="sum")
            yield case.options("L2NormOptions")
    case = Case("L2_NORMALIZATION", "f32", "zeros", "sum")
    case.fed(np.float32([[0, 0, 0], [1e-5, 0, -1e-5], [3, 0, 4]]))
    case.result("f32")
    yield case.options("L2NormOptions")


def local_response():
    settings = {
        "default": (5, 1.0, 1.0, 0.5),
        "radius_1": (1, 2.0, 0.3, 0.75),
        "wide": (9, 0.5, 0.01, 1.0),
    }
    for name, (radius, bias, alpha, beta) in settings.items():
        case = Case(
            "LOCAL_RESPONSE_NORMALIZATION",
            "f32",
            name,
            "exp",
            kernels="BUILTIN_WITHOUT_DEFAULT_DELEGATES",
            note="the reference kernel leaves the last channel out of its window",
        )
        case.fed(case.normal(1, 2, 3, 8))
        case.result("f32")
        yield case.options(
            "LocalResponseNormalizationOptions", radius=radius, bias=bias, alpha=alpha, beta=beta
        )


def cases():
    yield from softmax()
    yield from log_softmax()
    yield from l2_normalization()
    yield from local_response()
