#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what MediaPipe finds in an image: the expectations of LandmarkTaskTests and MediaPipeTaskTests.

  mediapipe_landmarks.py detect IMAGE face_detector.tflite
  mediapipe_landmarks.py face IMAGE face_landmarker.task [video]
  mediapipe_landmarks.py hand IMAGE hand_landmarker.task [video]
  mediapipe_landmarks.py pose IMAGE pose_landmarker.task [video]

With `video`, the image is shown three times, 33 ms apart. Needs the package mediapipe.
"""

import sys

import mediapipe
from mediapipe.tasks.python import BaseOptions, vision

TASKS = {
    "detect": (vision.FaceDetector, vision.FaceDetectorOptions, {}),
    "face": (
        vision.FaceLandmarker,
        vision.FaceLandmarkerOptions,
        {"output_face_blendshapes": True},
    ),
    "hand": (vision.HandLandmarker, vision.HandLandmarkerOptions, {"num_hands": 2}),
    "pose": (vision.PoseLandmarker, vision.PoseLandmarkerOptions, {}),
}


def show_detections(image, result):
    for face in result.detections:
        box = face.bounding_box
        print("box", box.origin_x, box.origin_y, box.width, box.height, face.categories[0].score)
        for index, point in enumerate(face.keypoints):
            print("point", index, point.x * image.width, point.y * image.height)


def show_landmarks(task, result):
    for number, points in enumerate(getattr(result, f"{task}_landmarks")):
        print(task, number)
        for index, point in enumerate(points):
            print("point", index, point.x, point.y, point.z, point.visibility)
        for point in getattr(result, f"{task}_world_landmarks", [[]] * (number + 1))[number]:
            print("world", point.x, point.y, point.z)
        if task == "face":
            for movement in result.face_blendshapes[number]:
                print("movement", movement.category_name, movement.score)
        if task == "hand":
            print("hand", result.handedness[number][0])


def main():
    task, path, model, *rest = sys.argv[1:]
    kind, options, extra = TASKS[task]
    mode = vision.RunningMode.VIDEO if rest else vision.RunningMode.IMAGE
    base = BaseOptions(model_asset_path=model)
    image = mediapipe.Image.create_from_file(path)
    with kind.create_from_options(options(base_options=base, running_mode=mode, **extra)) as runner:
        for step in range(3 if rest else 1):
            result = runner.detect_for_video(image, 33 * step) if rest else runner.detect(image)
            show_detections(image, result) if task == "detect" else show_landmarks(task, result)


if __name__ == "__main__":
    main()
