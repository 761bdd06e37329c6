"""Rivals of bench_tubal: the ADMM of t-SVD completion as one writes it in NumPy.

  numpy       fft along the third axis, an SVD of every slice
  numpy-half  rfft, an SVD of half of the slices

Usage: OMP_NUM_THREADS=2 python bench/tubal_peers.py
"""

import json
import os
import time

import numpy as np

WAVES = 30


def make(n1, n2, n3):
    """The data of bench/tubal.cpp: values and mask."""
    x, y, t = np.meshgrid(np.arange(n1) / n1, np.arange(n2) / n2, np.arange(n3) / n3, indexing="ij", sparse=True)
    data = np.full((n1, n2, n3), 100.0)
    for w in range(1, WAVES + 1):
        data += 60.0 / w * np.sin(0.7 * w * x * 6 + w + 0.3 * w * t) * np.cos(0.9 * w * y * 6 - 0.2 * w * t)
    h = np.arange(n1 * n2 * n3, dtype=np.uint32) * np.uint32(2654435761)
    h ^= h >> np.uint32(15)
    h *= np.uint32(2246822519)
    h ^= h >> np.uint32(13)
    h = h.reshape(n1, n2, n3)
    data += 2.0 * (h & np.uint32(0xFFFF)) / 65536 - 1
    return data.astype(np.float32).astype(np.float64), (h >> np.uint32(31)) == 0


def shrink(slices, threshold):
    norm = 0.0
    for k in range(slices.shape[2]):
        u, s, v = np.linalg.svd(slices[:, :, k], full_matrices=False)
        s = np.maximum(s - threshold, 0)
        slices[:, :, k] = (u * s) @ v
        norm += s.sum()
    return norm


def prox_full(w, threshold):
    slices = np.fft.fft(w, axis=2)
    norm = shrink(slices, threshold)
    return np.fft.ifft(slices, axis=2).real, norm / w.shape[2]


def prox_half(w, threshold):
    slices = np.fft.rfft(w, axis=2)
    shrink(slices, threshold)
    return np.fft.irfft(slices, n=w.shape[2], axis=2), None


def run(who, prox, shape, iterations):
    data, mask = make(*shape)
    y = data[mask]
    threshold = y.std() * np.sqrt(mask.mean() * shape[2]) * (np.sqrt(shape[0]) + np.sqrt(shape[1]))
    z, u = np.full(shape, y.mean()), np.zeros(shape)
    start, cpu = time.perf_counter(), time.process_time()
    for _ in range(iterations):
        x = z - u
        x[mask] = y
        z, norm = prox(x + u, threshold)
        u += x - z
    seconds = (time.perf_counter() - start) / iterations
    cpu = (time.process_time() - cpu) / iterations
    line = {
        "bench": "tubal-admm-" + "x".join(map(str, shape)),
        "who": who,
        "seconds": seconds,
        "cpu": cpu,
        "threads": int(os.environ.get("OMP_NUM_THREADS", os.cpu_count())),
        "objective": norm,
        "note": f"mean over {iterations} iterations",
    }
    print(json.dumps({key: value for key, value in line.items() if value is not None}), flush=True)


def main():
    for shape, iterations in (((144, 176, 40), 10), ((500, 500, 50), 10)):
        run("numpy", prox_full, shape, 3)  # every iteration takes as long as any other
        run("numpy-half", prox_half, shape, iterations)


if __name__ == "__main__":
    main()
