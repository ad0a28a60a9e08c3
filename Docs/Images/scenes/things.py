# SPDX-License-Identifier: Apache-2.0
"""Things that stand on a table; a place is the middle of where they stand."""

import numpy as np

import shapes
from render import Body
from textures import mixed, noise, rgb, rough, step


def profile(points, heights, radii):
    """A thing turned on a lathe: its radius at heights, in between smooth; a bound near it."""
    away = np.hypot(points[0], points[2])
    wanted = np.interp(points[1], heights, radii).astype(np.float32)
    side = (away - wanted) * 0.75
    return np.maximum(side, np.abs(points[1] - heights[-1] / 2) - heights[-1] / 2)


BOTTLE_HEIGHTS = (0, 0.04, 1.45, 1.58, 1.7, 1.82, 1.95, 2.55, 2.56, 2.68, 2.7)
BOTTLE_RADII = (0.3, 0.34, 0.34, 0.325, 0.27, 0.19, 0.14, 0.12, 0.145, 0.145, 0.13)


def bottle(place):
    """A green wine bottle with a label and a dark capsule."""
    origin = shapes.vector(*place)

    def distance(points):
        return profile(points - origin, BOTTLE_HEIGHTS, BOTTLE_RADII)

    def colour(points):
        local = points - origin
        found = mixed(rgb("0d2a17"), rgb("2f6b3a"), step(0.26, 0.34, np.abs(local[0])) * 0.9)
        label = step(0.34, 0.36, local[1]) * step(1.12, 1.1, local[1]) * (local[2] > -0.1)
        lines = (np.sin(local[1] * 42) > 0.55) * (np.abs(local[0]) < 0.2) * (local[1] < 0.85)
        paper = mixed(rgb("efe8d6"), rgb("6b5a48"), lines * 0.8)
        band = step(0.06, 0.04, np.abs(local[1] - 0.98))
        found = mixed(found, mixed(paper, rgb("8a2730"), band), label)
        return mixed(found, rgb("5a1620"), step(2.0, 2.03, local[1]))

    middle = (place[0], place[1] + 1.35, place[2])
    return [Body(distance, colour, middle, 1.45, 0.6, 0.12)]


def leaf(points, places, width):
    """A flat leaf along three places, widest in the middle."""
    found = np.full(points.shape[1], 99, np.float32)
    for first, second in zip(places, places[1:]):
        way = second - first
        long = np.linalg.norm(way)
        across = np.cross(way / long, (0, 1, 0.001))
        across /= np.linalg.norm(across)
        frame = np.stack([across, way / long, np.cross(across, way / long)]).astype(np.float32)
        local = frame @ (points - ((first + second) / 2).reshape(3, 1))
        found = np.minimum(found, shapes.ellipsoid(local, (0, 0, 0), (width, long * 0.62, 0.022)))
    return found


def leaves():
    """Where the leaves of a plant begin, bend and end: around by the golden angle."""
    for number in range(26):
        turn, height = number * 2.39996, number / 25
        out = np.array((np.cos(turn), 0, np.sin(turn)), np.float32)
        up = np.array((0, 1, 0), np.float32)
        start = 0.06 * out + up * (0.7 + 0.3 * height)
        bend = start + out * (0.5 - 0.3 * height) + up * (0.35 + 0.6 * height)
        tip = bend + out * (0.42 - 0.15 * height) + up * (0.5 * height - 0.12)
        yield (start, bend, tip), 0.1 + 0.03 * (1 - height)


def plant(place):
    """A pot of clay with a plant of many leaves."""
    origin = shapes.vector(*place)

    def pot(points):
        return profile(points - origin, (0, 0.6, 0.61, 0.76, 0.78), (0.3, 0.42, 0.47, 0.48, 0.45))

    def clay(points):
        return mixed(rgb("a4583a"), rgb("c27a56"), 0.5 + 0.5 * rough(points, 4.0))

    def leaf_colour(points):
        return mixed(rgb("1f5a25"), rgb("5f9a3c"), 0.5 + 0.6 * noise(points, 5.0))

    x, y, z = place
    found = [Body(pot, clay, (x, y + 0.4, z), 0.75, 0.05, 0.6)]
    for places, width in leaves():
        middle = sum(places[1:], places[0]) / 3
        radius = max(np.linalg.norm(each - middle) for each in places) + width
        centre = tuple(float(value) for value in middle + origin[:, 0])
        found.append(Body(grown(origin, places, width), leaf_colour, centre, radius, 0.15, 0.4))
    return found


def grown(origin, places, width):
    """The distance of a leaf of a plant that stands somewhere."""
    return lambda points: leaf(points - origin, places, width) * 0.8


def wood(points):
    """Boards with the rings of a tree."""
    rings = noise(points * shapes.vector(0.35, 3, 3), 1.0) * 6 + points[2] * 2
    return mixed(rgb("7a5232"), rgb("b08458"), 0.5 + 0.5 * np.sin(rings * 2.2))
