"""tulle refit: another model from the releases that a model file keeps."""
import json
import re
import zipfile

import numpy as np
import pytest

ENTRY = ("complete", "train.tns", "--epsilon", 8, "--range", "-3:3")
USERS = ("complete", "train.tns", "--epsilon", 8, "--delta", 1e-3, "--range", "-3:3", "--unit", "user", "--user-mode", 1,
         "--public", "2,3")


def arrays(folder, name):
    with np.load(folder / name) as file:
        return {key: file[key] for key in file.files}


@pytest.mark.parametrize("method, fit", [("one-shot", ("--rank", 3)), ("input", ("--rank", 2)), ("one-shot", ("--rank", 2, "--model", "tucker")),
                                         ("als", ("--rank", 1, "--model", "tucker")), ("local", ("--rank", 1))])
def test_the_model_is_that_of_the_first_fit(sample, method, fit):
    """That a first fit at another rank is the same too is seen with one noise for both: tests/method/completion/refit_test.cpp."""
    sample(*ENTRY, "--method", method, *fit, "-o", "model.npz")
    sample("refit", "model.npz", *fit, "-o", "again.npz")
    first, again = arrays(sample.folder, "model.npz"), arrays(sample.folder, "again.npz")
    assert first.keys() == again.keys() and all(np.array_equal(first[key], again[key]) for key in first)


def test_cells_at_private_positions_are_refitted(sample):
    sample(*ENTRY, "--method", "input", "--relation", "add-remove", "--shape", "20x15x10", "--rank", 1, "-o", "model.npz")
    sample("refit", "model.npz", "--rank", 1, "-o", "again.npz")
    first, again = arrays(sample.folder, "model.npz"), arrays(sample.folder, "again.npz")
    assert "positions" not in first and first.keys() == again.keys() and all(np.array_equal(first[key], again[key]) for key in first)


def test_a_seeded_run_keeps_no_releases(sample):
    """Its seed is that of the noise: whoever tries seeds could subtract it."""
    sample(*ENTRY, "--method", "one-shot", "--seed", 12345, "-o", "model.npz")
    assert not any(key.startswith(("release", "positions")) for key in arrays(sample.folder, "model.npz"))


def test_the_order_of_the_rows_is_in_no_file(sample):
    lines = (sample.folder / "train.tns").read_text().splitlines()
    (sample.folder / "train.tns").write_text("\n".join(sorted(lines, key=lambda line: float(line.split()[-1]))) + "\n")
    sample(*ENTRY, "--method", "local", "--rank", 1, "-o", "model.npz")
    positions = arrays(sample.folder, "model.npz")["positions"].tolist()
    assert positions == sorted(positions)


def test_it_costs_nothing_and_says_so(sample):
    sample(*ENTRY, "--method", "one-shot", "-o", "model.npz")
    sample("budget", "create", "ratings", "--ledger", "ledger.db", "--data", "train.tns")
    guarantee = json.loads(bytes(arrays(sample.folder, "model.npz")["tulle.json"]))["guarantee"]
    report = sample("refit", "model.npz", "--rank", 1, "--json").json
    assert report["guarantee"] == guarantee and report["refitted"] is True
    text = sample("refit", "model.npz", "--rank", 1).out
    assert "from the releases of model.npz" in text and guarantee["sentence"] in text and "nothing was spent" in text


def test_the_owner_is_told_that_the_model_lists_the_observed_cells(sample):
    cells = len((sample.folder / "train.tns").read_text().splitlines())
    note = f"A model file of this run keeps its releases and lists the {cells} observed cells; drop the releases to omit both."
    report = sample(*ENTRY, "--method", "one-shot", "--rank", 1, "-o", "model.npz", "--json").json
    assert note in report["owner_notes"] and "owner_notes" in report["owner_only"]["fields"]
    assert note in sample(*ENTRY, "--method", "one-shot", "--rank", 1).out
    about = sample("info", "model.npz", "--json").json
    assert about["listed_cells"] == cells and about["releases"] > 0 and f"listed_cells  {cells}" in sample("info", "model.npz").out
    for silent in (("--releases", "drop"), ("--seed", 1)):
        assert note not in sample(*ENTRY, "--method", "one-shot", "--rank", 1, *silent).out
    assert "observed cells" not in sample(*USERS, "--method", "als", "-o", "model.npz").out, "which are private"
    about = sample("info", "model.npz", "--json").json
    assert about["releases"] > 0 and "listed_cells" not in about


def test_a_refitted_model_is_refitted_again(sample):
    sample(*ENTRY, "--method", "one-shot", "--rank", 1, "-o", "one.npz")
    sample("refit", "one.npz", "--rank", 3, "-o", "three.npz")
    sample("refit", "three.npz", "--rank", 1, "-o", "again.npz")
    one, again = arrays(sample.folder, "one.npz"), arrays(sample.folder, "again.npz")
    assert one.keys() == again.keys() and all(np.array_equal(one[key], again[key]) for key in one)


def test_releases_that_are_not_on_the_record_of_the_guarantee_are_refused(sample):
    sample(*ENTRY, "--method", "one-shot", "--rank", 1, "-o", "model.npz")
    with zipfile.ZipFile(sample.folder / "model.npz") as file:
        members = {name: file.read(name) for name in file.namelist()}
    releases = json.loads(members["releases.json"])
    releases["releases"][0]["events"][0]["count"] = 2
    members["releases.json"] = json.dumps(releases).encode()
    with zipfile.ZipFile(sample.folder / "forged.npz", "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    for verb in ("refit", "info"):
        error = sample(verb, "forged.npz", status=1).err
        assert "is not on the record of the guarantee" in error and error.count("\n") == 1


def test_users_are_protected_as_before(sample):
    sample(*USERS, "--method", "als", "-o", "model.npz")
    sample("refit", "model.npz", "--rank", 0, "-o", "offsets.npz")
    file = arrays(sample.folder, "offsets.npz")
    assert file["factor1"].shape[0] == 1 and not any(key.startswith("positions") for key in file)


@pytest.mark.parametrize("how", [("--method", "plain"), (*ENTRY[2:], "--method", "one-shot", "--releases", "drop"), (*ENTRY[2:], "--method", "output", "--rank", 1)])
def test_a_model_without_releases_is_refused_in_one_line(sample, how):
    sample("complete", "train.tns", *how, "-o", "model.npz")
    assert "releases.json" not in arrays(sample.folder, "model.npz")
    error = sample("refit", "model.npz", status=1).err
    assert error.count("\n") == 1 and "model.npz: keeps no releases" in error


@pytest.mark.parametrize("method, reason", [("plain", "without privacy nothing is released"), ("gradient", "each release is a gradient")])
def test_why_a_method_keeps_no_releases_is_said(sample, method, reason):
    private = () if method == "plain" else (*ENTRY[2:], "--delta", 1e-4)
    sample("complete", "train.tns", "--method", method, "--rank", 1, *private, "-o", "model.npz")
    error = sample("refit", "model.npz", status=1).err
    assert f"model.npz: keeps no releases to refit (method {method}: {reason}" in error and error.count("\n") == 1


def test_a_refit_says_that_it_has_no_warm_start(sample):
    sample("complete", "train.tns", "--method", "plain", "--rank", 1, "-o", "public.npz")
    remark = "The first fit started from a model"
    for start in ((), ("--from", "public.npz", "--from-is-public")):
        sample(*ENTRY, "--method", "one-shot", *start, "-o", "model.npz")
        assert (remark in sample("refit", "model.npz", "--rank", 1).out) == bool(start)


@pytest.mark.parametrize("old, new, message", [
    ('"version":2', '"version":1', "is of an earlier version of tulle"),
    ('"documents":null,', "", "key 'documents' not found; write it again"),
    ('"seed":', '"seed":"x","seeds":', "type must be number, but is string; write it again"),
])
def test_releases_of_another_layout_are_refused_in_one_line(sample, old, new, message):
    sample(*ENTRY, "--method", "one-shot", "-o", "model.npz")
    with zipfile.ZipFile(sample.folder / "model.npz") as model, zipfile.ZipFile(sample.folder / "other.npz", "w") as other:
        for name in model.namelist():
            text = model.read(name)
            other.writestr(name, text.replace(old.encode(), new.encode(), 1) if name == "releases.json" else text)
    for verb in ("refit", "info"):
        error = sample(verb, "other.npz", status=1).err
        assert "other.npz[releases.json]" in error and message in error and "exception" not in error and error.count("\n") == 1


@pytest.fixture
def documents(tulle):
    random = np.random.default_rng(1)
    np.save(tulle.folder / "words.npy", random.integers(1, 7, size=(2000, 3)))
    return tulle


TOPICS = ("topics", "words.npy", "--words", 6, "--topics", 2, "--epsilon", 2)


@pytest.mark.parametrize("how", [(), ("--method", "agn", "--delta", 1e-5), ("--method", "avn")])
def test_topics_are_refitted_with_another_number(documents, how):
    documents(*TOPICS, *how, "-o", "topics.npz")
    documents("refit", "topics.npz", "-o", "again.npz")
    first, again = arrays(documents.folder, "topics.npz"), arrays(documents.folder, "again.npz")
    assert first.keys() == again.keys() and all(np.array_equal(first[key], again[key]) for key in first)
    report = documents("refit", "topics.npz", "--topics", 3, "-o", "three.npz", "--json").json
    assert report["model"] == "topics" and report["shape"] == "6x3"
    assert arrays(documents.folder, "three.npz")["topics"].shape == (6, 3)
    assert "Refitted 4 topics from the releases of three.npz" in documents("refit", "three.npz", "--topics", 4).out
    documents(*TOPICS, *how, "--releases", "drop", "-o", "dropped.npz")
    assert "keeps no releases" in documents("refit", "dropped.npz", status=1).err


# So little noise was not drawn by a run.
@pytest.mark.parametrize("stddev", ["5e-324", "1e-300"])
def test_releases_with_hardly_any_noise_are_refused(documents, stddev):
    documents(*TOPICS, "-o", "topics.npz")
    with zipfile.ZipFile(documents.folder / "topics.npz") as model, zipfile.ZipFile(documents.folder / "other.npz", "w") as other:
        for name in model.namelist():
            text = model.read(name)
            other.writestr(name, re.sub(rb'"(typical_)?stddev":[^,]*', rb'"\1stddev":' + stddev.encode(), text) if name == "releases.json" else text)
    for verb in ("refit", "info"):
        error = documents(verb, "other.npz", status=1).err
        assert "its noise" in error and error.count("\n") == 1


@pytest.mark.parametrize("words, expected", [
    (("--rank", 2), "--rank is for a completed tensor"), (("--model", "tucker"), "--model is for a completed tensor"),
    (("--topics", 0), "--topics"), (("--topics", 7), "7 topics of 6 words")])
def test_what_a_model_of_topics_cannot_be_is_refused(documents, words, expected):
    documents(*TOPICS, "-o", "topics.npz")
    error = documents("refit", "topics.npz", *words, status=2).err
    assert expected in error and error.count("\n") == 1


def test_a_completed_tensor_has_no_topics(sample):
    sample(*ENTRY, "--method", "one-shot", "--rank", 1, "-o", "model.npz")
    assert "--topics is for a model of topics" in sample("refit", "model.npz", "--topics", 2, status=2).err


def test_seeded_topics_and_those_of_the_power_method_keep_none(documents):
    for how in (("--seed", 1), ("--method", "power", "--delta", 1e-5)):
        documents(*TOPICS, *how, "-o", "topics.npz")
        assert "keeps no releases" in documents("refit", "topics.npz", status=1).err


def test_a_rank_that_was_not_released_for_is_refused(sample):
    sample(*ENTRY, "--method", "als", "--rank", 2, "-o", "model.npz")
    assert "for rank 2" in sample("refit", "model.npz", "--rank", 3, status=2).err


@pytest.mark.parametrize("words", [("--ridge", 1), ("--solver", "als"), ("--seed", 3), ("--biases",), ("--start", "random"), ("--iterations", 3)])
def test_options_that_the_method_does_not_read_are_refused(sample, words):
    sample(*ENTRY, "--method", "als", "-o", "model.npz")
    assert sample("refit", "model.npz", *words, status=2).err == f"tulle: method als does not read {words[0]}; omit it\n"


def test_published_runs_keep_none(sample):
    sample("complete", "train.tns", "--epsilon", 8, "--range", "-3:3", "--method", "input", "--rank", 1, "--calibration", "published", "-o", "model.npz")
    assert "releases.json" not in arrays(sample.folder, "model.npz")
