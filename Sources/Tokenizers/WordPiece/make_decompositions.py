#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes CanonicalDecompositionTable.swift beside this file.

The package unicodedata2 (PyPI) has the Unicode data of its own version, whatever Python's is:
pip install unicodedata2; python3 make_decompositions.py
"""

import pathlib
import unicodedata2 as unicodedata

HEADER = """// SPDX-License-Identifier: Apache-2.0

// Made by make_decompositions.py of the data of Unicode {version}.

/// What code points become in canonical decomposition (Unicode Standard, section 3.7), apart from
/// Hangul syllables, whose decomposition is computed.
///
/// Code points and parts are written in the digits 0 to 9 and a to v, to the base 32. An entry is
/// the distance of its code point from that of the entry before, a colon and the parts, separated
/// by commas.
enum CanonicalDecompositionTable {{
  /// The entries, separated by spaces.
  static let entries = \"\"\"
"""


def base32(value: int) -> str:
    digits = ""
    while True:
        digits = "0123456789abcdefghijklmnopqrstuv"[value % 32] + digits
        value //= 32
        if value == 0:
            return digits


def main() -> None:
    words = []
    last = 0
    for value in range(0x110000):
        if 0xD800 <= value < 0xE000 or 0xAC00 <= value < 0xD7A4:
            continue
        parts = unicodedata.normalize("NFD", chr(value))
        if parts == chr(value):
            continue
        words.append(base32(value - last) + ":" + ",".join(base32(ord(part)) for part in parts))
        last = value
    lines = []
    line = ""
    for word in words:
        if len(line) + len(word) + 1 > 92:
            lines.append(line)
            line = ""
        line += word + " "
    lines.append(line.rstrip())
    text = HEADER.format(version=unicodedata.unidata_version)
    text += "\\\n".join("    " + line for line in lines) + '\n    """\n}\n'
    pathlib.Path(__file__).with_name("CanonicalDecompositionTable.swift").write_text(text)


main()
