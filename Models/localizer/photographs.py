# SPDX-License-Identifier: Apache-2.0
"""Cut-outs and photographs from Debian packages, as additional material for scenes.

None of them is part of this repository, and training works without them. To have them, name a
folder into which these packages (Debian 12) were unpacked:

    apt-get download tuxpaint-stamps-default openclipart-png gcompris-qt-data \\
      gnome-backgrounds mate-backgrounds plasma-workspace-wallpapers \\
      lomiri-wallpapers-16.04 lomiri-wallpapers-20.04
    for package in *.deb; do dpkg -x "$package" images; done
    python3 train.py --images images

Their licenses, from the packages' copyright files: openclipart-png is dedicated to the public
domain; tuxpaint-stamps-default, plasma-workspace-wallpapers and most of mate-backgrounds are
GPL-2 or later; gnome-backgrounds and the lomiri-wallpapers are CC BY or CC BY-SA, a few CC0; the
photographs of gcompris-qt-data are CC BY-SA, GPL-3 or in the public domain. The boxes around their
objects, in boxes.tsv, were drawn for this project.
"""

import glob
import os
import struct
import warnings
from io import BytesIO

import numpy as np
from PIL import Image

import objects

warnings.simplefilter("ignore", Image.DecompressionBombWarning)

OUTLINED = {
    "usr/share/tuxpaint/stamps": (
        "animals clothes food hobbies household medical military people plants seasonal space "
        "sports town vehicles"
    ),
    "usr/share/openclipart/png": (
        "animals buildings containers electronics food people plants tools transportation"
    ),
}
# Photographs without one clear object in them.
SCENERY = (
    "picosdeeuropa life_by Dragonfly_by RainDrops Picture_1A Blinds sunset_by wood-l wood-d "
    "aitzgorri Dune Bridge_by Path OneStandsOut Autumn ColorfulCups Storm EveningGlow FallenLeaf "
    "ColdRipple Wood.jpg BytheWater Kite summer_1am DarkestHour GreenMeadow Kleiber Volna "
    "greentock analogpattern Flowerbed Sandstone Stones Road Waterfalls Godafoss Icescape Fabric "
    "Dark_Ivy Mirror Waves.jpg Bokeh"
).split()


def opened(path, most):
    """An image of at most so many pixels, or None where a file is none that can be used."""
    try:
        with Image.open(path) as image:
            if image.width * image.height > most:
                return None
            image.draft("RGB", (900, 900))
            image.load()
            return image
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def usable(pixels):
    """Whether an RGBA image shows an outlined thing rather than a frame or a thin drawing."""
    solid = pixels[..., 3] > 128
    if min(solid.shape) < 40 or not 0.2 < solid.mean() < 0.93:
        return False
    return np.unique(pixels[solid][:, :3] // 24, axis=0).shape[0] >= 8


def cutouts(folder):
    """Outlined images, RGBA; photographs and drawings of things apart, in this order."""
    found = []
    for root, names in OUTLINED.items():
        group = []
        for name in names.split():
            pattern = os.path.join(folder, root, name, "**", "*.png")
            for path in sorted(glob.glob(pattern, recursive=True)):
                group += cutout(path)
        found.append(group)
    return found


def cutout(path):
    image = opened(path, 4_000_000)
    if image is None:
        return []
    image = image.convert("RGBA")
    image.thumbnail((objects.SIZE * 5 // 4,) * 2, Image.BOX)
    pixels = objects.trimmed(np.asarray(image))
    return [pixels] if usable(pixels) else []


def scenery(folder, size, random, count):
    """`count` pieces of photographs, uint8 [size, size, 3]."""
    pattern = os.path.join(folder, "usr/share", "*", "**", "*.*")
    whole, seen = [], set()
    for path in sorted(glob.glob(pattern, recursive=True)):
        name = next((n for n in SCENERY if n in path), None)
        if name is None or name in seen or not path.endswith((".jpg", ".webp", ".png")):
            continue
        image = opened(path, 20_000_000)
        if image is not None and min(image.size) > 300:
            image.thumbnail((900, 900))
            whole.append(image.convert("RGB"))
            seen.add(name)
    pieces = []
    for _ in range(count if whole else 0):
        image = whole[random.integers(len(whole))]
        side = random.uniform(0.35, 1) * min(image.size)
        ratio = random.uniform(0.75, 1.33)
        w, h = min(image.width, side * ratio), min(image.height, side / ratio)
        x, y = random.uniform(0, image.width - w), random.uniform(0, image.height - h)
        pieces.append(np.asarray(image.resize((size, size), Image.BOX, (x, y, x + w, y + h))))
    return pieces


def boxed(folder):
    """Photographs of single things and the hand-drawn boxes around them."""
    here = os.path.dirname(os.path.abspath(__file__))
    resources, found = {}, []
    with open(os.path.join(here, "boxes.tsv")) as stream:
        rows = [line.split("\t") for line in stream if not line.startswith("#")]
    for name, numbers in rows:
        resource, index = name.split(".")[0].rsplit("_", 1)
        if resource not in resources:
            path = os.path.join(folder, "usr/share/gcompris-qt/rcc", resource + ".rcc")
            resources[resource] = carved(path) if os.path.exists(path) else []
        if int(index) < len(resources[resource]):
            image = opened(BytesIO(resources[resource][int(index)]), 20_000_000)
            boxes = np.array(numbers.split(), np.float32).reshape(-1, 4) / 100
            found.append((image.convert("RGB"), boxes))
    return found


def carved(path):
    """The images inside a Qt resource file, each behind its length."""
    with open(path, "rb") as stream:
        data = stream.read()
    found = []
    for magic in (b"RIFF", b"\xff\xd8\xff", b"\x89PNG"):
        place = data.find(magic)
        while place >= 0:
            length = struct.unpack(">I", data[place - 4 : place])[0] if place >= 4 else 0
            fits = 2000 < length < 3_000_000 and place + length <= len(data)
            if fits:
                found.append(data[place : place + length])
            place = data.find(magic, place + (length if fits else 4))
    return found
