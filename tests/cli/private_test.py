"""tulle complete with privacy: what is promised, and what is refused."""
import json

import numpy as np
import pytest

PRIVATE = ("--epsilon", 2, "--range", "-3:3")


def test_the_guarantee_travels_with_the_model(sample):
    report = sample("complete", "train.tns", "--method", "input", *PRIVATE, "--rank", 2, "-o", "model.npz", "--json").json
    guarantee = report["guarantee"]
    assert guarantee["epsilon"] == 2 and guarantee["delta"] == 0 and guarantee["unit"] == "entry"
    saved = json.loads(bytes(np.load(sample.folder / "model.npz")["tulle.json"]))["guarantee"]
    assert saved["epsilon"] == 2
    assert "epsilon 2 (pure) for any one entry" in sample("info", "model.npz").out


def test_runs_differ_without_a_seed_and_agree_with_one(sample):
    def run(*seed):
        return sample("complete", "train.tns", "--test", "test.tns", "--method", "input", *PRIVATE, "--rank", 1, "--json",
                      *seed).json

    assert run()["test_rmse"] != run()["test_rmse"]
    one, two = run("--seed", 5), run("--seed", 5)
    assert one["test_rmse"] == two["test_rmse"]
    assert one["guarantee"]["reproducible"] and not run()["guarantee"]["reproducible"]


def test_held_out_errors_are_labelled(sample):
    args = ("complete", "train.tns", "--test", "test.tns", "--method", "input", *PRIVATE)
    assert "not covered by the guarantee" in sample(*args, "--json").json["test_note"]
    assert "not covered by the guarantee" in sample(*args).out


@pytest.mark.parametrize("args, message", [
    ([], "--method plain"),
    (["--epsilon", "1"], "--range"),
    (["--epsilon", "1", "--range", "5"], "LOW:HIGH"),
    (["--epsilon", "1", "--range", "5:1"], "LOW < HIGH"),
    (["--epsilon", "0", "--range", "1:5"], "epsilon"),
    (["--epsilon", "-1", "--range", "1:5"], "epsilon"),
    (["--epsilon", "1", "--delta", "0.1", "--range", "1:5"], "1/n"),
    (["--epsilon", "1", "--range", "1:5", "--unit", "user"], "--user-mode"),
    (["--epsilon", "1", "--range", "1:5", "--user-mode", "1"], "--unit user"),
    (["--epsilon", "1", "--range", "1:5", "--unit", "user", "--user-mode", "9"], "from 1 to 3"),
    (["--epsilon", "1", "--range", "1:5", "--unit", "planet"], "planet"),
    (["--epsilon", "1", "--range", "1:5", "--validation", "0.1"], "--validation"),
    (["--epsilon", "1", "--range", "1:5", "--method", "magic"], "plain"),
    (["--epsilon", "1", "--range", "1:5", "--method", "plain"], "plain"),
    (["--epsilon", "1", "--range", "1:5", "--method", "input", "--unit", "document"], "input does not protect"),
    (["--epsilon", "1", "--range", "1:5", "--method", "input", "--clip", "1"], "--clip"),
])
def test_wrong_use_says_what_to_do(sample, args, message):
    error = sample("complete", "train.tns", *args, status=2).err
    assert message in error and error.startswith("tulle: ") and error.count("\n") == 1


def test_an_empty_tensor_has_nothing_to_complete(tulle):
    (tulle.folder / "empty.csv").write_text("user,film,rating\n")
    error = tulle("complete", "empty.csv", "--method", "input", *PRIVATE, status=1).err
    assert error.count("\n") == 1


def test_spends_through_a_ledger(sample):
    ledger = ("--ledger", "ledger.db")
    run = ("complete", "train.tns", "--method", "input", *PRIVATE, "--rank", 1, *ledger, "--account", "sample")
    sample("budget", "create", "sample", "--data", "train.tns", *ledger)
    sample("budget", "grant", "sample", "--epsilon", 3, *ledger)
    sample(*run, "-o", "model.npz")
    shown = sample("budget", "show", "sample", *ledger, "--json").json
    assert shown["spent"] == pytest.approx(2) and shown["charges"][0]["status"] == "delivered"
    # The second run would exceed the grant: it is refused before it releases anything, and nothing is written.
    error = sample(*run, "-o", "again.npz", status=1).err
    assert error.count("\n") == 1 and not (sample.folder / "again.npz").exists()
    assert sample("budget", "show", "sample", *ledger, "--json").json["spent"] == pytest.approx(2)


def test_a_ledger_refuses_seeds_and_other_data(sample):
    ledger = ("--ledger", "ledger.db")
    run = ("--method", "input", *PRIVATE, "--rank", 1, *ledger, "--account", "sample")
    sample("budget", "create", "sample", "--data", "train.tns", *ledger)
    sample("budget", "grant", "sample", "--epsilon", 3, *ledger)
    assert "seed" in sample("complete", "train.tns", *run, "--seed", 1, status=1).err
    sample("complete", "test.tns", *run, status=1)
    assert "--account" in sample("complete", "train.tns", "--method", "input", *PRIVATE, *ledger, status=2).err
    assert sample("budget", "show", "sample", *ledger, "--json").json["spent"] == 0
