# SPDX-License-Identifier: Apache-2.0
"""Colors, noise, patterns and whole backgrounds, drawn with NumPy and Pillow.

Images are float32 arrays [height, width, 3] in 0…1. Every function takes the random generator
it draws from, so that a seed decides an image.
"""

import colorsys

import numpy as np
from PIL import Image, ImageDraw, ImageFilter


def colour(random, calm=0.5):
    """A color; with probability `calm` an unsaturated one, as most surfaces have."""
    if random.random() < calm:
        hue = random.choice([0.07, 0.09, 0.12, 0.25, 0.3, 0.55, 0.6]) + random.normal(0, 0.03)
        saturation, value = random.uniform(0.02, 0.55), random.uniform(0.1, 0.95)
    else:
        hue, saturation, value = random.random(), random.uniform(0.3, 1), random.uniform(0.2, 1)
    return np.array(colorsys.hsv_to_rgb(hue % 1, saturation, value), np.float32)


def near(random, base, spread=0.15):
    """A color like `base`."""
    return np.clip(base + random.normal(0, spread) + random.normal(0, spread / 2, 3), 0, 1).astype(
        np.float32
    )


def noise(random, height, width, coarse=3, octaves=5, persistence=0.55, stretch=1.0):
    """Noise of several octaves in 0…1; `stretch` > 1 draws it out along x."""
    total = np.zeros((height, width), np.float32)
    strength = 1.0
    for octave in range(octaves):
        rows = min(height, int(coarse * 2**octave) + 1)
        columns = min(width, max(2, int(coarse * 2**octave / stretch) + 1))
        grid = Image.fromarray(random.random((rows, columns), np.float32))
        total += strength * np.asarray(grid.resize((width, height), Image.BICUBIC))
        strength *= persistence
    low, high = total.min(), total.max()
    return (total - low) / (high - low + 1e-6)


def ramp(random, height, width):
    """A straight gradient in 0…1 in any direction."""
    angle = random.uniform(0, 2 * np.pi)
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    return np.clip(0.5 + 0.4 * (x * np.cos(angle) + y * np.sin(angle)), 0, 1).astype(np.float32)


def mapped(values, *colours):
    """Values in 0…1 as colors between the given ones."""
    places = np.linspace(0, 1, len(colours))
    table = np.stack(colours)
    return np.stack([np.interp(values, places, table[:, c]) for c in range(3)], -1).astype(
        np.float32
    )


def stripes(random, height, width):
    """Bands, straight or bent, sharp or soft."""
    angle, count = random.uniform(0, np.pi), random.uniform(3, 16)
    y, x = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j].astype(np.float32)
    phase = (x * np.cos(angle) + y * np.sin(angle)) * count
    phase += random.uniform(0, 1.5) * noise(random, height, width, 2, 3)
    wave = 0.5 + 0.5 * np.sin(2 * np.pi * phase)
    sharpness = random.uniform(1, 8)
    return np.clip((wave - 0.5) * sharpness + 0.5, 0, 1)


def spots(random, height, width):
    """Noise cut at a level: patches as on a cow, a leopard or a lichen."""
    field = noise(random, height, width, random.uniform(3, 12), 3)
    return np.clip((field - random.uniform(0.4, 0.6)) * random.uniform(4, 20) + 0.5, 0, 1)


def tiles(random, height, width):
    """Checks, bricks or planks with joints."""
    rows, columns = random.integers(2, 14), random.integers(1, 12)
    y, x = np.mgrid[0 : rows : height * 1j, 0 : columns : width * 1j]
    row = np.floor(y).astype(int)
    x = x + random.choice([0, 0.5]) * (row % 2)
    column = np.floor(x).astype(int)
    levels = random.random((rows + 2, columns + 2)).astype(np.float32)
    level = levels[row % (rows + 2), column % (columns + 2)]
    if random.random() < 0.4:
        level = ((row + column) % 2).astype(np.float32)
    joint = np.minimum(np.minimum(y - row, 1 - (y - row)), np.minimum(x - column, 1 - x + column))
    return np.clip(level * 0.6 + 0.4 * np.clip(joint * 20, 0, 1), 0, 1).astype(np.float32)


def texture(random, height, width, base=None, calm=0.5):
    """A surface: one of the patterns in two to four colors, with some grain."""
    base = colour(random, calm) if base is None else base
    other = near(random, base, 0.25) if random.random() < 0.6 else colour(random, calm)
    kind = random.choice(5, p=[0.4, 0.15, 0.15, 0.12, 0.18])
    if kind == 0:
        values = noise(random, height, width, random.uniform(1.5, 10), 5, random.uniform(0.4, 0.9))
        pixels = mapped(values, near(random, base, 0.05), base, other)
    elif kind == 1:
        pixels = mapped(stripes(random, height, width), base, other)
    elif kind == 2:
        pixels = mapped(spots(random, height, width), base, other)
    elif kind == 3:
        pixels = mapped(tiles(random, height, width), base, other)
    else:
        pixels = mapped(ramp(random, height, width), base, near(random, base, 0.1))
    grain = noise(random, height, width, 16, 3, 0.8) - 0.5
    return np.clip(pixels * (1 + random.uniform(0, 0.5) * grain[..., None]), 0, 1)


def strokes(random, size, pixels, count, length, upward):
    """Grass, twigs or hatching: many short lines over an image."""
    image = Image.fromarray((pixels * 255).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    base = colour(random, 0.7)
    for x, y in random.uniform(0, size, (count, 2)):
        angle = random.normal(-np.pi / 2, 0.35) if upward else random.uniform(0, 2 * np.pi)
        reach = length * random.uniform(0.4, 1.3)
        ink = tuple(int(255 * c) for c in near(random, base, 0.15))
        end = (x + reach * np.cos(angle), y + reach * np.sin(angle))
        draw.line((x, y, *end), ink, int(random.integers(1, 4)))
    return np.asarray(image, np.float32) / 255


def bokeh(random, size):
    """Lights or leaves far out of focus."""
    image = Image.fromarray((texture(random, size, size) * 255).astype(np.uint8))
    layer = Image.new("RGBA", (size, size))
    draw = ImageDraw.Draw(layer)
    base = colour(random, 0.3)
    for _ in range(random.integers(8, 60)):
        x, y, radius = *random.uniform(0, size, 2), random.uniform(0.02, 0.14) * size
        ink = (*[int(255 * c) for c in near(random, base, 0.2)], int(random.integers(40, 200)))
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), ink)
    image.paste(layer, (0, 0), layer)
    image = image.filter(ImageFilter.GaussianBlur(random.uniform(1, 9)))
    return np.asarray(image, np.float32) / 255


def landscape(random, size):
    """Sky over hills over a ground that recedes."""
    horizon = int(size * random.uniform(0.15, 0.75))
    sky = colour(random, 0.8)
    clouds = noise(random, size, size, 2, 5, 0.5, 2.0)
    pixels = mapped(np.clip(clouds * 1.5 - 0.4, 0, 1), sky, near(random, sky, 0.1), np.ones(3))
    pixels *= np.linspace(0.75, 1.1, size, dtype=np.float32)[:, None, None]
    for layer in range(random.integers(0, 4)):
        ridge = horizon - size * 0.22 * (1 - layer / 4) * noise(random, 1, size, 3, 4)[0]
        mask = np.arange(size)[:, None] > ridge[None, :]
        cover = texture(random, size, size, near(random, colour(random, 0.9), 0.1))
        pixels = np.where(mask[..., None], cover, pixels)
    ground = texture(random, size, size, calm=0.8)
    depth = np.arange(1, size - horizon + 1, dtype=np.float32) / (size - horizon)
    rows = ((1 - 0.15 / (depth + 0.15)) * (size - 1) * 1.1).clip(0, size - 1).astype(int)
    pixels[horizon:] = ground[rows]
    if random.random() < 0.4:
        front = strokes(random, size, pixels, 500, size * 0.06, True)
        pixels[horizon:] = front[horizon:]
    return np.clip(pixels, 0, 1)


def room(random, size):
    """A wall, a floor or table, perhaps a window, a picture, shelves."""
    floor = int(size * random.uniform(0.45, 0.9))
    wall = colour(random, 0.85)
    if random.random() < 0.6:
        pixels = mapped(ramp(random, size, size), wall, near(random, wall, 0.08))
    else:
        pixels = texture(random, size, size, wall)
    image = Image.fromarray((np.clip(pixels, 0, 1) * 255).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    for _ in range(random.integers(0, 6)):
        x, y = random.uniform(-0.1, 1, 2) * size
        w, h = random.uniform(0.05, 0.7, 2) * size
        ink = tuple(int(255 * c) for c in near(random, wall, 0.3))
        draw.rectangle((x, y, x + w, y + h), ink, tuple(int(c * 0.7) for c in ink))
    pixels = np.asarray(image.filter(ImageFilter.GaussianBlur(random.uniform(0, 4))), np.float32)
    pixels = pixels / 255
    ground = texture(random, size, size, calm=0.85)
    depth = np.linspace(0.1, 1, size - floor, dtype=np.float32)
    rows = (depth * (size - 1)).astype(int)
    light = np.linspace(0.8, 1.1, size - floor, dtype=np.float32)[:, None, None]
    pixels[floor:] = ground[rows] * light
    return np.clip(pixels, 0, 1)


def clutter(random, size):
    """Overlapping shapes of all sizes, more or less out of focus."""
    image = Image.fromarray((texture(random, size, size) * 255).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    base = colour(random, 0.6)
    for _ in range(random.integers(10, 80)):
        x, y, reach = *random.uniform(0, size, 2), random.exponential(0.08) * size + 3
        ink = tuple(int(255 * c) for c in near(random, base, 0.25))
        angles = np.sort(random.uniform(0, 2 * np.pi, random.integers(3, 9)))
        radii = reach * random.uniform(0.5, 1.2, len(angles))
        points = zip(x + radii * np.cos(angles), y + radii * np.sin(angles))
        draw.polygon([tuple(p) for p in points], ink)
    blurred = image.filter(ImageFilter.GaussianBlur(random.uniform(1.5, 8)))
    return np.asarray(blurred, np.float32) / 255


def background(random, size):
    """One of the kinds of background, uint8."""
    kind = random.choice(7, p=[0.2, 0.22, 0.18, 0.12, 0.1, 0.1, 0.08])
    if kind == 0:
        pixels = landscape(random, size)
    elif kind == 1:
        pixels = room(random, size)
    elif kind == 2:
        pixels = texture(random, size, size)
    elif kind == 3:
        pixels = bokeh(random, size)
    elif kind == 4:
        pixels = clutter(random, size)
    elif kind == 5:
        base = texture(random, size, size, calm=0.8)
        pixels = strokes(random, size, base, 900, size * random.uniform(0.03, 0.2), False)
    else:
        base = colour(random, 0.7)
        pixels = mapped(ramp(random, size, size), base, near(random, base, 0.1))
    return (np.clip(pixels, 0, 1) * 255).astype(np.uint8)
