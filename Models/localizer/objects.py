# SPDX-License-Identifier: Apache-2.0
"""Objects drawn from shaded parts: things, plants, vehicles, creatures and people.

An object is an RGBA image (uint8) whose alpha channel is its outline. A part is a superellipse,
perhaps with a wavy or furry edge, shaded as if it were round and lit from one side.
"""

import numpy as np
from PIL import Image, ImageDraw

import textures

SIZE = 144
Y, X = np.mgrid[-1 : 1 : SIZE * 1j, -1 : 1 : SIZE * 1j].astype(np.float32)


class Canvas:
    """The object in the making, with the light that falls on it."""

    def __init__(self, random):
        self.random = random
        self.paint = np.zeros((SIZE, SIZE, 3), np.float32)
        self.alpha = np.zeros((SIZE, SIZE), np.float32)
        angle = random.uniform(0, 2 * np.pi)
        tilt = random.uniform(0.3, 1)
        self.light = np.array([tilt * np.cos(angle), -abs(tilt * np.sin(angle)), 0.7])
        self.light /= np.linalg.norm(self.light)
        self.ambient = random.uniform(0.3, 0.85)
        self.gloss = random.choice([0, 0, random.uniform(0, 0.8)])
        self.fur = noise_edge(random) if random.random() < 0.35 else None

    def surface(self, base=None):
        return textures.texture(self.random, SIZE, SIZE, base)

    def part(self, cx, cy, rx, ry, surface, angle=0.0, power=2.0, waves=(), flat=False):
        """Adds one superellipse; `waves` are (count, strength, phase) of its outline."""
        dx, dy = X - cx, Y - cy
        cosine, sine = np.cos(angle), np.sin(angle)
        u, v = (dx * cosine + dy * sine) / rx, (dy * cosine - dx * sine) / ry
        radius = (np.abs(u) ** power + np.abs(v) ** power) ** (1 / power)
        if waves:
            around = np.arctan2(v, u)
            radius = radius / (1 + sum(s * np.cos(n * around + p) for n, s, p in waves))
        if self.fur is not None:
            radius = radius + self.fur * 0.12
        cover = np.clip((1 - radius) * min(rx, ry) * SIZE / 2 + 0.5, 0, 1)
        if not flat:
            height = np.sqrt(np.clip(1 - radius**2, 0, 1))
            facing = (u * cosine - v * sine, u * sine + v * cosine, height)
            lit = np.clip(sum(a * b for a, b in zip(facing, self.light)), 0, 1)
            surface = surface * (self.ambient + (1.1 - self.ambient) * lit)[..., None]
            surface = surface + (self.gloss * lit**24)[..., None]
        self.lay(surface, cover)

    def lay(self, surface, cover):
        keep = (1 - cover)[..., None]
        self.paint = self.paint * keep + surface * cover[..., None]
        self.alpha = self.alpha * (1 - cover) + cover

    def polygon(self, points, surface, shade=1.0):
        """Adds a polygon given in -1…1."""
        mask = Image.new("L", (2 * SIZE, 2 * SIZE))
        ImageDraw.Draw(mask).polygon([((x + 1) * SIZE, (y + 1) * SIZE) for x, y in points], 255)
        cover = np.asarray(mask.resize((SIZE, SIZE), Image.BOX), np.float32) / 255
        self.lay(np.clip(surface * shade, 0, 1), cover)

    def image(self):
        colours = self.paint / np.maximum(self.alpha, 1e-3)[..., None]
        pixels = np.dstack([colours, self.alpha])
        return (np.clip(pixels, 0, 1) * 255).astype(np.uint8)


def noise_edge(random):
    return textures.noise(random, SIZE, SIZE, 24, 2, 0.8) - 0.5


def waves(random, strength):
    return [(n, random.normal(0, strength / n), random.uniform(0, 6.3)) for n in range(2, 7)]


def blob(canvas, random):
    """A stone, a fruit, a loaf, a cushion."""
    rx, ry = random.uniform(0.4, 0.9, 2)
    shape = waves(random, random.choice([0.05, 0.3, 0.6]))
    power = random.choice([2, 2, 3, 6])
    canvas.part(0, 0, rx, ry, canvas.surface(), random.uniform(0, 3), power, shape)
    for _ in range(random.integers(0, 3)):
        x, y = random.uniform(-0.4, 0.4, 2)
        canvas.part(x, y, *random.uniform(0.1, 0.35, 2), canvas.surface(), random.uniform(0, 3))


def box(canvas, random):
    """A box seen from one edge."""
    w, h, d = random.uniform(0.3, 0.8), random.uniform(0.3, 0.8), random.uniform(0.05, 0.5)
    lean, top = random.uniform(-0.6, 0.6), random.uniform(0.05, 0.4)
    front = canvas.surface()
    sides = front if random.random() < 0.6 else canvas.surface()
    left, right, low, high = -w, w, h, -h + d * top * 2
    back = [(left + lean * d, high - d * top * 2), (right + lean * d, high - d * top * 2)]
    canvas.polygon([(left, high), *back, (right, high)], sides, random.uniform(0.9, 1.2))
    edge = [(right, low), (right + lean * d, low - d * top)] if lean > 0 else None
    edge = edge or [(left, low), (left + lean * d, low - d * top)]
    corner = (right, high) if lean > 0 else (left, high)
    canvas.polygon([corner, edge[0], edge[1], back[1 if lean > 0 else 0]], sides, 0.6)
    canvas.polygon([(left, high), (right, high), (right, low), (left, low)], front, 0.9)
    if random.random() < 0.5:
        lettering(canvas, random, -w * 0.7, w * 0.7, high + 0.1, low - 0.1)


def lettering(canvas, random, left, right, top, bottom):
    """Rows of small blocks, as print looks from afar."""
    ink = np.broadcast_to(textures.colour(random), (SIZE, SIZE, 3))
    y, step = top, random.uniform(0.08, 0.2)
    while y + step < bottom:
        x = left
        while x < right:
            w = min(random.uniform(0.03, 0.2), right - x)
            canvas.polygon([(x, y), (x + w, y), (x + w, y + step / 2), (x, y + step / 2)], ink)
            x += w + 0.04
        y += step


def vessel(canvas, random):
    """A bottle, vase, cup or pot: a profile turned around an upright axis."""
    knots = random.integers(3, 7)
    profile = np.interp(
        np.linspace(0, knots - 1, SIZE), np.arange(knots), random.uniform(0.15, 0.75, knots)
    )
    if random.random() < 0.5:
        neck = int(SIZE * random.uniform(0.1, 0.4))
        profile[:neck] = random.uniform(0.1, 0.3)
    kernel = np.ones(9) / 9
    profile = np.convolve(np.pad(profile, 4, "edge"), kernel, "valid")[:, None]
    inside = np.abs(Y) < 0.92
    cover = np.clip((profile - np.abs(X)) * SIZE / 2, 0, 1) * inside
    across = np.clip(X / profile, -1, 1)
    lit = np.clip(across * canvas.light[0] + np.sqrt(1 - across**2) * canvas.light[2], 0, 1)
    surface = canvas.surface()
    if random.random() < 0.5:
        band = np.abs(Y - random.uniform(-0.2, 0.5)) < random.uniform(0.1, 0.35)
        surface = np.where(band[..., None], canvas.surface(), surface)
    lit = canvas.ambient + (1.1 - canvas.ambient) * lit
    shine = canvas.gloss * np.exp(-(((across + 0.4) / 0.08) ** 2))
    canvas.lay(np.clip(surface * lit[..., None] + shine[..., None], 0, 1), cover.astype(np.float32))
    if random.random() < 0.3:
        canvas.part(0, -0.9, profile[4, 0], 0.05, canvas.surface(), flat=True)


def creature(canvas, random):
    """A four-legged animal, a bird or a fish from the side; or one that sits."""
    fur = textures.colour(random, 0.75)
    skin = canvas.surface(fur)
    stance = random.choice(["stands", "sits", "flies"])
    bx, by = random.uniform(0.4, 0.6), random.uniform(0.22, 0.38)
    bend = random.uniform(-0.3, 0.3)
    if stance == "sits":
        bx, by, bend = by * 1.1, bx, 0
    legs = random.integers(2, 5) if stance == "stands" else random.integers(0, 3)
    length = random.uniform(0.3, 0.6)
    for x in np.linspace(-bx * 0.75, bx * 0.75, legs) if legs else []:
        canvas.part(x, by * 0.6 + length / 2, 0.07, length / 2 + 0.1, skin, random.normal(0, 0.15))
    tail = random.uniform(0.2, 0.5)
    canvas.part(bx + tail / 2, random.uniform(-0.2, 0.3), tail, 0.06, skin, random.normal(0, 0.7))
    canvas.part(0, 0, bx, by, skin, bend, 2.2, waves(random, 0.1))
    if random.random() < 0.5:
        canvas.part(0.05, 0, bx * 0.6, by * 0.5, canvas.surface(), random.normal(0, 0.4))
    if stance == "flies":
        canvas.part(0.1, -0.3, 0.2, 0.55, canvas.surface(fur), random.normal(0.4, 0.4))
    size = random.uniform(0.2, 0.36)
    hx = -bx * random.uniform(0.7, 1.1) if stance != "sits" else random.uniform(-0.15, 0.15)
    hy = -by - size * random.uniform(0, 0.6)
    head(canvas, random, hx, hy, size, skin)


def head(canvas, random, x, y, size, skin):
    """A head with ears, eyes and a muzzle or beak."""
    for side in (-1, 1):
        ear = random.uniform(0.2, 0.5) * size
        canvas.part(x + side * size * 0.7, y - size * 0.8, ear * 0.6, ear, skin, side * 0.4)
    canvas.part(x, y, size, size * random.uniform(0.8, 1.1), skin, 0, 2.2)
    canvas.part(x - 0.1 * size, y + 0.4 * size, size * 0.45, size * 0.35, canvas.surface())
    dark = np.full((SIZE, SIZE, 3), random.uniform(0, 0.2), np.float32)
    for side in (-1, 1):
        canvas.part(x + side * size * 0.4, y - size * 0.1, size * 0.14, size * 0.14, dark)
    canvas.part(x - 0.1 * size, y + 0.35 * size, size * 0.15, size * 0.1, dark)


def person(canvas, random):
    """A person, whole or to the waist."""
    canvas.fur = None
    hue = np.array([0.9, 0.7, 0.55], np.float32) * random.uniform(0.35, 1.08)
    skin = canvas.surface(np.clip(hue, 0, 1)) * 0.3 + hue * 0.7
    shirt, trousers = canvas.surface(), canvas.surface()
    hair = np.broadcast_to(textures.colour(random, 0.9) * 0.6, (SIZE, SIZE, 3))
    if random.random() < 0.5:
        for side in (-1, 1):
            canvas.part(side * 0.13, 0.6, 0.11, 0.42, trousers, side * random.normal(0, 0.12), 3)
        for side in (-1, 1):
            spread = side * random.uniform(0, 0.9)
            sleeve = (skin, shirt)[random.integers(2)]
            canvas.part(side * 0.3, -0.1, 0.07, 0.33, sleeve, -spread)
        canvas.part(0, -0.08, random.uniform(0.2, 0.32), 0.4, shirt, 0, 3)
        canvas.part(0, -0.66, 0.15, 0.18, hair)
        canvas.part(0, -0.62, 0.13, 0.17, skin)
    else:
        canvas.part(0, 0.95, random.uniform(0.6, 0.95), 0.75, shirt, 0, 2.6)
        canvas.part(0, 0.2, 0.18, 0.25, skin, 0, 3)
        canvas.part(0, -0.3, random.uniform(0.4, 0.5), random.uniform(0.5, 0.62), hair)
        canvas.part(0, -0.2, 0.34, 0.46, skin)
        dark = np.full((SIZE, SIZE, 3), 0.12, np.float32)
        for x, y, w, h in [(-0.14, -0.25, 0.06, 0.03), (0.14, -0.25, 0.06, 0.03)]:
            canvas.part(x, y, w, h, dark)
        canvas.part(0, 0.03, 0.12, 0.03, np.full((SIZE, SIZE, 3), [0.6, 0.2, 0.2], np.float32))


def flower(canvas, random):
    """Petals around a middle, perhaps on a stalk with leaves."""
    petals, reach = random.integers(4, 22), random.uniform(0.45, 0.7)
    petal = canvas.surface(textures.colour(random, 0.1))
    cy = 0.0
    if random.random() < 0.5:
        cy, green = -0.4, canvas.surface(np.array([0.2, 0.45, 0.15], np.float32))
        reach *= 0.7
        canvas.part(0, 0.4, 0.04, 0.55, green, random.normal(0, 0.1))
        canvas.part(0.2, 0.5, 0.3, 0.09, green, random.normal(-0.5, 0.3))
    for row in range(random.integers(1, 3)):
        scale = 1 - 0.35 * row
        for angle in np.arange(petals) * 2 * np.pi / petals + row:
            x, y = np.cos(angle) * reach * 0.55 * scale, np.sin(angle) * reach * 0.55 * scale
            width = min(0.35, 2.2 * reach / petals) * scale
            canvas.part(x, cy + y, reach * 0.5 * scale, width, petal, angle)
    middle = random.uniform(0.1, 0.4) * reach
    canvas.part(0, cy, middle, middle, canvas.surface())


def vehicle(canvas, random):
    """A car, van, bus or cart from the side."""
    canvas.fur = None
    body = canvas.surface(textures.colour(random, 0.4)) * 0.3 + textures.colour(random, 0.4) * 0.7
    glass = np.broadcast_to(textures.colour(random, 1) * 0.5, (SIZE, SIZE, 3))
    dark = np.full((SIZE, SIZE, 3), random.uniform(0.02, 0.2), np.float32)
    height = random.uniform(0.15, 0.5)
    shift, cab = random.uniform(-0.3, 0.3), random.uniform(0.3, 0.8)
    canvas.part(shift, -height * 0.7, cab, height, body, 0, random.uniform(2.5, 6))
    canvas.part(shift, -height * 0.8, cab * 0.85, height * 0.65, glass, 0, 4)
    canvas.part(shift, -height * 0.8, 0.03, height * 0.7, body, 0, 4, flat=True)
    canvas.part(0, 0.15, random.uniform(0.8, 0.97), random.uniform(0.2, 0.35), body, 0, 5)
    for x in (-0.55, 0.55):
        canvas.part(x, 0.4, 0.2, 0.2, dark)
        canvas.part(x, 0.4, 0.1, 0.1, canvas.surface(np.full(3, 0.6, np.float32)))


def sign(canvas, random):
    """A sign, a book, a screen: a flat shape with print on it."""
    canvas.fur = None
    w, h = random.uniform(0.4, 0.9, 2)
    sides = random.choice([4, 4, 4, 3, 8, 40])
    turn = np.pi / sides if sides in (4, 8) else -np.pi / 2
    angles = np.arange(sides) * 2 * np.pi / sides + turn
    points = [(w * np.cos(a), h * np.sin(a)) for a in angles]
    canvas.polygon([(1.08 * x, 1.08 * y) for x, y in points], canvas.surface())
    canvas.polygon(points, canvas.surface())
    lettering(canvas, random, -w * 0.5, w * 0.5, -h * 0.5, h * 0.5)


def plate(canvas, random):
    """Food or things in a heap, perhaps on a plate."""
    if random.random() < 0.7:
        canvas.part(0, 0.1, 0.93, random.uniform(0.4, 0.93), canvas.surface(), 0, 2)
    for _ in range(random.integers(2, 12)):
        x, y = random.normal(0, 0.28, 2)
        size = random.uniform(0.12, 0.4, 2)
        shape = waves(random, 0.2)
        canvas.part(x, y, *size, canvas.surface(), random.uniform(0, 3), 2.2, shape)


KINDS = [blob, box, vessel, creature, person, flower, vehicle, sign, plate]
SHARES = [0.15, 0.08, 0.11, 0.26, 0.12, 0.08, 0.08, 0.04, 0.08]


def draw(random):
    """One object, RGBA, cut to its outline."""
    canvas = Canvas(random)
    KINDS[random.choice(len(KINDS), p=SHARES)](canvas, random)
    return trimmed(canvas.image())


def trimmed(image):
    """The part of an RGBA image where something is."""
    solid = image[..., 3] > 40
    rows, columns = np.flatnonzero(solid.any(1)), np.flatnonzero(solid.any(0))
    if len(rows) < 4 or len(columns) < 4:
        return image
    return image[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
