"""Collects what the fuzz targets begin with: small files of this repository, by target.

    python3 seeds.py FOLDER
"""

import base64
import pathlib
import struct
import sys
import zipfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 1 << 16
IMAGES = {".png", ".jpg", ".jpeg", ".bmp", ".ppm", ".pgm", ".pbm", ".pam"}
MODELS = ("model", "tree", "check", "metadata")


def put(folder, target, name, data):
    place = folder / target
    place.mkdir(parents=True, exist_ok=True)
    (place / name).write_bytes(data)


def models(folder):
    """The smallest golden model of each operator, and small bundled models."""
    smallest = {}
    for path in sorted((ROOT / "Tests" / "Goldens").glob("*/*/model.tflite")):
        size = path.stat().st_size
        key = path.parent.parent.name
        if size <= LIMIT and (key not in smallest or size < smallest[key][0]):
            smallest[key] = (size, path)
    for key, (_, path) in smallest.items():
        for target in MODELS:
            put(folder, target, f"{key}.tflite", path.read_bytes())
    for path in sorted((ROOT / "Models").rglob("*.tflite")):
        if path.stat().st_size <= LIMIT:
            for target in MODELS:
                put(folder, target, path.name, path.read_bytes())


def images(folder):
    for path in sorted(ROOT.rglob("*")):
        if ".build" in path.parts or path.suffix.lower() not in IMAGES or not path.is_file():
            continue
        if path.stat().st_size > LIMIT:
            continue
        name = "_".join(path.relative_to(ROOT).parts)
        put(folder, "image", name, path.read_bytes())
        if path.suffix == ".png":
            put(folder, "png", name, path.read_bytes())


def arrays(folder):
    arrays = sorted((ROOT / "Tests" / "Goldens").glob("*/*/in_0.npy"))[::40]
    for path in arrays:
        if path.stat().st_size <= 4096:
            put(folder, "npy", f"{path.parent.name}.npy", path.read_bytes())
    for target, method in (("zip", zipfile.ZIP_STORED), ("npz", zipfile.ZIP_DEFLATED)):
        place = folder / target
        place.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(place / "arrays.npz", "w", method) as archive:
            for path in arrays[:4]:
                archive.write(path, f"{path.parent.name}.npy")


def documents(folder):
    put(folder, "json", "plain", b'{"a": [1, -2.5e3, true, null, "\\u00e9\\n"], "b": {}}')
    put(
        folder, "manifest", "plain",
        b'{"modelType": "IMAGE_LABELING", "modelFile": "m.tflite", "labelsFile": "l.txt"}')
    put(
        folder, "hosting", "plain",
        b'{"downloadUri": "https://h.example/m", "expireTime": "2099-01-01T00:00:00.000Z",'
        b' "sizeBytes": "12", "sha256": "' + b"0" * 64 + b'"}')
    image = base64.b64encode((ROOT / "Models/digits/samples/digit_3.png").read_bytes())
    put(
        folder, "worker", "plain",
        b'{"id": 1, "image_base64": "' + image + b'"}\n\n{"id": "b", "path": "/none"}\n'
        b'{"id": 2.5, "inputs": [{"name": "picture", "shape": [1, 2, 2, 3], "datatype": "INT8",'
        b' "data": [1, -2]}], "outputs": [{"name": "output_0"}], "parameters": {}}\n')
    zeros = b", ".join([b"0"] * (32 * 32 * 3))
    put(
        folder, "worker", "tensor",
        b'{"inputs": [{"name": "picture", "shape": [1, 32, 32, 3], "datatype": "INT8", "data": ['
        + zeros + b"]}]}")
    # A map of a name and a vector, as in the options of custom operators.
    put(
        folder, "flexbuffer", "plain",
        bytes([0x61, 0, 1, 3, 1, 1, 1, 8, 4, 1, 7, 0x28, 2, 0x24, 1]))


def sounds(folder):
    """A file of each encoding, with the chunks that it needs."""
    samples = bytes(range(96))
    encodings = {
        "integer": (1, 16), "bytes": (1, 8), "wide": (1, 24), "float": (3, 32), "law": (6, 8)}
    for name, (tag, bits) in encodings.items():
        frame = 2 * bits // 8
        head = struct.pack("<HHIIHH", tag, 2, 16000, 16000 * frame, frame, bits)
        chunks = b"fmt " + struct.pack("<I", 16) + head
        chunks += b"fact" + struct.pack("<II", 4, len(samples) // frame)
        chunks += b"data" + struct.pack("<I", len(samples)) + samples
        put(folder, "sound", name, b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks)


def texts(folder):
    goldens = ROOT / "Tests/TokenizerTests/Goldens"
    for path in sorted(goldens.glob("*.model")):
        if path.stat().st_size <= LIMIT:
            put(folder, "sentencepiece", path.name, path.read_bytes())
    put(folder, "vocabulary", "plain", (goldens / "vocabulary.txt").read_bytes())
    for line in (goldens / "expressions.txt").read_text().split("\n")[:20]:
        pattern, text = (bytes.fromhex(word.strip("-")) for word in line.split()[:2])
        put(folder, "expression", f"{zlib.crc32(pattern):08x}", pattern + b"\n" + text)


def bundles(folder):
    place = folder / "bundle"
    place.mkdir(parents=True, exist_ok=True)
    model = min((ROOT / "Models").rglob("*.tflite"), key=lambda path: path.stat().st_size)
    with zipfile.ZipFile(place / "stored.task", "w") as archive:
        archive.writestr("hand_detector.tflite", model.read_bytes()[:256])
        archive.writestr("empty.tflite", b"")
    names, values = b"onetwo", struct.pack("<4f", 1, 0, 0.5, -1)
    index = b"MRTLTIDX" + struct.pack("<6I", 1, 0, 2, 2, 3, 3) + names + values
    put(folder, "embeddings", "plain", index + struct.pack("<I", zlib.crc32(index)))


def main():
    folder = pathlib.Path(sys.argv[1])
    for collect in (models, images, arrays, documents, sounds, texts, bundles):
        collect(folder)


if __name__ == "__main__":
    main()
