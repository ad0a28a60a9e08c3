#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes features.txt: what the C code of the audio front end makes of drawn sound.

    make_features.py

The package `pymicro-features` has TensorFlow Lite's `microfrontend` with microWakeWord's options.
A line of features.txt has the 40 integers of a row. The sound is that of `DrawnSound` in
FrontEndTests.swift: eight parts of 100 ms, each noise and a square wave of some volume.
"""

from pathlib import Path

import struct

from pymicro_features import MicroFrontend

PARTS = ((3, 40), (30, 7), (1000, 90), (9000, 23), (32767, 61), (1, 11), (300, 5), (5000, 160))
PART, HOP = 1600, 160


def sound():
    state = 12345
    for index in range(PART * len(PARTS)):
        volume, period = PARTS[index // PART]
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        noise = (state >> 16) % (2 * volume + 1) - volume
        wave = volume // 2 if (index // period) % 2 else -(volume // 2)
        yield max(-32768, min(32767, noise + wave))


def main():
    samples = list(sound())
    front_end = MicroFrontend()
    rows = []
    for start in range(0, len(samples), HOP):
        block = samples[start:start + HOP]
        row = front_end.process_samples(struct.pack(f"<{HOP}h", *block)).features
        if row:
            rows.append(" ".join(str(round(value * 256 / 10)) for value in row))
    path = Path(__file__).parent / "features.txt"
    path.write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
