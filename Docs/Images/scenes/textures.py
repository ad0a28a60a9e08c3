# SPDX-License-Identifier: Apache-2.0
"""Noise and colors in space. Colors are linear, as light adds up, in 0…1."""

import numpy as np


def rgb(code):
    """The linear color [3, 1] of six hexadecimal digits."""
    values = np.array([int(code[place : place + 2], 16) for place in (0, 2, 4)], np.float32) / 255
    return (values**2.2).reshape(3, 1)


def mixed(first, second, share):
    """The first color at 0, the second at 1."""
    return first + (second - first) * np.clip(share, 0, 1)


def step(low, high, values):
    """A smooth ramp from 0 at `low` to 1 at `high`."""
    share = np.clip((values - low) / (high - low), 0, 1)
    return share * share * (3 - 2 * share)


def lattice(x, y, z):
    """A value in 0…1 for each corner of a lattice, from its whole coordinates."""
    mixed_bits = x * 374761393 + y * 668265263 + z * 2147483647
    mixed_bits = (mixed_bits ^ (mixed_bits >> 13)) * 1274126177
    mixed_bits ^= mixed_bits >> 16
    return (mixed_bits & 0xFFFF).astype(np.float32) / 0xFFFF


def noise(points, scale=1.0):
    """Smooth noise in -1…1 whose cells have the size 1 / scale; scales of x, y, z may differ."""
    places = points * np.broadcast_to(np.asarray(scale, np.float32), (3,)).reshape(3, 1)
    floor = np.floor(places)
    part = places - floor
    part = part * part * (3 - 2 * part)
    corner = floor.astype(np.int64)
    found = np.zeros(points.shape[1], np.float32)
    for index in range(8):
        offset = np.array([index & 1, index >> 1 & 1, index >> 2]).reshape(3, 1)
        weight = np.where(offset == 1, part, 1 - part).prod(0)
        found += weight * lattice(*((corner + offset) & 0xFFFF))
    return found * 2 - 1


def rough(points, scale, octaves=3):
    """Noise of several sizes, in about -1…1."""
    scales = np.broadcast_to(np.asarray(scale, np.float32), (3,))
    return sum(noise(points + 7.3 * n, scales * 2**n) / 2**n for n in range(octaves)) / 1.5
