"""The corpus of the fuzz targets: inputs that reach different code, an archive for each target.

    python3 corpus.py unpack FOLDER
    python3 corpus.py pack PROGRAM FOLDER SEEDS

`unpack` puts the archives beside this script into FOLDER, a folder for each target. `pack` has
PROGRAM, the fuzz targets, choose the inputs in FOLDER that reach what no smaller one does, nor a
seed in SEEDS, and writes the archives anew.
"""

import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

CORPUS = pathlib.Path(__file__).resolve().parent / "Corpus"
# Bytes of an input that is kept, at most.
LIMIT = 4096


def unpack(folder):
    for archive in sorted(CORPUS.glob("*.zip")):
        place = folder / archive.stem
        place.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(archive) as entries:
            for name in entries.namelist():
                (place / pathlib.PurePath(name).name).write_bytes(entries.read(name))


def chosen(program, target, found, seeds):
    """The inputs that reach more than the seeds do, by their digests."""
    with tempfile.TemporaryDirectory() as place:
        merged = pathlib.Path(place) / "merged"
        merged.mkdir()
        known = {path.name: path for path in seeds.iterdir()} if seeds.is_dir() else {}
        for name, path in known.items():
            (merged / name).write_bytes(path.read_bytes())
        subprocess.run(
            [program, target, "-merge=1", f"-max_len={LIMIT}", "-timeout=10", merged, found],
            check=True, capture_output=True, cwd=place)
        contents = [path.read_bytes() for path in merged.iterdir() if path.name not in known]
        return {hashlib.sha256(content).hexdigest()[:12]: content for content in contents}


def pack(program, folder, seeds):
    CORPUS.mkdir(exist_ok=True)
    for found in sorted(path for path in folder.iterdir() if path.is_dir()):
        inputs = chosen(program, found.name, found, seeds / found.name)
        with zipfile.ZipFile(CORPUS / f"{found.name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in sorted(inputs.items()):
                # Without times, so that the same inputs are the same archive.
                archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)
        size = (CORPUS / f"{found.name}.zip").stat().st_size
        print(f"{found.name:<12}{len(inputs):6} inputs{size:9} bytes", flush=True)


def main():
    match sys.argv[1:]:
        case ["unpack", folder]:
            unpack(pathlib.Path(folder))
        case ["pack", program, folder, seeds]:
            # libFuzzer leaves files in the current folder, which is a temporary one.
            pack(*(pathlib.Path(path).resolve() for path in (program, folder, seeds)))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
