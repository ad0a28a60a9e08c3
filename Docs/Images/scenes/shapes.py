# SPDX-License-Identifier: Apache-2.0
"""Signed distances of simple shapes, and ways to join them.

Points are float32 arrays [3, count]. A distance is negative inside of a shape and never more than
the true one, or only slightly, so that a ray can be followed by steps of it.
"""

import numpy as np


def vector(*values):
    """A point or direction as a column that broadcasts over points."""
    return np.array(values, np.float32).reshape(3, 1)


def length(points):
    """The Euclidean norm of each column."""
    return np.sqrt(np.einsum("in,in->n", points, points))


def unit(points):
    """Columns of length 1."""
    return points / np.maximum(length(points), 1e-9)


def rotation(axis, degrees):
    """A rotation about the axis `x`, `y` or `z`, counterclockwise as seen from its end."""
    turn = np.radians(degrees)
    cosine, sine = np.cos(turn), np.sin(turn)
    first, second = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    found = np.eye(3, dtype=np.float32)
    found[first, first] = found[second, second] = cosine
    found[first, second], found[second, first] = -sine, sine
    return found


def mirrored(points):
    """The points on the side x ≥ 0 of a shape that is its own mirror image."""
    return np.stack([np.abs(points[0]), points[1], points[2]])


def sphere(points, centre, radius):
    return length(points - vector(*centre)) - radius


def ellipsoid(points, centre, radii):
    """An ellipsoid with axes along x, y and z; a bound that is good near the surface."""
    away = points - vector(*centre)
    near = length(away / vector(*radii))
    steep = length(away / vector(*(radius * radius for radius in radii)))
    return near * (near - 1) / np.maximum(steep, 1e-6)


def along(points, start, end):
    """Where on a segment the nearest place is, 0…1, and how far it is away."""
    start, end = vector(*start), vector(*end)
    way = end - start
    away = points - start
    share = np.clip((way * away).sum(0) / float((way * way).sum()), 0, 1)
    return share, length(away - way * share)


def cone(points, start, end, first, second):
    """A segment with thickness that goes from one radius to another; round at the ends."""
    share, distance = along(points, start, end)
    return distance - (first + (second - first) * share)


def capsule(points, start, end, radius):
    return along(points, start, end)[1] - radius


def box(points, centre, half, rounding=0.0):
    """A box with rounded edges; `half` is half its extent."""
    away = np.abs(points - vector(*centre)) - vector(*half) + rounding
    return length(np.maximum(away, 0)) + np.minimum(away.max(0), 0) - rounding


def cylinder(points, centre, radius, half, rounding=0.0, axis=1):
    """A cylinder along an axis (0, 1, 2) with rounded edges; `half` is half its height."""
    away = points - vector(*centre)
    across = [index for index in range(3) if index != axis]
    side = np.hypot(away[across[0]], away[across[1]]) - radius + rounding
    ends = np.abs(away[axis]) - half + rounding
    outside = np.hypot(np.maximum(side, 0), np.maximum(ends, 0))
    return np.minimum(np.maximum(side, ends), 0) + outside - rounding


def torus(points, centre, radius, thickness, axis=1):
    away = points - vector(*centre)
    across = [index for index in range(3) if index != axis]
    ring = np.hypot(away[across[0]], away[across[1]]) - radius
    return np.hypot(ring, away[axis]) - thickness


def lens(points, centre, half_width, half_height):
    """An almond in the plane of x and y, as long as one likes in z."""
    radius = (half_width * half_width + half_height * half_height) / (2 * half_height)
    x, y = points[0] - centre[0], points[1] - centre[1]
    lift = radius - half_height
    return np.maximum(np.hypot(x, y + lift), np.hypot(x, y - lift)) - radius


def joined(first, second, blend):
    """The union of two shapes with a rounded seam; `blend` is about how wide it is."""
    overlap = np.maximum(blend - np.abs(first - second), 0) / blend
    return np.minimum(first, second) - overlap * overlap * (blend / 4)


def cut(first, second, blend):
    """The first shape without the second, with a rounded edge."""
    return -joined(-first, second, blend)


def path(points, places, radii, blend=0.02):
    """Cones from place to place, joined."""
    found = None
    for start, end, first, second in zip(places, places[1:], radii, radii[1:]):
        part = cone(points, start, end, first, second)
        found = part if found is None else joined(found, part, blend)
    return found


def displaced(distance, points, depth, relief):
    """A surface with a relief of -1…1 times `depth`, which is computed close to it only."""
    close = np.abs(distance) < 3 * depth
    found = distance - depth
    found[close] = distance[close] + depth * relief(points[:, close])
    return found
