#!/usr/bin/env python3
"""Makes docs/completion.png with the command: a slice of a tensor, what is observed of it, and what completion makes of that.

usage: docs/completion_picture.py build/release/tulle
"""
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np

SCALE, GAP = 4, 12
MISSING = (235, 235, 235)


def coloured(values):
    """0..1 to a ramp from dark blue over teal to pale yellow; NaN to grey."""
    stops = np.array([(24, 30, 90), (30, 110, 150), (110, 190, 150), (250, 240, 170)], float)
    position = np.clip(np.nan_to_num(values), 0, 1) * (len(stops) - 1)
    low = np.minimum(position.astype(int), len(stops) - 2)
    part = (position - low)[..., None]
    pixels = stops[low] * (1 - part) + stops[low + 1] * part
    pixels[np.isnan(values)] = MISSING
    return np.kron(pixels, np.ones((SCALE, SCALE, 1))).astype(np.uint8)


def write_png(path, pixels):
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main():
    tulle = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        def run(*args):
            subprocess.run([tulle, *args], cwd=folder, check=True, stdout=subprocess.DEVNULL)

        run("generate", "cp", "--shape", "60x60x20", "--rank", "3", "--snr", "2", "--observed", "0.4", "--seed", "7",
            "-o", "train.tns", "--truth", "truth.npy")
        run("complete", "train.tns", "--method", "plain", "--rank", "4", "--biases", "--seed", "1", "-o", "model.npz")
        run("predict", "model.npz", "--all", "-o", "completed.npy")
        truth, completed = (np.load(f"{folder}/{name}.npy")[:, :, 0] for name in ("truth", "completed"))
        observed = np.full_like(truth, np.nan)
        cells = np.loadtxt(f"{folder}/train.tns")
        first = cells[cells[:, 2] == 1]
        observed[first[:, 0].astype(int) - 1, first[:, 1].astype(int) - 1] = first[:, 3]
    low, high = truth.min(), truth.max()
    panels = [coloured((panel - low) / (high - low)) for panel in (truth, observed, completed)]
    gap = np.full((panels[0].shape[0], GAP, 3), 255, np.uint8)
    write_png(pathlib.Path(__file__).with_name("completion.png"), np.concatenate([panels[0], gap, panels[1], gap, panels[2]], axis=1))


if __name__ == "__main__":
    main()
