#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the images of the course again, all of them from what `martlet` writes.

    python3 Docs/Guide.docc/make_images.py [.build/release/martlet]

The same program gives the same bytes. Nothing but the standard library is needed.
"""

import base64
import os
import re
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
DIGITS = "Models/digits"
DIGIT = f"{DIGITS}/samples/digit_3.png"
LOCALIZER = "Models/localizer/localizer.tflite"
SCENE = "Models/localizer/samples/scene_1.png"

# The page's colors, which a drawing by itself does not have; the ground suits dark pages, too.
COLORS = {
    "--paper": "#fbfaf7", "--panel": "#ffffff", "--ink": "#1f2328", "--muted": "#57606a",
    "--line": "#dcd8cf", "--accent": "#14507a", "--bar": "#6c9bbd", "--bad": "#a3191f",
    "--good": "#1a6b35", "--warn": "#8a4b00", "--accent-soft": "#d3e3ef",
}
STYLE = (
    "<style>text{font:12px system-ui,sans-serif;fill:#1f2328}"
    ".faint{fill:#57606a;font-size:11px}.small{font-size:11px}</style>"
    '<rect width="100%" height="100%" style="fill:#ffffff"/>'
)


def section(page, name):
    """The part of a report's page under the heading with this id."""
    start = page.index(f'id="{name}-title"')
    return page[start : page.index("</section>", start)]


def drawing(page, name):
    """The first large drawing of a section, as a file of its own."""
    found = re.findall(r"<svg .*?</svg>", section(page, name), re.DOTALL)
    text = max(found, key=len)
    for variable, color in COLORS.items():
        text = text.replace(f"var({variable})", color)
    opening, rest = text.split(">", 1)
    return opening.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"') + ">" + STYLE + rest


def first_image(page, name):
    """The bytes of the first embedded PNG of a section."""
    found = re.search(r"data:image/png;base64,([A-Za-z0-9+/=]+)", section(page, name))
    return base64.b64decode(found.group(1))


def main():
    tool = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else f"{ROOT}/.build/release/martlet")

    def martlet(*arguments):
        subprocess.run([tool, *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def store(name, data):
        with open(f"{FOLDER}/{name}", "wb") as stream:
            stream.write(data)

    with tempfile.TemporaryDirectory() as folder:
        int8 = f"{DIGITS}/digits_int8.tflite"
        martlet("preprocess", int8, DIGIT, "--output-dir", folder)
        martlet("image", "resize", f"{folder}/input_0.png", f"{FOLDER}/input.png",
                "--size", "256x256", "--filter", "nearest")
        martlet("report", int8, "--image", DIGIT, "-o", f"{folder}/report.html")
        with open(f"{folder}/report.html", encoding="utf-8") as stream:
            page = stream.read()
        store("memory-plan.svg", drawing(page, "memory").encode())
        store("layer-errors.svg", drawing(page, "quantization").encode())
        with open(f"{folder}/maps.png", "wb") as stream:
            stream.write(first_image(page, "features"))
        martlet("image", "resize", f"{folder}/maps.png", f"{FOLDER}/feature-maps.png",
                "--size", "568x136", "--filter", "nearest")
        for name, threshold in (("scene.png", "0.4"), ("scene-all-boxes.png", "0.1")):
            martlet("detect", LOCALIZER, SCENE, "--threshold", threshold,
                    "--annotate", f"{FOLDER}/{name}")


if __name__ == "__main__":
    main()
