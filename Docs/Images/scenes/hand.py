# SPDX-License-Identifier: Apache-2.0
"""A right hand that shows its palm along z, fingers up; its palm is about 1 wide and 1.1 high.

A gesture bends and spreads the fingers; a mirrored hand is a left one.
"""

from dataclasses import dataclass

import numpy as np

import shapes
from render import Body
from textures import mixed, noise, rgb, rough, step

PALM, CREASE, NAIL = rgb("d39a7c"), rgb("9a5646"), rgb("e0b0a0")
#: Where fingers begin, how long their three parts are, how thick, and how they are spread.
FINGERS = (
    ((0.40, 0.56, 0.0), (0.52, 0.31, 0.24), 0.125, -9.0),
    ((0.13, 0.63, 0.02), (0.57, 0.36, 0.26), 0.13, -1.5),
    ((-0.14, 0.58, 0.01), (0.53, 0.34, 0.25), 0.123, 5.0),
    ((-0.38, 0.46, -0.02), (0.41, 0.25, 0.21), 0.108, 14.0),
)
THUMB = ((0.36, -0.25, 0.14), (0.46, 0.38, 0.30), 0.165)


@dataclass(frozen=True)
class Gesture:
    """Degrees: three bends for each finger from the index on, and more spread."""

    bends: tuple
    spread: float = 1.0
    #: The thumb: how far it points away from the fingers, towards the palm, and its bends.
    thumb: tuple = (48.0, 12.0, 8.0, 8.0)


STRAIGHT, BENT = (4.0, 5.0, 4.0), (80.0, 100.0, 62.0)
OPEN = Gesture((STRAIGHT,) * 4, 1.15)
VICTORY = Gesture((STRAIGHT, STRAIGHT, BENT, BENT), 2.3, (-14.0, 52.0, 30.0, 40.0))
POINTING = Gesture((STRAIGHT, BENT, BENT, BENT), 0.5, (-8.0, 52.0, 30.0, 38.0))


class Finger:
    """Joints of a finger, their radii, and the frame of its last part."""

    def __init__(self, base, parts, radius, frame, bends):
        self.places, self.radii = [np.array(base, np.float32)], [radius * 1.04]
        for part, bend, thin in zip(parts, bends, (0.97, 0.9, 0.76)):
            frame = frame @ shapes.rotation("x", bend)
            self.places.append(self.places[-1] + part * frame[:, 1])
            self.radii.append(radius * thin)
        self.frame = frame

    def distance(self, points):
        found = shapes.path(points, self.places, self.radii, 0.03)
        for place, radius in zip(self.places[1:-1], self.radii[1:-1]):
            found = shapes.joined(found, shapes.sphere(points, place, radius * 1.06), 0.05)
        return found

    def local(self, points):
        """Points as seen from the middle of the last part: y to the tip, z to the palm's side."""
        tip = self.places[-1].reshape(3, 1)
        return self.frame.T @ (points - tip)


class Hand:
    """A hand of one gesture, turned, made larger and put somewhere."""

    def __init__(self, gesture, place=(0, 0, 0), turn=None, scale=1.0, is_left=False, forearm=1.7):
        self.place, self.scale, self.is_left = shapes.vector(*place), scale, is_left
        self.turn = np.eye(3, dtype=np.float32) if turn is None else turn
        self.forearm = forearm
        self.fingers = []
        for (base, parts, radius, spread), bends in zip(FINGERS, gesture.bends):
            frame = shapes.rotation("z", spread * gesture.spread)
            self.fingers.append(Finger(base, parts, radius, frame, bends))
        away, inward, *bends = gesture.thumb
        frame = shapes.rotation("z", -away) @ shapes.rotation("x", inward)
        frame = frame @ shapes.rotation("y", -55)
        base, parts, radius = THUMB
        self.fingers.append(Finger(base, parts, radius, frame, (0.0, *bends)))

    def local(self, points):
        """Points of the scene as the hand sees them."""
        found = self.turn.T @ (points - self.place) / self.scale
        return found * shapes.vector(-1, 1, 1) if self.is_left else found

    def palm(self, points):
        found = shapes.cone(points, (0.0, -0.42, 0), (0.34, 0.5, 0), 0.2, 0.15)
        for place, radius in (((0.12, 0.56, 0), 0.16), ((-0.13, 0.52, 0), 0.15),
                              ((-0.33, 0.42, -0.02), 0.14)):
            part = shapes.cone(points, (-0.06, -0.42, 0), place, 0.2, radius)
            found = shapes.joined(found, part, 0.1)
        ball = shapes.ellipsoid(points, (0.24, -0.16, 0.12), (0.22, 0.32, 0.15))
        edge = shapes.ellipsoid(points, (-0.27, -0.1, 0.06), (0.17, 0.4, 0.15))
        found = shapes.joined(shapes.joined(found, ball, 0.12), edge, 0.12)
        hollow = shapes.ellipsoid(points, (0.0, 0.1, 0.3), (0.2, 0.3, 0.16))
        found = shapes.cut(found, hollow, 0.15)
        end, radius = (0, -0.5 - self.forearm, -0.05), 0.235 + 0.055 * self.forearm
        wrist = shapes.cone(points, (0, -0.5, -0.02), end, 0.235, radius)
        return shapes.joined(found, wrist, 0.2)

    def distance(self, points):
        points = self.local(points)
        found = self.palm(points)
        for finger in self.fingers:
            found = shapes.joined(found, finger.distance(points), 0.06)
        return found * self.scale

    def colour(self, points):
        """Skin with creases at joints and in the palm, redder finger tips, and nails."""
        points = self.local(points)
        patches = 0.5 + 0.5 * rough(points, 3.0)
        found = mixed(PALM, CREASE, 0.18 * patches + 0.05 * noise(points, 45.0))
        lines = np.zeros(points.shape[1], np.float32)
        for start, bend, end in (
            ((0.5, 0.3), (0.1, 0.36), (-0.35, 0.16)), ((0.5, 0.24), (0.16, 0.14), (-0.2, -0.25)),
            ((0.47, 0.2), (0.08, 0.02), (0.02, -0.4)),
        ):
            lines = np.maximum(lines, self.crease(points, start, bend, end))
        lines *= step(0.0, 0.06, points[2]) * step(0.6, 0.45, points[1])
        for finger in self.fingers:
            local = finger.local(points)
            nail = np.hypot(local[0] / 0.075, local[1] / 0.11)
            on = step(1.05, 0.9, nail) * step(-0.02, -0.05, local[2])
            found = mixed(found, NAIL, on)
            tip = step(0.28, 0.05, shapes.length(local))
            found = mixed(found, CREASE, 0.25 * tip * (1 - on))
            for place in finger.places[:-1]:
                axis = finger.places[-1] - finger.places[0]
                axis = (axis / np.linalg.norm(axis)).reshape(3, 1)
                away = points - place.reshape(3, 1)
                ring = np.abs((away * axis).sum(0))
                near = shapes.length(away) < 0.2
                lines = np.maximum(lines, 0.8 * step(0.018, 0.004, ring) * near)
        return mixed(found, CREASE, 0.6 * lines)

    @staticmethod
    def crease(points, start, bend, end):
        """A line in the palm through three places."""
        flat = np.stack([points[0], points[1], 0 * points[2]])
        found = np.full(points.shape[1], 9, np.float32)
        last = np.array((*start, 0), np.float32)
        for share in np.linspace(0.2, 1, 5):
            place = (1 - share) ** 2 * np.array(start) + share**2 * np.array(end)
            place = np.array((*(place + 2 * share * (1 - share) * np.array(bend)), 0), np.float32)
            found = np.minimum(found, shapes.capsule(flat, last, place, 0.0))
            last = place
        return step(0.016, 0.003, found)

    def body(self):
        """The hand as a part of a scene, with some of the forearm."""
        centre = self.turn @ np.array((0, 0.3 - self.forearm / 2, 0), np.float32) * self.scale
        place = tuple(float(value) for value in self.place[:, 0] + centre)
        radius = (1.6 + self.forearm / 2) * self.scale
        return Body(self.distance, self.colour, place, radius, 0.1, 0.45, 1.0)
