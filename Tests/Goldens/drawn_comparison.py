# SPDX-License-Identifier: Apache-2.0
"""Comparisons and logic with shapes and quantization drawn at random."""

from drawn_binary import affine, place_two, shapes, spiced
from goldens_comparison import COMPARISONS, PARAMETERS, camel, few


def comparison(case, draw):
    kind = case.kind
    left, right = shapes(draw, 4 if draw.chance(0.9) else 6)
    quantized = case.variant.endswith("_q")
    sources = [affine(draw, kind) if quantized else () for _ in range(2)]
    if draw.chance(0.3):
        sources[1] = sources[0]
    elif quantized and draw.chance(0.3):
        sources[1] = draw.affine(kind, 1e-5, 0.9)
    if quantized:  # the runtime aborts at 1
        sources = [(min(scale, 0.99), zero) for scale, zero in sources]
    operands = []
    for shape, source in zip((left, right), sources):
        if kind == "str" and not shape:
            shape = (1,)  # the Python binding feeds a lone string wrong unless it has a length
        some = draw.chance() and not quantized or kind == "str"
        values = few(case, kind, shape) if some else draw.values(case, kind, shape)
        operands.append((spiced(case, draw, values, kind), kind, *source))
    if quantized and draw.chance():
        reach = {"low": -9, "high": 9} if kind != "u8" else {"low": 118, "high": 137}
        operands = [(case.codes(*o[0].shape, kind=kind, **reach), *o[1:]) for o in operands]
    if kind == "str":
        for operand in operands:
            case.fed(*operand)
    else:
        place_two(case, draw, *operands)
    case.result("bool")
    return case.options(camel(case.operator))


def logic(case, draw):
    if case.operator == "LOGICAL_NOT":
        case.fed(case.drawn(*draw.shape(0, 6), kind="bool"), "bool")
    else:
        operands = [case.drawn(*shape, kind="bool") for shape in shapes(draw, 4)]
        place_two(case, draw, *((values, "bool") for values in operands))
    case.result("bool")
    return case.options(camel(case.operator))


QUANTIZED = " ".join(f"{kind}_q" for kind in PARAMETERS)
DRAWN = {
    operator: (f"{kinds} {QUANTIZED}", comparison) for operator, kinds in COMPARISONS.items()
}
DRAWN |= {f"LOGICAL_{name}": ("bool", logic) for name in ("AND", "OR", "NOT")}
