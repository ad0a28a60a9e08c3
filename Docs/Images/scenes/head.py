# SPDX-License-Identifier: Apache-2.0
"""A head: about 2.4 high, looking along z, with the eyes at y = 0.05."""

import numpy as np

import shapes
from render import Body
from textures import mixed, noise, rgb, rough, step

SKIN, DEEP, LIPS = rgb("cf9877"), rgb("a8614c"), rgb("a8504c")
HAIR, STRAND = rgb("2b1a12"), rgb("5c3a24")
EYE = (0.30, 0.05, 0.585)
EYE_RADIUS = 0.165


def skull(points):
    """The head without features; points are mirrored."""
    found = shapes.ellipsoid(points, (0, 0.38, -0.12), (0.76, 0.86, 0.92))
    face = shapes.ellipsoid(points, (0, -0.22, 0.12), (0.6, 0.86, 0.66))
    found = shapes.joined(found, face, 0.3)
    jaw = shapes.cone(points, (0.5, -0.5, -0.05), (0.04, -0.93, 0.5), 0.15, 0.17)
    found = shapes.joined(found, jaw, 0.3)
    cheek = shapes.sphere(points, (0.4, -0.2, 0.42), 0.25)
    found = shapes.joined(found, cheek, 0.25)
    brow = shapes.capsule(points, (0.1, 0.27, 0.66), (0.45, 0.26, 0.5), 0.1)
    return shapes.joined(found, brow, 0.2)


def nose(points):
    """The ridge, the tip and the wings; points are mirrored."""
    found = shapes.cone(points, (0, 0.2, 0.68), (0, -0.25, 0.89), 0.06, 0.095)
    wing = shapes.ellipsoid(points, (0.105, -0.29, 0.79), (0.08, 0.07, 0.1))
    return shapes.joined(found, wing, 0.1)


def lips(points):
    """The distance of the upper and the lower lip; points are mirrored."""
    upper = shapes.path(
        points,
        ((0, -0.515, 0.835), (0.07, -0.5, 0.825), (0.18, -0.525, 0.79), (0.26, -0.535, 0.725)),
        (0.034, 0.04, 0.024, 0.01),
    )
    lower = shapes.path(
        points,
        ((0, -0.615, 0.815), (0.1, -0.602, 0.795), (0.25, -0.545, 0.73)),
        (0.055, 0.05, 0.014),
    )
    return upper, lower


def head_distance(points):
    """All of the head that is skin."""
    points = shapes.mirrored(points)
    found = skull(points)
    socket = shapes.ellipsoid(points, (0.29, 0.06, 0.83), (0.2, 0.13, 0.17))
    found = shapes.cut(found, socket, 0.14)
    lid = shapes.sphere(points, EYE, EYE_RADIUS + 0.03)
    found = shapes.joined(found, lid, 0.08)
    found = shapes.joined(found, nose(points), 0.12)
    nostril = shapes.ellipsoid(points, (0.06, -0.355, 0.84), (0.035, 0.028, 0.05))
    found = shapes.cut(found, nostril, 0.03)
    muzzle = shapes.ellipsoid(points, (0, -0.56, 0.58), (0.27, 0.22, 0.2))
    found = shapes.joined(found, muzzle, 0.16)
    groove = shapes.capsule(points, (0, -0.4, 0.86), (0, -0.48, 0.86), 0.03)
    found = shapes.cut(found, groove, 0.06)
    for lip in lips(points):
        found = shapes.joined(found, lip, 0.03)
    bent = points - shapes.vector(0, 1, 0) * (0.5 * points[0] ** 2)
    slit = shapes.ellipsoid(bent, (0, -0.558, 0.88), (0.22, 0.01, 0.14))
    found = shapes.cut(found, slit, 0.02)
    opening = np.maximum(shapes.lens(points, EYE, 0.155, 0.068), 0.3 - points[2])
    found = shapes.cut(found, opening, 0.02)
    return shapes.joined(found, ear(points), 0.05)


def ear(points):
    shell = shapes.ellipsoid(points, (0.75, -0.02, -0.12), (0.09, 0.27, 0.17))
    bowl = shapes.ellipsoid(points, (0.83, 0.03, -0.07), (0.05, 0.16, 0.09))
    return shapes.cut(shell, bowl, 0.05)


def skin_colour(points, redness=0.0):
    """Skin with patches and small spots."""
    patches = 0.5 + 0.5 * rough(points, 3.0)
    spots = 0.5 + 0.5 * noise(points, 40.0)
    return mixed(SKIN, DEEP, 0.12 * patches + 0.05 * spots + redness)


def head_colour(points):
    """Skin, lips, and the dark lines around the eyes and between the lips."""
    folded = shapes.mirrored(points)
    cheeks = np.exp(-(shapes.length(folded - shapes.vector(0.38, -0.25, 0.6)) / 0.25) ** 2)
    tip = np.exp(-(shapes.length(folded - shapes.vector(0, -0.27, 0.95)) / 0.15) ** 2)
    found = skin_colour(points, 0.3 * cheeks + 0.25 * tip)
    upper, lower = lips(folded)
    red = step(0.03, -0.002, np.minimum(upper, lower))
    found = mixed(found, LIPS, red * 0.9)
    line = step(0.02, 0.0, np.abs(folded[1] + 0.558 - 0.5 * folded[0] ** 2))
    line *= step(0.26, 0.2, folded[0]) * (folded[2] > 0.6)
    found = mixed(found, rgb("5a2a26"), line * 0.7)
    rim = shapes.lens(folded, EYE, 0.155, 0.068)
    lash = step(0.03, 0.005, rim) * step(-0.01, 0.03, folded[1] - EYE[1]) * (folded[2] > 0.5)
    found = mixed(found, rgb("1c110d"), lash * 0.9)
    under = step(0.015, 0.0, rim) * (folded[1] < EYE[1]) * (folded[2] > 0.5)
    found = mixed(found, rgb("6b3d33"), under * 0.6)
    return mixed(found, HAIR, 0.9 * brows(folded))


def eye_distance(points):
    return shapes.sphere(shapes.mirrored(points), EYE, EYE_RADIUS)


def eye_colour(points):
    """White, iris and pupil; the highlight is a reflection of the sky."""
    folded = shapes.mirrored(points)
    x, y = folded[0] - EYE[0], folded[1] - EYE[1]
    away = np.hypot(x, y)
    angle = np.arctan2(y, x)
    rays = 0.5 + 0.5 * np.sin(angle * 23 + 3 * np.sin(angle * 7))
    iris = mixed(rgb("4a2f1a"), rgb("8a6238"), rays * step(0.03, 0.07, away))
    iris = mixed(iris, rgb("20140c"), step(0.06, 0.074, away))
    white = mixed(rgb("efe7e0"), rgb("c79a8e"), step(0.1, 0.17, np.abs(x)) * 0.8)
    found = mixed(iris, white, step(0.07, 0.078, away))
    found = mixed(rgb("050404"), found, step(0.027, 0.034, away))
    shade = step(0.0, 0.075, y) * 0.55
    glint = step(0.016, 0.008, np.hypot(points[0] - np.sign(points[0]) * EYE[0] - 0.03, y - 0.03))
    return mixed(found * (1 - shade), rgb("ffffff") * 2, glint)


def brows(points):
    """How much of a place is eyebrow, 0…1; hairs are drawn out upwards and outwards."""
    flat = np.stack([points[0], points[1], 0 * points[2]])
    places = ((0.13, 0.285, 0), (0.22, 0.325, 0), (0.36, 0.335, 0), (0.5, 0.275, 0))
    found = shapes.path(flat, places, (0.022, 0.034, 0.03, 0.008))
    hairs = noise(np.stack([points[0] - 0.6 * points[1], points[1], points[2]]), (90, 16, 16))
    return step(0.012, -0.012, found + 0.02 * hairs) * (points[2] > 0)


def hair_distance(points):
    """Hair to below the ears, with a parting, open towards the face."""
    folded = shapes.mirrored(points)
    cap = shapes.ellipsoid(points, (0, 0.42, -0.18), (0.86, 0.92, 0.96))
    side = shapes.ellipsoid(folded, (0.72, -0.1, -0.22), (0.2, 0.75, 0.42))
    back = shapes.ellipsoid(points, (0, -0.2, -0.6), (0.72, 0.85, 0.45))
    found = shapes.joined(shapes.joined(cap, side, 0.25), back, 0.3)
    face = shapes.ellipsoid(points, (0.06, -0.2, 0.95), (0.62, 0.93, 0.85))
    found = shapes.cut(found, face, 0.12)
    parting = shapes.capsule(points, (-0.25, 1.36, 0.3), (-0.25, 1.4, -0.4), 0.03)
    found = shapes.cut(found, parting, 0.1)
    return shapes.displaced(found, points, 0.022, strands)


def strands(points):
    """Noise drawn out along the hair, which falls from the crown."""
    around = np.arctan2(points[0], points[2] + 0.3)
    return rough(np.stack([around, points[1] * 0.12, 0 * around]), (14, 6, 1), 3)


def hair_colour(points):
    return mixed(HAIR, STRAND, 0.4 + 0.9 * strands(points))


def neck_distance(points):
    points = shapes.mirrored(points)
    neck = shapes.cone(points, (0, -0.6, -0.15), (0, -1.75, -0.3), 0.36, 0.4)
    muscle = shapes.cone(points, (0.1, -1.1, -0.3), (0.85, -1.85, -0.42), 0.2, 0.16)
    return shapes.joined(neck, muscle, 0.4)


def bodies():
    """The parts of a head and its neck."""
    ball = (0, 0, 0)
    return [
        Body(head_distance, head_colour, ball, 1.5, 0.16, 0.42, 1.0),
        Body(eye_distance, eye_colour, (0, 0.05, 0.58), 0.5, 0.5, 0.08),
        Body(hair_distance, hair_colour, (0, 0.2, -0.2), 1.75, 0.35, 0.3),
        Body(neck_distance, skin_colour, (0, -1.3, -0.2), 1.7, 0.1, 0.45, 1.0),
    ]
