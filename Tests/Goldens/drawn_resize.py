# SPDX-License-Identifier: Apache-2.0
"""RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR with everything drawn at random."""

import numpy as np


def length(draw):
    return draw.size(9) if draw.chance(0.9) else draw.between(30, 70)


def resize(case, draw):
    bilinear = case.operator == "RESIZE_BILINEAR"
    height, width = length(draw), length(draw)
    shape = (draw.between(1, 3), height, width, draw.size(4))
    size = [length(draw), length(draw)]
    if draw.chance(0.3):
        factor = draw.between(2, 4)
        size = [height * factor, width * factor]
    if draw.chance(0.1):
        size = [max(1, height // 2), max(1, width // 2)]
    affine = draw.affine(case.kind) if case.variant.endswith("_q") else ((), 0)
    case.fed(draw.values(case, case.kind, shape), case.kind, *affine)
    draw.place(case)(np.array(size, np.int32))
    case.result(case.kind, *affine)
    case.tolerance = "arithmetic" if bilinear else "exact"
    table = "ResizeBilinearOptions" if bilinear else "ResizeNearestNeighborOptions"
    aligned = draw.chance(0.4)
    # With both flags and a size that is fed the runtime's RESIZE_BILINEAR reads beyond rows.
    half_pixel = draw.chance(0.4) and not (aligned and bilinear)
    return case.options(table, alignCorners=aligned, halfPixelCenters=half_pixel)


DRAWN = {
    "RESIZE_BILINEAR": ("f32 u8_q i8_q i16_q", resize),
    "RESIZE_NEAREST_NEIGHBOR": ("f32 u8_q i8_q i16_q i32", resize),
}
