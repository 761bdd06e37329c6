"""The peers of bench/cp.cpp: TensorLy and pyttb, seconds for one iteration of CP-ALS at rank 16 on tensors of the same sizes.

Needs numpy, tensorly and pyttb.
"""
import json
import time

import numpy as np

RANK = 16


def report(bench, who, seconds, **more):
    print(json.dumps({"bench": bench, "who": who, "seconds": seconds, "unit": "iteration", **more}), flush=True)


def seconds_per_iteration(fit, few=2, many=6):
    """The difference of two runs leaves out what is done once."""
    times = []
    for iterations in (few, many):
        began = time.perf_counter()
        fit(iterations)
        times.append(time.perf_counter() - began)
    return (times[1] - times[0]) / (many - few)


def power_law_tensor(shape, count, seed):
    """Cells by a power law, values of a CP model of rank 8 under noise: the recipe of bench/cp.cpp."""
    rng = np.random.default_rng(seed)
    cumulative, labels = [], []
    for size in shape:
        weights = np.cumsum((np.arange(size) + 10.0) ** -0.8)
        cumulative.append(weights / weights[-1])
        labels.append(rng.permutation(size))
    keys = np.empty(0, dtype=np.int64)
    while keys.size < count:
        draws = [label[np.minimum(np.searchsorted(c, rng.random(count)), label.size - 1)] for c, label in zip(cumulative, labels)]
        keys = np.union1d(keys, np.ravel_multi_index(draws, shape))
    cells = np.stack(np.unravel_index(rng.choice(keys, count, replace=False), shape), axis=1)
    values = np.ones((count, 8))
    for mode, size in enumerate(shape):
        values *= rng.random((size, 8))[cells[:, mode]]
    return cells, values.sum(1) + 0.1 * rng.standard_normal(count)


def dense():
    tensor = np.random.default_rng(3).random((200, 200, 200))
    import tensorly
    from tensorly.decomposition import parafac

    report("cp-als-dense", "tensorly", seconds_per_iteration(
        lambda n: parafac(tensorly.tensor(tensor), RANK, n_iter_max=n, init="random", tol=0, random_state=1)),
        version=tensorly.__version__)
    import pyttb

    data = pyttb.tensor(tensor)
    report("cp-als-dense", "pyttb", seconds_per_iteration(
        lambda n: pyttb.cp_als(data, RANK, maxiters=n, stoptol=0, init="random", printitn=0)))


def sparse():
    import pyttb

    cells, values = power_law_tensor((5000, 5000, 500), 1_000_000, 1)
    data = pyttb.sptensor(cells, values[:, None], (5000, 5000, 500))
    report("cp-als-sparse-1M", "pyttb", seconds_per_iteration(
        lambda n: pyttb.cp_als(data, RANK, maxiters=n, stoptol=0, init="random", printitn=0), 1, 3))


if __name__ == "__main__":
    dense()
    sparse()
