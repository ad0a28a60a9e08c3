#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a folder of images to label: the bundled digits, turned, cut, resized and made noisy.

    make_images.py 300 images

The same number gives the same images. The last two cannot be read: one ends too early, the other
is no image.
"""

import pathlib
import sys

import numpy as np
from PIL import Image

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "Models/digits/samples"


def changed(sample, generator):
    """One sample in another position and size, with noise."""
    left, top, right, bottom = (int(margin) for margin in generator.integers(0, 4, 4))
    image = sample.rotate(generator.uniform(-20, 20), Image.Resampling.BILINEAR)
    image = image.crop((left, top, image.width - right, image.height - bottom))
    side = int(generator.integers(28, 320))
    image = image.resize((side, side), Image.Resampling.BICUBIC)
    noise = generator.normal(0, 12, (side, side, 3))
    return Image.fromarray(np.clip(np.asarray(image) + noise, 0, 255).astype(np.uint8))


def make(count, folder):
    """Writes `count` images, two of them bad, into a new folder."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    samples = [Image.open(path).convert("RGB") for path in sorted(SAMPLES.glob("*.png"))]
    generator = np.random.default_rng(0)
    for number in range(count - 2):
        image = changed(samples[number % len(samples)], generator)
        image.save(folder / f"image_{number:05}.png")
    whole = (folder / "image_00000.png").read_bytes()
    (folder / "bad_truncated.png").write_bytes(whole[: len(whole) // 2])
    (folder / "bad_text.png").write_text("no image\n")


if __name__ == "__main__":
    if len(sys.argv) != 3 or not sys.argv[1].isdigit() or int(sys.argv[1]) < 3:
        sys.exit(__doc__.strip())
    make(int(sys.argv[1]), sys.argv[2])
