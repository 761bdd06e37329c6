"""PyTorch by hand beside bench_cp --device cuda: seconds for one iteration of CP-ALS and of completion by ALS, in doubles.

Run on the same card, one after the other. Needs numpy and torch.
"""
import time

import numpy as np
import torch
from cp_peers import RANK, power_law_tensor, report

SHAPE, COUNT = (100_000, 50_000, 1000), 10_000_000
CHUNK = 1_000_000  # cells whose outer products are in memory at a time


def median_seconds(step, times=7):
    step()
    seconds = []
    for _ in range(times):
        torch.cuda.synchronize()
        began = time.perf_counter()
        step()
        torch.cuda.synchronize()
        seconds.append(time.perf_counter() - began)
    return float(np.median(seconds))


class Fit:
    def __init__(self):
        cells, values = power_law_tensor(SHAPE, COUNT, 2)
        self.cells = [torch.tensor(np.ascontiguousarray(column), device="cuda") for column in cells.T]
        self.values = torch.tensor(values, device="cuda")
        self.factors = [torch.rand(size, RANK, dtype=torch.float64, device="cuda") for size in SHAPE]

    def products(self, mode, part=slice(None)):
        first, second = (other for other in range(3) if other != mode)
        return self.factors[first][self.cells[first][part]] * self.factors[second][self.cells[second][part]]

    def decompose(self):
        for mode, size in enumerate(SHAPE):
            sums = torch.zeros(size, RANK, dtype=torch.float64, device="cuda")
            sums.index_add_(0, self.cells[mode], self.values[:, None] * self.products(mode))
            gram = torch.ones(RANK, RANK, dtype=torch.float64, device="cuda")
            for other in range(3):
                if other != mode:
                    gram *= self.factors[other].T @ self.factors[other]
            factor = torch.linalg.solve(gram, sums.T).T
            self.factors[mode] = factor / factor.norm(dim=0)

    def complete(self, ridge=0.5):
        for mode, size in enumerate(SHAPE):
            matrices = torch.zeros(size, RANK * RANK, dtype=torch.float64, device="cuda")
            sums = torch.zeros(size, RANK, dtype=torch.float64, device="cuda")
            for begin in range(0, COUNT, CHUNK):
                part = slice(begin, begin + CHUNK)
                product = self.products(mode, part)
                rows = self.cells[mode][part]
                matrices.index_add_(0, rows, (product[:, :, None] * product[:, None, :]).reshape(-1, RANK * RANK))
                sums.index_add_(0, rows, self.values[part, None] * product)
            matrices = matrices.reshape(size, RANK, RANK) + ridge * torch.eye(RANK, dtype=torch.float64, device="cuda")
            self.factors[mode] = torch.cholesky_solve(sums[:, :, None], torch.linalg.cholesky(matrices))[:, :, 0]


if __name__ == "__main__":
    fit = Fit()
    where = f"torch {torch.__version__} on {torch.cuda.get_device_name()}"
    report("cp-als-sparse-10M", where, median_seconds(fit.decompose))
    report("cp-complete-als-10M", where, median_seconds(fit.complete))
