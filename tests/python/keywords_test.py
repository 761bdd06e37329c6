"""Keyword arguments: what is given is what the run gets, or an error that names the keyword."""
import os
import threading
import time

import numpy as np
import pytest
import tulle


def fitted(ratings, **keywords):
    return tulle.CP(rank=1, method="plain", seed=1, threads=1, **keywords).fit(ratings)


def test_flags_are_off_when_false_whatever_the_type(ratings):
    for off in (False, np.False_, 0, None, np.array(False)):
        assert fitted(ratings, biases=off).level_ == 0
    for on in (True, np.True_, 1):
        assert fitted(ratings, biases=on).level_ != 0
    with pytest.raises(tulle.UsageError, match="biases is 'no'; it must be True or False"):
        fitted(ratings, biases="no")


def test_an_empty_value_does_not_take_the_next_keyword(ratings):
    for name, value in (("unit", ""), ("account", ""), ("range", ()), ("rank", [])):
        private = {"epsilon": 1, "range": (1, 5), name: value}
        with pytest.raises(tulle.UsageError, match=f"{name} is empty; give a value, or None to leave it out"):
            tulle.CP(**private).fit(ratings)


def test_values_of_other_types_are_refused_by_keyword(ratings):
    for name, value in (("seed", np.random.RandomState(1)), ("epsilon", 1j), ("range", slice(1, 5)), ("epsilon", {"a": 1})):
        with pytest.raises(tulle.UsageError, match=f"{name}: a value of type {type(value).__name__}; give a number"):
            tulle.CP(**{"epsilon": 1, "range": (1, 5), name: value}).fit(ratings)


def test_numbers_of_numpy_are_numbers(ratings):
    for epsilon in (np.float32(1), np.array(1.0), np.int64(1)):
        assert tulle.CP(epsilon=epsilon, range=np.array([1, 5])).fit(ratings).guarantee_["epsilon"] == pytest.approx(1)


def test_names_of_other_packages_and_misspelt_ones_are_explained():
    for make, message in [
        (lambda: tulle.CP(random_state=1), r"CP\(\) got an unexpected keyword argument 'random_state'; did you mean 'seed'\?"),
        (lambda: tulle.CP(n_components=1), "did you mean 'rank'"), (lambda: tulle.Topics(n_components=1), "did you mean 'topics'"),
        (lambda: tulle.CP(epsilom=1), "did you mean 'epsilon'"), (lambda: tulle.CP(zzz=1), r"CP\(\) got an unexpected .*'zzz'$"),
        (lambda: tulle.audit("als", trial=3), r"audit\(\) got an unexpected keyword argument 'trial'; did you mean 'trials'"),
    ]:
        with pytest.raises(TypeError, match=message):
            make()


def test_estimators_with_arrays_for_keywords_are_shown():
    assert repr(tulle.CP(rank=np.array([2, 2]))) == "CP(rank=array([2, 2]))"
    assert repr(tulle.Classifier(classes=np.array(["a", "b"]))).startswith("Classifier(classes=array(")


def test_models_are_saved_to_paths_alone(ratings, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for wrong in (3, ratings, None):
        for write in (fitted(ratings).save, fitted(ratings).report):
            with pytest.raises(TypeError):
                write(wrong)
    assert not list(tmp_path.iterdir())


def test_reports_are_pages(ratings, tmp_path):
    model = tulle.CP(rank=1, method="plain", seed=1).fit(ratings)
    with pytest.raises(tulle.UsageError, match="page.pdf: give a name that ends in .html"):
        model.report(tmp_path / "page.pdf")
    assert not (tmp_path / "page.pdf").exists()


def test_texts_of_a_report_name_keywords():
    assert tulle.account("gaussian", sigma=1, delta=0)["reason"].endswith("give one above 0")


def test_options_of_sites_are_the_commands():
    """They would be ignored: a Coupled fits tables in one place."""
    of_sites = {"overlap", "server", "sites", "site_models", "threshold", "posterior", "colluding"}
    assert not of_sites & set(tulle.Coupled().get_params())


def test_keywords_that_play_no_part_are_refused_unless_they_are_the_default(ratings):
    """Who asks for a budget is given privacy or a refusal."""
    for name, value in dict(epsilon=1, delta=1e-5, range=(1, 5), unit="user", relation="replace", calibration="published", clip=1).items():
        with pytest.raises(tulle.UsageError, match=name):
            tulle.CP(rank=1, method="plain", seed=1, **{name: value}).fit(ratings)
    tulle.CP(rank=1, method="plain", seed=1, delta=0, unit="entry", calibration="sound").fit(ratings)


def running_threads():
    return len(os.listdir("/proc/self/task"))


def threads_that_stay():
    """Those of a fit end a little after it."""
    before = running_threads()
    time.sleep(0.2)
    return before if running_threads() == before else threads_that_stay()


def most_threads(fit):
    """The largest number of threads while `fit` runs, beyond those that are there anyway."""
    before, seen, ended = threads_that_stay(), [], threading.Event()

    def watch():
        while not ended.is_set():
            seen.append(running_threads())
            time.sleep(0.001)

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        fit()
    finally:
        ended.set()
        watching.join()
    return max(seen) - before


def test_fits_take_as_many_threads_as_they_are_told():
    X = np.random.default_rng(1).normal(size=(60, 50, 40))
    fit = lambda threads: tulle.CP(rank=8, method="plain", seed=1, iterations=20, threads=threads).fit(X)
    fit(3)  # starts what stays
    untold = most_threads(lambda: fit(None))
    one, three = most_threads(lambda: fit(1)), most_threads(lambda: fit(3))
    assert three - one == 2
    assert most_threads(lambda: fit(None)) == untold  # what a fit is told does not hold for the next one
