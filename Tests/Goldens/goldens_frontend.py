# SPDX-License-Identifier: Apache-2.0
"""The audio front end of TensorFlow Lite Micro: windows, transforms, filter banks, noise, gain."""

import numpy as np

from signal_case import FrontEndCase, SignalCase

# Lengths of transforms: powers of two, and mixed radixes of 2, 3 and 5.
LENGTHS = (4, 6, 8, 10, 12, 16, 20, 30, 50, 64, 90, 128, 150, 240, 256, 320, 400, 480, 512, 600,
           1024, 2048)

# Published front ends' options of spectral subtraction, and others.
SUBTRACTION = {
    "published": dict(smoothing=409, one_minus_smoothing=15975, alternate_smoothing=983,
                      alternate_one_minus_smoothing=15401, min_signal_remaining=819,
                      smoothing_bits=10, spectral_subtraction_bits=14, clamping=False),
    "clamping": dict(smoothing=4000, one_minus_smoothing=12384, alternate_smoothing=983,
                     alternate_one_minus_smoothing=15401, min_signal_remaining=3000,
                     smoothing_bits=3, spectral_subtraction_bits=14, clamping=True),
    "no_bits": dict(smoothing=1, one_minus_smoothing=0, alternate_smoothing=0,
                    alternate_one_minus_smoothing=1, min_signal_remaining=0,
                    smoothing_bits=0, spectral_subtraction_bits=0, clamping=True),
}


def energies(case, *shape, kind="u32"):
    """Numbers of all magnitudes."""
    bits = case.random.integers(0, 65 if kind == "u64" else 33, shape)
    limit = np.float64(2) ** bits
    drawn = np.floor(case.random.random(shape) * limit)
    return np.minimum(drawn, 2.0**63 if kind == "u64" else 2.0**32 - 1).astype(
        np.uint64 if kind == "u64" else np.uint32)


def window(name, shape, length, shift, spread=None):
    case = SignalCase("SignalWindow", "i16", name, shift=shift)
    case.feeds(lambda: case.codes(*shape, kind="i16"))
    if spread is None:
        case.constant(case.codes(length, kind="i16"))
    else:
        case.constant((np.hanning(length + 2)[1:-1] * spread).astype(np.int16))
    case.result("i16", shape=shape)
    return case


def windows():
    yield window("one_frame", (1, 480), 480, 12, 4096)
    yield window("frames", (3, 4, 30), 30, 12, 4096)
    yield window("no_shift", (40,), 40, 0)
    yield window("saturating", (2, 50), 50, 3)
    yield window("shift_31", (2, 8), 8, 31)
    yield window("shorter_window", (2, 12), 6, 14)


def auto_scale(name, values):
    case = SignalCase("SignalFftAutoScale", "i16", name)
    values = np.asarray(values, np.int16)
    case.feeds(lambda: values)
    case.result("i16", shape=values.shape)
    case.result("i32", shape=())
    return case


def auto_scales():
    for bits in (0, 1, 3, 8, 14, 15):
        case = SignalCase("SignalFftAutoScale", "i16", f"bits_{bits}")
        high = 2**bits - 1
        case.feeds(lambda case=case, high=high: case.codes(64, kind="i16", low=-high, high=high))
        case.result("i16", shape=(64,))
        case.result("i32", shape=())
        yield case
    yield auto_scale("least_last", [3, -5, 100, -32768])
    yield auto_scale("least_first", [-32768, -100, 5, 3])
    yield auto_scale("least_first_negative", [-32768, -100, -7])
    yield auto_scale("one", [-1])


def samples(case, shape):
    if case.variant == "f32":
        return case.normal(*shape)
    spread = int(case.random.choice([3, 100, 3000, 32767]))
    factor = 1 if case.variant == "i16" else 65536
    return case.codes(*shape, kind=case.variant, low=-spread * factor, high=spread * factor)


def transform(name, variant, shape, length):
    case = SignalCase("SignalRfft", variant, name, 2, "sum", fft_length=length,
                      T={"f32": 0, "i32": 2, "i16": 7}[variant])
    case.feeds(lambda: samples(case, shape))
    case.result(variant, shape=(*shape[:-1], length + 2))
    return case


def transforms():
    for variant in ("i16", "i32", "f32"):
        for length in LENGTHS:
            yield transform(f"length_{length}", variant, (length,), length)
        yield transform("zeros_follow", variant, (2, 3, 37), 64)
        yield transform("published", variant, (480,), 512)
    case = SignalCase("SignalRfft", "i16", "extremes", T=7, fft_length=128)
    case.feeds(lambda: case.random.choice(np.array([-32768, 32767], np.int16), (4, 128)))
    case.result("i16", shape=(4, 130))
    yield case


def spectra():
    for name, count, start, end in (("whole", 257, 0, 257), ("odd", 4, 0, 4)):
        case = SignalCase("SignalEnergy", "i16", name, start_index=start, end_index=end)
        case.feeds(lambda case=case, count=count: case.codes(2 * count, kind="i16"))
        case.result("u32", shape=(count,))
        yield case
    case = SignalCase("SignalEnergy", "i16", "extremes", start_index=0, end_index=3)
    case.feeds(lambda: np.array([-32768, -32768, 32767, -32768, 0, 0], np.int16))
    case.result("u32", shape=(3,))
    yield case


def bank(name, count, energy_count, widths, negative=False):
    case = SignalCase("SignalFilterBank", "u32", name, 2, num_channels=count)
    widths = np.asarray(widths, np.int16)
    starts = np.minimum(np.cumsum(np.maximum(widths, 0)) - widths + 3, energy_count - widths)
    places = np.cumsum(np.maximum(widths, 0)) - np.maximum(widths, 0)
    total = int(np.maximum(widths, 0).sum())
    low = -4096 if negative else 0
    case.feeds(lambda: energies(case, energy_count))
    case.constant(case.codes(total, kind="i16", low=low, high=4096))
    case.constant(case.codes(total, kind="i16", low=low, high=4096))
    case.constant(starts.astype(np.int16))
    case.constant(places.astype(np.int16))
    case.constant(widths)
    case.result("u64", shape=(count,))
    return case


def banks():
    yield bank("published", 40, 257, [1 + i // 4 for i in range(41)])
    yield bank("overlapping", 3, 12, [5, 4, 7, 9])
    yield bank("empty_bands", 4, 20, [3, 0, 4, 0, 5])
    yield bank("wrapping", 5, 64, [9, 8, 7, 6, 5, 4], negative=True)


def roots():
    for name, values in (
        ("magnitudes", None),
        ("squares", [k * k + d for k in (1, 2, 255, 65535, 65536, 99999, 2**31, 2**32 - 1)
                     for d in (-1, 0, 1, k, k + 1) if k * k + d >= 0]),
        ("extremes", [0, 1, 2, 3, 2**32 - 1, 2**32 - 65536, 2**32, 2**64 - 1, 2**63]),
    ):
        for bits in (0, 5) if values is None else (0,):
            case = SignalCase("SignalFilterBankSquareRoot", "u64", f"{name}_{bits}")
            drawn = (energies(case, 64, kind="u64") if values is None
                     else np.array([v % 2**64 for v in values], np.uint64))
            case.feeds(lambda drawn=drawn: drawn)
            case.feeds(lambda bits=bits: np.array(bits, np.int32))
            case.result("u32", shape=drawn.shape)
            yield case


def subtractions():
    for name, values in SUBTRACTION.items():
        case = SignalCase("SignalFilterBankSpectralSubtraction", "u32", name, 5,
                          num_channels=40, **values)
        case.feeds(lambda case=case: energies(case, 40))
        case.result("u32", shape=(40,))
        case.result("u32", shape=(40,))
        yield case


def gains(case):
    """A table of gains as the published front ends have it: 125 numbers."""
    return case.codes(125, kind="i16", low=-20000, high=20000)


def normalizations():
    for shift in (0, 6, 20, 40):
        case = SignalCase("SignalPCAN", "u32", f"shift_{shift}", 2, snr_shift=shift)
        case.feeds(lambda case=case: energies(case, 40))
        case.feeds(lambda case=case: energies(case, 40))
        case.constant(gains(case))
        case.result("u32", shape=(40,))
        yield case
    case = SignalCase("SignalPCAN", "u32", "small_noise", 1, snr_shift=6)
    case.feeds(lambda: case.codes(32, kind="u32", high=100000))
    case.feeds(lambda: np.arange(32, dtype=np.uint32))
    case.constant(gains(case))
    case.result("u32", shape=(32,))
    yield case


def logarithms():
    for scale, bits in ((64, 3), (1, 0), (65535, 0), (1600, 31), (-7, 1)):
        name = f"scale_{scale}_bits_{bits}".replace("-", "minus_")
        case = SignalCase("SignalFilterBankLog", "u32", name, output_scale=scale,
                          input_correction_bits=bits)
        case.feeds(lambda case=case: np.concatenate(
            [energies(case, 200), np.uint32([0, 1, 2, 3, 2**31, 2**32 - 1])]))
        case.result("i16", shape=(206,))
        yield case


def inverse_transforms():
    for variant in ("i16", "i32", "f32"):
        for length in LENGTHS:
            case = SignalCase("SignalIrfft", variant, f"length_{length}", 2, "sum",
                              fft_length=length, T={"f32": 0, "i32": 2, "i16": 7}[variant])
            case.feeds(lambda case=case, length=length: samples(case, (2, length + 2)))
            case.result(variant, shape=(2, length))
            yield case


def delays():
    for name, shape, length in (("shorter", (1, 32), 10), ("longer", (2, 3, 8), 21),
                                ("frame", (6,), 6), ("none", (1, 5), 0)):
        case = SignalCase("SignalDelay", "i16", name, 5, delay_length=length)
        case.feeds(lambda case=case, shape=shape: case.codes(*shape, kind="i16"))
        case.result("i16", shape=shape)
        yield case


def framers():
    for name, shape, size, step, prefill in (
        ("published", (1, 320), 480, 160, True), ("rows", (2, 12), 7, 3, True),
        ("side_by_side", (1, 8), 4, 4, True), ("long", (1, 4), 17, 4, True),
        ("flat", (30,), 11, 10, True), ("not_waiting", (1, 6), 3, 3, False),
    ):
        # What waits for samples is not written, so that it holds whatever the arena held.
        case = SignalCase("SignalFramer", "i16", name, 6, frame_size=size, frame_step=step,
                          prefill=prefill)
        case.feeds(lambda case=case, shape=shape: case.codes(*shape, kind="i16"))
        case.result("i16", shape=(*shape[:-1], shape[-1] // step, size))
        case.result("bool", shape=())
        yield case


def stackers():
    for name, left, right, step in (("every_frame", 2, 0, 1), ("alone", 0, 0, 1),
                                    ("right", 0, 3, 1), ("steps", 1, 2, 3), ("whole", 1, 1, 3)):
        case = SignalCase("SignalStacker", "i16", name, 10, num_channels=5, stacker_step=step,
                          stacker_left_context=left, stacker_right_context=right)
        case.feeds(lambda case=case: case.codes(5, kind="i16"))
        case.result("i16", shape=(5 * (left + right + 1),))
        case.result("bool", shape=())
        yield case


def overlaps():
    for variant in ("i16", "f32"):
        for name, shape, step in (("half", (1, 1, 16), 8), ("frames", (2, 3, 9), 2),
                                  ("apart", (2, 4), 4), ("one_sample", (3, 5), 1)):
            case = SignalCase("SignalOverlapAdd", variant, name, 5, "sum", frame_step=step,
                              T={"f32": 0, "i16": 7}[variant])
            case.feeds(lambda case=case, shape=shape: case.normal(*shape) if case.variant == "f32"
                       else case.codes(*shape, kind="i16"))
            case.result(variant, shape=(*shape[:-2], shape[-2] * step))
            yield case


def speech(case, count):
    """Samples of tones that come and go, and noise."""
    tones = np.sin(np.arange(count) * case.random.uniform(0.02, 2, (3, 1)))
    volumes = case.random.choice([0, 30, 1000, 9000], (3, 1))
    noise = case.normal(count, spread=case.random.choice([1, 40, 400]))
    return (tones * volumes).sum(0) + noise


def front_end():
    """The features of a published keyword spotter, over twenty frames of 30 ms every 20 ms."""
    case = FrontEndCase("SignalFramer", "i16", "front_end", 20)
    case.input("i16", (320,), lambda: np.clip(speech(case, 320), -32768, 32767).astype(np.int16))
    frames = case.apply("SignalFramer", [("i16", (1, 480)), ("bool", ())],
                        frame_size=480, frame_step=320, prefill=True)
    hann = (np.hanning(482)[1:-1] * 4096).astype(np.int16)
    case.apply("SignalWindow", [("i16", (1, 480))], [hann], frames[:1], shift=12)
    case.apply("RESHAPE", [("i16", (480,))], [np.int32([480])])
    scaled = case.apply("SignalFftAutoScale", [("i16", (480,)), ("i32", ())])
    case.apply("SignalRfft", [("i16", (514,))], [], scaled[:1], T=7, fft_length=512)
    case.apply("SignalEnergy", [("u32", (257,))], start_index=0, end_index=257)
    widths = np.array([1 + i // 4 for i in range(41)], np.int16)
    places = (np.cumsum(widths) - widths).astype(np.int16)
    weights = np.concatenate([(np.arange(w) + 1) * 4096 // (w + 1) for w in widths])
    sums = case.apply("SignalFilterBank", [("u64", (40,))],
                      [weights.astype(np.int16), (4096 - weights).astype(np.int16),
                       np.minimum(places + 5, 257 - widths), places, widths], num_channels=40)
    case.apply("SignalFilterBankSquareRoot", [("u32", (40,))], [], [*sums, scaled[1]])
    case.apply("SignalFilterBankSpectralSubtraction", [("u32", (40,)), ("u32", (40,))],
               num_channels=40, **SUBTRACTION["published"])
    gain = np.linspace(20000, 100, 125).astype(np.int16)
    case.apply("SignalPCAN", [("u32", (40,))], [gain], snr_shift=6)
    case.apply("SignalFilterBankLog", [("i16", (40,))], output_scale=1600,
               input_correction_bits=3)
    case.result("i16", shape=(40,))
    yield case


def cases():
    for family in (windows, auto_scales, transforms, spectra, banks, roots, subtractions,
                   normalizations, logarithms, inverse_transforms, delays, framers, stackers,
                   overlaps, front_end):
        yield from family()
