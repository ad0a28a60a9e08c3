#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes WAV files with sox and ffmpeg, and what their samples are by other programs' reading.

    make_corpus.py FOLDER

Needs sox, ffmpeg, and the Python packages numpy, scipy and soundfile. For each `NAME.wav` (or
`NAME.raw`) there is `NAME.f32`, the samples as little-endian float32 frame by frame, and in
`corpus.txt` a line `NAME channels rate frames reader`. The samples come from libsndfile (through
soundfile) or scipy where these read the file, and from NumPy's view of the bytes that were put in
where neither does. A-law and mu-law of sox and ffmpeg are read by libsndfile.
"""

import pathlib
import struct
import subprocess
import sys

import numpy as np
import scipy.io.wavfile
import soundfile

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
lines = []
random = np.random.default_rng(20240607)


def sound(channels, rate, frames):
    """A chord that differs in each channel, with noise, peaks at both ends and silence."""
    time = np.arange(frames) / rate
    columns = [
        0.5 * np.sin(2 * np.pi * (110 * (c + 1)) * time) + 0.3 * random.standard_normal(frames)
        for c in range(channels)
    ]
    samples = np.clip(np.stack(columns, 1), -1, 1 - 2**-15)
    samples[:2] = [[-1.0] * channels, [1 - 2**-15] * channels][: min(2, frames)]
    samples[frames // 2 : frames // 2 + 3] = 0
    return (samples * 2**31).astype(np.int64).clip(-(2**31), 2**31 - 1).astype("<i4")


def run(*command, data=None, to=None):
    result = subprocess.run(command, input=data, capture_output=True, check=True)
    if to is not None:
        to.write_bytes(result.stdout)


def expected(path):
    """The samples as float64, and who read them."""
    try:
        samples, _ = soundfile.read(path, always_2d=True, dtype="float64")
        return samples, "libsndfile"
    except Exception:
        rate, samples = scipy.io.wavfile.read(path)
        samples = samples.reshape(len(samples), -1)
        if samples.dtype == np.uint8:
            return (samples.astype(np.float64) - 128) / 128, "scipy"
        if samples.dtype.kind == "i":
            return samples / float(2 ** (8 * samples.dtype.itemsize - 1)), "scipy"
        return samples.astype(np.float64), "scipy"


def big_endian(path, name):
    """The samples of a RIFX file, which NumPy sees in the bytes of the chunk `data`."""
    file = path.read_bytes()
    start = file.index(b"data") + 8
    body = file[start : start + int.from_bytes(file[start - 4 : start], "big")]
    channels = int.from_bytes(file[22:24], "big")
    if name == "s24":
        # Each sample becomes the upper bytes of 32 bits.
        triples = np.frombuffer(body, "u1").reshape(-1, 3)
        padded = np.concatenate([triples, np.zeros((len(triples), 1), "u1")], 1)
        values = padded.copy().view(">i4").astype(np.float64) / 2**31
    else:
        kind, scale = {"s16": (">i2", 2**15), "s32": (">i4", 2**31), "f32": (">f4", 1),
                       "f64": (">f8", 1)}[name]
        values = np.frombuffer(body, kind).astype(np.float64) / scale
    return values.reshape(-1, channels), "numpy"


def note(name, samples, rate, reader):
    samples.astype("<f4").tofile(folder / f"{name}.f32")
    lines.append(f"{name} {samples.shape[1]} {rate} {samples.shape[0]} {reader}")


def from_ffmpeg(name, data, channels, rate, codec, *options, pipe=False, muxer="wav"):
    path = folder / f"{name}.wav"
    command = ["ffmpeg", "-v", "error", "-y", "-f", "s32le", "-ar", str(rate), "-ac",
               str(channels), "-i", "-", "-c:a", codec, *options, "-f", muxer]
    if pipe:
        run(*command, "-", data=data.tobytes(), to=path)
    else:
        run(*command, str(path), data=data.tobytes())
    samples, reader = expected(path)
    note(name, samples, rate, reader)


def from_sox(name, data, channels, rate, *options, pipe=False):
    path = folder / f"{name}.wav"
    command = ["sox", "-D", "-V1", "-t", "raw", "-e", "signed", "-b", "32", "-L", "-r", str(rate),
               "-c", str(channels), "-", *options]
    if pipe:
        run(*command, "-t", "wav", "-", data=data.tobytes(), to=path)
    else:
        run(*command, str(path), data=data.tobytes())
    samples, reader = (
        big_endian(path, name.split("-")[2]) if "rifx" in name else expected(path))
    note(name, samples, rate, reader)


FFMPEG = ["pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_f64le", "pcm_alaw",
          "pcm_mulaw"]
SOX = {"u8": ["-e", "unsigned", "-b", "8"], "s16": ["-e", "signed", "-b", "16"],
       "s24": ["-e", "signed", "-b", "24"], "s32": ["-e", "signed", "-b", "32"],
       "f32": ["-e", "float", "-b", "32"], "f64": ["-e", "float", "-b", "64"],
       "alaw": ["-e", "a-law"], "mulaw": ["-e", "mu-law"]}

for channels in [1, 2, 3, 6]:
    for rate, frames in [(8000, 401), (16000, 777), (44100, 1000), (11025, 3)]:
        data = sound(channels, rate, frames)
        for codec in FFMPEG:
            from_ffmpeg(f"ffmpeg-{codec}-{channels}-{rate}", data, channels, rate, codec)
for channels in [1, 2, 5]:
    for rate, frames in [(16000, 501), (48000, 1200)]:
        data = sound(channels, rate, frames)
        for name, options in SOX.items():
            from_sox(f"sox-{name}-{channels}-{rate}", data, channels, rate, *options)
            if name in ["s16", "s24", "s32", "f32", "f64"]:
                from_sox(f"sox-rifx-{name}-{channels}-{rate}", data, channels, rate, *options, "-B")
for codec in FFMPEG:
    data = sound(1, 16000, 999)
    from_ffmpeg(f"ffmpeg-pipe-{codec}", data, 1, 16000, codec, pipe=True)
    from_ffmpeg(f"ffmpeg-rf64-{codec}", data, 1, 16000, codec, "-rf64", "always")
for name, options in SOX.items():
    from_sox(f"sox-pipe-{name}", sound(2, 22050, 555), 2, 22050, *options, pipe=True)
for rate in [1, 4000, 96000, 192000, 384000]:
    from_ffmpeg(f"ffmpeg-rate-{rate}", sound(1, rate, 64), 1, rate, "pcm_s16le")
for channels in [8, 16, 32]:
    from_ffmpeg(f"ffmpeg-many-{channels}", sound(channels, 8000, 33), channels, 8000, "pcm_s24le")
for codec in ["pcm_s16le", "pcm_f32le"]:
    from_ffmpeg(f"ffmpeg-tags-{codec}", sound(2, 44100, 301), 2, 44100, codec, "-metadata",
                "title=odd size", "-metadata", "comment=before and after", "-write_bext", "1")

# RF64 and BW64 of libsndfile, and containers with fewer valid bits than they have.
for container, subtype in [("RF64", s) for s in ["PCM_16", "PCM_24", "FLOAT"]] + [
    ("WAVEX", s) for s in ["PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE", "ULAW",
                           "ALAW"]]:
    name = f"sndfile-{container}-{subtype}"
    data = sound(4, 32000, 250) / 2.0**31
    soundfile.write(folder / f"{name}.wav", data, 32000, format=container, subtype=subtype)
    note(name, expected(folder / f"{name}.wav")[0], 32000, "libsndfile")

# Raw samples, which NumPy reads from the bytes that ffmpeg gives.
RAW = {"s16le": ("<i2", 2**15), "s16be": (">i2", 2**15), "f32le": ("<f4", 1), "f64be": (">f8", 1),
       "s32le": ("<i4", 2**31), "u8": ("u1", 128)}
for form, (kind, scale) in RAW.items():
    data = sound(2, 16000, 123)
    path = folder / f"raw-{form}.raw"
    run("ffmpeg", "-v", "error", "-y", "-f", "s32le", "-ar", "16000", "-ac", "2", "-i", "-", "-f",
        form, str(path), data=data.tobytes())
    values = np.fromfile(path, kind).astype(np.float64).reshape(-1, 2)
    note(f"raw-{form}", (values - 128 if form == "u8" else values) / scale, 16000, "numpy")

# Written here: valid bits below the container's, with what MATLAB and others write.
for valid, size in [(12, 2), (20, 3), (24, 4)]:
    values = (sound(1, 16000, 97).astype(np.int64) >> (32 - valid)) << (8 * size - valid)
    body = b"".join(int(v).to_bytes(size, "little", signed=True) for v in values[:, 0])
    guid = bytes.fromhex("0100000000001000800000aa00389b71")
    form = struct.pack("<HHIIHHHHI", 0xFFFE, 1, 16000, 16000 * size, size, 8 * size, 22, valid, 4)
    form += guid
    pad = b"\0" * (len(body) % 2)
    chunks = b"WAVEfmt " + struct.pack("<I", len(form)) + form
    chunks += b"JUNK" + struct.pack("<I", 3) + b"abc\0" + b"data" + struct.pack("<I", len(body))
    name = f"valid-{valid}-of-{8 * size}"
    riff = b"RIFF" + struct.pack("<I", len(chunks) + len(body) + len(pad)) + chunks + body + pad
    (folder / f"{name}.wav").write_bytes(riff)
    note(name, values / 2.0 ** (8 * size - 1), 16000, "numpy")

(folder / "corpus.txt").write_text("\n".join(lines) + "\n")
print(len(lines), "files;", {r: sum(l.endswith(r) for l in lines)
                             for r in ["libsndfile", "scipy", "numpy"]})
