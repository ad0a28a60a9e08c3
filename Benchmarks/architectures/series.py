# SPDX-License-Identifier: Apache-2.0
"""Networks of sounds, texts, series in time, volumes, points and tables."""

from keras import layers, ops

from .blocks import ROW_COUNT, Network, convolved


def quartznet(x):
    x = layers.Conv1D(128, 33, 2, padding="same")(x)
    for size in (33, 51, 75):
        for _ in range(2):
            x = layers.SeparableConv1D(128, size, padding="same", use_bias=False)(x)
            x = layers.ReLU()(layers.BatchNormalization()(x))
    return layers.Conv1D(29, 1, activation="softmax")(x)


def temporal(x):
    x = layers.Conv1D(64, 1)(x)
    for dilation in (1, 2, 4, 8, 16, 32):
        y = layers.Conv1D(
            64, 3, padding="causal", dilation_rate=dilation, activation="relu")(x)
        x = layers.Add()([x, layers.Conv1D(64, 1)(y)])
    return layers.Conv1D(1, 1)(x)


def wavenet(x):
    x = layers.Conv1D(32, 1)(x)
    total = 0
    for dilation in (1, 2, 4, 8, 16, 32):
        values, gate = (
            layers.Conv1D(
                32, 2, padding="causal", dilation_rate=dilation, activation=activation)(x)
            for activation in ("tanh", "sigmoid"))
        y = values * gate
        total = total + layers.Conv1D(64, 1)(y)
        x = x + layers.Conv1D(32, 1)(y)
    return layers.Conv1D(256, 1, activation="softmax")(layers.ReLU()(total))


def unet_1d(x):
    passed = []
    for width in (16, 32, 64, 64):
        x = layers.Conv1D(width, 15, padding="same", activation=layers.LeakyReLU(0.2))(x)
        passed.append(x)
        x = x[:, ::2]
    for width in (64, 32, 16, 16):
        x = ops.reshape(ops.repeat(x, 2, 1), (1, 2 * x.shape[1], x.shape[-1]))
        x = ops.concatenate([x, passed.pop()], -1)
        x = layers.Conv1D(width, 5, padding="same", activation=layers.LeakyReLU(0.2))(x)
    return layers.Conv1D(1, 1, activation="tanh")(x)


def rnn(x):
    return layers.Dense(10)(layers.SimpleRNN(64)(x))


def gru(x):
    return layers.Dense(10)(layers.GRU(64)(layers.GRU(64, return_sequences=True)(x)))


def gru_unrolled(x):
    return layers.Dense(10)(layers.GRU(32, unroll=True)(x))


def conv_lstm(x):
    return layers.Conv2D(1, 3, padding="same")(layers.ConvLSTM2D(16, 3, padding="same")(x))


def conv_3d(x):
    for width in (16, 32, 64):
        x = layers.Conv3D(width, 3, 2, padding="same", activation="relu")(x)
    return layers.Dense(10)(ops.mean(x, (1, 2, 3)))


def text_reader(x):
    """Reads a line of text in an image."""
    x = layers.MaxPooling2D(2)(convolved(x, 32, 3))
    x = layers.MaxPooling2D((2, 1))(convolved(x, 64, 3))
    x = convolved(x, 64, 3)
    height, width, depth = x.shape[1:]
    x = layers.Reshape((width, height * depth))(layers.Permute((2, 1, 3))(x))
    x = layers.Bidirectional(layers.LSTM(64, return_sequences=True))(
        layers.Dense(64, activation="relu")(x))
    return layers.Dense(37, activation="softmax")(x)


def text_cnn(x):
    x = layers.Embedding(ROW_COUNT, 64)(x)
    parts = (layers.Conv1D(64, size, activation="relu")(x) for size in (3, 4, 5))
    return layers.Dense(5)(
        ops.concatenate([layers.GlobalMaxPooling1D()(part) for part in parts], -1))


def eegnet(x):
    """Filters in time, then of electrodes."""
    x = layers.Conv2D(8, (1, 64), padding="same", use_bias=False)(x)
    x = layers.DepthwiseConv2D((32, 1), depth_multiplier=2, use_bias=False)(
        layers.BatchNormalization()(x))
    x = layers.Activation("elu")(layers.BatchNormalization()(x))
    x = layers.SeparableConv2D(16, (1, 16), padding="same", use_bias=False)(
        layers.AveragePooling2D((1, 4))(x))
    x = layers.Activation("elu")(layers.BatchNormalization()(x))
    x = layers.Flatten()(layers.AveragePooling2D((1, 8))(x))
    return layers.Dense(4, activation="softmax")(x)


def pointnet(x):
    for width in (64, 64, 64, 128, 512):
        x = layers.Conv1D(width, 1, activation="relu")(x)
    x = layers.GlobalMaxPooling1D()(x)
    for width in (256, 128):
        x = layers.Dense(width, activation="relu")(x)
    return layers.Dense(40)(x)


def recommender(x):
    """Embeddings of categories, and their products with each other."""
    rows = ops.stack(
        [layers.Embedding(ROW_COUNT, 32)(x[:, column]) for column in range(8)], 1)
    products = ops.matmul(rows, ops.transpose(rows, (0, 2, 1)))
    x = ops.concatenate([ops.reshape(products, (1, 64)), ops.reshape(rows, (1, 256))], -1)
    for width in (512, 256, 64):
        x = layers.Dense(width, activation="relu")(x)
    return layers.Dense(1, activation="sigmoid")(x)


NETWORKS = {
    "quartznet": Network((200, 64), quartznet), "temporal": Network((256, 16), temporal),
    "wavenet": Network((512, 1), wavenet), "unet_1d": Network((1024, 1), unet_1d),
    "rnn": Network((50, 40), rnn), "gru": Network((50, 40), gru),
    "gru_unrolled": Network((20, 40), gru_unrolled),
    "conv_lstm": Network((8, 32, 32, 1), conv_lstm),
    "conv_3d": Network((16, 48, 48, 3), conv_3d),
    "text_reader": Network((32, 100, 1), text_reader),
    "text_cnn": Network((64,), text_cnn, "int32"), "eegnet": Network((32, 128, 1), eegnet),
    "pointnet": Network((1024, 3), pointnet), "recommender": Network((8,), recommender, "int32"),
}
