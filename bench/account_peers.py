"""The peer of bench_account: dp-accounting, on its own grid of losses (interval 1e-4)."""

import json
import time

import dp_accounting as dp
from dp_accounting.pld import pld_privacy_accountant
from dp_accounting.pld import privacy_loss_distribution as pld

INTERVAL = 1e-4


def measure(bench, repeats, work):
    least, result = float("inf"), None
    for _ in range(repeats):
        start = time.perf_counter()
        result = work()
        least = min(least, time.perf_counter() - start)
    print(json.dumps({"bench": bench, "who": "dp-accounting", "seconds": least, "interval": INTERVAL, "result": result}))


def epsilon(rate, noise, steps):
    one = pld.from_gaussian_mechanism(noise, sampling_prob=rate, value_discretization_interval=INTERVAL)
    return one.self_compose(steps).get_epsilon_for_delta(1e-5)


def sigma():
    def event(noise):
        return dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(0.01, dp.GaussianDpEvent(noise)), 1000)

    def accountant():
        return pld_privacy_accountant.PLDAccountant(value_discretization_interval=INTERVAL)

    return dp.calibrate_dp_mechanism(accountant, event, 1.0, 1e-5, dp.LowerEndpointAndGuess(0.1, 1.0), tol=1e-6)


measure("pld-1000-steps", 3, lambda: epsilon(0.01, 1.0, 1000))
measure("pld-14062-steps", 3, lambda: epsilon(256 / 60000, 1.1, 14062))
measure("calibrate-sigma", 1, sigma)
