"""An option that plays no part in a run is refused: nobody who asks for privacy is given a run without it in silence."""
import re

import pytest

STUDY = """
title = "Shops"
entities = ["user", "film"]
private = ["user"]
[sizes]
film = 8
[[relations]]
name = "ratings"
entities = ["user", "film"]
[split]
file = "ratings.tns"
sites = 2
"""
CENTRAL = """
title = "Shops"
entities = ["user", "film"]
rank = 2
[[relations]]
name = "ratings"
entities = ["user", "film"]
file = "ratings.tns"
"""
PRIVATE = """
entities = ["user", "film"]
private = ["user"]
[sizes]
film = 8
[[relations]]
name = "ratings"
entities = ["user", "film"]
file = "ratings.tns"
"""
EVERYWHERE = {"--help", "--help-all", "--output", "--json", "--seed", "--threads", "--report", "--owner-part"}
READING = {"--format", "--columns", "--header", "--separator", "--decimal", "--unlisted", "--duplicates", "--nan-missing", "--shape", "--variable"}
LEDGER = {"--account", "--ledger"}
PRIVACY = {"--epsilon", "--delta", "--calibration"}
# A run by its arguments, and the options that play a part in it, or are refused for what they ask for and not for being given.
RUNS = {
    "couple in one place": (["couple", "central.toml"], EVERYWHERE | READING | {
        "--tables", "--alone", "--rank", "--divergence", "--floor", "--missing", "--cold-start", "--test", "--draw", "--inference",
        "--dispersion", "--starts", "--iterations", "--tolerance"}),
    "couple privately": (
        ["couple", "private.toml", "--epsilon", "1", "--delta", "1e-3", "--range", "1:5", "--steps", "2"],
        EVERYWHERE | PRIVACY | {"--tables", "--rank", "--missing", "--test", "--method", "--range", "--user-output", "--releases", "--account", "--stop-if-lost", "--accept-losses", "--dry-run",
                                "--sampling-rate", "--clip", "--learning-rate", "--entries-per-user", "--protection"}),
    "federate": (
        ["federate", "sites.toml", "--epsilon", "1", "--delta", "1e-3", "--range", "1:5"],
        EVERYWHERE | PRIVACY | {"--tables", "--rank", "--method", "--unit", "--range", "--colluding", "--threshold", "--overlap", "--server",
                                "--sites", "--site-models", "--releases", "--sweeps", "--stop-if-lost"}),
    "couple without sharing": (
        ["federate", "sites.toml", "--method", "no-sharing"],
        EVERYWHERE - {"--output", "--report", "--owner-part"} | {"--tables", "--rank", "--method", "--overlap", "--sites"}),
    "complete without privacy": (
        ["complete", "ratings.tns", "--method", "plain", "--rank", "1"],
        EVERYWHERE | READING | {"--verbose", "--test", "--holdout", "--score-all", "--crop", "--clamp", "--method", "--model", "--rank", "--biases",
                                "--solver", "--ridge", "--start", "--from", "--hold", "--iterations", "--tolerance", "--validation"}),
    "topics without privacy": (
        ["topics", "words.txt", "--topics", "2", "--words", "6", "--method", "plain"],
        EVERYWHERE | {"--topics", "--words", "--vocabulary", "--mixture", "--norm", "--method", "--truth", "--format"}),
    "classify without privacy": (
        ["classify", "examples.csv", "--method", "plain", "--range", "0:1", "--hidden", "2", "--header", "no"],
        EVERYWHERE | {"--test", "--holdout", "--label-column", "--header", "--separator", "--decimal", "--classes", "--ranges", "--category", "--hidden", "--activation", "--method", "--dropout", "--range",
                      "--steps", "--learning-rate"}),
}
# What an option is given where its kind does not say: no default of any option.
VALUES = {"FLOAT": "0.25", "UINT": "3", "INT": "3", "TEXT": "7"}
TEXTS = {"--range": "2:4", "--clamp": "2:4", "--public": "1", "--user-mode": "1", "--unit": "user", "--relation": "add-remove", "--method": "als",
         "--noise": "laplace", "--prior": "2:3", "--entity": "film", "--curve": "1,2", "--protection": "shared", "--sgld-rule": "advanced",
         "--posterior": "gibbs", "--predictions": "p.tns", "--ledger": "l.db", "--account": "a", "--user-output": "own.npz", "--column": "1",
         "--relation ": "x", "--shape": "12x8", "--variable": "x"}


@pytest.fixture(scope="module")
def folder(shared_tulle):
    rows = [f"{user} {film} {1 + (user * film) % 5}\n" for user in range(1, 13) for film in range(1, 9) if (user + film) % 3]
    files = {"ratings.tns": "".join(rows), "sites.toml": STUDY, "central.toml": CENTRAL, "private.toml": PRIVATE,
             "words.txt": "1 2 3 1\n4 5 6 4\n1 3 2 2\n5 6 4 4\n" * 5, "examples.csv": "".join(f"0.{i},0.{9 - i},{i % 2}\n" for i in range(9)) * 3}
    for name, text in files.items():
        (shared_tulle.folder / name).write_text(text)
    return shared_tulle


def declared(help_text):
    """Every option of a verb, with a value for it."""
    for line in help_text.splitlines():
        found = re.match(r"\s+(?:-\w, *)?(--[\w-]+)(?: (\w+)(?::\{([^}]*)\})?)?", line)
        if not found:
            continue
        name, kind, choices = found.groups()
        if choices:
            yield name, [choices.split(",")[-1]]
        elif kind in VALUES:
            yield name, [TEXTS.get(name, VALUES[kind])]
        else:
            yield name, []


@pytest.mark.parametrize("run", RUNS)
def test_options_that_play_no_part_are_refused_by_name(folder, run):
    words, with_effect = RUNS[run]
    folder(*words)
    options = dict(declared(folder(words[0], "--help-all").out))
    assert len(options) > 10 and with_effect <= set(options) | {"--help"}, with_effect - set(options)
    ignored = []
    for name, value in options.items():
        if name in with_effect or name in words:
            continue
        done = folder(*words, name, *value, status=None)
        named = name[2:] in done.err or {"--rate": "sampling-rate"}.get(name, name) in done.err  # as the library calls it
        if done.status != 2 or not named or done.err.count("\n") != 1:
            ignored.append((name, *value, done.status, done.err))
    assert ignored == []


@pytest.mark.parametrize("option", ["--colluding", "--threshold"])
def test_one_place_has_nobody_to_collude_and_nobody_to_stop(folder, option):
    words, _ = RUNS["federate"]
    assert option in folder(*words, "--sites", 1, option, 2, status=2).err


def test_who_asks_for_a_budget_is_given_privacy_or_a_refusal(folder):
    """However the budget is asked for: also with values that are the defaults."""
    for run, (words, _) in RUNS.items():
        for option in (["--epsilon", "1"], ["--delta", "0"], ["--delta", "1e-5"], ["--calibration", "sound"]):
            if "--epsilon" not in words:
                assert option[0] in folder(*words, *option, status=2).err, run


FIT = {"--biases": (), "--solver": ("als",), "--ridge": (1,), "--start": ("random",), "--iterations": (3,), "--tolerance": (0.1,)}
ENTRY = ("complete", "ratings.tns", "--epsilon", 4, "--delta", 1e-4, "--range", "1:5", "--rank", 1)


@pytest.mark.parametrize("method, read", [
    ("als", set()), ("one-shot", set(FIT) - {"--biases"}), ("input", set(FIT)), ("gradient", {"--ridge"}), ("output", set()), ("auto", set(FIT)),
])
def test_options_of_a_fit_that_a_method_does_not_read_are_refused(tulle, method, read):
    (tulle.folder / "ratings.tns").write_text("".join(f"{u} {f} {1 + u * f % 5}\n" for u in range(1, 9) for f in range(1, 7) if (u + f) % 3))
    for option, value in FIT.items():
        if option in read:
            tulle(*ENTRY, "--method", method, option, *value)
        else:
            assert tulle(*ENTRY, "--method", method, option, *value, status=2).err == f"tulle: method {method} does not read {option}; omit it\n"


@pytest.mark.parametrize("words, message", [
    ("--method gradient --calibration published --sampling-rate 0.5", "sampling-rate is for the sound form of gradient; omit it"),
    ("--method gradient --delta 1e-3 --entries-per-user 3", "entries-per-user is for unit user; omit it"),
    ("--method input --calibration published --entries-per-user 3", "entries-per-user is for unit user; omit it"),
    ("--method output --calibration published --steps 3 --iterations 50", "steps and --iterations are both the number of passes over the data; give one of them"),
    ("--method als --model tucker --rank 2,3,3", "method als has one rank for all modes; give one (--rank), or take one-shot (entries) or gradient (users)"),
])
def test_settings_of_another_form_or_unit_are_refused(tulle, words, message):
    cells = "".join(f"{i} {j} {k} {1 + (i + j + k) % 5}\n" for i in range(1, 4) for j in range(1, 4) for k in range(1, 4))
    (tulle.folder / "cells.tns").write_text(cells)
    assert tulle("complete", "cells.tns", "--epsilon", 5, "--range", "1:5", *words.split(), status=2).err == f"tulle: {message}\n"


def test_what_the_picked_method_does_not_read_is_said(tulle):
    (tulle.folder / "ratings.tns").write_text("".join(f"{u} {f} {1 + u * f % 5}\n" for u in range(1, 9) for f in range(1, 7) if (u + f) % 3))
    remarks = tulle(*ENTRY, "--ridge", 1, "--biases", "--json").json["remarks"]
    assert remarks[0].startswith("Chose method margins: ") and remarks[0].endswith(" It does not read biases, ridge.")
    assert "does not read" not in tulle(*ENTRY).out
