# SPDX-License-Identifier: Apache-2.0
"""Pictures of shapes: rays followed by the distance to the nearest body.

A scene is a list of bodies, a camera, lamps and a background. Light comes from lamps with soft
shadows and from the sky, less of it in corners. Skin lets some red light through where it turns
away from a lamp. The same scene gives the same picture.
"""

import multiprocessing
from dataclasses import dataclass, field
from typing import Callable

import numpy as np

from shapes import length, unit, vector

FAR = 300.0
TILE = 48


@dataclass
class Body:
    """A shape of one material; `centre` and `radius` are a ball that holds all of it."""

    distance: Callable
    colour: Callable
    centre: tuple
    radius: float
    gloss: float = 0.1
    roughness: float = 0.5
    skin: float = 0.0


@dataclass
class Lamp:
    """A light in a direction; `softness` is how wide shadows get per distance."""

    direction: tuple
    colour: tuple
    softness: float = 0.12


@dataclass
class Camera:
    """Where one looks from and to; `width` is what fits across the picture at the target."""

    place: tuple
    target: tuple
    width: float


@dataclass
class Scene:
    bodies: list
    camera: Camera
    #: The linear color [3, count] behind everything, of places x, y in -1…1 and of directions.
    background: Callable
    lamps: list = field(default_factory=list)
    sky: tuple = (0.30, 0.33, 0.38)
    ground: tuple = (0.16, 0.14, 0.12)
    exposure: float = 1.0
    #: A level floor: its height, and its color in each place.
    floor: tuple = ()


def distances(scene, points):
    """The distance of the nearest body, and which it is.

    A body whose ball is far from a point is as near as its ball.
    """
    nearest = np.full(points.shape[1], FAR, np.float32)
    which = np.full(points.shape[1], -1, np.int16)
    for number, body in enumerate(scene.bodies):
        value = length(points - vector(*body.centre)) - body.radius
        close = value < 0.25
        if close.any():
            value[close] = body.distance(points[:, close])
        closer = value < nearest
        nearest[closer] = value[closer]
        which[closer] = number
    return nearest, which


def march(scene, origin, rays, limit=FAR, steps=110):
    """How far each ray goes until it meets a body, and which; -1 for none."""
    gone = np.full(rays.shape[1], 0.05, np.float32)
    met = np.full(rays.shape[1], -1, np.int16)
    going = np.arange(rays.shape[1])
    for _ in range(steps):
        if going.size == 0:
            break
        start = origin if origin.shape[1] == 1 else origin[:, going]
        near, which = distances(scene, start + rays[:, going] * gone[going])
        hit = near < 0.0006 + 0.0004 * gone[going] / 8
        met[going[hit]] = which[hit]
        gone[going] += np.where(hit, 0, near * 0.85)
        going = going[~hit & (gone[going] < limit)]
    return gone, met


def shadow(scene, points, lamp, reach=30.0, steps=40):
    """How much of a lamp each point sees, 0…1."""
    direction = unit(vector(*lamp.direction))
    gone = np.full(points.shape[1], 0.02, np.float32)
    seen = np.ones(points.shape[1], np.float32)
    going = np.arange(points.shape[1])
    for _ in range(steps):
        if going.size == 0:
            break
        near, _ = distances(scene, points[:, going] + direction * gone[going])
        width = lamp.softness * gone[going]
        share = np.clip(0.5 + 0.5 * near / np.maximum(width, 1e-4), 0, 1)
        seen[going] = np.minimum(seen[going], share)
        gone[going] += np.maximum(near * 0.8, 0.012)
        going = going[(seen[going] > 0.01) & (gone[going] < reach)]
    return seen * seen * (3 - 2 * seen)


def openness(scene, points, normals):
    """How much of the sky each point sees, 0…1: less in corners."""
    taken = np.zeros(points.shape[1], np.float32)
    weight = 1.0
    for reach in (0.03, 0.09, 0.25, 0.7):
        near, _ = distances(scene, points + normals * reach)
        taken += weight * np.maximum(reach - near, 0) / reach
        weight *= 0.75
    return np.clip(1 - 0.55 * taken, 0.05, 1)


def normals(body, points, width=0.0012):
    """The directions away from a body, by differences over a tetrahedron."""
    found = np.zeros_like(points)
    for corner in ((1, -1, -1), (-1, -1, 1), (-1, 1, -1), (1, 1, 1)):
        found += vector(*corner) * body.distance(points + vector(*corner) * width)
    return unit(found)


def lit(scene, body, points, facing, rays):
    """The light that leaves points of one body towards the camera."""
    colour = body.colour(points)
    up = facing[1] * 0.5 + 0.5
    sky = vector(*scene.ground) * (1 - up) + vector(*scene.sky) * up
    around = openness(scene, points, facing)
    # Light that went through skin comes back redder.
    bounce = around[None] ** vector(1 - 0.35 * body.skin, 1, 1 + 0.1 * body.skin)
    found = colour * sky * bounce
    for lamp in scene.lamps:
        direction = unit(vector(*lamp.direction))
        slope = (facing * direction).sum(0)
        seen = shadow(scene, points + facing * 0.01, lamp)
        wrap = vector(0.35, 0.12, 0.06) * body.skin
        share = np.clip((slope + wrap) / (1 + wrap), 0, 1)
        soft = seen[None] ** vector(1 - 0.4 * body.skin, 1, 1)
        found = found + colour * vector(*lamp.colour) * share * soft
        middle = unit(direction - rays)
        tight = 2 / max(body.roughness, 0.02) ** 2
        shine = np.clip((facing * middle).sum(0), 0, 1) ** tight * (tight + 8) / 40
        found = found + vector(*lamp.colour) * (body.gloss * shine * seen * (slope > 0))
    edge = np.clip(1 + (facing * rays).sum(0), 0, 1) ** 4
    return found + vector(*scene.sky) * (edge * around * (0.15 + body.gloss))


def floor_body(scene):
    """The height of the scene's floor, and the floor as a body."""
    height, colour = scene.floor
    return height, Body(lambda points: points[1] - height, colour, (0, height, 0), FAR, 0.02, 0.9)


def traced(scene, origin, rays, places):
    """The linear color [3, count] that comes along each ray."""
    gone, met = march(scene, origin, rays)
    found = np.array(scene.background(places, rays), np.float32)
    bodies = list(scene.bodies)
    if scene.floor:
        height, floor = floor_body(scene)
        way = (height - origin[1]) / np.minimum(rays[1], -1e-6)
        below = (met < 0) & (rays[1] < 0) & (way < FAR)
        gone[below], met[below] = way[below], len(bodies)
        bodies.append(floor)
    for number, body in enumerate(bodies):
        chosen = met == number
        if chosen.any():
            points = origin + rays[:, chosen] * gone[chosen]
            facing = normals(body, points)
            found[:, chosen] = lit(scene, body, points, facing, rays[:, chosen])
    return found


def directions(camera, places, aspect):
    """The rays through places x, y in -1…1 of a picture."""
    forward = unit(vector(*camera.target) - vector(*camera.place))
    right = unit(np.cross(forward[:, 0], (0, 1, 0)).astype(np.float32).reshape(3, 1))
    up = np.cross(right[:, 0], forward[:, 0]).astype(np.float32).reshape(3, 1)
    distance = float(length(vector(*camera.target) - vector(*camera.place))[0])
    half = camera.width / 2 / distance
    return unit(forward + right * (places[0] * half) + up * (places[1] * half / aspect))


def band(scene, width, height, samples, top, bottom):
    """Rows of a picture, linear; `samples` squared rays a pixel."""
    origin = vector(*scene.camera.place)
    found = np.zeros((bottom - top, width, 3), np.float32)
    for left in range(0, width, TILE):
        right = min(left + TILE, width)
        columns = (np.arange(left * samples, right * samples) + 0.5) / (width * samples) * 2 - 1
        rows = 1 - (np.arange(top * samples, bottom * samples) + 0.5) / (height * samples) * 2
        x, y = np.meshgrid(columns.astype(np.float32), rows.astype(np.float32))
        places = np.stack([x.ravel(), y.ravel()])
        colours = traced(scene, origin, directions(scene.camera, places, width / height), places)
        shown = shown_colour(colours * scene.exposure)
        square = shown.reshape(3, bottom - top, samples, right - left, samples)
        found[:, left:right] = square.mean((2, 4)).transpose(1, 2, 0)
    return found


def shown_colour(colours):
    """Linear light as a display shows it: bright parts are compressed."""
    light = np.maximum(colours, 0)
    mapped = light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14)
    return np.clip(mapped, 0, 1) ** (1 / 2.2)


def job(task):
    """One band of a scene that a function makes, so that processes can share the work."""
    make, width, height, samples, top = task
    return band(make(), width, height, samples, top, min(top + TILE, height))


def picture(make, width, height, samples=2, processes=None):
    """The scene that `make` returns as an array [height, width, 3] of bytes."""
    tasks = [(make, width, height, samples, top) for top in range(0, height, TILE)]
    with multiprocessing.Pool(processes) as pool:
        bands = pool.map(job, tasks, chunksize=1)
    return np.rint(np.concatenate(bands) * 255).astype(np.uint8)
