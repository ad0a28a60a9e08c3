# SPDX-License-Identifier: Apache-2.0
"""MediaPipe's custom operators with shapes drawn at random."""

from goldens_mediapipe import SAME, VALID, there_and_back, transpose


def bias(case, draw):
    shape = (draw.between(1, 3), draw.size(7), draw.size(7), draw.size(9))
    taps = (draw.between(1, 4), draw.between(1, 4))
    return transpose(
        case.name, shape, draw.size(9), taps, draw.between(1, 3), draw.choice([SAME, VALID]))


def pools(case, draw):
    window = (draw.between(1, 4), draw.between(2, 4))
    shape = (
        draw.between(1, 3), window[0] * draw.between(1, 5), window[1] * draw.between(1, 5),
        draw.size(9))
    return there_and_back(case.operator, case.name, shape, window, draw.choice([SAME, VALID]))


DRAWN = {
    "Convolution2DTransposeBias": ("f32", bias),
    "MaxPoolingWithArgmax2D": ("f32", pools),
    "MaxUnpooling2D": ("f32", pools),
}
