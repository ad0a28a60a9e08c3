# SPDX-License-Identifier: Apache-2.0
"""Colored images of handwritten digits, drawn from 8 × 8 gray ones.

An 8 × 8 digit is enlarged by bicubic interpolation through an affine map (turn, scale, slant,
shift), its edge is sharpened into a coverage, and ink is laid over paper with it. Colors are
drawn until ink and paper differ clearly in brightness; either may be the darker one.
"""

import numpy as np
from PIL import Image
from sklearn.datasets import load_digits

SIZE = 32
SPLIT_SEED = 20240

# Ink, paper, and the turn in degrees of each sample image.
PALETTES = [
    ((38, 70, 83), (233, 216, 166), 0),
    ((255, 250, 240), (42, 111, 151), 3),
    ((120, 20, 40), (250, 240, 230), -3),
    ((20, 60, 30), (200, 225, 180), 0),
    ((250, 220, 90), (60, 40, 90), 2),
    ((20, 20, 30), (240, 170, 120), -2),
    ((235, 245, 255), (30, 90, 80), 0),
    ((200, 60, 30), (245, 245, 220), 3),
    ((255, 255, 255), (20, 24, 34), -3),
    ((60, 40, 130), (190, 215, 240), 0),
]


def digits():
    """The images as 0…1 and their digits, split in training, validation and held back.

    The split is by original image, so that no variation of one lies on two sides.
    """
    data = load_digits()
    order = np.random.default_rng(SPLIT_SEED).permutation(len(data.images))
    images = (data.images / 16.0).astype(np.float32)[order]
    labels = data.target.astype(np.int64)[order]
    bounds = [0, 1200, 1440, len(order)]
    return [(images[a:b], labels[a:b]) for a, b in zip(bounds, bounds[1:])]


def coverage(
    image, size, turn=0.0, scale=1.0, slant=0.0, shift=(0.0, 0.0), threshold=0.48, softness=0.06
):
    """How much ink each pixel of a size × size image gets, 0…1.

    `turn` is in degrees; `shift` in parts of the image; `softness` is the width of the edge
    around `threshold` in parts of the ink's range.
    """
    padded = Image.fromarray(np.pad(image, 2))
    reach = padded.width
    angle = np.deg2rad(turn)
    cosine, sine = np.cos(angle) / scale, np.sin(angle) / scale
    matrix = np.array([[cosine, sine + slant], [-sine, cosine]]) * (10.0 / size)
    middle = np.full(2, size / 2) + np.array(shift) * size
    offset = np.full(2, reach / 2) - matrix @ middle
    coefficients = (*matrix[0], offset[0], *matrix[1], offset[1])
    ink = np.asarray(
        padded.transform((size, size), Image.Transform.AFFINE, coefficients, Image.BICUBIC)
    )
    return np.clip((ink - threshold) / softness + 0.5, 0, 1)


def lay(ink, paper, cover):
    """Ink over paper: [height, width, 3] in 0…255."""
    cover = cover[..., None]
    return np.asarray(ink, np.float32) * cover + np.asarray(paper, np.float32) * (1 - cover)


def brightness(colour):
    return float(np.dot(colour, [0.299, 0.587, 0.114]))


def variation(image, random, size=SIZE):
    """An image with random geometry, colors, a gradient and noise, as uint8."""
    while True:
        ink, paper = random.uniform(0, 255, (2, 3))
        if abs(brightness(ink) - brightness(paper)) > 70:
            break
    cover = coverage(
        image,
        size,
        turn=random.uniform(-12, 12),
        scale=random.uniform(0.8, 1.15),
        slant=random.uniform(-0.15, 0.15),
        shift=random.uniform(-0.08, 0.08, 2),
        threshold=random.uniform(0.35, 0.55),
        softness=random.uniform(0.1, 0.9),
    )
    drawn = lay(ink, paper, cover)
    ramp = np.linspace(-1, 1, size)
    slope = random.uniform(-18, 18, 2)
    drawn += (ramp[:, None] * slope[0] + ramp[None, :] * slope[1])[..., None]
    drawn += random.normal(0, random.uniform(0, 12), drawn.shape)
    return np.clip(np.round(drawn), 0, 255).astype(np.uint8)


def variations(images, labels, count, seed):
    """`count` variations of every image and their labels."""
    random = np.random.default_rng(seed)
    drawn = [variation(image, random) for _ in range(count) for image in images]
    return np.stack(drawn), np.tile(labels, count)


def sample(image, digit, size=96):
    """A sample image for people: clean edges, calm colors."""
    ink, paper, turn = PALETTES[digit]
    large = coverage(image, 4 * size, turn=turn)
    cover = large.reshape(size, 4, size, 4).mean(axis=(1, 3))
    return np.round(lay(ink, paper, cover)).astype(np.uint8)


def reduced(image, filtering=Image.BILINEAR):
    """An image as the network's input: SIZE × SIZE, uint8."""
    return np.asarray(Image.fromarray(image).resize((SIZE, SIZE), filtering))
