# SPDX-License-Identifier: Apache-2.0
"""A peer that does one task again and again, as a process of its own.

    python3 task_peer.py FOLDER NUMBER SUBJECT

NUMBER is a task's place in tasks.listed(), SUBJECT a picture or sound, or a text. Each line on
standard input is a number of seconds; the answer is a line with the milliseconds of one call on
average, over about that much processor time. A call is all from opening the file, or from the text,
to the answer.
"""

import json
import os
import sys
import time
import zipfile
from pathlib import Path

import cv2
import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "Tests" / "TaskExpectations")]

from racing import tasks  # noqa: E402


def read(path):
    """The picture of a file, red first; of all readers at hand, OpenCV's is the fastest."""
    return cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)


class MediaPipePeer:
    """MediaPipe Tasks' own objects; each method returns a call without arguments."""

    def __init__(self, folder, task, subject):
        import peers_mediapipe

        self.peers, self.subject = peers_mediapipe, subject
        self.base = peers_mediapipe.Peer(folder, None).model(task.model)

    def image(self):
        """The picture as MediaPipe takes it."""
        mediapipe = self.peers.mp
        return mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=read(self.subject))

    def vision(self, name, method, **options):
        """A call of a vision task on the picture."""
        vision = self.peers.vision
        chosen = getattr(vision, name + "Options")(base_options=self.base, **options)
        runner = getattr(vision, name).create_from_options(chosen)
        call = getattr(runner, method)
        return lambda: call(self.image())

    def classifier(self):
        return self.vision("ImageClassifier", "classify", max_results=5)

    def embedder(self):
        return self.vision("ImageEmbedder", "embed")

    def detector(self):
        return self.vision("ObjectDetector", "detect", max_results=20, score_threshold=0.4)

    def segmenter(self):
        return self.vision(
            "ImageSegmenter", "segment", output_category_mask=True, output_confidence_masks=False)

    def faces(self):
        return self.vision("FaceDetector", "detect")

    def face_landmarks(self):
        return self.vision("FaceLandmarker", "detect", output_face_blendshapes=True)

    def hands(self):
        return self.vision("HandLandmarker", "detect")

    def gestures(self):
        return self.vision("GestureRecognizer", "recognize")

    def pose(self):
        return self.vision("PoseLandmarker", "detect")

    def sound(self):
        import peers_litert

        audio = self.peers.audio
        options = audio.AudioClassifierOptions(base_options=self.base, max_results=5)
        runner = audio.AudioClassifier.create_from_options(options)

        def call():
            samples = peers_litert.sound(self.subject).astype(np.float32) / 32768
            return runner.classify(self.peers.AudioData.create_from_array(samples, 16000))

        return call

    def text(self):
        text = self.peers.text
        options = text.TextClassifierOptions(base_options=self.base)
        runner = text.TextClassifier.create_from_options(options)
        return lambda: runner.classify(self.subject)

    def text_embedding(self):
        text = self.peers.text
        options = text.TextEmbedderOptions(base_options=self.base)
        runner = text.TextEmbedder.create_from_options(options)
        return lambda: runner.embed(self.subject)


class LiteRTPeer:
    """LiteRT with NumPy before and after it; OpenCV resizes."""

    def __init__(self, folder, task, subject):
        import peers_litert

        self.resize, self.peers = cv2.resize, peers_litert
        self.path = folder / task.model
        self.model = peers_litert.Model(self.path)
        self.height, self.width = self.model.shape[1:3]
        self.subject = subject

    def stretched(self, pixels):
        """The picture in the model's size."""
        return self.resize(pixels, (self.width, self.height))[None]

    def classifier(self):
        labels = []
        if zipfile.is_zipfile(self.path):
            labels = self.peers.member(self.path, zipfile.ZipFile(self.path).namelist()[0])

        def call():
            scores = self.model.run(self.stretched(read(self.subject)))[0].reshape(-1)
            return self.peers.best(scores, labels)

        return call

    def segmenter(self):
        def call():
            pixels = read(self.subject)
            mask = np.squeeze(self.model.run(self.stretched(pixels))[0]).astype(np.uint8)
            large = self.resize(mask, pixels.shape[1::-1], interpolation=0)
            return np.unique(large, return_counts=True)

        return call

    def depth(self):
        """Colors for the nearest to the farthest, as a PNG: so does Martlet's command."""
        def call():
            found = np.squeeze(self.model.run(self.stretched(read(self.subject)))[0])
            low, high = found.min(), found.max()
            bytes_of = ((found - low) * (255 / (high - low))).astype(np.uint8)
            colours = cv2.applyColorMap(bytes_of, cv2.COLORMAP_TURBO)
            return low, high, cv2.imencode(".png", colours)

        return call

    def letterboxed(self, fill):
        """The picture in the middle of a square, its scale, and where its corner is."""
        pixels = read(self.subject)
        height, width = pixels.shape[:2]
        scale = min(self.width / width, self.height / height)
        inner = (round(width * scale), round(height * scale))
        left, top = (self.width - inner[0]) // 2, (self.height - inner[1]) // 2
        square = np.full((self.height, self.width, 3), fill, np.uint8)
        square[top : top + inner[1], left : left + inner[0]] = self.resize(pixels, inner)
        return square[None], scale, np.array([left, top])

    def movenet(self):
        def call():
            square, scale, corner = self.letterboxed(0)
            points = self.model.run(square)[0][0, 0]
            return (points[:, 1::-1] * self.width - corner) / scale, points[:, 2]

        return call

    def yolo(self):
        def call():
            square, scale, corner = self.letterboxed(114)
            rows = self.model.run(square.astype(np.float32) / 255)[0][0]
            scores = rows[4:].max(0)
            chosen = scores > 0.4
            centre, extent = rows[:2, chosen].T * self.width, rows[2:4, chosen].T * self.width
            boxes = np.concatenate([centre - extent / 2, centre + extent / 2], 1)
            kinds = rows[4:, chosen].argmax(0)
            shift = kinds[:, None] * 4.0 * self.width
            kept = self.peers.suppressed(boxes + shift, scores[chosen], 0.45)
            return (boxes[kept] - np.tile(corner, 2)) / scale, kinds[kept], scores[chosen][kept]

        return call


PEERS = {tasks.MEDIAPIPE: MediaPipePeer, tasks.LITERT: LiteRTPeer}


def average(call, seconds):
    """Milliseconds of processor time of a call, over about so long and at least three calls."""
    count, start = 0, time.process_time()
    while count < 3 or time.process_time() - start < seconds:
        call()
        count += 1
    return 1000 * (time.process_time() - start) / count


def main():
    folder, task = Path(sys.argv[1]), list(tasks.listed())[int(sys.argv[2])]
    cv2.setNumThreads(1)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    call = getattr(PEERS[task.peer](folder, task, sys.argv[3]), task.kind)()
    call()
    for line in sys.stdin:
        print(json.dumps(average(call, float(line))), flush=True)


if __name__ == "__main__":
    main()
