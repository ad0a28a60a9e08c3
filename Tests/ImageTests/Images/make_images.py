#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""JPEG images of many kinds, and what libjpeg makes of them.

    make_images.py write            the small set beside this script: NAME.jpg and NAME.ppm
    make_images.py check MARTLET    over 200 kinds in a temporary folder, compared with what
                                      `MARTLET image decode` makes of them

Needs NumPy, Pillow and libjpeg-turbo's cjpeg and djpeg; `check` also uses ImageMagick's convert.
Expected pixels come from `djpeg -dct int`: the accurate integer transform and chroma that is
smoothed. All images are computed here.
"""
import io
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image

FOLDER = pathlib.Path(__file__).parent

# Scans as cjpeg reads them: components, and for progressive files coefficients and bits.
SCANS = {
    "y_cbcr": "0;\n1 2;\n",
    "reversed": "2;\n0;\n1;\n",
    "bits": (
        "0,1,2: 0-0, 0, 3;\n0: 1-63, 0, 5;\n1: 1-10, 0, 0;\n2: 1-63, 0, 1;\n"
        "0,1,2: 0-0, 3, 2;\n0: 1-63, 5, 4;\n0: 1-63, 4, 3;\n0: 1-63, 3, 2;\n"
        "0,1,2: 0-0, 2, 1;\n0: 1-63, 2, 1;\n0: 1-20, 1, 0;\n0: 21-63, 1, 0;\n"
        "1: 11-63, 0, 0;\n2: 1-63, 1, 0;\n0,1,2: 0-0, 1, 0;\n"
    ),
}


def image(width, height, kind):
    """Waves, noise, a gradient, or a checkered pattern with saturated colors."""
    y, x = np.mgrid[0:height, 0:width].astype(float)
    if kind == "waves":
        planes = [
            128 + 100 * np.sin(x / 7 + y / 13), 128 + 100 * np.cos(x / 5 - y / 9),
            (x * 3 + y * 5) % 256,
        ]
    elif kind == "noise":
        planes = np.random.default_rng(width * 1000 + height).integers(0, 256, (3, height, width))
    elif kind == "gradient":
        across, down = x * 255 / max(1, width - 1), y * 255 / max(1, height - 1)
        planes = [across, down, 255 - (across + down) / 2]
    else:
        odd = (x // 9 + y // 6) % 2
        planes = [np.where(odd, 10, 250), np.where(odd, 200, 20), np.where(odd, 255, 30)]
    return Image.fromarray(np.clip(np.stack(planes, -1), 0, 255).astype(np.uint8))


def pillow(image, **options):
    file = io.BytesIO()
    image.save(file, "JPEG", **options)
    return file.getvalue()


def cjpeg(image, *options):
    """A file by cjpeg; `scans=NAME` stands for a file with that script."""
    with tempfile.TemporaryDirectory() as folder:
        words = []
        for option in options:
            if option.startswith("scans="):
                script = pathlib.Path(folder, "scans")
                script.write_text(SCANS[option.removeprefix("scans=")])
                words += ["-scans", script]
            else:
                words.append(option)
        file = io.BytesIO()
        image.save(file, "PPM")
        return subprocess.run(
            ["cjpeg", *words], input=file.getvalue(), check=True, capture_output=True).stdout


def convert(image, *options):
    file = io.BytesIO()
    image.save(file, "PNG")
    return subprocess.run(
        ["convert", "png:-", *options, "jpeg:-"], input=file.getvalue(), check=True,
        capture_output=True).stdout


def oriented(image, orientation, **options):
    exif = Image.Exif()
    exif[0x0112] = orientation
    return pillow(image, exif=exif, **options)


def as_ycck(file):
    """The same file, whose Adobe segment says that it holds YCCK."""
    start = file.index(b"Adobe")
    return file[:start + 11] + b"\2" + file[start + 12:]


def small_set():
    """The images that the tests read: few bytes, every kind of file once."""
    waves, pattern = image(37, 21, "waves"), image(26, 19, "pattern")
    noise = image(17, 18, "noise")
    cmyk = image(19, 13, "waves").convert("CMYK")
    yield "baseline-444", pillow(waves, quality=90, subsampling=0)
    yield "baseline-422", pillow(waves, quality=75, subsampling=1)
    yield "baseline-420", pillow(waves, quality=75, subsampling=2)
    yield "baseline-440", cjpeg(waves, "-sample", "1x2")
    yield "baseline-411", cjpeg(waves, "-sample", "4x1")
    yield "baseline-410", cjpeg(waves, "-sample", "4x2")
    yield "baseline-2x4", cjpeg(waves, "-sample", "2x4")
    yield "baseline-3x1", cjpeg(waves, "-sample", "3x1")
    yield "baseline-mixed", cjpeg(waves, "-sample", "2x2,2x1,1x2")
    yield "chroma-finer", cjpeg(pattern, "-sample", "1x1,2x2,2x2")
    yield "progressive-444", pillow(pattern, quality=85, subsampling=0, progressive=True)
    yield "progressive-420", pillow(waves, quality=85, subsampling=2, progressive=True)
    yield "progressive-restart", cjpeg(waves, "-progressive", "-restart", "1")
    yield "progressive-bits", cjpeg(waves, "scans=bits", "-sample", "2x1")
    yield "scans-y-cbcr", cjpeg(waves, "scans=y_cbcr", "-sample", "2x2")
    yield "scans-reversed", cjpeg(waves, "scans=reversed", "-sample", "2x2", "-restart", "3B")
    yield "restart-1-block", pillow(waves, quality=80, restart_marker_blocks=1)
    yield "restart-rows", pillow(waves, quality=80, restart_marker_rows=1)
    yield "grey", pillow(pattern.convert("L"), quality=80)
    yield "grey-progressive", pillow(waves.convert("L"), quality=80, progressive=True)
    yield "grey-2x2", cjpeg(waves, "-grayscale", "-sample", "2x2")
    yield "rgb", pillow(pattern, quality=90, keep_rgb=True)
    yield "cmyk", pillow(cmyk, quality=85)
    yield "cmyk-progressive", pillow(cmyk, quality=60, progressive=True)
    yield "ycck", as_ycck(pillow(cmyk, quality=90))
    yield "quality-1", pillow(noise, quality=1)
    yield "quality-100", pillow(noise, quality=100, subsampling=0)
    yield "extended-16-bit-tables", cjpeg(noise, "-quality", "1")
    yield "optimized", pillow(pattern, quality=70, optimize=True)
    yield "1x1", pillow(image(1, 1, "noise"))
    yield "1x1-progressive", pillow(image(1, 1, "pattern"), progressive=True)
    yield "8x8", pillow(image(8, 8, "gradient"), subsampling=0)
    yield "16x16", pillow(image(16, 16, "gradient"), subsampling=2)
    yield "1x40", pillow(image(1, 40, "gradient"), subsampling=2)
    yield "40x1", pillow(image(40, 1, "gradient"), subsampling=1)
    yield "orientation-6", oriented(image(12, 10, "gradient"), 6, quality=90)
    yield "orientation-3", oriented(image(12, 10, "gradient"), 3, progressive=True)


def large_set():
    """Kinds by the hundred, for `check`."""
    kinds = ["waves", "noise", "gradient", "pattern"]
    sizes = [
        (1, 1), (2, 2), (7, 9), (8, 8), (9, 8), (16, 16), (17, 15), (33, 31), (64, 48), (97, 61),
        (1, 40), (40, 1), (15, 16),
    ]
    for index, (width, height) in enumerate(sizes):
        for subsampling in range(3):
            for progressive in (False, True):
                number = 6 * index + 2 * subsampling + progressive
                yield f"pillow-{width}x{height}-{subsampling}-{progressive:d}", pillow(
                    image(width, height, kinds[number % 4]), subsampling=subsampling,
                    quality=[1, 20, 50, 75, 90, 95, 100][number % 7], progressive=progressive,
                    optimize=number % 2 == 1)
    for quality in (1, 2, 5, 10, 25, 50, 75, 85, 95, 100):
        for number, kind in enumerate(kinds):
            yield f"quality-{quality}-{kind}", pillow(
                image(50, 37, kind), quality=quality, subsampling=number % 3)
    for width, height in [(1, 1), (13, 5), (64, 64), (31, 47)]:
        for progressive in (False, True):
            waves = image(width, height, "waves")
            name = f"{width}x{height}-{progressive:d}"
            cmyk = pillow(waves.convert("CMYK"), quality=80, progressive=progressive)
            yield f"grey-{name}", pillow(waves.convert("L"), quality=80, progressive=progressive)
            yield f"cmyk-{name}", cmyk
            yield f"ycck-{name}", as_ycck(cmyk)
    for number in (1, 2, 5):
        yield f"restart-{number}", pillow(image(70, 50, "waves"), restart_marker_blocks=number)
        for progressive in (False, True):
            yield f"restart-rows-{number}-{progressive:d}", pillow(
                image(70, 50, "noise"), restart_marker_rows=number, quality=60,
                progressive=progressive)
    for orientation in range(1, 9):
        yield f"orientation-{orientation}", oriented(image(12, 10, "gradient"), orientation)
    factors = ["1x1", "2x1", "1x2", "2x2", "4x1", "1x4", "4x2", "3x1", "2x1,1x2,1x1", "3x2"]
    for sampling in factors:
        for interlace in ("none", "JPEG"):
            yield f"magick-{sampling}-{interlace}", convert(
                image(75, 43, "waves"), "-sampling-factor", sampling, "-interlace", interlace,
                "-quality", "82")
        for options in (["-progressive"], ["-optimize", "-restart", "2B"]):
            yield f"cjpeg-{sampling}{options[0]}", cjpeg(
                image(83, 59, "noise"), "-sample", sampling, *options)
    yield "magick-cmyk", convert(image(40, 30, "gradient"), "-colorspace", "CMYK")
    yield "magick-grey", convert(image(40, 30, "gradient"), "-colorspace", "Gray")
    for script in SCANS:
        for sampling in ("1x1", "2x1", "2x2"):
            for restart in ([], ["-restart", "2"]):
                yield f"scans-{script}-{sampling}-{len(restart)}", cjpeg(
                    image(61, 45, "waves"), "scans=" + script, "-sample", sampling, *restart)
    yield "large", cjpeg(image(1000, 701, "waves"), "-sample", "2x2")


def expected(file):
    """libjpeg's pixels as a PPM file."""
    output = subprocess.run(
        ["djpeg", "-dct", "int", "-pnm"], input=file, check=True,
        capture_output=True).stdout
    ppm = io.BytesIO()
    Image.open(io.BytesIO(output)).convert("RGB").save(ppm, "PPM")
    return ppm.getvalue()


def write():
    total = 0
    for name, file in small_set():
        ppm = expected(file)
        (FOLDER / f"{name}.jpg").write_bytes(file)
        (FOLDER / f"{name}.ppm").write_bytes(ppm)
        total += len(file) + len(ppm)
    print(f"{total} bytes")


def check(martlet):
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, file in [*small_set(), *large_set()]:
            source, output = pathlib.Path(folder, "x.jpg"), pathlib.Path(folder, "x.npy")
            source.write_bytes(file)
            subprocess.run([martlet, "image", "decode", source, "--output", output], check=True)
            ours = np.load(output).astype(int)
            theirs = np.asarray(Image.open(io.BytesIO(expected(file)))).astype(int)
            difference = int(abs(ours[..., :3] - theirs).max())
            if difference:
                print(f"{name}: differs by up to {difference}")
            counts[difference] = counts.get(difference, 0) + 1
    for difference, count in sorted(counts.items()):
        print(f"{count} images differ by at most {difference}")
    return set(counts) <= {0, 1}


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["write"]:
            write()
        case ["check", program]:
            sys.exit(0 if check(program) else 1)
        case _:
            sys.exit(__doc__)
