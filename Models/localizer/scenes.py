# SPDX-License-Identifier: Apache-2.0
"""Scenes: objects laid over a background, lit, shadowed, blurred, with the boxes around them.

A scene is uint8 [SIZE, SIZE, 3] with up to LIMIT boxes (ymin, xmin, ymax, xmax in 0…1) around
what is to be seen of each object; unused rows are zero.
"""

import io

import numpy as np
from PIL import Image, ImageFilter

import objects
import photographs
import textures

SIZE = 192
LIMIT = 10


class Stock:
    """What scenes are composed of: outlined objects in groups, and backgrounds."""

    def __init__(self, seed, drawn, backgrounds, folder=None, part=0, parts=1):
        """`part` of `parts` keeps the cut-outs of training and testing apart."""
        random = np.random.default_rng(seed)
        self.groups = [[objects.draw(random) for _ in range(drawn)]]
        self.shares = [1.0]
        self.backgrounds = [textures.background(random, 256) for _ in range(backgrounds)]
        self.photographs = []
        if folder:
            self.photographs = photographs.boxed(folder)
            photos, drawings = photographs.cutouts(folder)
            mine = [
                [p for i, p in enumerate(group) if (i % 8 == 7) == (part == 1 and parts == 2)]
                for group in (photos, drawings)
            ]
            self.groups += mine
            self.shares = [0.35, 0.4, 0.25]
            self.backgrounds += photographs.scenery(folder, 256, random, backgrounds)

    def object(self, random):
        group = self.groups[random.choice(len(self.groups), p=self.shares)]
        return group[random.integers(len(group))]

    def background(self, random):
        whole = Image.fromarray(self.backgrounds[random.integers(len(self.backgrounds))])
        if random.random() < 0.5:
            whole = whole.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        side = random.uniform(100, 256)
        x, y = random.uniform(0, 256 - side, 2)
        image = whole.resize((SIZE, SIZE), Image.BILINEAR, (x, y, x + side, y + side))
        if random.random() < 0.5:
            image = image.filter(ImageFilter.GaussianBlur(random.uniform(0.5, 5)))
        return image


def plan(random):
    """Where objects go, far to near: longer side, center y, center x in parts of the scene."""
    kind = random.random()
    if kind < 0.5:
        size = random.uniform(0.3, 1.1)
        spread = 0.09 if size > 0.6 else 0.16
        rows = [(size, *(0.52 + random.normal(0, spread, 2)))]
        for _ in range(random.choice([0, 0, 0, 1, 2])):
            rows.insert(0, (random.uniform(0.1, 0.35), *random.uniform(0.05, 0.95, 2)))
    elif kind < 0.75:
        count = random.integers(2, 4)
        size, middle = random.uniform(0.3, 0.75), random.uniform(0.45, 0.65)
        places = np.linspace(0.25, 0.75, count) if count > 1 else [0.5]
        rows = [
            (size * random.uniform(0.7, 1.2), middle + random.normal(0, 0.08), x)
            for x in random.permutation(places + random.normal(0, 0.06, count))
        ]
    elif kind < 0.97:
        count = random.integers(2, LIMIT - 1)
        top = random.uniform(0.15, 0.4)
        rows = [
            (top * random.uniform(0.5, 1.2), *random.uniform(0.05, 0.95, 2)) for _ in range(count)
        ]
        rows.sort(key=lambda row: row[1] + row[0] / 2)
    else:
        rows = []
    return rows


def placed(random, pixels, size, y, x, bright):
    """An object's image, scaled and turned, and the corner where it is laid."""
    image = Image.fromarray(pixels)
    if random.random() < 0.5:
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    scale = size * SIZE / max(image.size)
    stretch = np.exp(random.normal(0, 0.16))
    w, h = max(6, image.width * scale * stretch), max(6, image.height * scale / stretch)
    image = image.resize((int(w), int(h)), Image.BILINEAR, reducing_gap=2)
    turn = random.normal(0, 8) if random.random() < 0.8 else random.uniform(-90, 90)
    image = image.rotate(turn, Image.BILINEAR, expand=True)
    values = np.asarray(image).astype(np.float32)
    gain = np.exp(random.normal(0, 0.2)) * (1 + random.normal(0, 0.06, 3))
    values[..., :3] = (values[..., :3] - 128) * np.exp(random.normal(0, 0.15)) + 128
    values[..., :3] *= gain * bright
    image = Image.fromarray(np.clip(values, 0, 255).astype(np.uint8))
    return image, int(x * SIZE - image.width / 2), int(y * SIZE - image.height / 2)


def shadow(random, scene, image, x, y):
    """A soft shadow of the object on the scene."""
    dx, dy = random.uniform(-0.15, 0.15, 2) * image.width
    outline = image.getchannel("A").filter(ImageFilter.GaussianBlur(random.uniform(2, 8)))
    strength = random.uniform(0.2, 0.8)
    outline = outline.point(lambda value: int(value * strength))
    scene.paste((0, 0, 0), (int(x + dx), int(y + abs(dy))), outline)


def finished(random, scene):
    """Light that changes across the scene, color cast, blur, grain, compression."""
    if random.random() < 0.35:
        scene = scene.filter(ImageFilter.GaussianBlur(random.uniform(0.3, 1.4)))
    values = np.asarray(scene).astype(np.float32)
    if random.random() < 0.5:
        light = 1 + random.uniform(0, 0.8) * (textures.ramp(random, SIZE, SIZE) - 0.5)
        values *= light[..., None]
    values *= np.exp(random.normal(0, 0.12)) * (1 + random.normal(0, 0.05, 3))
    if random.random() < 0.05:
        values[:] = values.mean(-1, keepdims=True)
    if random.random() < 0.5:
        values += random.normal(0, random.uniform(1, 12), values.shape)
    scene = Image.fromarray(np.clip(values, 0, 255).astype(np.uint8))
    if random.random() < 0.5:
        stream = io.BytesIO()
        scene.save(stream, "JPEG", quality=int(random.integers(25, 90)))
        scene = Image.open(stream)
    return np.asarray(scene)


def seen_boxes(owner, sizes):
    """Boxes around what is visible of each object, where enough of it is."""
    boxes = np.zeros((LIMIT, 4), np.float32)
    count = 0
    for index, area in enumerate(sizes):
        mine = owner == index + 1
        rows, columns = np.flatnonzero(mine.any(1)), np.flatnonzero(mine.any(0))
        if mine.sum() < max(40, 0.35 * area) or len(rows) < 9 or len(columns) < 9:
            continue
        boxes[count] = rows[0], columns[0], rows[-1] + 1, columns[-1] + 1
        count += 1
    return boxes / SIZE


def compose(random, stock):
    """A scene and its boxes."""
    scene = stock.background(random)
    owner = Image.new("L", (SIZE, SIZE))
    sizes = []
    alike = stock.object(random) if random.random() < 0.2 else None
    soft = random.uniform(0, 1.2)
    light = np.asarray(scene.resize((1, 1), Image.BOX)).mean() / 128
    bright = np.clip(light, 0.5, 1.5) ** random.uniform(0, 0.8)
    for size, y, x in plan(random)[:LIMIT]:
        pixels = stock.object(random) if alike is None else alike
        image, left, top = placed(random, pixels, size, y, x, bright)
        outline = image.getchannel("A")
        if random.random() < 0.5:
            shadow(random, scene, image, left, top)
        scene.paste(image, (left, top), outline.filter(ImageFilter.GaussianBlur(soft)))
        solid = outline.point(lambda value: 255 if value > 96 else 0)
        sizes.append(max(1, int(np.count_nonzero(np.asarray(solid)))))
        owner.paste(len(sizes), (left, top), solid)
    return finished(random, scene), seen_boxes(np.asarray(owner), sizes)


def photographed(random, stock):
    """A piece of a photograph whose objects are known, perhaps with one more laid in."""
    image, wanted = stock.photographs[random.integers(len(stock.photographs))]
    whole = random.random() < 0.3
    low = np.zeros(2) if whole else random.uniform(0, 0.3, 2) * random.integers(0, 2, 2)
    high = np.ones(2) if whole else 1 - random.uniform(0, 0.3, 2) * random.integers(0, 2, 2)
    window = np.concatenate([low, high])
    edges = window * [image.height, image.width, image.height, image.width]
    scene = image.resize((SIZE, SIZE), Image.BOX, edges[[1, 0, 3, 2]])
    moved = (wanted - np.tile(low, 2)) / np.tile(high - low, 2)
    seen = np.clip(moved, 0, 1)
    area, whole_area = (np.prod(b[:, 2:] - b[:, :2], 1) for b in (seen, moved))
    wide = (seen[:, 2:] - seen[:, :2]).min(1) > 0.05
    seen = seen[wide & (area > 0.4 * whole_area)][:LIMIT]
    boxes = np.zeros((LIMIT, 4), np.float32)
    boxes[: len(seen)] = seen
    if len(seen) == 1 and random.random() < 0.25:
        size, y, x = random.uniform(0.15, 0.35), *random.uniform(0.1, 0.9, 2)
        image, left, top = placed(random, stock.object(random), size, y, x, 1)
        solid = Image.new("L", (SIZE, SIZE))
        solid.paste(255, (left, top), image.getchannel("A").point(lambda v: 255 * (v > 96)))
        scene.paste(image, (left, top), image.getchannel("A"))
        owner = np.asarray(solid) > 0
        boxes[1] = seen_boxes(owner, [np.count_nonzero(owner)])[0]
    return finished(random, scene), boxes


def composed(seed, stock, count, compose=compose):
    """`count` scenes and their boxes."""
    random = np.random.default_rng(seed)
    images = np.zeros((count, SIZE, SIZE, 3), np.uint8)
    boxes = np.zeros((count, LIMIT, 4), np.float32)
    for index in range(count):
        images[index], boxes[index] = compose(random, stock)
    return images, boxes
