"""Spending from a ledger, interruptions, and what other threads may do meanwhile."""
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest
import tulle


@pytest.fixture
def ledger(tmp_path):
    ledger = tulle.Ledger(tmp_path / "ledger.db")
    ledger.create("ratings")
    ledger.grant("ratings", epsilon=3)
    return ledger


def test_a_fit_is_charged_and_delivered(ledger, ratings):
    model = tulle.CP(epsilon=1, range=(1, 5), account="ratings", ledger=ledger.path).fit(ratings)
    shown = ledger.show("ratings")
    assert shown["spent"] == pytest.approx(1) and [charge["status"] for charge in shown["charges"]] == ["delivered"]
    assert model.report_["budget"]["spent"] == shown["spent"]
    assert ledger.verify(shown["head"]) == len(ledger.history())
    assert len(ledger.show()) == 1


def test_estimators_take_the_ledger_itself(ledger, ratings):
    tulle.CP(epsilon=1, range=(1, 5), account="ratings", ledger=ledger).fit(ratings)
    assert ledger.show("ratings")["spent"] == pytest.approx(1)
    assert repr(ledger) == f"Ledger({ledger.path!r})"
    assert "secret" not in repr(tulle.Ledger("postgresql://ann:secret@host/budget"))


def test_without_a_path_a_ledger_is_where_the_command_has_it(ratings, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TULLE_LEDGER", raising=False)
    ledger = tulle.Ledger()
    ledger.create(2026)
    ledger.grant("2026", epsilon=1)
    tulle.CP(epsilon=1, range=(1, 5), account="2026", ledger=ledger).fit(ratings)
    assert tulle.Ledger().show("2026")["spent"] == pytest.approx(1)


def test_a_run_that_no_account_is_charged_for_warns_where_one_is_kept_for_its_file(table, tmp_path, monkeypatch):
    monkeypatch.setenv("TULLE_LEDGER", str(tmp_path / "ledger.db"))
    table.to_csv(tmp_path / "x.csv", index=False)
    ledger = tulle.Ledger()
    ledger.create("file", data=tmp_path / "x.csv")
    ledger.grant("file", epsilon=3)
    private = tulle.CP(epsilon=1, range=(1, 5), columns=("user", "film", "rating"))
    with pytest.warns(UserWarning, match="account 'file'.*for the data owner"):
        private.fit(tmp_path / "x.csv")
    assert "account 'file'" in private.owner_["owner_notes"][-1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        private.set_params(account="file").fit(tmp_path / "x.csv")


def test_what_the_range_takes_is_told_before_the_charge(ledger, ratings):
    private = tulle.CP(epsilon=1, range=(1, 2), account="ratings", ledger=ledger.path)
    with pytest.raises(tulle.Error, match="nothing was charged.*accept_losses"):
        private.fit(ratings)
    assert ledger.show("ratings")["spent"] == 0
    with pytest.warns(UserWarning, match="clamped.*For example"):
        private.set_params(stop_if_lost=0.99, note="a try").fit(ratings)
    assert "at most 99 % of the data" in str(private.guarantee_)
    assert ledger.show("ratings")["charges"][0]["note"] == "a try"
    with pytest.warns(UserWarning, match="clamped"):
        accepted = tulle.CP(epsilon=1, range=(1, 2), accept_losses=True).fit(ratings)
    assert "% of the data" not in str(accepted.guarantee_)


def test_a_plan_states_releases_and_cost_and_charges_nothing(ledger, ratings):
    model = tulle.CP(epsilon=0.5, range=(1, 5), account="ratings", ledger=ledger.path, method="input")
    plan = model.plan(ratings)
    assert plan["dry_run"] and plan["method"] == "input" and plan["budget"]["spent"] == 0 and plan["budget"]["fits_after"] < plan["budget"]["fits"]
    assert ledger.show("ratings")["charges"] == [] and not hasattr(model, "guarantee_")
    model.fit(ratings)
    assert [release["stddev"] for release in plan["guarantee"]["releases"]] == [release["stddev"] for release in model.guarantee_["releases"]]
    with pytest.raises(tulle.UsageError, match="plain"):
        tulle.CP(method="plain", rank=1).plan(ratings)
    topics = tulle.Topics(topics=1, epsilon=1, vocabulary=["sun", "rain"]).plan(["sun rain"] * 40)
    assert topics["guarantee"]["releases"] and str(topics["guarantee"]).startswith("epsilon 1")
    labels = np.array([0, 1] * 20)
    classifier = tulle.Classifier(method="sgd", epsilon=1, delta=1e-3, range=(0, 1), classes=2, hidden=0, steps=2)
    assert len(classifier.plan(np.ones((40, 1)), labels)["guarantee"]["releases"]) > 0
    assert tulle.Counts(epsilon=1).plan(np.ones((4, 5)))["guarantee"]["unit"] == "event"


def test_a_warning_that_is_an_error_does_not_end_a_private_fit(ratings, monkeypatch):
    """What the owner is warned of is private: an error would tell of it."""
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda raised: told.append(str(raised.exc_value)))
    texts, labels = ["sun rain"] * 40, np.array([0, 1] * 20)
    classifier = tulle.Classifier(method="sgd", epsilon=1, delta=1e-3, range=(0, 1), classes=2, hidden=0, steps=2, accept_losses=True)
    for model, before, after, said in [
        (tulle.CP(epsilon=1, range=(1, 2), releases="drop", accept_losses=True), np.where(ratings > 2, 2, ratings), ratings, "clamped"),
        (classifier, (np.ones((40, 1)), labels), (np.ones((40, 1)), labels + 1), "of the labels"),
        (tulle.Topics(topics=1, epsilon=1, vocabulary=["sun", "rain"], accept_losses=True), texts, ["snow"] * 40, "of the words"),
    ]:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = [model.fit(*(data if isinstance(data, tuple) else (data,))).owner_.get("owner_notes", []) for data in (before, after)]
        assert not found[0] and said in found[1][0] and found[1][0] in told.pop() and not told


def test_what_was_not_granted_is_refused(ledger, ratings):
    with pytest.raises(tulle.Error, match="ratings"):
        tulle.CP(epsilon=4, range=(1, 5), account="ratings", ledger=ledger.path).fit(ratings)
    assert ledger.show("ratings")["spent"] == 0
    with pytest.raises(tulle.Error, match="unit user and mode MODE"):
        ledger.create("users", unit="user")


def test_an_account_of_a_file_is_not_charged_for_data_in_memory(ledger, table, tmp_path):
    table.to_csv(tmp_path / "x.csv", index=False)
    ledger.create("file", data=tmp_path / "x.csv")
    ledger.grant("file", epsilon=3)
    private = tulle.CP(epsilon=1, range=(1, 5), account="file", ledger=ledger.path)
    with pytest.raises(tulle.Error, match="kept for the data of one file"):
        private.fit(table)
    private.fit(tmp_path / "x.csv")
    assert ledger.show("file")["spent"] == pytest.approx(1)


def test_an_account_may_be_of_several_files(ledger, table, tmp_path):
    for name in ("x.csv", "y.csv", "z.csv"):
        table.assign(**{table.columns[0]: table[table.columns[0]].astype(str) + name}).to_csv(tmp_path / name, index=False)
    ledger.create("files", data=[tmp_path / "x.csv", tmp_path / "y.csv"])
    ledger.grant("files", epsilon=3)
    private = tulle.CP(epsilon=1, range=(1, 5), account="files", ledger=ledger.path)
    private.fit(tmp_path / "y.csv")
    with pytest.raises(tulle.Error, match="not those of 'files'"):
        private.fit(tmp_path / "z.csv")


# A long private run in a process of its own: it says when it has begun, and how it ended.
LONG = """
import sys, numpy as np, tulle
X = np.random.default_rng(1).random((300, 200, 3))
model = tulle.CP(rank=8, epsilon=1, delta=1e-7, range=(0, 1), method="gradient", steps=100000, sampling_rate=1,
                 account="ratings", ledger=sys.argv[1], threads=1)
print("begins", flush=True)
try:
    model.fit(X)
except KeyboardInterrupt as interrupt:
    print(interrupt, flush=True)
"""


def test_ctrl_c_ends_a_fit_soon_and_loses_no_charge(ledger):
    ledger.grant("ratings", epsilon=0.5, delta=1e-6)
    with subprocess.Popen([sys.executable, "-c", LONG, ledger.path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begins\n"
        deadline = time.monotonic() + 20
        while not ledger.show("ratings")["charges"] and time.monotonic() < deadline:
            time.sleep(0.05)
        interrupted = time.monotonic()
        process.send_signal(signal.SIGINT)
        said = process.stdout.readline()
        took = time.monotonic() - interrupted
        assert said == "interrupted; nothing was written, but 'ratings' was charged: releases had begun\n"
        assert took < 5  # 0.05 s on an idle machine
        assert process.wait(20) == 0
    assert [charge["status"] for charge in ledger.show("ratings")["charges"]] == ["charged, not delivered"]


# One step takes longer than a program waits at its end for a fit that was interrupted.
STUBBORN = """
import os, signal, sys, threading, numpy as np, tulle
X = np.random.default_rng(1).random((600, 400))
kept = open(sys.argv[1], "w")
kept.write("all of it")
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    tulle.CP(rank=12, epsilon=20, range=(0, 1), method="one-shot", iterations=100000, tolerance=0, threads=1).fit(X)
except KeyboardInterrupt:
    sys.exit(7)
"""


def test_a_program_ends_as_it_says_while_an_interrupted_fit_still_runs(tmp_path):
    path = tmp_path / "kept.txt"
    ended = subprocess.run([sys.executable, "-c", STUBBORN, path], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (7, "")
    assert path.read_text() == "all of it"


def test_other_threads_run_during_a_fit():
    X = np.random.default_rng(1).random((60, 50, 40))
    model = tulle.CP(rank=8, method="plain", iterations=1000, tolerance=0, seed=1, threads=1)
    fit = threading.Thread(target=model.fit, args=(X,))
    fit.start()
    turns = 0
    while fit.is_alive():
        turns += 1
        time.sleep(0.001)
    assert turns > 10 and model.report_["iterations"] == 1000


def test_progress_is_told_now_and_then():
    from tulle import _core, _data

    given = _data.give(np.random.default_rng(1).random((100, 60, 40)), private=False)
    told = []
    values = {"train": given.path, "method": "plain", "rank": 8, "iterations": 800, "tolerance": 0, "threads": 1}
    _core.complete(values, [given.held], lambda step, limit: told.append((step, limit)))
    assert told and told[-1][1] == 800 and all(before[0] <= after[0] for before, after in zip(told, told[1:]))


def test_what_progress_throws_ends_the_fit():
    from tulle import _core, _data

    given = _data.give(np.random.default_rng(1).random((60, 50, 40)), private=False)

    def fail(step, limit):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        _core.complete({"train": given.path, "method": "plain", "rank": 8, "iterations": 10000, "tolerance": 0}, [given.held], fail)


def test_a_bar_is_shown_of_long_work_alone(monkeypatch):
    from tulle import _progress

    made = []

    class Tqdm:
        def __init__(self, total, desc, leave):
            made.append((total, desc))
            self.n = 0

        def update(self, by):
            self.n += by

        def close(self):
            made.append(self.n)

    bar = _progress.Bar(Tqdm, "CP")
    bar(1, 10)
    assert not made
    bar.started -= 2
    bar(5, 10)
    bar.close()
    assert made == [(10, "CP"), 5]
    monkeypatch.setattr(sys, "stderr", open(os.devnull, "w"))
    assert _progress.bar("CP") is None  # nobody looks


def test_figures_of_the_command():
    assert tulle.account("gaussian", sigma=1.0, steps=4, delta=1e-5)["accounting"]
    found = tulle.account("gaussian", epsilon=1, delta=1e-5, find="sigma")
    assert tulle.account("gaussian", sigma=found["sigma"], delta=1e-5)["epsilon"] <= 1
    with pytest.raises(tulle.UsageError, match="give delta to learn epsilon, epsilon to learn delta, or both with find"):
        tulle.account("laplace", sigma=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'sigmas'"):
        tulle.account("laplace", sigmas=1)
    finding = tulle.audit("laplace", trials=2000, seed=1)["findings"][0]
    assert finding["verdict"] and finding["epsilon_at_least"] < 1.5
