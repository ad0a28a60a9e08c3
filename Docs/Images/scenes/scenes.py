# SPDX-License-Identifier: Apache-2.0
"""The scenes: what stands where, in which light, before which background."""

import numpy as np

import figure
import head
import shapes
import things
from hand import OPEN, POINTING, VICTORY, Hand
from render import Body, Camera, Lamp, Scene
from textures import mixed, noise, rgb, rough, step

KEY = Lamp((0.55, 0.75, 0.9), (1.9, 1.75, 1.55), 0.16)
FILL = Lamp((-0.9, 0.25, 0.7), (0.32, 0.38, 0.48), 0.3)
RIM = Lamp((-0.6, 0.6, -0.9), (0.9, 0.9, 0.95), 0.2)


def blurred_room(places, rays):
    """A room out of focus: a wall, a bright window, a shelf, spots of light."""
    x, y = places
    found = mixed(rgb("6f7a80"), rgb("a8a79c"), step(-1, 1, y) + 0.2 * x)
    window = step(0.25, 0.45, x) * step(1.15, 0.9, x) * step(-0.25, 0.0, y)
    found = mixed(found, rgb("dfe8ee"), window * 0.85)
    shelf = step(-0.55, -0.75, x) * step(0.7, 0.5, y)
    found = mixed(found, rgb("5b4433"), shelf * 0.7)
    for cx, cy, size, code in (
        (-0.8, 0.3, 0.13, "b5533c"), (-0.72, -0.05, 0.11, "3f6b57"), (-0.93, -0.02, 0.1, "c9a44a"),
    ):
        spot = step(size * 1.25, size * 0.6, np.hypot(x - cx, y - cy))
        found = mixed(found, rgb(code), spot * 0.7)
    return found


def dark_room(places, rays):
    """A wall in the evening, out of focus."""
    x, y = places
    found = mixed(rgb("2c3a40"), rgb("4d5f63"), step(-1, 1, y) + 0.3 * x)
    glow = np.exp(-((x - 0.75) ** 2 + (y - 0.7) ** 2) / 0.12)
    return mixed(found, rgb("c9a778"), 0.6 * glow)


def pullover_distance(points):
    folded = shapes.mirrored(points)
    chest = shapes.ellipsoid(folded, (0, -3.0, -0.35), (1.35, 1.35, 0.75))
    shoulder = shapes.cone(folded, (0.5, -1.72, -0.4), (1.42, -2.15, -0.45), 0.32, 0.42)
    arm = shapes.cone(folded, (1.42, -2.15, -0.45), (1.75, -3.6, -0.4), 0.42, 0.36)
    found = shapes.joined(shapes.joined(chest, shoulder, 0.5), arm, 0.3)
    hole = shapes.ellipsoid(points, (0, -1.3, -0.1), (0.5, 0.42, 0.6))
    found = shapes.cut(found, hole, 0.1)
    turned = shapes.rotation("x", -22) @ (points - shapes.vector(0, -1.62, -0.14))
    collar = shapes.torus(turned, (0, 0, 0), 0.5, 0.08)
    found = shapes.joined(found, collar, 0.08)
    return shapes.displaced(found, points, 0.012, knit)


def knit(points):
    """The relief of a pullover: stitches, and folds of the cloth."""
    return 0.4 * np.sin(points[0] * 70) * np.sin(points[1] * 45) + 0.6 * noise(points, 3.0)


def pullover_colour(points):
    return mixed(rgb("1f4e5f"), rgb("2f6f83"), 0.5 + 0.5 * knit(points))


TABLE = -2.7


def table_distance(points):
    return shapes.box(points, (0, TABLE - 0.15, 1.6), (5, 0.15, 1.7), 0.06)


def portrait():
    """A head and shoulders facing the camera."""
    bodies = head.bodies() + [
        Body(pullover_distance, pullover_colour, (0, -2.8, -0.3), 2.6, 0.04, 0.8)
    ]
    camera = Camera((0, -0.1, 9.0), (0, -0.42, 0), 4.3)
    return Scene(bodies, camera, blurred_room, [KEY, FILL, RIM])


def table():
    """Somebody behind a table with a bottle and a plant in a pot."""
    bodies = head.bodies() + things.bottle((-1.75, TABLE, 1.7)) + things.plant((1.95, TABLE, 1.0))
    bodies += [
        Body(pullover_distance, pullover_colour, (0, -2.8, -0.3), 2.6, 0.04, 0.8),
        Body(table_distance, things.wood, (0, TABLE - 0.2, 1.2), 6.2, 0.2, 0.3),
    ]
    camera = Camera((0.3, 0.9, 14.0), (0.05, -0.75, 0), 6.4)
    return Scene(bodies, camera, blurred_room, [KEY, FILL, RIM])


def hands():
    """Three hands before a dark wall: an open one, a pointing one, one with two fingers up."""
    bodies = [
        Hand(OPEN, (-1.95, -0.25, 0), shapes.rotation("z", 5), is_left=True).body(),
        Hand(POINTING, (0.15, -0.3, 0.1)).body(),
        Hand(VICTORY, (1.95, -0.3, 0), shapes.rotation("z", -4)).body(),
    ]
    camera = Camera((0, 0.3, 14.0), (-0.1, 0.12, 0), 6.9)
    return Scene(bodies, camera, dark_room, [KEY, FILL, RIM], exposure=0.85)


def pavement(points):
    """Stone slabs with joints, as large as steps."""
    joint = np.minimum(*(np.abs(points[i] / 6 - np.round(points[i] / 6)) for i in (0, 2)))
    patches = 0.5 + 0.5 * rough(points, 0.6, 3)
    found = mixed(rgb("8a857c"), rgb("a8a296"), patches)
    found = mixed(rgb("57534c"), found, step(0.006, 0.014, joint))
    return mixed(found, rgb("6a8548"), step(-18, -22, points[2] + 3 * noise(points, 0.3)))


def park(places, rays):
    """Sky, trees and a lawn, out of focus."""
    x, y = places
    found = mixed(rgb("dfe8ef"), rgb("8fb2d6"), step(0.1, 1.0, y))
    crowns = np.stack([x * 3.0, y * 2.4, 0 * x]).astype(np.float32)
    leaves = rough(crowns, 1.6, 2)
    edge = 0.42 + 0.3 * noise(np.stack([x * 2.6, 0 * x, 0 * x]).astype(np.float32))
    trees = step(0.1, -0.1, y - edge)
    return mixed(found, mixed(rgb("35502b"), rgb("6f8f4a"), 0.5 + 0.7 * leaves), trees)


def standing():
    """A whole person who waves, in a park."""
    sun = Lamp((0.5, 0.9, 0.75), (2.3, 2.1, 1.75), 0.08)
    camera = Camera((-6, -3.0, 75.0), (-0.4, -7.1, 0), 17.5)
    return Scene(
        figure.bodies(), camera, park, [sun, FILL], (0.42, 0.5, 0.62), (0.26, 0.24, 0.2),
        floor=(figure.FLOOR, pavement),
    )
