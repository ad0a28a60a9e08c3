# SPDX-License-Identifier: Apache-2.0
"""Makes colors.tflite: names the mean color of an image among a thousand.

Input [1, 224, 224, 3] of floats from 0 to 1, output [1, 1000] of probabilities. Class
100 r + 10 g + b stands for the color ((r + 0.5) / 10, (g + 0.5) / 10, (b + 0.5) / 10); its logit
is 200 (2 c·x - c·c), which is largest for the nearest color.

    pip install tensorflow-cpu && python3 make_colors.py
"""

import pathlib

import numpy as np
import tensorflow as tf

SHARPNESS = 200

steps = (np.arange(10) + 0.5) / 10
colors = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), -1).reshape(1000, 3)
weights = (2 * SHARPNESS * colors.T).astype(np.float32)
biases = (-SHARPNESS * (colors**2).sum(axis=1)).astype(np.float32)

picture = tf.keras.Input((224, 224, 3), batch_size=1, name="picture")
# In two steps, since long sums of floats lose digits.
mean = tf.keras.layers.GlobalAveragePooling2D()(tf.keras.layers.AveragePooling2D(32)(picture))
dense = tf.keras.layers.Dense(1000, activation="softmax", name="color")
network = tf.keras.Model(picture, dense(mean))
dense.set_weights([weights, biases])

converter = tf.lite.TFLiteConverter.from_keras_model(network)
pathlib.Path(__file__).with_name("colors.tflite").write_bytes(converter.convert())
