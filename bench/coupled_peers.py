"""The peers of bench/coupled.cpp: seconds for one iteration, and the error of the model after 22 of them.

matcouply: matrices X_i = B_i diag(a_i) C' by AO-ADMM, with factors >= 0 (coupled-dense, coupled-1%, ..) or of any sign (coupled-signed).
TensorLy: CP of the same matrices as one tensor, by multiplicative updates with factors >= 0 (stacked-dense, ..), or by alternating least squares
(stacked-signed). Both hold all cells.

coupled-dense-fit, coupled-signed-fit: the whole time until the error is at most 0.5 % above that of 1000 iterations of matcouply; how many
iterations that takes is found before, so that errors need not be computed while the time is taken. Needs numpy, tensorly and matcouply.
"""
import json
import sys
import time

import numpy as np

RANK, MATRICES = 10, 8
FEW, MANY = 2, 22


def measure(bench, who, version, fit, data):
    """The difference of two runs leaves out what is done once; also in processor time of all threads. fit(n) gives the reconstruction."""
    times = []
    for iterations in (FEW, MANY):
        began, began_processor = time.perf_counter(), time.process_time()
        model = fit(iterations)
        times.append((time.perf_counter() - began, time.process_time() - began_processor))
    seconds, processor = [(after - before) / (MANY - FEW) for before, after in zip(*times)]
    squares = sum(float(np.sum(x ** 2)) for x in data)
    residuals = sum(float(np.sum((x - m) ** 2)) for x, m in zip(data, reconstruct(model)))
    print(json.dumps({"bench": bench, "who": who, "seconds": seconds, "processor_seconds": processor, "unit": "iteration",
                      "version": version, "error": (residuals / squares) ** 0.5}), flush=True)


def measure_fit(bench, version, data, nonnegative):
    from matcouply.decomposition import cmf_aoadmm

    def fit(iterations, **more):
        return cmf_aoadmm(data, RANK, n_iter_max=iterations, non_negative=nonnegative, tol=None, absolute_tol=None, feasibility_tol=None,
                          random_state=1, **more)

    errors = fit(1000, return_errors=True)[1].rec_errors
    iterations = next(i for i, error in enumerate(errors) if error <= 1.005 * errors[-1])
    seconds = []
    for _ in range(5):
        began = time.perf_counter()
        fit(iterations, return_errors=False)
        seconds.append(time.perf_counter() - began)
    print(json.dumps({"bench": bench, "who": "matcouply", "seconds": sorted(seconds)[2], "unit": "fit", "sweeps": iterations,
                      "version": version, "error": float(errors[iterations]), "least_error": float(errors[-1])}), flush=True)


def reconstruct(model):
    """Matrix by matrix, of a CP model or of a coupled one."""
    weights, (a, b, c) = model
    a = a if weights is None else a * weights
    return [((b if isinstance(b, np.ndarray) else b[i]) * a[i]) @ c.T for i in range(MATRICES)]


def matrices(rows, columns, density):
    rng = np.random.default_rng(3)
    shared = rng.random((columns, RANK))
    return [(rng.random((rows, RANK)) @ shared.T / RANK + 0.1 * rng.random((rows, columns))) * (rng.random((rows, columns)) < density)
            for _ in range(MATRICES)]


def main():
    import matcouply
    import tensorly
    from matcouply.decomposition import cmf_aoadmm
    from tensorly.decomposition import non_negative_parafac, parafac

    part = 10 if "--quick" in sys.argv else 1
    for name, (rows, columns, density, signed) in {"dense": (500, 400, 1, False), "signed": (500, 400, 1, True), "1%": (2000, 1000, 0.01, False),
                                                   "0.1%": (2000, 1000, 0.001, False)}.items():
        data = matrices(rows // part, columns // part, density)
        if density == 1:
            measure_fit(f"coupled-{name}-fit", getattr(matcouply, "__version__", ""), data, not signed)
        stacked = tensorly.tensor(np.stack(data))
        measure(f"coupled-{name}", "matcouply", getattr(matcouply, "__version__", ""), lambda n: cmf_aoadmm(
            data, RANK, n_iter_max=n, non_negative=not signed, tol=None, absolute_tol=None, feasibility_tol=None, return_errors=False,
            random_state=1), data)
        measure(f"stacked-{name}", "tensorly", tensorly.__version__, lambda n: (
            parafac(stacked, RANK, n_iter_max=n, init="random", tol=0, random_state=1) if signed else
            non_negative_parafac(stacked, RANK, n_iter_max=n, init="random", tol=0, random_state=1)), data)


if __name__ == "__main__":
    main()
