# SPDX-License-Identifier: Apache-2.0

"""Answers of MediaPipe Tasks for Python; see peers.py."""

from __future__ import annotations

import functools
import hashlib
import statistics
import time
import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mediapipe as mp
import numpy as np
from mediapipe.tasks.python import audio, text, vision
from mediapipe.tasks.python.components.containers import AudioData
from mediapipe.tasks.python.components.containers.rect import RectF
from mediapipe.tasks.python.core.base_options import BaseOptions
from mediapipe.tasks.python.vision.core.image_processing_options import ImageProcessingOptions

Answer = dict[str, Any]
PEER = f"mediapipe {mp.__version__}"
GRID = 16
RUNS = 5


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """The result of a call and the median of its times in milliseconds, after one more call."""
    result = call()
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        result = call()
        times.append((time.perf_counter() - start) * 1000)
    return result, round(statistics.median(times), 3)


def categories(items: list[Any], limit: int = 5) -> list[Answer]:
    """Index, name and score of the best categories."""
    return [
        {"index": item.index, "name": item.category_name, "score": item.score}
        for item in items[:limit]
    ]


def points(items: list[Any]) -> list[list[float]]:
    """x, y and z of landmarks, and visibility and presence where the model has them."""
    out = []
    for item in items:
        point = [item.x, item.y, item.z]
        if item.visibility is not None:
            point += [item.visibility, item.presence]
        out.append(point)
    return out


def detections(result: Any) -> list[Answer]:
    """Boxes in pixels, key points in shares of width and height."""
    return [
        {
            "name": item.categories[0].category_name,
            "score": item.categories[0].score,
            "box": [
                item.bounding_box.origin_x,
                item.bounding_box.origin_y,
                item.bounding_box.width,
                item.bounding_box.height,
            ],
            "keypoints": [[point.x, point.y] for point in item.keypoints or []],
        }
        for item in result.detections
    ]


def grid(mask: np.ndarray) -> list[list[float]]:
    """A mask read at the centres of a 16 by 16 grid."""
    rows = (np.arange(GRID) * 2 + 1) * mask.shape[0] // (2 * GRID)
    columns = (np.arange(GRID) * 2 + 1) * mask.shape[1] // (2 * GRID)
    picked: list[list[float]] = np.round(mask[np.ix_(rows, columns)].astype(float), 6).tolist()
    return picked


def masks(result: Any) -> Answer:
    """Counts, digest and grid of the category mask; mean and grid of each confidence mask."""
    out: Answer = {}
    if result.category_mask is not None:
        mask = np.squeeze(result.category_mask.numpy_view())
        values, counts = np.unique(mask, return_counts=True)
        out["category"] = {
            "size": [mask.shape[1], mask.shape[0]],
            "pixels": {str(value): int(count) for value, count in zip(values, counts, strict=True)},
            "sha256": hashlib.sha256(np.ascontiguousarray(mask).tobytes()).hexdigest(),
            "grid": grid(mask),
        }
    if result.confidence_masks:
        found = [np.squeeze(mask.numpy_view()) for mask in result.confidence_masks]
        kept = [index for index, mask in enumerate(found) if len(found) < 3 or mask.max() > 0.5]
        out["confidence"] = [
            {"index": index, "mean": float(found[index].mean()), "grid": grid(found[index])}
            for index in kept
        ]
    return out


class Peer:
    """MediaPipe's answers for the models of one folder."""

    def __init__(self, folder: Path, images: Path | None) -> None:
        self.folder = folder
        self.extra = sorted(images.glob("*.png")) if images else []

    def model(self, name: str) -> BaseOptions:
        """Options that name a model of the folder."""
        return BaseOptions(model_asset_path=str(self.folder / name))

    def pictures(self, names: list[str]) -> Iterator[tuple[str, mp.Image]]:
        """The named pictures of the folder and all of the extra ones, as RGB."""
        for path in [self.folder / name for name in names] + self.extra:
            source = mp.Image.create_from_file(str(path))  # owns the pixels of the view
            pixels = np.atleast_3d(source.numpy_view())
            if pixels.shape[2] == 1:
                pixels = np.repeat(pixels, 3, axis=2)
            copy = np.ascontiguousarray(pixels[:, :, :3])
            yield path.name, mp.Image(image_format=mp.ImageFormat.SRGB, data=copy)

    def answer(
        self, task: str, model: str, given: Any, kind: str, values: Any, ms: float
    ) -> Answer:
        """One record of the output."""
        record = {"peer": PEER, "task": task, "model": model, "input": given, "kind": kind}
        return record | {"values": values, "median_ms": ms}

    def vision(
        self, task: str, name: str, maker: Any, options: Any, method: str,
        pictures: list[str], kind: str, read: Callable[[Any], Any],
    ) -> Iterator[Answer]:  # fmt: skip
        """Every picture through one vision task; a refused model is one error record."""
        try:
            with maker.create_from_options(options) as runner:
                for picture, image in self.pictures(pictures):
                    call = getattr(runner, method)
                    result, ms = timed(functools.partial(call, image))
                    yield self.answer(task, name, picture, kind, read(result), ms)
        except (RuntimeError, ValueError, OSError) as error:
            reason = str(error).split("=== Source")[0].strip().split("\n")[-1]
            yield {"peer": PEER, "task": task, "model": name, "error": reason}

    def classifiers(self) -> Iterator[Answer]:
        """Image classifiers, one of them on a region too."""
        names = ["burger.jpg", "burger_crop.jpg", "multi_objects.jpg", "sparrow.png", "cat.jpg"]
        for name in (
            "mobilenet_v1_0.25_224_quant.tflite",
            "mobilenet_v1_0.25_224_1_metadata_1.tflite",
            "automl_labeler_model.tflite",
        ):
            options = vision.ImageClassifierOptions(base_options=self.model(name), max_results=5)
            yield from self.vision(
                "image classification", name, vision.ImageClassifier, options, "classify", names,
                "categories", lambda result: categories(result.classifications[0].categories),
            )  # fmt: skip
        name = "mobilenet_v1_0.25_224_1_metadata_1.tflite"
        options = vision.ImageClassifierOptions(base_options=self.model(name), max_results=5)
        region = RectF(left=0.45, top=0.3075, right=0.614, bottom=0.7345)
        with vision.ImageClassifier.create_from_options(options) as runner:
            image = mp.Image.create_from_file(str(self.folder / "multi_objects.jpg"))
            chosen = ImageProcessingOptions(region_of_interest=region)
            result, ms = timed(lambda: runner.classify(image, chosen))
            values = categories(result.classifications[0].categories)
            given = {"file": "multi_objects.jpg", "region": [0.45, 0.3075, 0.614, 0.7345]}
            yield self.answer("image classification", name, given, "categories", values, ms)

    def detectors(self) -> Iterator[Answer]:
        """Object and face detectors."""
        name = "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"
        chosen = vision.ObjectDetectorOptions(base_options=self.model(name), max_results=4)
        names = ["cats_and_dogs.jpg", "samples_couple_and_dog.jpeg", "samples_objects.jpg"]
        yield from self.vision(
            "object detection", name, vision.ObjectDetector, chosen, "detect", names,
            "detections", detections,
        )  # fmt: skip
        names = ["samples_faces.jpeg", "samples_business_person.png", "rs_face.jpg", "cat.jpg"]
        for reach in ("short_range", "full_range_sparse"):
            name = f"face_detection_{reach}.tflite"
            options = vision.FaceDetectorOptions(base_options=self.model(name))
            yield from self.vision(
                "face detection", name, vision.FaceDetector, options, "detect", names,
                "detections", detections,
            )  # fmt: skip

    def segmenters(self) -> Iterator[Answer]:
        """Category and confidence masks."""
        names = ["segmentation_input_rotation0.jpg", "cat.jpg", "samples_business_person.png"]
        for name in (
            "deeplabv3.tflite", "selfie_segmentation.tflite", "selfie_segmenter.tflite",
            "selfie_segmentation_landscape.tflite", "selfie_segmenter_landscape.tflite",
        ):  # fmt: skip
            options = vision.ImageSegmenterOptions(
                base_options=self.model(name), output_category_mask=True
            )
            yield from self.vision(
                "image segmentation", name, vision.ImageSegmenter, options, "segment", names,
                "masks", masks,
            )  # fmt: skip

    def embedders(self) -> Iterator[Answer]:
        """Image embeddings, all components, and the similarity of the two burgers."""
        name = "mobilenet_v2_035_96_embedder_with_metadata.tflite"
        options = vision.ImageEmbedderOptions(base_options=self.model(name))
        names = ["burger.jpg", "burger_crop.jpg"]
        found: dict[str, np.ndarray] = {}
        for record in self.vision(
            "image embedding", name, vision.ImageEmbedder, options, "embed", names,
            "embedding", lambda result: [float(value) for value in result.embeddings[0].embedding],
        ):  # fmt: skip
            if "values" in record:
                found[record["input"]] = np.array(record["values"])
            yield record
        first, second = (found[item] for item in names)
        cosine = float(first @ second / np.linalg.norm(first) / np.linalg.norm(second))
        yield self.answer("image embedding", name, names, "similarity", cosine, 0.0)

    def landmarks(self) -> Iterator[Answer]:
        """Face landmarks with blendshapes and matrices, hands, gestures and poses.

        MediaPipe 1.2 takes no face_landmarker_with_blendshapes.task: it reads the presence from
        another output of the older network with attention, fails and then does not close.
        """
        names = ["samples_business_person.png", "samples_faces.jpeg", "rs_face.jpg", "cat.jpg"]
        for name in (
            "face_landmarker_released.task", "face_landmarker_v2_with_blendshapes.task",
            "face_landmarker_v2.task",
        ):  # fmt: skip
            shapes = "blendshapes" in name or "released" in name
            options = vision.FaceLandmarkerOptions(
                base_options=self.model(name), num_faces=2, output_face_blendshapes=shapes,
                output_facial_transformation_matrixes=shapes,
            )  # fmt: skip
            yield from self.vision(
                "face landmarks", name, vision.FaceLandmarker, options, "detect", names,
                "faces", lambda result: {
                    "landmarks": [points(face) for face in result.face_landmarks],
                    "blendshapes": [categories(face, 52) for face in result.face_blendshapes or []],
                    "matrices": [
                        matrix.tolist() for matrix in result.facial_transformation_matrixes or []
                    ],
                },
            )  # fmt: skip
        yield from self.hands()
        names = ["samples_pose.jpg", "coral_squat.bmp", "samples_business_person.png", "burger.jpg"]
        for name in ("pose_landmarker_lite.task", "pose_landmarker_full.task"):
            options = vision.PoseLandmarkerOptions(base_options=self.model(name), num_poses=2)
            yield from self.vision(
                "pose landmarks", name, vision.PoseLandmarker, options, "detect", names,
                "poses", lambda result: {
                    "landmarks": [points(pose) for pose in result.pose_landmarks],
                    "world": [points(pose) for pose in result.pose_world_landmarks],
                },
            )  # fmt: skip

    def hands(self) -> Iterator[Answer]:
        """Hand landmarks and gestures."""
        names = ["samples_thumbs_up.png", "samples_hand_thumb_up.jpg", "samples_hand.jpg"]
        names += ["rs_pointing_up.jpg", "rs_thumbs_down.jpg", "rs_thumbs_up.jpg", "rs_victory.jpg"]
        names += ["rs_woman_hands.jpg", "cats_and_dogs.jpg"]

        def read(result: Any) -> Answer:
            out = {
                "handedness": [categories(hand) for hand in result.handedness],
                "landmarks": [points(hand) for hand in result.hand_landmarks],
                "world": [points(hand) for hand in result.hand_world_landmarks],
            }
            if hasattr(result, "gestures"):
                out["gestures"] = [categories(hand) for hand in result.gestures]
            return out

        name = "hand_landmarker.task"
        options = vision.HandLandmarkerOptions(base_options=self.model(name), num_hands=2)
        yield from self.vision(
            "hand landmarks", name, vision.HandLandmarker, options, "detect", names, "hands", read
        )
        for name in ("gesture_recognizer.task", "gesture_recognizer_with_custom_classifier.task"):
            chosen = vision.GestureRecognizerOptions(base_options=self.model(name), num_hands=2)
            yield from self.vision(
                "gestures", name, vision.GestureRecognizer, chosen, "recognize", names,
                "hands", read,
            )  # fmt: skip

    def sounds(self) -> Iterator[Answer]:
        """YAMNet on every window of the recordings, and on silence."""
        name = "yamnet_audio_classifier_with_metadata.tflite"
        options = audio.AudioClassifierOptions(base_options=self.model(name), max_results=5)
        given: list[tuple[str, AudioData]] = []
        for file in ("speech.wav", "speech_16000_hz_mono.wav", "two_heads.wav"):
            with wave.open(str(self.folder / file)) as sound:
                samples = np.frombuffer(sound.readframes(sound.getnframes()), dtype=np.int16)
                rate = sound.getframerate()
            data = AudioData.create_from_array(samples.astype(np.float32) / 32768, rate)
            given.append((file, data))
        silence = np.zeros(14000, dtype=np.float32)
        given.append(("14000 zeros", AudioData.create_from_array(silence, 16000)))
        with audio.AudioClassifier.create_from_options(options) as runner:
            for label, data in given:
                results, ms = timed(functools.partial(runner.classify, data))
                values = [
                    {"start_ms": item.timestamp_ms}
                    | {"categories": categories(item.classifications[0].categories)}
                    for item in results
                ]
                yield self.answer("audio classification", name, label, "windows", values, ms)

    def texts(self) -> Iterator[Answer]:
        """The classifier and the embedder with a regular-expression tokenizer."""
        name = "test_model_nl_classifier_with_regex_tokenizer.tflite"
        options = text.TextClassifierOptions(base_options=self.model(name))
        sentences = (
            "What a waste of my time.",
            "This is the best movie I’ve seen in recent years. Strongly recommend it!",
        )
        with text.TextClassifier.create_from_options(options) as runner:
            for sentence in sentences:
                result, ms = timed(functools.partial(runner.classify, sentence))
                values = categories(result.classifications[0].categories)
                yield self.answer("text classification", name, sentence, "categories", values, ms)
        name = "regex_one_embedding_with_metadata.tflite"
        chosen = text.TextEmbedderOptions(base_options=self.model(name))
        sentences = (
            "it's a charming and often affecting journey", "what a great and fantastic trip",
        )  # fmt: skip
        with text.TextEmbedder.create_from_options(chosen) as embedder:
            for sentence in sentences:
                result, ms = timed(functools.partial(embedder.embed, sentence))
                vector = [float(value) for value in result.embeddings[0].embedding]
                yield self.answer("text embedding", name, sentence, "embedding", vector, ms)


def answers(folder: Path, images: Path | None) -> Iterator[Answer]:
    """All answers; a task that fails becomes a record with its error."""
    peer = Peer(folder, images)
    for part in (
        peer.texts, peer.sounds, peer.classifiers, peer.detectors, peer.segmenters,
        peer.embedders, peer.landmarks,
    ):  # fmt: skip
        try:
            yield from part()
        except (RuntimeError, ValueError, OSError) as error:
            yield {"peer": PEER, "task": part.__name__, "error": str(error)}
