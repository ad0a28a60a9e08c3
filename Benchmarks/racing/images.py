# SPDX-License-Identifier: Apache-2.0
"""Made-up images: smooth blotches with some noise, the same for the same seed."""

import numpy as np

SIDE = 224


def blotches(random, cells):
    """An image in 0...1 that has `cells` values along each side, blended linearly."""
    grid = random.random((cells + 1, cells + 1, 3))
    place = np.linspace(0, cells, SIDE, endpoint=False)
    low = place.astype(int)
    part = place - low
    rows = grid[low] * (1 - part)[:, None, None] + grid[low + 1] * part[:, None, None]
    return rows[:, low] * (1 - part)[None, :, None] + rows[:, low + 1] * part[None, :, None]


def images(count, seed, low, high):
    """`count` images of 224x224 pixels with values from `low` to `high`, as float32."""
    random = np.random.default_rng(seed)
    made = np.zeros((count, SIDE, SIDE, 3))
    for image in made:
        for cells, weight in ((2, 0.45), (7, 0.3), (28, 0.15)):
            image += weight * blotches(random, cells)
        image += 0.1 * random.random(image.shape)
    return (low + (high - low) * made).astype(np.float32)
