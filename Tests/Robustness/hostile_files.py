# SPDX-License-Identifier: Apache-2.0
"""Draws images, archives, arrays and documents that cost much, or have much of one thing, for
`sweep`.

`LENGTHS` are families of files with so many elements of a kind; `COSTS` are files of at most a few
megabytes that declare much. Each has the name that its file gets, the function that draws it, and
the commands that read it, where FILE stands for its path, and MODEL and DETECTOR for those of small models.
"""

import json
import struct
import zlib


def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(
        ">I", zlib.crc32(kind + data))


def png(width, height, before=b"", data=None, color=0, interlaced=0):
    """A PNG file; its pixels are black unless `data`, the chunks of image data, is given."""
    if data is None:
        data = png_chunk(b"IDAT", zlib.compress(bytes(height * (width + 1)), 9))
    header = struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, interlaced)
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + before + data
            + png_chunk(b"IEND", b""))


def png_data_chunks(count):
    """Image data in chunks of no byte."""
    data = png_chunk(b"IDAT", zlib.compress(bytes(12), 9))
    return png(2, 4, data=png_chunk(b"IDAT", b"") * count + data)


def png_of_zeros(side, interlaced=0):
    """All of a large image as a few kilobytes for each million pixels."""
    packer = zlib.compressobj(9)
    row = bytes(side + 1)
    data = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    return png(side, side, data=png_chunk(b"IDAT", data), interlaced=interlaced)


def jpeg_segment(marker, data):
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def jpeg(width, height, scans, between=b"", marker=0xC2):
    """A gray JPEG file of these scans: (first and last coefficient, bit positions, data)."""
    # One code of each length 1 for the tables: a DC difference of 0, a run of 2^14 blocks.
    tables = jpeg_segment(0xC4, b"\0" + b"\1" + bytes(15) + b"\0") + jpeg_segment(
        0xC4, b"\x10" + b"\1" + bytes(15) + b"\xE0")
    frame = jpeg_segment(marker, struct.pack(">BHHB", 8, height, width, 1) + b"\1\x11\0")
    quantization = jpeg_segment(0xDB, b"\0" + b"\1" * 64)
    body = b"".join(
        jpeg_segment(0xDA, bytes([1, 1, 0, *span])) + data for *span, data in scans)
    return b"\xFF\xD8" + between + quantization + frame + tables + body + b"\xFF\xD9"


def empty_scans(side, count):
    """As many scans as there may be, each of which says in a few bytes that no block changes: first
    the constants, then each coefficient, from its highest bit to its lowest."""
    blocks = (side // 8) ** 2
    scans = [(0, 0, 0, bytes((blocks + 7) // 8))]
    # 0 and 14 bits 1: a run of 2^15 - 1 blocks.
    bits = "011111111111111" * -(-blocks // ((1 << 15) - 1))
    # The last run ends with the image.
    rest = blocks % ((1 << 15) - 1)
    if rest >= 1 << 14:
        bits = bits[:-14] + f"{rest - (1 << 14):014b}"
    bits += "1" * (-len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xFF", b"\xFF\0")
    for coefficient in range(1, 64):
        for bit in range(13, -1, -1):
            scans.append((coefficient, coefficient, (0 if bit == 13 else bit + 1) << 4 | bit, data))
    return jpeg(side, side, scans[:count + 1])


def zip_file(entries, directory=None):
    """An archive of (name, method, stored bytes, size, checksum); the directory may list others:
    each entry as often as `directory` says."""
    data, places = bytearray(), []
    for name, method, stored, size, check in entries:
        fields = struct.pack("<HHHIIIIHH", 20, 0, method, 0x00210000, check, len(stored), size,
                             len(name), 0)
        places.append((name, fields, len(data)))
        data += b"PK\3\4" + fields + name + stored
    start = len(data)
    count = 0
    for name, fields, place in places * (directory or 1):
        data += b"PK\1\2" + struct.pack("<H", 20) + fields + struct.pack(
            "<HHHII", 0, 0, 0, 0, place) + name
        count += 1
    listed = min(count, 0xFFFF)
    return bytes(data) + b"PK\5\6" + struct.pack(
        "<HHHHIIH", 0, 0, listed, listed, len(data) - start, start, 0)


def stored(name, data):
    return (name.encode(), 0, data, len(data), zlib.crc32(data))


def deflated(name, data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(data) + packer.flush()
    return (name.encode(), 8, packed, len(data), zlib.crc32(data))


def many_entries(count):
    return zip_file([stored(f"{i}.npy", b"") for i in range(count)])


def nested_archives(depth):
    data = b"innermost"
    for _ in range(min(depth, 3000)):
        data = zip_file([stored("inner.zip", data)])
    return data


def npy(text, data=b"", version=1):
    length = struct.pack("<H" if version == 1 else "<I", len(text) + 1)
    return b"\x93NUMPY" + bytes([version, 0]) + length + text.encode() + b"\n" + data


def npy_header(text):
    """An array whose header is `text`, in the version that can hold it."""
    return npy(text, version=1 if len(text) < 60_000 else 2)


def shape(dimensions, kind="<f4"):
    return f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({dimensions}), }}"


def cases(index):
    """An archive of golden cases with this index."""
    return zip_file([stored("cases.json", index), stored("a/model.tflite", b"TFL3"),
                     stored("a/out_0.npy", b"")])


def bomb(name, size):
    return zip_file([deflated(name, bytes(size))])


def overlapping(count, size):
    """Entries that all share the same stored bytes."""
    return zip_file([deflated("0.npy", bytes(size))], directory=count)


def truth(annotations):
    return json.dumps({
        "images": [{"id": 1, "file_name": "seen.png"}], "annotations": annotations,
        "categories": [{"id": 1, "name": "thing"}]}).encode()


BOX = {"image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1]}
IMAGE = [["image", "info", "FILE"], ["label", "MODEL", "FILE"]]
ARRAY = [["run", "MODEL", "--input", "FILE"], ["image", "encode", "FILE", "--output", "OUT"]]
ARCHIVE = [["verify", "FILE"], ["compare", "FILE", "FILE"], ["run", "MODEL", "--input", "FILE"]]
TRUTH = [["eval", "DETECTOR", "FOLDER", "--truth", "FILE", "--task", "detect", "--limit", "9"]]
LINES = [["eval", "MODEL", "FOLDER", "--truth", "FILE", "--limit", "9"]]
LABELS = [["label", "MODEL", "IMAGE", "--labels", "FILE"]]
METADATA = [["metadata", "add", "MODEL", "--output", "OUT", "--json-file", "FILE"]]

LENGTHS = {
    "texts in a PNG": ("a.png", lambda n: png(2, 2, png_chunk(b"tEXt", b"a\0b") * n), IMAGE),
    "empty data chunks in a PNG": ("a.png", png_data_chunks, IMAGE),
    "comments in a JPEG": (
        "a.jpg", lambda n: jpeg(8, 8, [(0, 0, 0, b"\0")], jpeg_segment(0xFE, b"") * n), IMAGE),
    "scans of a JPEG": ("a.jpg", lambda n: empty_scans(1024, n), IMAGE),
    "digits of a PNM's width": ("a.ppm", lambda n: b"P6 " + b"0" * n + b"1 1 255\nabc", IMAGE),
    "comments in a PNM": ("a.ppm", lambda n: b"P6\n" + b"#\n" * n + b"1 1 255\nabc", IMAGE),
    "entries of an archive": ("a.zip", many_entries, ARCHIVE),
    "archives in archives": ("a.zip", nested_archives, ARCHIVE),
    "arrays in an npz": (
        "a.npz", lambda n: zip_file([stored(f"{i}.npy", npy(shape("1,"), bytes(4)))
                                     for i in range(n)]), ARCHIVE),
    "axes of an array": ("a.npy", lambda n: npy_header(shape("1," * n)), ARRAY),
    "parentheses in an array's header": (
        "a.npy", lambda n: npy_header(shape("(" * n + ")" * n)), ARRAY),
    "spaces in an array's header": ("a.npy", lambda n: npy_header(" " * n + shape("1,")), ARRAY),
    "lists in a document": ("a.json", lambda n: b"[" * n + b"]" * n, TRUTH + METADATA),
    "objects in a document": (
        "a.json", lambda n: b'{"images":' * n + b"1" + b"}" * n, TRUTH + METADATA),
    "annotations": ("a.json", lambda n: truth([BOX] * n), TRUTH),
    "members of equal names": (
        "a.json", lambda n: b"{" + b'"images":[],' * n + b'"images":[]}', TRUTH + METADATA),
    "digits in a document": ("a.json", lambda n: b'{"images":' + b"9" * n + b"}", TRUTH),
    "letters in a document": (
        "a.json", lambda n: b'{"images":"' + b"\\u0041" * n + b'"}', TRUTH + METADATA),
    "lines of truth": ("a.csv", lambda n: b"picture,label\n" + b"seen.png,7\n" * n, LINES),
    "letters in a line of truth": ("a.csv", lambda n: b"picture,label\n" + b"a" * n, LINES),
    "lists in an archive's index": ("a.zip", lambda n: cases(b"[" * n + b"]" * n), ARCHIVE),
    "cases in an archive": (
        "a.zip", lambda n: zip_file([stored(f"{i // 2}/{'model.tflite' if i % 2 else 'out_0.npy'}",
                                            b"") for i in range(n)]), ARCHIVE),
    "labels": ("labels.txt", lambda n: b"thing\n" * n, LABELS),
    "letters of a label": ("labels.txt", lambda n: b"a" * n, LABELS),
}

COSTS = {
    "large PNG": ("a.png", lambda: png_of_zeros(30_000), IMAGE),
    "large interlaced PNG": ("a.png", lambda: png_of_zeros(12_000, 1), IMAGE),
    "PNG that declares 2^31 rows": (
        "a.png", lambda: png((1 << 31) - 1, (1 << 31) - 1, data=b""), IMAGE),
    "large JPEG": ("a.jpg", lambda: empty_scans(16_000, 1), IMAGE),
    "large JPEG of many scans": ("a.jpg", lambda: empty_scans(8192, 1000), IMAGE),
    "JPEG that declares much": ("a.jpg", lambda: jpeg(65_500, 65_500, []), IMAGE),
    "PNM that declares much": ("a.ppm", lambda: b"P6 99999 99999 255\n", IMAGE),
    "BMP that declares much": ("a.bmp", lambda: b"BM" + struct.pack(
        "<IIIIiiHHIIIIII", 54, 0, 54, 40, 1 << 30, 1 << 30, 1, 8, 1, 0, 0, 0, 0, 0), IMAGE),
    "archive of 1 GiB of zeros": ("a.zip", lambda: bomb("a/model.tflite", 1 << 30), ARCHIVE),
    "npz of 1 GiB of zeros": ("a.npz", lambda: bomb("in_0.npy", 1 << 30), ARCHIVE),
    "overlapping entries": ("a.npz", lambda: overlapping(10_000, 1 << 24), ARCHIVE),
    "array that declares much": ("a.npy", lambda: npy(shape("4294967295, 4294967295")), ARRAY),
    "array of no elements that declares much": (
        "a.npy", lambda: npy(shape("0, 9223372036854775807, 9223372036854775807")), ARRAY),
    "header of 4 GiB": (
        "a.npy", lambda: b"\x93NUMPY\2\0" + struct.pack("<I", 0xFFFFFFFF) + b"{", ARRAY),
}
