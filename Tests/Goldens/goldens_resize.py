# SPDX-License-Identifier: Apache-2.0
"""RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR."""

import numpy as np

from golden_case import AFFINE, Case

# Input, height and width of the output.
SIZES = {
    "up": ((1, 3, 4, 2), (7, 9)),
    "down": ((2, 7, 5, 3), (3, 2)),
    "double": ((1, 2, 3, 1), (4, 6)),
    "mixed": ((1, 6, 2, 2), (4, 5)),
    "one_pixel": ((1, 1, 1, 3), (3, 2)),
    "to_one": ((1, 5, 4, 2), (1, 1)),
}
FLAGS = {
    "": {},
    "_aligned": {"alignCorners": True},
    "_half_pixel": {"halfPixelCenters": True},
}


def resize(operator, variant, name, flags, fed_size=False):
    shape, size = SIZES[name]
    bilinear = operator == "RESIZE_BILINEAR"
    suffix = next(key for key, value in FLAGS.items() if value == flags)
    case = Case(operator, variant, name + suffix, "arithmetic" if bilinear else "exact")
    kind = variant.removesuffix("_q")
    affine = AFFINE[kind] if variant.endswith("_q") else ((), 0)
    case.fed(case.drawn(*shape, kind=kind), kind, *affine)
    (case.fed if fed_size else case.constant)(np.array(size, np.int32))
    case.result(kind, *affine)
    table = "ResizeBilinearOptions" if bilinear else "ResizeNearestNeighborOptions"
    return case.options(table, **flags)


def cases():
    for operator, variants in (
        ("RESIZE_BILINEAR", "f32 u8_q i8_q i16_q"),
        ("RESIZE_NEAREST_NEIGHBOR", "f32 u8_q i8_q i16_q i32"),
    ):
        for variant in variants.split():
            for name in SIZES if variant in ("f32", "i8_q") else ("up", "down"):
                for flags in FLAGS.values():
                    yield resize(operator, variant, name, flags)
        case = resize(operator, "f32", "up", FLAGS["_half_pixel"], True)
        case.name = "size_at_run_time"
        yield case
