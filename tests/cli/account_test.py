"""tulle account: the accountants from the command line. Reference values: exact formulas, and published brackets."""
import math

import pytest


@pytest.mark.parametrize("args, epsilon, tolerance", [
    (["gaussian", "--sigma", 1, "--delta", 1e-5], 4.377178, 1e-6),
    (["gaussian", "--sigma", 2, "--steps", 4, "--delta", 1e-5], 4.377178, 1e-6),
    (["gaussian", "--sigma", 1, "--rate", 0.01, "--steps", 1000, "--delta", 1e-5], 1.828, 1e-3),
    (["pure", "--epsilon-each", 0.1, "--steps", 3, "--delta", 0], 0.3, 1e-9),
    (["gaussian", "--sigma", 2, "--also", "gaussian,sigma=2", "--delta", 1e-5], 2.9268, 1e-2),
])
def test_epsilon(tulle, args, epsilon, tolerance):
    assert tulle("account", *args, "--json").json["epsilon"] == pytest.approx(epsilon, rel=tolerance)


def test_delta(tulle):
    phi = lambda x: 0.5 * math.erfc(-x / math.sqrt(2))
    exact = phi(0.5 - 1) - math.e * phi(-0.5 - 1)
    assert tulle("account", "gaussian", "--sigma", 1, "--epsilon", 1, "--json").json["delta"] == pytest.approx(exact, rel=1e-9)


def test_finds_sigma_steps_and_rate(tulle):
    target = ["--epsilon", 1, "--delta", 1e-5]
    sigma = tulle("account", "gaussian", "--find", "sigma", *target, "--json").json["sigma"]
    assert sigma == pytest.approx(3.730632, rel=1e-5)
    steps = tulle("account", "gaussian", "--sigma", 20, "--find", "steps", *target, "--json").json["steps"]
    assert steps == int((20 / 3.730632) ** 2)
    rate = tulle("account", "gaussian", "--sigma", 1, "--steps", 100, "--find", "rate", *target, "--json").json["rate"]
    assert tulle("account", "gaussian", "--sigma", 1, "--steps", 100, "--rate", rate, "--delta", 1e-5, "--json").json["epsilon"] <= 1 + 1e-6


def test_sigma_means_the_same_at_every_rate(tulle):
    """Under replace a rate of 0.999999 costs what a rate of 1 costs, and what no rate costs."""
    for mechanism in (["gaussian", "--sigma", 2], ["laplace", "--sigma", 2], ["pure", "--epsilon-each", 0.5]):
        args = ["account", *mechanism, "--relation", "replace", "--delta", 1e-6, "--json"]
        whole = tulle(*args).json["epsilon"]
        assert tulle(*args, "--rate", 1).json["epsilon"] == whole
        assert tulle(*args, "--rate", 0.999999).json["epsilon"] == pytest.approx(whole, rel=1e-4)


def test_an_infinite_epsilon_is_a_word_with_a_reason(tulle):
    report = tulle("account", "gaussian", "--sigma", 1, "--delta", 0, "--json").json
    assert report["epsilon"] == "infinity" and "give one above 0" in report["reason"]


@pytest.mark.parametrize("args, low, high", [
    (["gaussian", "--sigma", 10, "--rate", 0.1, "--steps", 1000, "--also", "gaussian,sigma=0.2", "--delta", 1e-6],
     35, 37.7),
    (["gaussian", "--sigma", 1e6, "--rate", 0.1, "--steps", 2, "--also", "gaussian,sigma=0.06", "--epsilon", 700],
     0, 1e-200),
    (["gaussian", "--sigma", 0.05, "--rate", 0.5, "--steps", 2, "--epsilon", 0.5], 0.7499, 0.7501),
    (["pure", "--epsilon-each", 50, "--rate", 0.001, "--steps", 1000000, "--epsilon", 0.001], 0.9999, 1),
])
def test_the_edges_have_answers(tulle, args, low, high):
    report = tulle("account", *args, "--json").json
    assert low <= report["epsilon" if "--delta" in args else "delta"] <= high


def test_plot(tulle):
    tulle("account", "gaussian", "--sigma", 5, "--steps", 100, "--delta", 1e-5, "--plot", "cost.svg")
    assert "<polyline" in (tulle.folder / "cost.svg").read_text()


@pytest.mark.parametrize("args, message", [
    (["gaussian", "--delta", 1e-5], "--sigma"),
    (["gaussian", "--sigma", 1], "--delta"),
    (["gaussian", "--sigma", 1, "--delta", 1e-5, "--also", "magic"], "gaussian, laplace or pure"),
    (["gaussian", "--sigma", 1, "--delta", 1e-5, "--relation", "friend"], "replace"),
    (["nonsense"], "nonsense"),
])
def test_wrong_use(tulle, args, message):
    error = tulle("account", *args, status=2).err
    assert message in error and error.count("\n") == 1
