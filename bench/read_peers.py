#!/usr/bin/env python3
"""Reading the same kind of .tns text with NumPy and pandas: the peers of bench_read.

usage: read_peers.py [--megabytes N] [--file PATH]

Measures a slice of N megabytes (NumPy's loadtxt is slow) of PATH, or of text made here. "seconds" is for the slice,
"megabytes_per_second" is what compares.
"""
import argparse
import json
import os
import tempfile
import time

import numpy


def make_text(path, size):
    rng = numpy.random.default_rng(1)
    with open(path, "w") as file:
        while file.tell() < size:
            cells = zip(*(rng.integers(1, n, 50_000).tolist() for n in (131_072, 65_536, 1_024)), rng.normal(0, 5, 50_000).tolist())
            file.write("".join("%d %d %d %.6g\n" % cell for cell in cells))


def copy_slice(source, path, size):
    with open(source, "rb") as whole, open(path, "wb") as part:
        text = whole.read(size)
        part.write(text[: text.rfind(b"\n") + 1])


def measure(who, read, path):
    best = float("inf")
    for _ in range(2):
        start = time.perf_counter()
        read(path)
        best = min(best, time.perf_counter() - start)
    size = os.path.getsize(path)
    print(json.dumps({"bench": "read-cells.tns", "who": who, "seconds": best, "bytes": size,
                      "megabytes_per_second": size / best / 1e6}), flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--megabytes", type=int, default=20)
    arguments.add_argument("--file")
    arguments.add_argument("--quick", action="store_true", help="a smaller slice")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cells.tns")
        size = (2 if chosen.quick else chosen.megabytes) * 1_000_000
        if chosen.file:
            copy_slice(chosen.file, path, size)
        else:
            make_text(path, size)
        measure("numpy", lambda p: numpy.loadtxt(p, dtype=numpy.float64), path)
        try:
            import pandas
        except ImportError:
            return
        measure("pandas", lambda p: pandas.read_csv(p, sep=" ", header=None), path)


if __name__ == "__main__":
    main()
