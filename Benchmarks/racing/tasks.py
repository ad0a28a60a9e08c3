# SPDX-License-Identifier: Apache-2.0
"""The tasks that are timed as a whole: model, input, Martlet's command, and who the peer is."""

import dataclasses

MEDIAPIPE, LITERT = "MediaPipe", "LiteRT"
SENTENCE = "This is the best movie I’ve seen in recent years. Strongly recommend it!"


@dataclasses.dataclass(frozen=True)
class Task:
    """One task with one model; `kind` names the function of task_peer.py that does the same."""

    name: str
    model: str
    #: A picture or sound of the folder; None for SENTENCE.
    input: str | None
    #: The command and its options; SCRATCH is a folder for what it writes,
    #: INDEX one of the subject alone, as vectors of many are compared in pairs otherwise.
    command: str
    peer: str
    kind: str

    def subject(self, folder):
        """What Martlet's command is asked about."""
        return f"{folder}/{self.input}" if self.input else SENTENCE


def listed():
    """All tasks, in the order of the report."""
    classify, detect = "image classification", "object detection"
    yield Task(classify, "mobilenet_v1_0.25_224_quant.tflite", "burger.jpg", "label",
               MEDIAPIPE, "classifier")
    yield Task(classify, "mobilenet_v1_0.25_224_1_metadata_1.tflite", "burger.jpg", "label",
               MEDIAPIPE, "classifier")
    yield Task(classify, "mobilenet_v2_1.0_224_quant.tflite", "sparrow.png", "label",
               LITERT, "classifier")
    yield Task("image embedding", "mobilenet_v2_035_96_embedder_with_metadata.tflite",
               "burger.jpg", "embed --search INDEX", MEDIAPIPE, "embedder")
    yield Task(detect, "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite",
               "cats_and_dogs.jpg", "detect", MEDIAPIPE, "detector")
    for version in ("yolov8n", "yolo11n"):
        yield Task(detect, f"{version}_full_integer_quant.tflite", "cats_and_dogs.jpg",
                   "detect --mean 0 --std 255", LITERT, "yolo")
    yield Task("image segmentation", "deeplabv3.tflite", "segmentation_input_rotation0.jpg",
               "segment", MEDIAPIPE, "segmenter")
    yield Task("image segmentation", "deeplabv3_mnv2_pascal_quant.tflite",
               "segmentation_input_rotation0.jpg", "segment", LITERT, "segmenter")
    yield Task("image segmentation", "selfie_segmenter.tflite", "rs_face.jpg",
               "segment", MEDIAPIPE, "segmenter")
    for reach in ("short_range", "full_range_sparse"):
        yield Task("face detection", f"face_detection_{reach}.tflite", "rs_face.jpg",
                   "faces", MEDIAPIPE, "faces")
    yield Task("face landmarks and blend shapes", "face_landmarker_released.task",
               "rs_face.jpg", "faces", MEDIAPIPE, "face_landmarks")
    yield Task("hand landmarks", "hand_landmarker.task", "rs_victory.jpg", "hands --max 1",
               MEDIAPIPE, "hands")
    yield Task("gestures", "gesture_recognizer.task", "rs_victory.jpg", "hands --max 1",
               MEDIAPIPE, "gestures")
    yield Task("pose landmarks", "pose_landmarker_lite.task", "samples_pose.jpg", "pose",
               MEDIAPIPE, "pose")
    yield Task("pose", "movenet_single_pose_lightning_ptq.tflite", "samples_pose.jpg", "pose",
               LITERT, "movenet")
    yield Task("depth", "fast_depth_224_int8.tflite", "segmentation_input_rotation0.jpg",
               "transform --depth --output SCRATCH", LITERT, "depth")
    yield Task("audio classification", "yamnet_audio_classifier_with_metadata.tflite",
               "speech_16000_hz_mono.wav", "listen", MEDIAPIPE, "sound")
    yield Task("text classification", "test_model_nl_classifier_with_regex_tokenizer.tflite",
               None, "read", MEDIAPIPE, "text")
    yield Task("text embedding", "regex_one_embedding_with_metadata.tflite", None,
               "embed --search INDEX", MEDIAPIPE, "text_embedding")
