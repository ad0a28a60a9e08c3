# SPDX-License-Identifier: Apache-2.0
"""Writes MODEL.md from what was measured."""

import os

IO = {
    "float32": "float32 → float32",
    "float16": "float32 → float32, weights float16",
    "dynamic": "float32 → float32, large weights int8 (dynamic range)",
    "int8": "int8 → int8",
    "int8_float_io": "float32 → float32, int8 between",
    "int16x8": "float32 → float32, int16 activations and int8 weights between",
    "uint8": "uint8 → uint8, int8 between",
}

TEXT = """<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by train.py; edit model_card.py instead. -->

# Handwritten digits

A small convolutional network that classifies a handwritten digit, 0 to 9, in a 32 × 32 RGB image. It is
available in seven number formats, so that examples and tests can run the same network in every kind of
arithmetic that a TensorFlow Lite file may use.

| file | input → output | bytes | plain | colored |
|---|---|---|---|---|
{files}

*Plain* is the share of the {held} held-back digits classified correctly when drawn as in `samples/`. *Colored*
is the same for {coloured} variations of them (four each) with random colors, rotation, size, slant, shift, edge,
gradient and noise. Both were measured with LiteRT 2.3.0's reference kernels on the files themselves, with
each image reduced to 32 × 32 first.

## Use

The model is for demonstrations, tests and lessons. The input is an image with one digit that fills it. Every
file has TFLite Metadata (schema 1.5): RGB, input value = pixel / 255 (mean 0, standard deviation 255), labels
in the associated file `labels.txt`, no score threshold. In the uint8 file a pixel equals its quantized value;
in the int8 file it is 128 more than its quantized value.

`samples/digit_<n>.png` are ten held-back digits, 96 × 96, that all seven files classify correctly;
`samples/labels.csv` lists the digit of each. `goldens/<format>/` contains input and output tensors of two of
them and of the held-back variation that the float32 network is least certain about, computed by LiteRT
2.3.0's reference kernels. `case.json` gives the tolerance of float outputs: 1e-5 plus four times the change
of the output when inputs change by one float step; none if all arithmetic is in integers.

## Training

* Data: the 1,797 digits of 8 × 8 gray pixels distributed with scikit-learn, which are the test part of the
  UCI data set *Optical Recognition of Handwritten Digits* (E. Alpaydin, C. Kaynak, 1998, doi:10.24432/C50P49;
  CC BY 4.0; scikit-learn itself is under the 3-clause BSD license). Here they were enlarged, rotated,
  slanted, shifted and colored by `drawing.py`.
* Split by original digit, at random with a fixed seed: {training} for training, {validation} for validation, {held} held back
  and used only for the table above, the samples and the golden cases. No variation of a held-back digit was
  used in training.
* Network, {parameters:,} parameters: a 3 × 3 convolution, five depthwise-separable ones of which two are residual,
  maximum and average pooling, mean over the image, two dense layers, softmax. Batch normalization is folded
  into the convolutions.
* {epochs} epochs with {variations} fresh variations of each digit, batches of 64, Adam with a learning rate that falls from
  0.004 along a cosine, dropout 0.2 before the dense layers.
* Integer formats were calibrated with 300 training variations.
* `python3 train.py` makes everything in this folder again (a few minutes on one CPU core), with the versions
  in `requirements.txt`. Two runs on one machine give the same bytes. Another kind of processor may round
  differently in training and give other weights.

## Limits

* The digits come from 13 writers, and the held-back digits come from the same writers as the others. Expect
  lower accuracy for other handwriting, especially for a plain 1 or a crossed 7 that look different.
* The model always answers with a digit, also for letters, empty paper or several digits, often with high
  probability.
* In training, ink and paper differed in brightness by at least 70 of 255, and digits were rotated by at most
  12 degrees.
* It is not meant for reading checks, forms, license plates or anything important.

Weights, samples and goldens: Apache-2.0; for the digits' shapes in the samples, credit the data set above.

## SHA-256

```
{sums}
```
"""


def write_card(folder, rows, splits, parameters, epochs, variations):
    """`rows`: format, bytes, accuracy on plain and on colored images, SHA-256."""
    files = [
        f"| `digits_{name}.tflite` | {IO[name]} | {size:,} | {100 * plain:.1f} % "
        f"| {100 * coloured:.1f} % |"
        for name, size, plain, coloured, _ in rows
    ]
    sums = [f"{digest}  digits_{name}.tflite" for name, _, _, _, digest in rows]
    training, validation, held = (len(labels) for _, labels in splits)
    text = TEXT.format(
        files="\n".join(files),
        sums="\n".join(sums),
        training=f"{training:,}",
        validation=validation,
        held=held,
        coloured=f"{4 * held:,}",
        parameters=parameters,
        epochs=epochs,
        variations=variations,
    )
    with open(os.path.join(folder, "MODEL.md"), "w") as stream:
        stream.write(text)
