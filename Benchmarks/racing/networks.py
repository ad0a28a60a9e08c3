# SPDX-License-Identifier: Apache-2.0
"""Builds the ten networks of the race: five Keras applications, each in float32 and in int8.

Weights are random, by a fixed seed. Untrained networks let their activations fade or explode, and
a network full of zeros or denormals would be timed unfairly, so the moving statistics of every
batch normalization are taken from made-up images, and the classifier is scaled until its scores
spread like those of a trained one.

A network is a folder: `model.tflite`, `input.npy` (one image as the model wants it) and, where
the conversion works, `model.onnx`. Folders that are complete are kept.
"""

import os
import tempfile

import numpy as np

from racing.images import SIDE, images

SEED = 20
SCORE_DEVIATION = 3.0
CALIBRATION_IMAGES = 16
REPRESENTATIVE_IMAGES = 32

# Folder, class in keras.applications, and the range of the images it takes.
ARCHITECTURES = {
    "mobilenet_v1": ("MobileNet", -1, 1),
    "mobilenet_v2": ("MobileNetV2", -1, 1),
    "mobilenet_v3_small": ("MobileNetV3Small", 0, 255),
    "efficientnet_b0": ("EfficientNetB0", 0, 255),
    "resnet50": ("ResNet50", -128, 128),
}
FORMATS = ("float", "int8")


def folders(base):
    """The ten folders in the order of the report."""
    return [os.path.join(base, f"{name}_{kind}") for name in ARCHITECTURES for kind in FORMATS]


def is_complete(folder):
    return all(
        os.path.exists(os.path.join(folder, name)) for name in ("model.tflite", "input.npy")
    )


def build(base):
    """Builds what is missing below `base`."""
    for name, (application, low, high) in ARCHITECTURES.items():
        pair = [os.path.join(base, f"{name}_{kind}") for kind in FORMATS]
        if not all(is_complete(folder) for folder in pair):
            print(f"building {name}", flush=True)
            build_pair(pair, application, low, high)


def build_pair(pair, application, low, high):
    model = calibrated(application, low, high)
    sample = images(1, SEED + 2, low, high)
    representative = images(REPRESENTATIVE_IMAGES, SEED + 1, low, high)
    for folder, kind in zip(pair, FORMATS):
        os.makedirs(folder, exist_ok=True)
        content = converted(model, representative if kind == "int8" else None)
        values = sample if kind == "float" else quantized(content, sample)
        store(folder, content, values)


def store(folder, content, values):
    with open(os.path.join(folder, "model.tflite"), "wb") as stream:
        stream.write(content)
    np.save(os.path.join(folder, "input.npy"), values)


def calibrated(application, low, high):
    """The application with random weights and activations that neither vanish nor saturate."""
    import keras

    keras.utils.set_random_seed(SEED)
    model = getattr(keras.applications, application)(weights=None)
    for layer in model.layers:
        if isinstance(layer, keras.layers.BatchNormalization):
            layer.momentum = 0.0
        elif isinstance(layer, keras.layers.Dropout):
            layer.rate = 0.0
    batch = images(CALIBRATION_IMAGES, SEED, low, high)
    model(batch, training=True)  # the only step: momentum 0 keeps exactly this batch's statistics
    spread_scores(model, batch)
    return model


def spread_scores(model, batch):
    """Scales the last layer with weights so that its scores deviate as a trained one's do."""
    import keras

    layer = [layer for layer in model.layers if layer.weights][-1]
    if getattr(layer, "activation", None) is keras.activations.softmax:
        features = keras.Model(model.inputs, layer.input)(batch, training=False)
        scores = np.asarray(features) @ np.asarray(layer.kernel) + np.asarray(layer.bias)
    else:  # a convolution, with softmax as a layer of its own
        scores = np.asarray(keras.Model(model.inputs, layer.output)(batch, training=False))
    scores = scores.reshape(len(batch), -1)
    layer.kernel.assign(layer.kernel * (SCORE_DEVIATION / scores.std(axis=1).mean()))


def converted(model, representative):
    """The model as a TensorFlow Lite file; int8 from end to end with representative images."""
    import tensorflow as tf

    specification = tf.TensorSpec([1, SIDE, SIDE, 3], tf.float32)
    with tempfile.TemporaryDirectory() as folder:
        model.export(folder, input_signature=[specification], verbose=False)
        converter = tf.lite.TFLiteConverter.from_saved_model(folder)
        configure(converter, representative)
        return converter.convert()


def configure(converter, representative):
    import tensorflow as tf

    if representative is not None:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = lambda: ([image[None]] for image in representative)
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
        converter.inference_input_type = tf.int8
        converter.inference_output_type = tf.int8


def quantized(content, sample):
    """The sample as values of the model's int8 input."""
    from ai_edge_litert.interpreter import Interpreter

    scale, zero_point = Interpreter(model_content=content).get_input_details()[0]["quantization"]
    return np.clip(np.round(sample / scale) + zero_point, -128, 127).astype(np.int8)
