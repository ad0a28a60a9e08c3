# SPDX-License-Identifier: Apache-2.0
"""A person who stands on y = -16, with the head of head.py: one unit is a decimetre."""

import numpy as np

import head
import shapes
from hand import Gesture, Hand
from render import Body
from textures import mixed, noise, rgb, rough

FLOOR = -16.0
RELAXED = Gesture(((14, 18, 12), (18, 24, 14), (22, 28, 16), (26, 30, 18)), 0.6, (30, 20, 8, 8))
WAVING = Gesture(((4, 6, 4),) * 4, 1.2)
#: Shoulder, elbow and wrist of the arm that waves and of the one that hangs; x to the right.
RAISED = ((-1.85, -2.45, -0.3), (-3.6, -4.2, 0.2), (-4.3, -1.7, 1.0))
HANGING = ((1.85, -2.45, -0.3), (2.75, -5.3, -0.4), (3.25, -7.9, 0.4))
#: Hip, knee and ankle of both legs.
LEGS = (
    ((-0.85, -8.2, -0.2), (-1.15, -12.0, 0.1), (-1.3, -15.3, -0.3)),
    ((0.85, -8.2, -0.2), (1.35, -12.0, 0.35), (1.75, -15.3, 0.0)),
)


def folds(points):
    """The relief of cloth: folds across, and threads."""
    return 0.7 * rough(points, (0.9, 1.6, 0.9), 2) + 0.3 * noise(points, 9.0)


def shirt_distance(points):
    folded = shapes.mirrored(points)
    chest = shapes.ellipsoid(points, (0, -3.9, -0.35), (1.75, 2.2, 1.0))
    waist = shapes.ellipsoid(points, (0, -6.3, -0.25), (1.4, 2.3, 0.92))
    shoulder = shapes.cone(folded, (0.45, -1.85, -0.35), (1.75, -2.4, -0.35), 0.38, 0.52)
    found = shapes.joined(shapes.joined(chest, waist, 0.8), shoulder, 0.6)
    for first, second, _ in (RAISED, HANGING):
        first, second = np.array(first), np.array(second)
        sleeve = shapes.cone(points, first, first + (second - first) * 0.62, 0.58, 0.62)
        found = shapes.joined(found, sleeve, 0.4)
    hole = shapes.ellipsoid(points, (0, -1.3, -0.05), (0.56, 0.62, 0.7))
    found = shapes.cut(found, hole, 0.08)
    hem = -8.3 - points[1]
    return shapes.displaced(np.maximum(found, hem), points, 0.05, folds)


def shirt_colour(points):
    stripe = np.sin(points[1] * 5.2) > 0.72
    return mixed(rgb("b8402f"), rgb("efe6d8"), stripe * 1.0) * (0.9 + 0.1 * noise(points, 12.0))


def trousers_distance(points):
    found = shapes.ellipsoid(points, (0, -8.3, -0.2), (1.5, 1.25, 0.98))
    for hip, knee, ankle in LEGS:
        leg = shapes.path(points, (hip, knee, ankle), (0.86, 0.62, 0.5), 0.3)
        found = shapes.joined(found, leg, 0.35)
    return shapes.displaced(found, points, 0.04, folds)


def trousers_colour(points):
    return mixed(rgb("22304a"), rgb("3d5172"), 0.5 + 0.6 * rough(points, (2, 1, 2)))


def arms_distance(points):
    found = None
    for places in (RAISED, HANGING):
        arm = shapes.path(points, places, (0.46, 0.38, 0.25), 0.2)
        found = arm if found is None else np.minimum(found, arm)
    return found


def shoes_distance(points):
    found = np.full(points.shape[1], 99, np.float32)
    for *_, (x, _, z) in LEGS:
        side = np.sign(x)
        toe = (x + 0.45 * side, FLOOR + 0.3, z + 1.5)
        shoe = shapes.cone(points, (x, FLOOR + 0.45, z - 0.1), toe, 0.48, 0.36)
        heel, ball = (x, FLOOR + 0.1, z - 0.1), (toe[0], FLOOR + 0.1, toe[2])
        sole = shapes.cone(points, heel, ball, 0.5, 0.4)
        shoe = shapes.joined(shoe, np.maximum(sole, points[1] - FLOOR - 0.22), 0.06)
        found = np.minimum(found, shoe)
    return found


def shoes_colour(points):
    return mixed(rgb("e9e4da"), rgb("3a3a40"), points[1] > FLOOR + 0.24)


def hand_at(places, gesture, is_left, scale=0.95):
    """A hand at the end of an arm, in the direction of the forearm."""
    elbow, wrist = (np.array(place, np.float32) for place in places[1:])
    up = (wrist - elbow) / np.linalg.norm(wrist - elbow)
    side = np.cross(up, (0, 0, 1))
    side /= np.linalg.norm(side)
    turn = np.stack([side, up, np.cross(side, up)], 1).astype(np.float32)
    place = wrist + up * (0.75 * scale)
    return Hand(gesture, tuple(place), turn, scale, is_left, forearm=0.4).body()


def bodies():
    """All of the person."""
    return head.bodies() + [
        Body(shirt_distance, shirt_colour, (0, -5, -0.3), 5.4, 0.03, 0.8),
        Body(trousers_distance, trousers_colour, (0, -11.6, -0.1), 5.2, 0.03, 0.8),
        Body(arms_distance, head.skin_colour, (-0.5, -5, 0), 5.4, 0.08, 0.45, 1.0),
        Body(shoes_distance, shoes_colour, (0.2, FLOOR + 0.3, 0.5), 3.2, 0.15, 0.4),
        hand_at(RAISED, WAVING, True),
        hand_at(HANGING, RELAXED, False),
    ]
