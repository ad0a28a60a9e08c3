# SPDX-License-Identifier: Apache-2.0
"""Signals, random numbers, tables by key, hashes and n-grams, drawn at random."""

import numpy as np

from goldens_random import multinomial, random
from goldens_signal import coefficients, spectrogram, verification


def renamed(made, case):
    """The case with the path that was asked for."""
    made.name, made.seed = case.name, case.seed
    return made


def transform(case, draw):
    lengths = [2 ** draw.between(0, 5), 2 ** draw.between(1, 6)]
    shape = [max(1, n + draw.between(-2, 2)) if draw.chance(0.4) else n for n in lengths]
    case.fed(case.normal(*draw.shape(0, 2, 3), *shape, spread=draw.choice([0.1, 1, 30])))
    draw.place(case)(np.array(lengths, np.int32))
    case.result("c64")
    case.options("Rfft2dOptions")


def spectra(case, draw):
    window = draw.between(2, 70)
    samples = window + draw.between(0, 150)
    made = spectrogram(case.name, samples, draw.between(1, 3), window, draw.between(1, 40),
                       draw.chance())
    return renamed(made, case)


def cepstra(case, draw):
    filters, low = draw.between(3, 45), draw.between(0, 500)
    made = coefficients(
        case.name, (draw.between(1, 2), draw.between(1, 3), draw.choice([33, 65, 129, 257])),
        draw.choice([8000, 16000, 44100]), filterbank_channel_count=filters,
        dct_coefficient_count=draw.between(1, filters), lower_frequency_limit=low,
        upper_frequency_limit=low + draw.between(400, 7000))
    return renamed(made, case)


def verified(case, draw):
    made = verification(case.variant, case.name, draw.shape(1, 4, 6), draw.chance(),
                        draw.choice([0.5, 5.0]), draw.choice([0.4, 3]))
    return renamed(made, case)


def seeds(draw):
    return draw.between(0, 2**62), draw.choice([0, 5, -7, draw.between(-(2**62), 2**62)])


def randoms(case, draw):
    made = random(case.operator, case.name, draw.shape(0, 4, 9), seeds(draw), draw.chance(0.3))
    return renamed(made, case)


def multinomials(case, draw):
    logits = case.normal(draw.between(1, 4), draw.between(1, 9), spread=draw.choice([0.1, 1, 5]))
    made = multinomial(case.variant, case.name, logits, draw.between(1, 30), seeds(draw),
                       draw.chance(0.3))
    return renamed(made, case)


def lookup(case, draw):
    case.tolerance = "exact"
    rows = draw.between(1, 8)
    keys = sorted(draw.between(-20, 20) for _ in range(rows))
    keys = sorted(set(keys))
    asked = [draw.choice(keys) if draw.chance(0.7) else draw.between(-25, 25)
             for _ in range(draw.between(1, 9))]
    case.fed(np.array(asked, np.int32))
    draw.place(case)(np.array(keys, np.int32))
    inner = () if case.kind == "str" else draw.shape(0, 3, 4)
    draw.place(case, 0.4)(draw.values(case, case.kind, (len(keys), *inner)), case.kind)
    case.result(case.kind)
    case.result("u8")


def projection(case, draw):
    case.tolerance = "exact"
    code = draw.between(1, 2)
    hashes = case.random.uniform(-2, 2, (draw.between(1, 6), draw.between(1, 20)))
    draw.place(case)(hashes, "f32")
    shape = draw.shape(1, 3, 6)
    case.fed(draw.values(case, case.kind, shape), case.kind)
    if draw.chance():
        draw.place(case)(case.random.uniform(-1, 3, shape[0]), "f32")
    case.result("i32")
    case.options("LSHProjectionOptions", type=code)


def grams(case, draw):
    words = [draw.choice(["a", "to", "fox", "quick", "\u00e9t\u00e9"])
             for _ in range(draw.between(0, 7))]
    text = draw.choice([" ", " ", "  ", "\t"]).join(words) + draw.choice(["", " "])
    case.tolerance = "exact"
    case.fed(np.array([text.encode()], object), "str")
    case.result("str")
    case.options("SkipGramOptions", ngramSize=draw.between(1, 4), maxSkipSize=draw.between(0, 4),
                 includeAllNgrams=draw.chance())


DRAWN = {
    "RFFT2D": ("f32", transform),
    "AudioSpectrogram": ("f32", spectra),
    "Mfcc": ("f32", cepstra),
    "NumericVerify": ("u8_q i8_q i16_q f16", verified),
    "RANDOM_UNIFORM": ("f32", randoms),
    "RANDOM_STANDARD_NORMAL": ("f32", randoms),
    "MULTINOMIAL": ("i32 i64", multinomials),
    "HASHTABLE_LOOKUP": ("f32 i32 str i8 i64 u8", lookup),
    "LSH_PROJECTION": ("f32 i32 i64 i8", projection),
    "SKIP_GRAM": ("str", grams),
}
