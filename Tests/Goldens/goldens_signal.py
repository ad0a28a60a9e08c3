# SPDX-License-Identifier: Apache-2.0
"""RFFT2D and the custom operators AudioSpectrogram, Mfcc and NumericVerify."""

import numpy as np
from flatbuffers import flexbuffers

from golden_case import Case

# The input's shape and the lengths of the transform.
TRANSFORMS = {
    "square": ((8, 8), (8, 8)),
    "wide": ((4, 16), (4, 16)),
    "tall": ((32, 2), (32, 2)),
    "one_row": ((1, 64), (1, 64)),
    "two_rows": ((2, 4), (2, 4)),
    "cropped": ((9, 11), (8, 8)),
    "filled": ((3, 5), (4, 8)),
    "cropped_and_filled": ((6, 3), (4, 16)),
    "batched": ((2, 3, 4, 4), (4, 4)),
    "long": ((1, 512), (1, 512)),
}


def transforms():
    for name, (shape, lengths) in TRANSFORMS.items():
        for at_run_time in (False, True):
            suffix = "_at_run_time" if at_run_time else ""
            if at_run_time and name not in ("square", "filled"):
                continue
            case = Case("RFFT2D", "f32", name + suffix, "arithmetic")
            case.fed(case.normal(*shape))
            lengths_array = np.array(lengths, np.int32)
            if at_run_time:
                case.fed(lengths_array)
            else:
                case.constant(lengths_array)
            case.result("c64")
            yield case.options("Rfft2dOptions")


def spectrogram(name, samples, channels, window, stride, squared):
    case = Case("AudioSpectrogram", "f32", name, "sum")
    case.fed(case.normal(samples, channels, spread=0.3))
    case.result("f32")
    case.custom = flexbuffers.Dumps(
        {"window_size": window, "stride": stride, "magnitude_squared": squared}
    )
    return case


def spectrograms():
    yield spectrogram("squared", 64, 1, 16, 8, True)
    yield spectrogram("magnitude", 64, 1, 16, 8, False)
    yield spectrogram("stereo", 50, 2, 16, 16, True)
    yield spectrogram("odd_window", 70, 1, 21, 10, False)
    yield spectrogram("gaps", 90, 1, 8, 20, True)
    yield spectrogram("one_window", 30, 1, 30, 1, True)
    yield spectrogram("speech", 1600, 1, 480, 320, True)


def coefficients(name, shape, rate, **changes):
    case = Case("Mfcc", "f32", name, "exp")
    case.fed(np.abs(case.normal(*shape)))
    case.constant(np.int32(rate))
    case.result("f32")
    settings = {
        "upper_frequency_limit": 4000,
        "lower_frequency_limit": 20,
        "filterbank_channel_count": 40,
        "dct_coefficient_count": 13,
    }
    case.custom = flexbuffers.Dumps(settings | changes)
    return case


def mels():
    yield coefficients("speech", (1, 3, 257), 16000)
    yield coefficients("stereo", (2, 2, 129), 16000)
    yield coefficients("few_filters", (1, 2, 65), 8000, filterbank_channel_count=13)
    yield coefficients("all_coefficients", (1, 2, 129), 16000, dct_coefficient_count=40)
    yield coefficients("narrow", (1, 2, 33), 8000, upper_frequency_limit=900)
    yield coefficients("beyond", (1, 2, 33), 4000, upper_frequency_limit=9000)
    yield coefficients("from_zero", (1, 1, 65), 16000, lower_frequency_limit=0)


def verification(variant, name, shape, strict=False, tolerance=5.0, noise=0.4):
    case = Case("NumericVerify", variant, name, "arithmetic")
    if variant == "f16":
        values = case.normal(*shape, kind="f16")
        case.fed(values, "f16")
        real = values.astype(np.float32)
        step = 0.0 if strict else 0.01
    else:
        kind = variant.split("_")[0]
        step, zero = {"u8": (0.05, 120), "i8": (0.05, -7), "i16": (0.0003, 0)}[kind]
        values = case.codes(*shape, kind=kind)
        case.fed(values, kind, step, zero)
        real = (values.astype(np.float32) - zero) * np.float32(step)
    shift = case.random.uniform(-noise, noise, shape) * step
    case.fed((real + shift).astype(np.float32))
    case.result("f32")
    case.custom = flexbuffers.Dumps({"tolerance": tolerance, "log_if_failed": strict})
    return case


def verifications():
    for variant in ("u8_q", "i8_q", "i16_q", "f16"):
        yield verification(variant, "loose", (4, 5))
        yield verification(variant, "strict", (3, 7), strict=True)
    yield verification("i8_q", "far", (9,), noise=30)
    yield verification("i8_q", "small_tolerance", (9,), strict=True, tolerance=0.05, noise=30)


def cases():
    yield from transforms()
    yield from spectrograms()
    yield from mels()
    yield from verifications()
