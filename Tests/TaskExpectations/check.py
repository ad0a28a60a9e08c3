# SPDX-License-Identifier: Apache-2.0
"""What martlet says where tests of other task libraries publish what is right, as a table.

    python3 check.py PROGRAM FOLDER [--markdown] [ID …]

PROGRAM is the executable `martlet`, FOLDER what fetch_models.py made. Needs NumPy and Pillow, and a
C compiler for the values that hold for the pixels of stb_image. The exit status is 1 where a value
is beyond the tolerance of the test that publishes it.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import wave
from pathlib import Path
from typing import Any

import numpy
from PIL import Image

Expectation = dict[str, Any]
here = Path(__file__).resolve().parent

# Why the libraries of today give another value than the published one; theirs is "peer".
superseded = {
    "object-detector-mediapipe-ssd": "XNNPACK gives the published values for the same tensor",
    "hand-landmarker-samples-android": "left and right have changed names since",
    "pose-landmarker-samples-lite": "hidden legs, which every decoder of JPEG moves",
}

# What is asked with the pixels of stb_image: by it the tests of the Task Library decode JPEG, and
# MediaPipe of today does.
decoded_with_stb = {
    "object-detector-ssd", "object-detector-ssd-calibrated", *superseded}

# The landmarks that the model of blend shapes takes.
landmark_list = "Sources/Landmarks/Connections/FaceBlendshape.swift"

# How the libraries resize, as --filter has it.
filters = {"tensorflow/tflite-support": "libyuv", "google-ai-edge/mediapipe": "warp"}

# What no command can be asked: the package's own tests meet these.
in_swift = {
    "face-geometry-from-landmarks": "landmarks as input: FaceGeometry",
    "nl-classifier-label-custom-ops": "an operator that only the test defines",
    "nl-classifier-bool-output": "an operator that only the test defines",
}


class Checker:
    """Asks one program about the files of one folder."""

    def __init__(self, program: str, folder: Path, scratch: Path) -> None:
        self.program, self.folder, self.scratch = program, folder, scratch
        self.decoder, self.decoder_problem = self.compiled_decoder()

    def compiled_decoder(self) -> tuple[str | None, str]:
        """The program that decodes with stb_image, or why there is none."""
        if not (self.folder / "stb_image.h").exists():
            return None, "differs without stb_image.h, whose pixels the test takes"
        compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
        if compiler is None:
            return None, "differs without a C compiler for stb_image, whose pixels the test takes"
        path = self.scratch / "decode_with_stb"
        done = subprocess.run(
            [compiler, "-O1", "-w", f"-I{self.folder}", str(here / "decode_with_stb.c"), "-lm",
             "-o", str(path)], capture_output=True, text=True)
        if done.returncode != 0:
            return None, "differs: stb_image, whose pixels the test takes, does not compile"
        return str(path), ""

    def pixels(self, expectation: Expectation, file: str) -> str:
        """The file, or a PNG file of what stb_image makes of it where the test uses that."""
        if expectation["id"] not in decoded_with_stb or self.decoder is None:
            return file
        raw, path = self.scratch / "stb.ppm", self.scratch / "stb.png"
        subprocess.run([self.decoder, file, str(raw)], check=True)
        Image.open(raw).save(path)
        return str(path)

    def verdict(self, expectation: Expectation) -> tuple[str, str]:
        """Whether the answer is the published one or that of a peer, and figures of both."""
        held, words = self.compared(expectation)
        if held:
            return "met", words
        if expectation["id"] in decoded_with_stb and self.decoder is None:
            return "differs", f"{words}; {self.decoder_problem}"
        peer = expectation.get("peer")
        if peer is None:
            return "not met", words
        held, closer = self.compared({**expectation, "values": peer["values"]})
        reason = superseded[expectation["id"]]
        return "as peer" if held else "not met", (
            f"{peer['name']}: {closer}; published: {words}; {reason}")

    def compared(self, expectation: Expectation) -> tuple[bool, str]:
        """Whether an answer is the expected one, and figures."""
        try:
            held, words = getattr(self, expectation["kind"])(expectation)
            return held, words
        except (ValueError, KeyError, IndexError) as error:
            return False, f"{type(error).__name__}: {error}"

    def ask(self, command: str, expectation: Expectation, *words: str) -> dict[str, Any]:
        """The document that a command prints about the expectation's model."""
        model = str(self.folder / expectation["model"]["file"])
        answer = subprocess.run(
            [self.program, command, model, *words, "--json"], capture_output=True, text=True)
        if answer.returncode != 0:
            raise ValueError(answer.stderr.strip().splitlines()[0])
        found: dict[str, Any] = json.loads(answer.stdout)
        return found

    def files(self, expectation: Expectation) -> list[str]:
        return [self.pixels(expectation, str(self.folder / each["file"]))
                for each in expectation["inputs"] if "file" in each]

    def sound(self, expectation: Expectation) -> str:
        """The sound of an expectation, cut to the samples that the test takes; silence for none."""
        options = expectation["options"]
        count = options.get("newest_samples", options.get("first_samples", 15600))
        samples = numpy.zeros(count, numpy.int16)
        files = self.files(expectation)
        if files:
            with wave.open(files[0]) as sound:
                samples = numpy.frombuffer(sound.readframes(sound.getnframes()), numpy.int16)
            samples = samples[-count:] if "newest_samples" in options else samples[:count]
        path = self.scratch / "sound.wav"
        with wave.open(str(path), "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(16000)
            sound.writeframes(samples.tobytes())
        return str(path)

    def categories(self, expectation: Expectation) -> tuple[bool, str]:
        task = expectation["task"]
        if task == "blendshapes":
            labels = self.blend_shapes(expectation)
        elif task.startswith("text"):
            words = [each["text"] for each in expectation["inputs"]]
            labels = self.ask("read", expectation, *words)["texts"][0]["labels"]
        elif task.startswith("audio"):
            found = self.ask("listen", expectation, self.sound(expectation), "--top", "521",
                             "--kernels", "reference")
            labels = found["sounds"][0]["windows"][0]["labels"]
        elif task in ("gestures", "handedness"):
            things = self.hands(expectation)
            gesture = things[0].get("gesture")
            labels = [{"label": gesture["name"], "score": gesture["score"]}] if gesture else []
            side = things[0]["handedness"].capitalize()
            labels.append({"label": side, "score": things[0]["handedness_score"]})
        else:
            labels = self.ask("label", expectation, *self.files(expectation))["images"][0]["labels"]
        scores = {each["label"]: each["score"] for each in labels}
        wanted = [(each["name"], each["score"]) for each in expectation["values"]]
        return self.scores(wanted, scores, expectation["tolerance"]["score"])

    @staticmethod
    def scores(
        wanted: list[tuple[str, float]], scores: dict[str, float], tolerance: float
    ) -> tuple[bool, str]:
        missing = [name for name, _ in wanted if name not in scores]
        if missing:
            return False, f"no {missing[0]} among {', '.join(list(scores)[:3])}"
        worst = max(abs(scores[name] - score) for name, score in wanted)
        name, score = wanted[0]
        # Published with six digits, or fewer.
        return worst <= tolerance + 1e-6, (
            f"{name} {scores[name]:.6f}, expected {score:.6f}; difference {worst:.1e}")

    def hands(self, expectation: Expectation) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.ask(
            "hands", expectation, *self.files(expectation), *self.thresholds(expectation)
        )["images"][0]["found"]
        if not found:
            raise ValueError("no hand found")
        return found

    @staticmethod
    def thresholds(expectation: Expectation) -> list[str]:
        words = []
        for name, value in expectation["options"].items():
            if name.endswith("detection_confidence"):
                words += ["--threshold", str(value)]
            elif name.endswith("presence_confidence"):
                words += ["--presence", str(value)]
        return words

    def similarity(self, expectation: Expectation) -> tuple[bool, str]:
        options = expectation["options"]
        words = [each.get("text") or str(self.folder / each["file"])
                 for each in expectation["inputs"]]
        if options.get("l2_normalize"):
            words.append("--normalize")
        if options.get("quantize"):
            words.append("--quantize")
        document = self.ask("embed", expectation, *words)
        first, second = next(iter(
            value for key, value in document.items() if isinstance(value, list)))
        cosine = second["cosine_similarities"][0]["cosine"]
        values, tolerance = expectation["values"], expectation["tolerance"]
        held = abs(cosine - values["cosine_similarity"]) <= tolerance["cosine_similarity"]
        if "first_value" in values:
            held &= abs(first["embedding"][0] - values["first_value"]) <= tolerance["first_value"]
        return held, f"cosine {cosine:.6f}, expected {values['cosine_similarity']:.6f}"

    def windows(self, expectation: Expectation) -> tuple[bool, str]:
        found = self.ask("listen", expectation, *self.files(expectation))["sounds"][0]["windows"]
        starts = [each["milliseconds"] for each in found]
        values = expectation["values"]
        best = [each["labels"][0] for each in found[:4]]
        least = min(each["score"] for each in best)
        held = starts == values["window_starts_ms"] and least > values["first_four"]["above"]
        held &= all(each["label"] == values["first_four"]["name"] for each in best)
        return held, f"windows at {starts} ms, {best[0]['label']} at least {least:.4f}"

    def detections(self, expectation: Expectation) -> tuple[bool, str]:
        is_faces = expectation["task"].startswith("face")
        command = "faces" if is_faces else "detect"
        resizing = filters.get(expectation["source"]["repository"])
        words = ["--filter", resizing] if resizing and not is_faces else []
        found = self.ask(command, expectation, *self.files(expectation), *words)["images"][0]
        things = found["found"] if is_faces else found["objects"]
        worst, score = 0.0, 0.0
        for wanted in expectation["values"]:
            # The order of equal scores differs: the nearest box is meant.
            wanted_box = numpy.array(wanted["box"], float)
            # Published boxes have lost their fractions.
            boxes = [numpy.floor([each["box"][key] for key in ("x", "y", "width", "height")])
                     for each in things]
            if not boxes:
                return False, "nothing found"
            distances = [float(numpy.abs(box - wanted_box).max()) for box in boxes]
            nearest = int(numpy.argmin(distances))
            worst = max(worst, distances[nearest])
            score = max(score, abs(things[nearest]["score"] - wanted["score"]))
        tolerance = expectation["tolerance"]
        # Another decoder of JPEG may move what is cut off by a pixel.
        held = worst <= tolerance["box"] + 1 and score <= tolerance["score"] + 1e-6
        return held, f"boxes within {worst:.0f} pixels, scores within {score:.4f}"

    def mask(self, expectation: Expectation) -> tuple[bool, str]:
        path = self.scratch / "mask.png"
        files = self.files(expectation)
        turned = "orientation" in expectation["options"]
        if turned:
            files = [self.turned(files[0], expectation["options"]["orientation"])]
        self.ask("segment", expectation, *files, "--mask", str(path))
        mask = numpy.array(Image.open(path))
        values, tolerance = expectation["values"], expectation["tolerance"]
        golden = Image.open(self.folder / values["golden"])
        if golden.mode == "RGBA":
            wanted = self.numbered(numpy.array(golden), mask)
        else:
            wanted = numpy.array(golden.convert("L")) // (values["multiplier"] or 1)
        if mask.shape != wanted.shape:
            size = (wanted.shape[1], wanted.shape[0])
            mask = numpy.array(Image.fromarray(mask).resize(size, Image.Resampling.NEAREST))
        if "intersection_over_union" in tolerance:
            wanted = numpy.array(Image.open(self.folder / values["golden"]))
            wanted = wanted if wanted.ndim == 2 else wanted[..., 0]
            both = [((mask == each) & (wanted == each)).sum() for each in numpy.unique(wanted)]
            either = [((mask == each) | (wanted == each)).sum() for each in numpy.unique(wanted)]
            share = float(sum(both)) / float(sum(either))
            return share >= tolerance["intersection_over_union"], f"IoU {share:.4f}"
        differing = float((mask != wanted).mean())
        limit = tolerance.get("different_pixels", 1 - tolerance.get("equal_pixels", 1))
        return differing <= limit, f"{differing:.2%} of the pixels differ"

    def turned(self, file: str, orientation: str) -> str:
        """A copy of a JPEG file that says by EXIF how it is to be turned."""
        exif = Image.Exif()
        exif[0x0112] = int(orientation.rstrip(")").split()[-1])
        block = exif.tobytes()
        picture = Path(file).read_bytes()
        path = self.scratch / "turned.jpg"
        length = (len(block) + 2).to_bytes(2, "big")
        path.write_bytes(picture[:2] + b"\xff\xe1" + length + block + picture[2:])
        return str(path)

    @staticmethod
    def numbered(colors: numpy.ndarray, mask: numpy.ndarray) -> numpy.ndarray:
        """The categories of a colored picture; each color is the one that it covers most of.

        Two colors of one category are numbered apart, so that they differ from the mask.
        """
        kinds, places = numpy.unique(colors.reshape(-1, 4), axis=0, return_inverse=True)
        places = places.reshape(colors.shape[:2])
        if places.shape != mask.shape:
            raise ValueError(f"a mask of {mask.shape}, not {places.shape}")
        names: list[int] = []
        for kind in range(len(kinds)):
            name = int(numpy.bincount(mask[places == kind]).argmax())
            names.append(-1 if name in names else name)
        return numpy.array(names)[places]

    def blend_shapes(self, expectation: Expectation) -> list[dict[str, Any]]:
        """The outputs of the model alone, by their names, for the landmarks of a file."""
        text = Path(self.files(expectation)[0]).read_text()
        width, height = expectation["options"]["image_size"]
        points = numpy.array(
            [re.findall(rf"\b{axis}: (\S+)", text) for axis in "xy"], numpy.float32).T
        source = (here.parents[1] / landmark_list).read_text()
        listed = source.split("landmarkIndices = [")[1].split("]")[0]
        chosen = [int(word) for word in listed.replace(",", " ").split()]
        tensor = points[chosen] * numpy.array([width, height], numpy.float32)
        numpy.save(self.scratch / "points.npy", tensor[None])
        self.ask("run", expectation, "--input", str(self.scratch / "points.npy"),
                 "--output-dir", str(self.scratch / "shapes"))
        scores = numpy.load(next((self.scratch / "shapes").glob("*.npy"))).reshape(-1)
        return [{"label": each["name"], "score": float(scores[each["index"]])}
                for each in expectation["values"]]

    def landmarks(self, expectation: Expectation) -> tuple[bool, str]:
        task = expectation["task"]
        command = {"face": "faces", "hand": "hands", "pose": "pose"}[task.split()[0]]
        image = self.files(expectation)[0]
        found = self.ask(command, expectation, image, *self.thresholds(expectation))
        things = found["images"][0]["found"]
        if not things:
            return False, "nothing found"
        size = Image.open(image).size
        points = numpy.array(
            [[each["x"] / size[0], each["y"] / size[1], each["z"] / size[0]]
             for each in things[0]["points"]])
        wanted = numpy.array(expectation["values"], float)[:, :3]
        difference = numpy.abs(points[: len(wanted)] - wanted)
        tolerance = expectation["tolerance"]
        within = [bool((difference[:, axis] <= tolerance[name]).all())
                  for axis, name in enumerate("xyz") if name in tolerance]
        flat = difference[:, :2]
        share = float((flat <= tolerance["x"]).all(axis=1).mean())
        return all(within), (
            f"{share:.0%} of {len(wanted)} points within {tolerance['x']}, worst {flat.max():.4f}")

    def keypoints(self, expectation: Expectation) -> tuple[bool, str]:
        image = self.files(expectation)[0]
        thing = self.ask("pose", expectation, image)["images"][0]["found"][0]
        size = Image.open(image).size
        worst = 0.0
        for wanted in expectation["values"]:
            point = thing["points"][wanted["keypoint"]]
            # libcoral's test: the distance of each point, as a share of the image.
            distance = numpy.hypot(
                point["x"] / size[0] - wanted["x"], point["y"] / size[1] - wanted["y"])
            worst = max(worst, float(distance))
        return worst <= 0.1, f"key points within {worst:.4f} of the image's sides"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    expectations = json.loads((here / "expectations.json").read_text())["expectations"]
    failed = 0
    rows: list[tuple[str, str, str, str]] = []
    with tempfile.TemporaryDirectory() as scratch:
        checker = Checker(arguments.program, arguments.folder, Path(scratch))
        for each in expectations:
            if not each["fetchable"] or arguments.ids and each["id"] not in arguments.ids:
                continue
            if each["id"] in in_swift:
                rows.append((each["task"], each["id"], "not asked", in_swift[each["id"]]))
                continue
            verdict, words = checker.verdict(each)
            failed += verdict == "not met"
            rows.append((each["task"], each["id"], verdict, words))
    for row in rows:
        print("| " + " | ".join(row) + " |" if arguments.markdown else "  ".join(row))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
