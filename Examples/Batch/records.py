#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records for `martlet worker`, one for each image of a folder; and what the engines share.

    records.py images > records.ndjson

A record's identifier is the image's path inside the folder, so that answers can be told apart
wherever they were computed.
"""

import argparse
import json
import os
import pathlib
import sys

SUFFIXES = {".png", ".jpg", ".jpeg", ".bmp", ".ppm", ".pgm", ".pbm"}


def records(source):
    """The records, one JSON text each: a folder's images in order, or the lines of a file."""
    source = pathlib.Path(source)
    if source.is_file():
        return [line for line in source.read_text("utf-8").split("\n") if line.strip()]
    if not source.is_dir():
        sys.exit(f"error: neither a folder nor a file of records ({source})")
    found = sorted(path for path in source.rglob("*") if path.suffix.lower() in SUFFIXES)
    if not found:
        sys.exit(f"error: no images in the folder ({source})")
    # The absolute path, because engines start the worker wherever they like.
    return [
        json.dumps({"id": path.relative_to(source).as_posix(), "path": os.path.abspath(path)})
        for path in found
    ]


def arguments(description, **options):
    """The command line of an engine: `options` are its own, each name with default and help."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--martlet", default="martlet", help="the program (default: %(default)s)")
    for name, (default, text) in options.items():
        parser.add_argument(
            f"--{name}", type=type(default), default=default, help=f"{text} (default: %(default)s)"
        )
    parser.add_argument("source", help="a folder of images, or a file of records")
    parser.add_argument("output", help="the answers, sorted by identifier")
    parser.add_argument(
        "worker", nargs=argparse.REMAINDER, help="options of martlet worker, such as --top 3"
    )
    given = parser.parse_args()
    # An image that cannot be read is an answer like others, not the end of its partition.
    given.command = [given.martlet, "worker", "--keep-going", *given.worker]
    return given


def write(answers, output):
    """Writes the answers in the order of their identifiers, with which each line begins.

    The file appears under its name when it is whole.
    """
    temporary = f"{output}.partial"
    with open(temporary, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{answer}\n" for answer in sorted(answers))
    os.replace(temporary, output)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.strip())
    print(*records(sys.argv[1]), sep="\n")
