"""The peers of bench/coupled.cpp: matcouply, seconds for one iteration of coupled matrix factorization with factors >= 0 at rank 10.

matcouply's matrices are X_i = B_i diag(a_i) C', of which ours without a_i is the same model; TensorLy's CP with factors >= 0 stands for
the case of one shape, where the matrices are a tensor and B is shared as well. Needs numpy, tensorly and matcouply.
"""
import json
import sys
import time

import numpy as np

RANK, MATRICES = 10, 8


def seconds_per_iteration(fit, few=2, many=22):
    """The difference of two runs leaves out what is done once; also in processor time of all threads."""
    times = []
    for iterations in (few, many):
        began, began_processor = time.perf_counter(), time.process_time()
        fit(iterations)
        times.append((time.perf_counter() - began, time.process_time() - began_processor))
    return [(after - before) / (many - few) for before, after in zip(*times)]


def matrices(rows, columns, density):
    rng = np.random.default_rng(3)
    return [rng.random((rows, columns)) * (rng.random((rows, columns)) < density) for _ in range(MATRICES)]


def main():
    import matcouply
    import tensorly
    from matcouply.decomposition import cmf_aoadmm
    from tensorly.decomposition import non_negative_parafac

    part = 10 if "--quick" in sys.argv else 1
    for bench, (rows, columns, density) in {"coupled-dense": (500, 400, 1), "coupled-1%": (2000, 1000, 0.01), "coupled-0.1%": (2000, 1000, 0.001)}.items():
        data = matrices(rows // part, columns // part, density)
        for who, version, fit in (
            ("matcouply", getattr(matcouply, "__version__", ""), lambda n: cmf_aoadmm(
                data, RANK, n_iter_max=n, non_negative=True, tol=None, absolute_tol=None, feasibility_tol=None, return_errors=False)),
            ("tensorly", tensorly.__version__, lambda n: non_negative_parafac(
                tensorly.tensor(np.stack(data)), RANK, n_iter_max=n, init="random", tol=0, random_state=1)),
        ):
            seconds, processor = seconds_per_iteration(fit)
            print(json.dumps({"bench": bench, "who": who, "seconds": seconds, "processor_seconds": processor, "unit": "iteration",
                              "version": version}), flush=True)


if __name__ == "__main__":
    main()
