"""The ledger at the terminal: one default for all verbs, what is left, what every charge cost."""
import os
import pwd
import re
import subprocess

import numpy as np
import pytest
from conftest import environment

RUN = ("complete", "train.tns", "--method", "input", "--rank", 1, "--range", "-3:3")


@pytest.fixture
def account(sample):
    sample("budget", "create", "sample")
    sample("budget", "grant", "sample", "--epsilon", 3)
    return sample


def test_runs_and_budget_agree_on_where_the_ledger_is(sample):
    for variables in ({}, {"TULLE_LEDGER": "other.db"}):
        sample("budget", "create", "sample", **variables)
        sample("budget", "grant", "sample", "--epsilon", 3, **variables)
        sample(*RUN, "--epsilon", 1, "--account", "sample", **variables)
        assert sample("budget", "show", "sample", "--json", **variables).json["spent"] == pytest.approx(1)
    assert {path.name for path in sample.folder.glob("*.db")} == {"tulle-ledger.db", "other.db"}


def test_a_ledger_without_an_account_is_wrong_use(sample):
    assert "--account NAME" in sample(*RUN, "--epsilon", 1, "--ledger", "l.db", status=2).err


@pytest.mark.parametrize("verb", [("show",), ("history",), ("verify",), ("grant", "x", "--epsilon", 1)])
def test_only_create_makes_a_ledger(tulle, verb):
    tulle("budget", *verb, status=1)
    assert list(tulle.folder.iterdir()) == []


def test_runs_say_what_is_left_and_it_fits(account):
    out = account(*RUN, "--epsilon", 1.25, "--account", "sample").out
    assert "Budget: 'sample' has spent epsilon 1.25 of 3; a run of epsilon 1.7" in out
    fits = account("budget", "show", "sample", "--json").json["fits"]
    assert 1.7499 <= fits <= 1.75
    report = account(*RUN, "--epsilon", fits, "--account", "sample", "--json").json["budget"]
    assert report["name"] == "sample" and report["epsilon"] == 3 and report["fits"] < 1e-3
    account(*RUN, "--epsilon", 0.01, "--account", "sample", status=1)


@pytest.mark.parametrize("method", ["als", "gradient"])
def test_the_first_run_may_have_all_that_was_granted(sample, method):
    run = ("complete", "train.tns", "--method", method, "--unit", "user", "--user-mode", 1, "--relation", "add-remove", "--public", "2,3",
           "--range", "-3:3", "--account", "users")
    sample("budget", "create", "users", "--unit", "user", "--mode", "mode1", "--relation", "add-remove")
    sample("budget", "grant", "users", "--epsilon", 1, "--delta", 1e-5)
    spent = sample(*run, "--epsilon", 1, "--delta", 1e-5, "--json").json["budget"]["spent"]
    assert 0.999 < spent <= 1 and sample("budget", "show", "users", "--json").json["left"] < 1e-3
    assert "Nothing was charged" in sample(*run, "--epsilon", 1e-3, "--delta", 1e-8, status=1).err


def test_the_ledger_the_model_and_the_report_name_the_method_that_auto_picked(account):
    report = account("complete", "train.tns", "--epsilon", 1, "--range", "-3:3", "--account", "sample", "-o", "model.npz", "--json").json
    assert report["method"] == "auto" and report["picked"] in ("als", "one-shot", "margins")
    assert account("info", "model.npz", "--json").json["method"] == report["picked"]
    charge, = account("budget", "show", "sample", "--json").json["charges"]
    assert charge["what"] == f"complete, method {report['picked']}, picked by auto"
    assert f"with {report['picked']}, picked by auto" in account("complete", "train.tns", "--epsilon", 1, "--range", "-3:3").out


def test_every_charge_has_an_epsilon(account):
    for epsilon in (0.5, 1):
        account(*RUN, "--epsilon", epsilon, "--account", "sample")
    rows = account("budget", "history", "sample", "--json").json
    assert [round(row["epsilon"], 6) for row in rows if row["kind"] == "charge"] == [0.5, 1]
    assert all("epsilon" not in row for row in rows if row["kind"] != "charge")
    assert "epsilon 0.5 " in account("budget", "history").out
    show = account("budget", "show", "sample").out
    assert "epsilon 0.5, complete, method input (delivered, by " in show and "fits" in show


def test_a_grant_beyond_all_sense_is_refused_and_not_kept(account):
    for epsilon in (1e6, 1e308):
        assert "epsilon above 1000000" in account("budget", "grant", "sample", "--epsilon", epsilon, status=2).err
    assert account("budget", "show", "sample", "--json").json["epsilon"] == 3


def test_a_write_that_fails_says_that_the_account_was_charged(tulle):
    """The model is larger than any file may be, as on a full disk; the ledger is not."""
    tulle("generate", "cp", "--shape", "300x300x3", "--rank", 2, "--seed", 1, "--observed", 0.05, "-o", "train.tns")
    tulle("budget", "create", "sample")
    tulle("budget", "grant", "sample", "--epsilon", 3)
    run = " ".join(map(str, [*tulle.command, *RUN, "--rank", 60, "--epsilon", 1, "--account", "sample", "-o", "model.npz"])).replace("--rank 1 ", "")
    done = subprocess.run(["bash", "-c", f"trap '' XFSZ; ulimit -f 150; {run}"], cwd=tulle.folder, capture_output=True, text=True, env=environment())
    assert done.returncode == 1 and "model.npz: File too large; 'sample' was charged all the same" in done.stderr
    assert tulle("budget", "show", "sample", "--json").json["spent"] == pytest.approx(1)
    assert not any(path.name.startswith("model") or path.suffix == ".tmp" for path in tulle.folder.iterdir())


def documents(folder, texts):
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text)


def test_a_folder_of_documents_is_charged_and_other_documents_are_not(tulle):
    """The folder may have another name; a document that is changed is other data."""
    texts = {f"{i}.txt": "apple banana cherry apple\n" for i in range(30)}
    documents(tulle.folder / "mails", texts)
    documents(tulle.folder / "moved", texts)
    documents(tulle.folder / "others", texts | {"7.txt": "cherry cherry cherry\n"})
    (tulle.folder / "words.txt").write_text("apple\nbanana\ncherry\n")
    tulle("budget", "create", "mails", "--unit", "document", "--data", "mails")
    tulle("budget", "grant", "mails", "--epsilon", 9)
    run = ("--vocabulary", "words.txt", "--topics", 1, "--epsilon", 1, "--account", "mails")
    for folder in ("mails", "moved"):
        tulle("topics", folder, *run)
    assert "not those of 'mails'" in tulle("topics", "others", *run, status=1).err
    assert len(tulle("budget", "show", "mails", "--json").json["charges"]) == 2


def write_idx(path, array):
    path.write_bytes(bytes([0, 0, 8, array.ndim]) + b"".join(size.to_bytes(4, "big") for size in array.shape) + array.tobytes())


def test_a_folder_of_images_is_charged_and_other_labels_are_not(tulle):
    random = np.random.default_rng(1)
    images, labels = random.integers(0, 256, (60, 4, 4), np.uint8), random.integers(0, 2, 60, np.uint8)
    for name, given in (("digits", labels), ("relabelled", 1 - labels)):
        (tulle.folder / name).mkdir()
        write_idx(tulle.folder / name / "train-images-idx3-ubyte", images)
        write_idx(tulle.folder / name / "train-labels-idx1-ubyte", given)
    run = ("--classes", 2, "--method", "sgd", "--hidden", 0, "--epsilon", 1, "--delta", 1e-5, "--account", "digits")
    tulle("budget", "create", "digits", "--unit", "example", "--relation", "add-remove", "--data", "digits")
    tulle("budget", "grant", "digits", "--epsilon", 9, "--delta", 1e-3)
    tulle("classify", "digits", *run)
    tulle("classify", "digits/train-images-idx3-ubyte", *run)
    assert "not those of 'digits'" in tulle("classify", "relabelled", *run, status=1).err
    other = ("--labels", "relabelled/train-labels-idx1-ubyte")
    assert "not those of 'digits'" in tulle("classify", "digits/train-images-idx3-ubyte", *other, *run, status=1).err
    assert len(tulle("budget", "show", "digits", "--json").json["charges"]) == 2


def test_data_that_have_no_fingerprint_are_no_data_of_an_account(tulle):
    (tulle.folder / "digits-idx3-ubyte").write_bytes(b"x")
    assert "give their file" in tulle("budget", "create", "a", "--data", "digits-idx3-ubyte", status=1).err
    assert "give the file" in tulle("budget", "create", "a", "--data", "-", status=2).err
    assert "No such file" in tulle("budget", "create", "a", "--data", "missing.csv", status=1).err
    assert not (tulle.folder / "tulle-ledger.db").exists()


NOTE = "keeps the account 'sample' for these data, and this run is not charged to it"
OWNERS = "(for the data owner, not covered by the guarantee)"


def test_a_run_without_an_account_says_that_one_is_kept_for_its_data(sample):
    run = (*RUN, "--epsilon", 1)
    assert sample(*run).err == "", "there is no ledger"
    sample("budget", "create", "sample", "--data", "train.tns")
    sample("budget", "grant", "sample", "--epsilon", 3)
    said = sample(*run)
    assert said.err.count("\n") == 1 and NOTE in said.err and said.err.endswith(OWNERS + "\n")
    assert any(NOTE in line and line.endswith(OWNERS) for line in said.out.splitlines())
    report = sample(*run, "--json").json
    assert NOTE in report["owner_notes"][-1] and "owner_notes" in report["owner_only"]["fields"]
    assert sample(*run, "--account", "sample").err == ""
    sample("generate", "cp", "--shape", "20x15x10", "--rank", 2, "--seed", 2, "-o", "other.tns")
    assert sample("complete", "other.tns", *run[2:]).err == ""
    assert NOTE in sample(*run, "--report", "page.html", "--test", "test.tns", "--curve", "1,2").err
    assert sample(*run, "--report", "page.html", "--test", "test.tns", "--curve", "1,2").err.count(NOTE) == 1
    assert NOTE not in (sample.folder / "page.html").read_text().split("<section class='owner'")[0]
    assert sample("complete", "train.tns", "--method", "plain", "--rank", 1).err == "", "nothing that a ledger could keep"
    (sample.folder / "tulle-ledger.db").write_text("no ledger at all")
    assert sample(*run).err == ""


def test_a_range_that_takes_more_than_one_percent_stops_the_run_before_the_charge(account):
    run = ("complete", "train.tns", "--method", "input", "--rank", 1, "--range", "-0.5:0.5", "--epsilon", 1, "--account", "sample")
    spent = account("budget", "show", "sample", "--json").json["spent"]
    stopped = account(*run, "-o", "model.npz", status=1).err
    assert "clamped" in stopped and "nothing was charged" in stopped and OWNERS[1:-1] in stopped and stopped.count("\n") == 1
    assert "(--accept-losses)" in stopped and re.search(r"For example \S+ at mode1 \d+, mode2 \d+, mode3 \d+ and ", stopped)
    assert account("budget", "show", "sample", "--json").json["spent"] == spent and not (account.folder / "model.npz").exists()
    assert stopped == account(*run, "-o", "model.npz", "--report", "page.html", "--test", "test.tns", "--curve", "1,2", status=1).err


def test_losses_may_be_accepted_and_are_told_before_the_charge(account):
    run = ("complete", "train.tns", "--method", "input", "--rank", 1, "--range", "-0.5:0.5", "--epsilon", 1, "--account", "sample")
    done = account(*run, "--accept-losses", "--json")
    lines = done.err.splitlines()
    assert len(lines) == 1 and "were clamped to it" in lines[0] and lines[0].endswith(OWNERS)
    assert not any("lists and the range take" in fact for fact in done.json["guarantee"]["public"])
    stated = account(*run, "--stop-if-lost", 0.999, "--json").json["guarantee"]["public"]
    assert "that public lists leave out, and the range changes, at most 99.9 % of the data" in stated
    assert "below 1" in account(*run, "--stop-if-lost", 1, status=2).err
    assert "exclude each other" in account(*run, "--stop-if-lost", 0.1, "--accept-losses", status=2).err
    for option in (("--stop-if-lost", 0.1), ("--accept-losses",)):
        assert "private runs" in account("complete", "train.tns", "--method", "plain", *option, status=2).err


def test_who_charged_and_what_for_is_in_the_ledger(account):
    account("complete", "train.tns", "--range", "-3:3", "--epsilon", 0.5, "--account", "sample", "--note", "the spring report")
    account("complete", "train.tns", "--range", "-3:3", "--epsilon", 0.5, "--account", "sample")
    first, second = account("budget", "show", "sample", "--json").json["charges"][-2:]
    assert first["by"] == second["by"] == pwd.getpwuid(os.geteuid()).pw_name
    assert first["note"] == "the spring report" and "note" not in second
    assert f"by {first['by']}): the spring report" in account("budget", "show", "sample").out
    assert "--account" in account("complete", "train.tns", "--range", "-3:3", "--epsilon", 1, "--note", "x", status=2).err
    account("budget", "verify")
