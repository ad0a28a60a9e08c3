# SPDX-License-Identifier: Apache-2.0

"""Answers of LiteRT with pre- and post-processing in NumPy, written without any task library."""

from __future__ import annotations

import importlib.metadata
import re
import statistics
import time
import wave
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from ai_edge_litert.interpreter import Interpreter
from PIL import Image

Answer = dict[str, Any]
PEER = f"ai-edge-litert {importlib.metadata.version('ai-edge-litert')}"
RUNS = 5
OPEN_WAKE_WORDS = ("alexa", "hey_jarvis", "hey_mycroft", "hey_rhasspy", "ok_nabu")
MEL_WINDOW, MEL_STEP, FEATURES = 76, 8, 16


class Model:
    """An interpreter with one thread that takes and gives real values."""

    def __init__(self, path: Path, shape: list[int] | None = None) -> None:
        self.interpreter = Interpreter(str(path), num_threads=1)
        if shape is not None:
            self.interpreter.resize_tensor_input(0, shape)
        self.interpreter.allocate_tensors()
        self.inputs = self.interpreter.get_input_details()
        self.outputs = self.interpreter.get_output_details()
        self.shape = [int(size) for size in self.inputs[0]["shape"]]

    def run(self, *values: np.ndarray) -> list[np.ndarray]:
        """Quantises float values for integer inputs and dequantises integer outputs."""
        for detail, value in zip(self.inputs, values, strict=True):
            scale, zero = detail["quantization"]
            if scale and value.dtype.kind == "f":
                limits = np.iinfo(detail["dtype"])
                value = np.clip(np.round(value / scale) + zero, limits.min, limits.max)
            self.interpreter.set_tensor(detail["index"], value.astype(detail["dtype"]))
        self.interpreter.invoke()
        found = []
        for detail in self.outputs:
            value = self.interpreter.get_tensor(detail["index"])
            scale, zero = detail["quantization"]
            found.append((value.astype(np.float32) - zero) * scale if scale else value)
        return found

    def timed(self, *values: np.ndarray) -> tuple[list[np.ndarray], float]:
        """The outputs and the median time of a call in milliseconds, after one more call."""
        found = self.run(*values)
        times = []
        for _ in range(RUNS):
            start = time.perf_counter()
            self.run(*values)
            times.append((time.perf_counter() - start) * 1000)
        return found, round(statistics.median(times), 3)


def picture(path: Path) -> Image.Image:
    """A picture as RGB; transparent pixels keep their colours."""
    return Image.open(path).convert("RGB")


def resized(image: Image.Image, height: int, width: int) -> np.ndarray:
    """Bilinear interpolation at pixel centres without smoothing, 0…255, as OpenCV resizes."""
    pixels = np.asarray(image, dtype=np.float32)
    axes = []
    for length, target in ((pixels.shape[0], height), (pixels.shape[1], width)):
        place = np.clip((np.arange(target) + 0.5) * length / target - 0.5, 0, length - 1)
        low = np.floor(place).astype(int)
        axes.append((low, np.minimum(low + 1, length - 1), (place - low).astype(np.float32)))
    (top, bottom, down), (left, right, across) = axes
    rows = pixels[top] * (1 - down)[:, None, None] + pixels[bottom] * down[:, None, None]
    mixed: np.ndarray = rows[:, left] * (1 - across)[:, None] + rows[:, right] * across[:, None]
    return mixed


def letterboxed(image: Image.Image, size: int, fill: float) -> tuple[np.ndarray, float, int, int]:
    """The picture in the middle of a square, with the scale and the offsets of its corner."""
    scale = min(size / image.width, size / image.height)
    width, height = round(image.width * scale), round(image.height * scale)
    left, top = (size - width) // 2, (size - height) // 2
    square = np.full((size, size, 3), fill, dtype=np.float32)
    square[top : top + height, left : left + width] = resized(image, height, width)
    return square, scale, left, top


def suppressed(boxes: np.ndarray, scores: np.ndarray, overlap: float) -> list[int]:
    """Indices that non-maximum suppression keeps; boxes are x0, y0, x1, y1."""
    order = list(np.argsort(-scores, kind="stable"))
    kept: list[int] = []
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    while order:
        best = int(order.pop(0))
        kept.append(best)
        rest = np.array(order, dtype=int)
        low = np.maximum(boxes[best, :2], boxes[rest, :2])
        high = np.minimum(boxes[best, 2:], boxes[rest, 2:])
        shared = np.prod(np.clip(high - low, 0, None), axis=1)
        union = area[best] + area[rest] - shared
        order = [int(item) for item in rest[shared / np.maximum(union, 1e-9) <= overlap]]
    return kept


def best(scores: np.ndarray, labels: list[str], limit: int = 5) -> list[Answer]:
    """The best categories."""
    order = np.argsort(-scores, kind="stable")[:limit]
    return [
        {
            "index": int(index),
            "name": labels[index] if index < len(labels) else None,
            "score": float(scores[index]),
        }
        for index in order
    ]


def member(model: Path, name: str) -> list[str]:
    """The lines of a file that is packed into a model."""
    return zipfile.ZipFile(model).read(name).decode().splitlines()


def vocabulary(model: Path) -> dict[str, int]:
    """The words of a model, numbered by their second column or by their lines."""
    rows = [line.split() for line in member(model, "vocab.txt")]
    return {
        row[0]: int(row[1]) if len(row) > 1 else number for number, row in enumerate(rows) if row
    }


def sound(path: Path) -> np.ndarray:
    """The samples of a 16-bit WAV file, first channel."""
    with wave.open(str(path)) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2")
        return samples.reshape(-1, file.getnchannels())[:, 0]


def record(task: str, model: str, given: Any, kind: str, values: Any, ms: float) -> Answer:
    """One answer."""
    out = {"peer": PEER, "task": task, "model": model, "input": given, "kind": kind}
    return out | {"values": values, "median_ms": ms}


class Peer:
    """LiteRT's answers for the models of one folder."""

    def __init__(self, folder: Path, images: Path | None) -> None:
        self.folder = folder
        self.extra = sorted(images.glob("*.png")) if images else []

    def pictures(self, *names: str) -> list[Path]:
        """The named pictures and all of the extra ones."""
        return [self.folder / name for name in names] + self.extra

    def texts(self) -> Iterator[Answer]:
        """Averaged word vectors: a regular expression splits, a vocabulary numbers the words."""
        sentences = (
            "What a waste of my time.",
            "This is the best movie I’ve seen in recent years. Strongly recommend it!",
            "it's a charming and often affecting journey",
            "what a great and fantastic trip",
            "unflinchingly bleak and desperate", "hello",
        )
        for name in (
            "test_model_nl_classifier_with_regex_tokenizer.tflite", "wordvec.tflite",
            "regex_one_embedding_with_metadata.tflite", "regex_two_embeddings_with_metadata.tflite",
            "test_model_nl_classifier_with_associated_label_builtin_ops.tflite",
        ):  # fmt: skip
            path = self.folder / name
            model = Model(path)
            numbers = vocabulary(path)
            for sentence in sentences:
                words = [word for word in re.split(r"[^\w']+", sentence, flags=re.ASCII) if word]
                unknown = numbers["<UNKNOWN>"]
                ids = [numbers["<START>"]] + [numbers.get(word, unknown) for word in words]
                ids = (ids + [numbers["<PAD>"]] * model.shape[1])[: model.shape[1]]
                found, ms = model.timed(np.array([ids], dtype=np.int32))
                scores = found[0].reshape(-1)
                if "embedding" in name:
                    values: Any = [[float(value) for value in item.reshape(-1)] for item in found]
                    yield record("text embedding", name, sentence, "embeddings", values, ms)
                else:
                    values = best(scores, member(path, "labels.txt"))
                    yield record("text classification", name, sentence, "categories", values, ms)

    def sounds(self) -> Iterator[Answer]:
        """YAMNet on whole windows, scaled by 32768."""
        name = "yamnet_audio_classifier_with_metadata.tflite"
        path = self.folder / name
        labels = member(path, zipfile.ZipFile(path).namelist()[0])
        model = Model(path)
        length = model.shape[0]
        for file in ("speech.wav", "speech_16000_hz_mono.wav", "two_heads.wav"):
            samples = sound(self.folder / file).astype(np.float32) / 32768
            windows = []
            ms = 0.0
            for start in range(0, len(samples), length):
                window = np.zeros(length, dtype=np.float32)
                part = samples[start : start + length]
                window[: len(part)] = part
                found, ms = model.timed(window)
                windows.append({"start": start, "categories": best(found[0][0], labels)})
            yield record("audio classification", name, file, "windows", windows, ms)
        name = "conv_actions_apple_bird_cat_dog_python.tflite"
        speaker = Model(self.folder / name)
        words = ["silence", "unknown", "apple", "bird", "cat", "dog", "python"]
        for file in ("wake_alexa.wav", "speech.wav"):
            second = sound(self.folder / file)[:16000, None].astype(np.float32) / 32768
            found, ms = speaker.timed(second, np.array(16000))
            scores = best(found[0][0], words)
            yield record("keyword spotting", name, file, "categories", scores, ms)

    def wake_words(self) -> Iterator[Answer]:
        """The openWakeWord chain on a whole clip with a second of silence before and after.

        Mel frames are x / 10 + 2; embeddings look at 76 frames every 8; a word at 16 embeddings.
        """
        embedding = Model(self.folder / "openwakeword_embedding_model.tflite")
        words = {
            word: Model(self.folder / f"openwakeword_{word}_v0.1.tflite")
            for word in OPEN_WAKE_WORDS
        }
        clips = [f"wake_{word}.wav" for word in OPEN_WAKE_WORDS if word != "ok_nabu"]
        clips += ["openwakeword_alexa_test.wav", "openwakeword_hey_mycroft_test.wav", "speech.wav"]
        for clip in clips:
            silence = np.zeros(16000, dtype=np.float32)
            samples = np.concatenate([silence, sound(self.folder / clip), silence])
            mel = Model(self.folder / "openwakeword_melspectrogram.tflite", [1, len(samples)])
            spectrum, mel_ms = mel.timed(samples[None].astype(np.float32))
            frames = np.squeeze(spectrum[0]) / 10 + 2
            features = []
            feature_ms = 0.0
            for start in range(0, len(frames) - MEL_WINDOW + 1, MEL_STEP):
                window = frames[None, start : start + MEL_WINDOW, :, None]
                found, feature_ms = embedding.timed(window.astype(np.float32))
                features.append(found[0].reshape(-1))
            for word, model in words.items():
                scores = []
                ms = 0.0
                for start in range(len(features) - FEATURES + 1):
                    stack = np.stack(features[start : start + FEATURES])[None]
                    found, ms = model.timed(stack.astype(np.float32))
                    scores.append(float(found[0].reshape(-1)[0]))
                values = {
                    "frames": len(frames), "embeddings": len(features),
                    "first_frame": [float(value) for value in frames[100]],
                    "first_embedding": [float(value) for value in features[10][:8]],
                    "maximum": max(scores), "scores": scores,
                    "mel_ms": mel_ms, "embedding_ms": feature_ms,
                }  # fmt: skip
                name = f"openwakeword_{word}_v0.1.tflite"
                yield record("wake words", name, clip, "scores", values, ms)

    def classifiers(self) -> Iterator[Answer]:
        """Image classifiers and embedders that stretch the picture to the input."""
        for name, task in (
            ("mobilenet_v1_0.25_224_quant.tflite", "image classification"),
            ("mobilenet_v2_1.0_224_quant.tflite", "image classification"),
            ("mobilenet_v2_1.0_224_inat_bird_quant.tflite", "image classification"),
            ("mobilenet_v1_1.0_224_quant_embedding_extractor.tflite", "image embedding"),
        ):
            path = self.folder / name
            files = zipfile.ZipFile(path).namelist() if zipfile.is_zipfile(path) else []
            labels = member(path, files[0]) if files else []
            model = Model(path)
            for file in self.pictures("burger.jpg", "burger_crop.jpg", "sparrow.png"):
                pixels = np.rint(resized(picture(file), *model.shape[1:3])).astype(np.uint8)
                found, ms = model.timed(pixels[None])
                vector = found[0].reshape(-1)
                if task == "image embedding":
                    values: Any = [round(float(value), 6) for value in vector]
                    yield record(task, name, file.name, "embedding", values, ms)
                else:
                    yield record(task, name, file.name, "categories", best(vector, labels), ms)

    def detectors(self) -> Iterator[Answer]:
        """YOLO: letterbox with grey 114, threshold 0.25, suppression over 0.45 within a class."""
        for name in (
            "yolov5n_fp16.tflite", "yolov8n_int8.tflite", "yolov8n_full_integer_quant.tflite",
            "yolo11n_full_integer_quant.tflite",
        ):  # fmt: skip
            model = Model(self.folder / name)
            size = model.shape[1]
            for file in self.pictures("cats_and_dogs.jpg", "samples_couple_and_dog.jpeg"):
                square, scale, left, top = letterboxed(picture(file), size, 114)
                found, ms = model.timed((square / 255)[None])
                rows = found[0][0] if "v5" in name else found[0][0].T
                scores = rows[:, 5:] * rows[:, 4:5] if "v5" in name else rows[:, 4:]
                kinds, tops = scores.argmax(axis=1), scores.max(axis=1)
                chosen = tops > 0.25
                centre, extent = rows[chosen, :2] * size, rows[chosen, 2:4] * size
                boxes = np.concatenate([centre - extent / 2, centre + extent / 2], axis=1)
                shift = kinds[chosen][:, None] * 4.0 * size
                kept = suppressed(boxes + shift, tops[chosen], 0.45)
                corner = np.array([left, top, left, top])
                values = [
                    {
                        "index": int(kinds[chosen][item]),
                        "score": float(tops[chosen][item]),
                        "box": [round(float(edge), 2) for edge in (boxes[item] - corner) / scale],
                    }
                    for item in kept[:10]
                ]
                yield record("object detection", name, file.name, "corners", values, ms)

    def poses(self) -> Iterator[Answer]:
        """MoveNet (stretched, and letterboxed with black) and PoseNet's best single pose."""
        files = self.pictures("coral_squat.bmp", "samples_pose.jpg")
        for name in ("movenet_single_pose_lightning_ptq.tflite", "movenet_lightning_int8.tflite"):
            model = Model(self.folder / name)
            for file in files:
                for way in ("stretched", "letterboxed"):
                    image = picture(file)
                    square = resized(image, 192, 192)
                    if way == "letterboxed":
                        square = letterboxed(image, 192, 0)[0]
                    found, ms = model.timed(np.rint(square).astype(np.uint8)[None])
                    values = {"resize": way, "y_x_score": found[0][0, 0].astype(float).tolist()}
                    yield record("pose landmarks", name, file.name, "keypoints", values, ms)
        name = "posenet_mobilenet_v1_075_353_481_quant.tflite"
        model = Model(self.folder / name)
        height, width = model.shape[1:3]
        for file in files:
            pixels = np.rint(resized(picture(file), height, width)).astype(np.uint8)
            found, ms = model.timed(pixels[None])
            heat, offset = found[0][0], found[1][0]
            joints = []
            for part in range(heat.shape[2]):
                row, column = np.unravel_index(heat[:, :, part].argmax(), heat.shape[:2])
                down, across = offset[row, column, part], offset[row, column, part + heat.shape[2]]
                score = 1 / (1 + np.exp(-float(heat[row, column, part])))
                y, x = (row * 16 + down) / height, (column * 16 + across) / width
                joints.append([float(y), float(x), score])
            yield record("pose landmarks", name, file.name, "keypoints", joints, ms)

    def maps(self) -> Iterator[Answer]:
        """Depth, and DeepLab with its own arg max; a 16 by 16 grid of each answer."""
        for name, task in (
            ("fast_depth_224_int8.tflite", "depth"),
            ("deeplabv3_mnv2_pascal_quant.tflite", "image segmentation"),
            ("deeplabv3_mnv2_dm05_pascal_quant.tflite", "image segmentation"),
        ):
            model = Model(self.folder / name)
            height, width = model.shape[1:3]
            names = ("coral_bird_segmentation.bmp", "segmentation_input_rotation0.jpg")
            for file in self.pictures(*names):
                pixels = np.rint(resized(picture(file), height, width)).astype(np.uint8)
                found, ms = model.timed(pixels[None])
                answer = np.squeeze(found[0])
                rows = (np.arange(16) * 2 + 1) * answer.shape[0] // 32
                columns = (np.arange(16) * 2 + 1) * answer.shape[1] // 32
                values: Answer = {"grid": answer[np.ix_(rows, columns)].astype(float).tolist()}
                if task == "depth":
                    values |= {"minimum": float(answer.min()), "maximum": float(answer.max())}
                    values |= {"mean": float(answer.mean())}
                else:
                    kinds, counts = np.unique(answer, return_counts=True)
                    pairs = zip(kinds, counts, strict=True)
                    values["pixels"] = {str(kind): int(count) for kind, count in pairs}
                    if file.name == names[0]:
                        values["intersection_over_union"] = self.overlap(answer)
                yield record(task, name, file.name, "map", values, ms)

    def overlap(self, answer: np.ndarray) -> float:
        """The share of pixels on which an answer and Coral's mask agree, over their union."""
        mask = Image.open(self.folder / "coral_bird_segmentation_mask.bmp").convert("L")
        expected = np.asarray(mask.resize(answer.shape[::-1], Image.Resampling.NEAREST))
        same = int((expected == answer).sum())
        return same / (2 * answer.size - same)


def answers(folder: Path, images: Path | None) -> Iterator[Answer]:
    """All answers; a part that fails becomes a record with its error."""
    peer = Peer(folder, images)
    for part in (
        peer.texts, peer.sounds, peer.wake_words, peer.classifiers, peer.detectors, peer.poses,
        peer.maps,
    ):  # fmt: skip
        try:
            yield from part()
        except (RuntimeError, ValueError, OSError, KeyError) as error:
            yield {"peer": PEER, "task": part.__name__, "error": str(error)}
