"""The smaller verbs, and what the command says of itself."""
import os
import shutil
import subprocess

import numpy as np
import pytest

VERBS = ["complete", "topics", "count", "query", "synthesize", "couple", "refit", "predict", "recommend", "evaluate", "generate", "info", "methods", "account", "budget", "reproduce", "completion", "man"]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(tulle, verb):
    text = tulle(verb, "--help").out
    assert "Example:" in text and f"tulle {verb}" in text


def test_no_verb_is_wrong_use(tulle):
    assert "--help" in tulle(status=2).err


def test_version(tulle):
    version = tulle("--version").out.splitlines()
    assert version[0].startswith("tulle 0.")
    assert [line.split(":")[0] for line in version[1:]] == ["BLAS", "Vector instructions", "Threads"]


def test_predict_agrees_with_numpy(sample):
    sample("complete", "train.tns", "--method", "plain", "--rank", 2, "--biases", "--seed", 1, "-o", "model.npz")
    model = np.load(sample.folder / "model.npz")
    cells = np.array([[1, 1, 1], [20, 15, 10], [7, 3, 2]])
    np.savetxt(sample.folder / "cells.tns", cells, fmt="%d")
    lines = sample("predict", "model.npz", "cells.tns").out.splitlines()
    out = np.array([line.split() for line in lines], dtype=float)
    i, j, k = (cells - 1).T
    expected = (model["weights"] * model["factor1"][i] * model["factor2"][j] * model["factor3"][k]).sum(1)
    expected += model["bias_global"] + model["bias1"][i] + model["bias2"][j] + model["bias3"][k]
    assert np.array_equal(out[:, :3], cells)
    assert np.allclose(out[:, 3], expected, rtol=1e-6)


def test_predict_refuses_cells_outside_the_model(sample):
    sample("complete", "train.tns", "--method", "plain", "--rank", 1, "--seed", 1, "-o", "model.npz")
    (sample.folder / "cells.tns").write_text("1 1 1\n21 1 1\n")
    error = sample("predict", "model.npz", "cells.tns", status=1).err
    assert "cells.tns:2" in error and error.count("\n") == 1


def test_predict_wants_cells_or_all(sample):
    sample("complete", "train.tns", "--method", "plain", "--rank", 1, "--seed", 1, "-o", "model.npz")
    assert "--all" in sample("predict", "model.npz", status=2).err


def test_evaluate_agrees_with_complete(sample):
    fitted = sample("complete", "train.tns", "--method", "plain", "--test", "test.tns", "--rank", 2, "--seed", 1, "-o", "model.npz", "--json").json
    report = sample("evaluate", "model.npz", "test.tns", "--json").json
    for field in ("test_rmse", "test_mae", "test_rse", "test_cells"):
        assert report[field] == fitted[field]


def test_evaluate_ranks(sample):
    sample("complete", "train.tns", "--method", "plain", "--rank", 2, "--biases", "--seed", 1, "-o", "model.npz")
    report = sample("evaluate", "model.npz", "test.tns", "--relevant", 0.5, "--top", 5, "--json").json
    assert 0.8 < report["test_auc"] <= 1 and 0 < report["test_precision_at_5"] <= 1


def test_info_of_data_and_of_a_model(sample):
    data = sample("info", "train.tns", "--json").json
    assert data["shape"] == "20x15x10" and data["listed_cells"] == 1500 and data["storage"] == "sparse"
    sample("complete", "train.tns", "--method", "plain", "--model", "tucker", "--rank", "2,2,1", "--seed", 1, "-o", "model.npz")
    model = sample("info", "model.npz", "--json").json
    assert model["content"] == "model" and model["rank"] == "2x2x1" and model["guarantee"] is None
    assert "tucker" in sample("info", "model.npz").out


def test_info_of_standard_input(tulle):
    assert tulle("info", "-", "--format", "csv", "--json", stdin="a,b,v\nx,y,1\nz,y,2\n").json["shape"] == "2x1"


def test_methods(tulle):
    assert any(m["name"] == "plain" for m in tulle("methods", "--json").json)
    assert "Guarantee" in tulle("methods", "plain").out
    assert "plain" in tulle("methods", "magic", status=2).err


def test_methods_without_a_proven_form_are_marked(tulle):
    """That only a published form exists is what decides whether a method is of use: the list says it."""
    forms = {(m["verb"], m["name"]): m["forms"] for m in tulle("methods", "--json").json}
    assert forms["complete", "liu2015"] == ["published"] and forms["complete", "als"] == ["sound"]
    assert forms["complete", "gradient"] == ["sound", "published"] and forms["complete", "plain"] == []
    for line in tulle("methods").out.splitlines():
        verb, name = line.split()[:2]
        assert line.endswith("[published form only, nothing proven]") == (forms[verb, name] == ["published"]), line
    assert "published form only" in tulle("methods", "hua2015").out
    assert "published form only" not in tulle("methods", "als").out


def test_generate_is_repeatable_and_says_its_seed(tulle):
    for name in ("a.tns", "b.tns"):
        tulle("generate", "tucker", "--shape", "6x5x4", "--rank", "2,2,2", "--seed", 5, "-o", name)
    assert (tulle.folder / "a.tns").read_bytes() == (tulle.folder / "b.tns").read_bytes()
    seed = tulle("generate", "cp", "-o", "c.tns", "--json").json["seed"]
    tulle("generate", "cp", "-o", "d.tns", "--seed", seed)
    assert (tulle.folder / "c.tns").read_bytes() == (tulle.folder / "d.tns").read_bytes()


def test_generate_sparse(tulle):
    tulle("generate", "sparse", "--shape", "500x300x20", "--cells", 4000, "--seed", 1, "-o", "big.tns.gz")
    report = tulle("info", "big.tns.gz", "--json").json
    assert report["shape"] == "500x300x20" and report["listed_cells"] == 4000


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_know_every_verb_and_option(tulle, shell):
    script = tulle("completion", shell).out
    for word in (*VERBS, "holdout"):
        assert word in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


def test_bash_completes_a_verb(tulle):
    script = tulle("completion", "bash").out + '\nCOMP_WORDS=(tulle comp); COMP_CWORD=1; _tulle; echo "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["complete", "completion"]


@pytest.mark.parametrize("words, values", [
    ("complete x.csv --method on", {"one-shot"}),
    ("complete x.csv --model t", {"tucker", "tubal"}),
    ("topics x.txt --method p", {"plain", "power"}),
    ("methods hist", {"histogram"}),
    ("budget gr", {"grant"}),
    ("generate s", {"sparse"}),
    ("complete x.csv --eps", {"--epsilon"}),
    ("reproduce wei2022-figure2", {"wei2022-figure2-cp", "wei2022-figure2-tucker"}),
    ("complete x.csv -o mo", {"model.npz"}),
])
def test_bash_completes_values(tulle, words, values):
    (tulle.folder / "model.npz").touch()
    typed = ["tulle", *words.split()]
    script = tulle("completion", "bash").out + f'\nCOMP_WORDS=({" ".join(typed)}); COMP_CWORD={len(typed) - 1}; _tulle; echo "${{COMPREPLY[@]}}"'
    path = os.path.dirname(tulle.command[0]) + ":" + os.environ["PATH"]
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd=tulle.folder, env=os.environ | {"PATH": path})
    assert set(done.stdout.split()) == values


def test_man_page_has_every_verb(tulle):
    page = tulle("man").out
    assert page.startswith(".TH TULLE 1")
    for verb in VERBS:
        assert f".SS {verb}" in page


def test_new_rows_are_fitted_from_their_own_cells(tulle):
    films = ["Alien", "Brazil", "Cube", "Dune"]
    ratings = [f"user{i},{film},{rating}" for i in range(30)
               for film, rating in zip(films, (5, 1, 5, 1) if i % 2 else (1, 5, 1, 5))]
    (tulle.folder / "ratings.csv").write_text("user,film,rating\n" + "\n".join(ratings))
    tulle("complete", "ratings.csv", "--method", "plain", "--rank", 1, "--biases", "--seed", 1, "-o", "model.npz")
    (tulle.folder / "new.csv").write_text("user,film,rating\neve,Alien,5\neve,Brazil,1\neve,Cube,5\nadam,Alien,1\nadam,Brazil,5\n")
    (tulle.folder / "wanted.csv").write_text("user,film\neve,Dune\nadam,Dune\n")
    out = tulle("predict", "model.npz", "wanted.csv", "--new", "new.csv", "--new-mode", "user", "--ridge", 0.1).out
    eve, adam = (float(line.split(",")[-1]) for line in out.splitlines()[1:])
    assert eve < 1.8 and adam > 4.2
    (tulle.folder / "new.csv").write_text("user,film,rating\neve,Eraserhead,5\n")
    error = tulle("predict", "model.npz", "wanted.csv", "--new", "new.csv", status=1).err
    assert "Eraserhead" in error and "user" in error
