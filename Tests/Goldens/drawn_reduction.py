# SPDX-License-Identifier: Apache-2.0
"""Reductions with shapes, axes and quantization drawn at random."""

import numpy as np

from goldens_reduction import KINDS, kernels_of, output_scale, values


def axes_of(draw, rank):
    """One axis or several, perhaps negative, perhaps repeated, perhaps none."""
    axes = draw.some(range(rank), least=0 if draw.chance(0.1) else 1)
    if axes and draw.chance(0.1):
        axes.append(axes[0])
    return [axis - rank if draw.chance(0.3) else axis for axis in axes]


def reduction(case, draw):
    shape = list(draw.shape(0 if draw.chance(0.05) else 1, draw.choice([4, 5, 7])))
    # The runtime's sum or product of no values is what happens to lie in memory.
    unset = case.operator in ("REDUCE_PROD", "SUM") and case.variant.endswith("_q")
    if shape and draw.chance(0.05) and not unset:
        shape[draw.between(0, len(shape) - 1)] = 0
    axes = axes_of(draw, len(shape))
    case.kernels, case.note = kernels_of(case.operator, case.variant)
    case.tolerance = "exact" if case.operator[-3:] in ("MAX", "MIN") else "sum"
    source = target = ((), 0)
    if case.variant.endswith("_q"):
        count = int(np.prod([shape[axis] for axis in {axis % len(shape) for axis in axes}]))
        source, target = output_scale(case.operator, case.kind, max(1, count))
        source = draw.affine(case.kind) if case.operator != "REDUCE_PROD" else source
        if case.operator in ("REDUCE_MAX", "REDUCE_MIN"):
            target = source
    case.fed(values(case, case.kind, shape), case.kind, *source)
    scalar = len(axes) == 1 and draw.chance(0.3)
    draw.place(case)(np.array(axes[0] if scalar else axes, np.int32))
    case.result(case.kind, *target)
    case.options("ReducerOptions", keepDims=draw.chance())


DRAWN = {operator: (variants, reduction) for operator, variants in KINDS.items()}
