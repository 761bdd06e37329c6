"""tulle complete, from a file to a model and its error."""
import gzip
import json

import numpy as np
import pytest
from conftest import shown_on_a_terminal


@pytest.mark.parametrize("model, solver", [("cp", "als"), ("cp", "sgd"), ("tucker", "als"), ("tucker", "sgd")])
def test_recovers_a_low_rank_tensor(sample, model, solver):
    report = sample("complete", "train.tns", "--method", "plain", "--test", "test.tns", "--model", model, "--rank", 2, "--biases",
                    "--solver", solver, "--seed", 1, "--json").json
    truth = np.load(sample.folder / "truth.npy")
    assert report["test_rmse"] < 0.35 * truth.std()
    assert report["method"] == "plain" and report["model"] == model and report["solver"] == solver
    assert report["guarantee"] is None
    assert report["shape"] == "20x15x10"
    for field in ("test_rse", "test_mae", "seconds"):
        assert report[field] >= 0


def test_tubal(tulle):
    tulle("generate", "tubal", "--shape", "30x30x6", "--rank", 2, "--observed", 0.6, "--seed", 1,
          "-o", "train.tns", "--test", "test.tns")
    report = tulle("complete", "train.tns", "--method", "plain", "--test", "test.tns", "--model", "tubal", "--iterations", 200, "--seed", 1,
                   "--json").json
    assert report["test_rse"] < 0.1


@pytest.mark.parametrize("method", [("input", "--calibration", "published"), ("input",), ("one-shot",)])
def test_private_tubal(tulle, method):
    time, down, across = np.meshgrid(np.arange(8), np.arange(30), np.arange(30), indexing="ij")
    np.save(tulle.folder / "smooth.npy", (50 + 40 * np.sin(down / 9 + time / 20) * np.cos(across / 7)).transpose(1, 2, 0))
    report = tulle("complete", "smooth.npy", "--holdout", 0.5, "--score-all", "--crop", "24x20x8", "--model", "tubal", "--method", *method,
                   "--epsilon", 5, "--range", "0:100", "--seed", 1, "--json").json
    assert report["shape"] == "24x20x8" and report["test_cells"] == 24 * 20 * 8
    if method == ("one-shot",):
        assert report["test_rse"] < 0.2
    assert report["guarantee"]["status"] .startswith("claimed" if "published" in method else "proven")


def test_clamps_training_and_test_values(tulle):
    values = np.full((6, 6, 6), 3.0)
    values[0, 0, 0] = 1e6
    np.save(tulle.folder / "spike.npy", values)
    def error(*arguments):
        return tulle("complete", "spike.npy", "--method", "plain", "--rank", 1, "--score-all", "--holdout", 0.3, "--seed", 1, "--json",
                     *arguments).json["test_rse"]
    assert error("--clamp", "0:3") < 1e-3 < error()
    assert "LOW < HIGH" in tulle("complete", "spike.npy", "--method", "plain", "--clamp", "3:0", status=2).err
    assert "expected LOW:HIGH" in tulle("complete", "spike.npy", "--method", "plain", "--clamp", "3", status=2).err


@pytest.mark.parametrize("solver", ["als", "sgd"])
def test_same_seed_same_model_whatever_the_threads(sample, solver):
    def model(name, seed, threads):
        sample("complete", "train.tns", "--method", "plain", "--rank", 2, "--solver", solver, "--seed", seed,
               "--threads", threads, "-o", name)
        return (sample.folder / name).read_bytes()

    one = model("a.npz", 3, 1)
    assert model("b.npz", 3, 2) == one
    if solver == "sgd":  # als may come to the same from every start
        assert model("c.npz", 4, 1) != one


def test_holdout_needs_no_second_file(sample):
    report = sample("complete", "train.tns", "--method", "plain", "--holdout", 0.2, "--rank", 2, "--biases", "--seed", 1, "--json").json
    assert report["test_cells"] == 300 and report["train_cells"] == 1200


def values_of(path):
    return np.array([float(line.split()[-1]) for line in path.read_text().splitlines() if line[0].isdigit()])


def test_the_error_of_the_mean_is_beside_that_of_the_model(sample):
    train, test = (values_of(sample.folder / f"{name}.tns") for name in ("train", "test"))
    of_mean = np.sqrt(np.mean((test - train.mean()) ** 2))
    run = ("complete", "train.tns", "--method", "plain", "--test", "test.tns", "--seed", 1)
    report = sample(*run, "--rank", 2, "--biases", "--json").json
    assert report["baseline_mean_rmse"] == pytest.approx(of_mean)
    assert report["test_rmse"] < min(of_mean, report["baseline_main_effects_rmse"])
    out = sample(*run, "--rank", 2, "--biases").out
    assert f"Without a model: RMSE {of_mean:.5g} of the mean of the training values" in out and "no better" not in out
    assert "baseline_mean_rmse" not in sample(*run[:4], "--rank", 1, "--seed", 1, "--json").json


def test_a_model_that_is_no_better_than_the_mean_is_said_to_be(sample):
    run = ("complete", "train.tns", "--test", "test.tns", "--epsilon", 1e-3, "--range", "-10:10", "--seed", 1, "--method", "input",
           "--rank", 3)
    report = sample(*run, "--json").json
    fields = {"baseline_mean_rmse", "baseline_main_effects_rmse", "owner_notes"}
    assert fields <= set(report["owner_only"]["fields"])
    best = min(report["baseline_mean_rmse"], report["baseline_main_effects_rmse"])
    assert report["test_rmse"] > best and any(f"(RMSE {best:.5g}) on these cells: try more epsilon" in note for note in report["owner_notes"])
    assert any("or refit with rank 0;" in note for note in report["owner_notes"])
    for line in sample(*run).out.splitlines():  # all of it is marked
        assert "mean of the training values" not in line or "for the data owner" in line


def test_decomposes_a_full_tensor(sample):
    report = sample("complete", "truth.npy", "--method", "plain", "--rank", 3, "--seed", 1, "--json", "-o", "model.npz").json
    assert report["train_cells"] == 3000
    sample("predict", "model.npz", "--all", "-o", "back.npy")
    truth, back = np.load(sample.folder / "truth.npy"), np.load(sample.folder / "back.npy")
    assert np.linalg.norm(back - truth) < 0.01 * np.linalg.norm(truth)


def test_reads_standard_input_and_gzip(sample):
    text = (sample.folder / "train.tns").read_text()
    with gzip.open(sample.folder / "train.tns.gz", "wt") as file:
        file.write(text)
    args = ("--rank", 2, "--seed", 1, "--json", "--test", "test.tns")
    expected = sample("complete", "train.tns", "--method", "plain", *args).json["test_rmse"]
    assert sample("complete", "train.tns.gz", "--method", "plain", *args).json["test_rmse"] == expected
    assert sample("complete", "-", "--method", "plain", "--format", "tns", *args, stdin=text).json["test_rmse"] == expected


def test_labels_live_from_csv_to_prediction(tulle):
    rng = np.random.default_rng(1)
    users, movies = [f"user {u}" for u in range(30)], [f'"The, {m}"' for m in range(20)]
    a, b = rng.normal(size=30), rng.normal(size=20)
    seen = [(u, m) for u in range(30) for m in range(20) if rng.random() < 0.5]
    lines = [f"{users[u]},{movies[m]},{3 + a[u] + b[m]:.4f}" for u, m in seen]
    (tulle.folder / "ratings.csv").write_text("user,movie,rating\n" + "\n".join(lines) + "\n")
    tulle("complete", "ratings.csv", "--method", "plain", "--rank", 1, "--biases", "--seed", 1, "-o", "model.npz")
    (tulle.folder / "wanted.csv").write_text('user,movie\nuser 3,"The, 5"\nuser 29,"The, 0"\n')
    out = tulle("predict", "model.npz", "wanted.csv").out.splitlines()
    assert out[0].startswith("user,movie,")
    assert out[1].startswith('user 3,"The, 5",') and out[2].startswith('user 29,"The, 0",')
    assert float(out[1].rsplit(",", 1)[1]) == pytest.approx(3 + a[3] + b[5], abs=0.5)
    described = json.loads(bytes(np.load(tulle.folder / "model.npz")["tulle.json"]))
    assert "user 3" in described["modes"][0]["labels"]


def test_unknown_label_is_named(tulle):
    (tulle.folder / "r.csv").write_text("user,movie,rating\na,x,1\nb,y,2\na,y,2\nb,x,1\n")
    tulle("complete", "r.csv", "--method", "plain", "--rank", 1, "--seed", 1, "-o", "m.npz")
    (tulle.folder / "w.csv").write_text("user,movie\na,x\nzoe,x\n")
    error = tulle("predict", "m.npz", "w.csv", status=1).err
    assert "w.csv:3" in error and "zoe" in error and error.count("\n") == 1


@pytest.mark.parametrize("args, message", [
    (["--rank", "0"], "--rank 0"),
    (["--rank", "two"], "--rank two"),
    (["--rank", "2,2"], "one rank"),
    (["--model", "cube"], "cube"),
    (["--holdout", "1.5"], "1.5"),
    (["--holdout", "0.1", "--test", "test.tns"], "held out (--holdout) or read from a test file (--test)"),
    (["--holdout", "0.1", "--unlisted", "zero"], "zero"),
    (["--solver", "newton"], "als"),
    (["--threads", "0"], "threads"),
    (["--colour"], "--colour"),
])
def test_wrong_use_is_said_in_one_line(sample, args, message):
    error = sample("complete", "train.tns", "--method", "plain", *args, status=2).err
    assert message in error and error.startswith("tulle: ") and error.count("\n") == 1


def test_missing_file(tulle):
    error = tulle("complete", "nowhere.tns", "--method", "plain", status=1).err
    assert "nowhere.tns" in error and error.count("\n") == 1


def test_failed_run_leaves_no_model(sample):
    (sample.folder / "model.npz").write_bytes(b"old")
    (sample.folder / "bad.tns").write_text("1 1 1 1.0\n1 1 x 2.0\n")
    error = sample("complete", "bad.tns", "--method", "plain", "-o", "model.npz", status=1).err
    assert "bad.tns:2" in error
    assert (sample.folder / "model.npz").read_bytes() == b"old"


def test_output_folder_must_exist(sample):
    error = sample("complete", "train.tns", "--method", "plain", "--rank", 1, "--seed", 1, "-o", "no/such/model.npz", status=1).err
    assert "no/such" in error and error.count("\n") == 1


def test_no_bar_and_no_colour_in_a_pipe(sample):
    done = sample("complete", "train.tns", "--method", "plain", "--rank", 2, "--seed", 1)
    assert done.err == "" and "\x1b" not in done.out


def test_bar_and_colour_on_a_terminal(sample):
    text = shown_on_a_terminal([*sample.command, "complete", "train.tns", "--method", "plain", "--rank", 2, "--seed", 1,
                                "--tolerance", 0, "--iterations", 200], sample.folder)
    assert "completing [" in text and "s left" in text and "\x1b[1mCompleted" in text


def test_verbose_reports_every_iteration(sample):
    out = sample("complete", "train.tns", "--method", "plain", "--rank", 2, "--seed", 1, "--iterations", 4, "--tolerance", 0, "-v").out
    assert [line.split()[0] for line in out.splitlines()[:5]] == ["step", "1", "2", "3", "4"]


def test_test_cells_beyond_the_training_data(tulle):
    (tulle.folder / "train.tns").write_text("".join(f"{i} {j} {i + j}\n" for i in range(1, 6) for j in range(1, 6)))
    (tulle.folder / "test.tns").write_text("7 2 5\n3 9 6\n")
    report = tulle("complete", "train.tns", "--method", "plain", "--test", "test.tns", "--rank", 1, "--biases", "--seed", 1, "--json").json
    assert report["shape"] == "7x9" and np.isfinite(report["test_rmse"])


@pytest.mark.parametrize("model", ["cp", "tucker"])
def test_goes_on_from_a_model_and_holds_modes(sample, model):
    common = ("--model", model, "--biases", "--seed", 1)
    sample("complete", "train.tns", "--method", "plain", "--rank", 2, *common, "-o", "first.npz")
    report = sample("complete", "train.tns", "--method", "plain", *common, "--from", "first.npz", "--hold", "2,3", "--iterations", 1,
                    "--test", "test.tns", "--json", "-o", "second.npz").json
    assert report["test_rmse"] < 0.35 * np.load(sample.folder / "truth.npy").std()
    first, second = np.load(sample.folder / "first.npz"), np.load(sample.folder / "second.npz")
    held = [name for name in first.files if name.startswith("factor")][1:]
    for name in held:
        a, b = first[name], second[name]
        cosines = np.sum(a * b, axis=0) / np.linalg.norm(a, axis=0) / np.linalg.norm(b, axis=0)
        assert np.allclose(np.abs(cosines), 1)
    private = sample("complete", "train.tns", "--method", "one-shot", "--epsilon", 5, "--range", "0:1", "--model", model,
                     "--from", "first.npz", "--from-is-public", "--hold", "2,3", "--seed", 1, "--json").json
    assert private["guarantee"]["epsilon"] == pytest.approx(5)
    refused = sample("complete", "train.tns", "--method", "als", "--epsilon", 5, "--range", "0:1", "--from", "first.npz",
                     "--from-is-public", status=2)
    assert "does not start from a model" in refused.err


@pytest.mark.parametrize("model, rank", [("cp", 151), ("tucker", 11), ("tucker", "20,16,10"), ("tubal", 16)])
def test_a_rank_beyond_the_tensor_is_refused(sample, model, rank):
    error = sample("complete", "train.tns", "--method", "plain", "--model", model, "--rank", rank, status=2).err
    assert "is beyond" in error and error.count("\n") == 1


def test_a_plain_fit_that_chooses_keeps_to_the_range_of_the_observed_cells(sample):
    def saved_range(*more):
        sample("complete", "train.tns", "--method", "plain", "--seed", 1, "-o", "model.npz", *more)
        return json.loads(bytes(np.load(sample.folder / "model.npz")["tulle.json"]))["range"]

    values = np.loadtxt(sample.folder / "train.tns")[:, -1]
    assert np.allclose(saved_range(), [values.min(), values.max()])
    assert saved_range("--rank", 2) is None


def test_plain_chooses_what_is_not_behind_a_given_rank_or_a_private_method_on_heavy_tails(tulle):
    """Traffic by pair, time and day: few pairs have most of it, and every cell varies by its own size."""
    random = np.random.default_rng(1)
    pairs, hours = np.exp(1.5 * random.standard_normal(40)), 1 + np.sin(np.arange(24) / 4)
    traffic = np.multiply.outer(np.outer(pairs, 0.5 + hours), 1 + 0.3 * random.random(7)) * np.exp(0.4 * random.standard_normal((40, 24, 7)))
    np.save(tulle.folder / "traffic.npy", np.minimum(traffic, 50))
    run = ("complete", "traffic.npy", "--holdout", 0.5, "--seed", 1, "--json")
    chosen = tulle(*run, "--method", "plain").json["test_rse"]
    assert chosen < 1.02 * tulle(*run, "--method", "plain", "--rank", 1, "--biases").json["test_rse"]
    assert chosen < tulle(*run, "--epsilon", 2, "--range", "0:50").json["test_rse"]
