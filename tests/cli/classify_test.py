"""tulle classify, end to end: what it prints and saves, and what it refuses."""
import json
import struct
import zipfile

import numpy as np
import pytest

PRIVATE = ("--range", "0:1", "--classes", 2, "--header", "no", "--epsilon", 2, "--delta", 1e-5, "--seed", 1)


@pytest.fixture
def blobs(tulle):
    """Two classes around two points, as a table."""
    random = np.random.default_rng(1)
    for name in ("train", "test"):
        labels = random.integers(2, size=800)
        values = random.standard_normal((800, 4)) * 0.1 + 0.35 + 0.3 * labels[:, None]
        np.savetxt(tulle.folder / f"{name}.csv", np.column_stack([values, labels]), fmt="%.4g", delimiter=",")
        np.savez(tulle.folder / f"{name}.npz", x=values.astype(np.float32), y=labels)
    return tulle


def test_a_classifier_is_trained_and_the_guarantee_travels_along(blobs):
    report = blobs("classify", "train.csv", "--test", "test.csv", *PRIVATE, "-o", "model.npz", "--json").json
    assert report["test_accuracy"] > 0.97 and {"test_accuracy", "baseline_accuracy"} <= set(report["owner_only"]["fields"])
    labels = [np.load(blobs.folder / f"{name}.npz")["y"] for name in ("train", "test")]
    assert report["baseline_accuracy"] == np.mean(labels[1] == np.argmax(np.bincount(labels[0])))
    assert report["guarantee"]["unit"] == "example" and report["guarantee"]["relation"] == "add-remove"
    assert 1.9 < report["guarantee"]["epsilon"] <= 2
    saved = np.load(blobs.folder / "model.npz")
    assert saved["weights1"].shape == (4, 2)
    assert json.loads(bytes(saved["tulle.json"]))["guarantee"]["unit"] == "example"
    assert "any one example" in blobs("info", "model.npz").out
    again = blobs("evaluate", "model.npz", "test.csv", "--json").json
    assert again["test_accuracy"] == report["test_accuracy"] and "baseline_accuracy" not in again
    trained = blobs("evaluate", "model.npz", "test.csv", "--train", "train.csv", "--json").json
    assert trained["baseline_accuracy"] == report["baseline_accuracy"]
    plotted = blobs("evaluate", "model.npz", "test.csv", "--plot", "confidence.svg").out
    assert "accuracy" in plotted and "for the data owner" in (blobs.folder / "confidence.svg").read_text()
    blobs("predict", "model.npz", "test.csv", "--probabilities", "-o", "classes.npy")
    probabilities = np.load(blobs.folder / "classes.npy")
    lines = blobs("predict", "model.npz", "test.csv").out.splitlines()
    assert lines[0] == "example,class,probability" and len(lines) == 801
    assert [int(line.split(",")[1]) for line in lines[1:]] == probabilities.argmax(axis=1).tolist()
    assert float(lines[1].split(",")[2]) == pytest.approx(probabilities[0].max(), abs=1e-5)
    assert "--probabilities" in blobs("predict", "model.npz", "test.csv", "-o", "classes.npy", status=2).err
    assert probabilities.shape == (800, 2) and np.allclose(probabilities.sum(1), 1, atol=1e-5)


def test_examples_without_labels_are_classified(blobs):
    blobs("classify", "train.csv", *PRIVATE, "-o", "model.npz")
    labelled = blobs("predict", "model.npz", "test.csv", "--header", "no").out
    rows = (blobs.folder / "test.csv").read_text().splitlines()
    (blobs.folder / "values.csv").write_text("".join(row.rsplit(",", 1)[0] + "\n" for row in rows))
    (blobs.folder / "first.csv").write_text("y,a,b,c,d\n" + "".join(f"?,{row.rsplit(',', 1)[0]}\n" for row in rows))
    with np.load(blobs.folder / "test.npz") as arrays:
        np.savez(blobs.folder / "values.npz", x=arrays["x"])
    assert blobs("predict", "model.npz", "values.csv", "--header", "no").out == labelled
    assert blobs("predict", "model.npz", "first.csv", "--label-column", "y").out == labelled
    assert blobs("predict", "model.npz", "values.npz").out.count("\n") == labelled.count("\n")
    assert blobs("predict", "model.npz", "-", "--header", "no", stdin=(blobs.folder / "values.csv").read_text()).out == labelled
    assert "as many as an example has values" in blobs("evaluate", "model.npz", "values.csv", "--header", "no", status=1).err


def test_labels_are_names_of_the_models_classes(blobs):
    report = blobs("classify", "train.csv", "--test", "test.csv", *PRIVATE, "-o", "model.npz", "--json").json
    with zipfile.ZipFile(blobs.folder / "model.npz") as saved, zipfile.ZipFile(blobs.folder / "named.npz", "w") as other:
        for member in saved.namelist():
            about = json.loads(saved.read(member)) if member == "tulle.json" else None
            other.writestr(member, json.dumps(about | {"classes": ["7", "cat"]}) if about else saved.read(member))
    named = {"0": "7", "1": "cat"}
    rows = [row.rsplit(",", 1) for row in (blobs.folder / "test.csv").read_text().splitlines()]
    (blobs.folder / "named.csv").write_text("".join(f"{values},{named[label]}\n" for values, label in rows))
    again = blobs("evaluate", "named.npz", "named.csv", "--header", "no", "--json").json
    assert again["test_accuracy"] == report["test_accuracy"]
    assert "is none of the classes 7, cat" in blobs("evaluate", "named.npz", "test.csv", "--header", "no", status=1).err


@pytest.mark.parametrize("args, words", [
    (["predict", "model.npz", "test.csv", "-o", "test.csv"], "is an input and would be overwritten"),
    (["predict", "model.npz", "test.csv", "-o", "model.npz"], "is an input and would be overwritten"),
    (["predict", "model.npz", "test.csv", "--all"], "--all is for cells of tensors"),
    (["evaluate", "model.npz", "test.csv", "--plot", "test.csv"], "drawings are SVG"),
    (["evaluate", "model.npz", "copy.svg", "--plot", "copy.svg"], "is an input and would be overwritten"),
    (["evaluate", "model.npz", "test.csv", "--labels", "nosuch"], "--labels is for images in idx files"),
    (["predict", "model.npz", "test.npz", "--label-column", 1], "--label-column is for tables"),
    (["evaluate", "model.npz", "test.csv", "--relevant", 4], "--relevant is for cells of tensors"),
    (["evaluate", "model.npz", "test.csv", "--columns", "a,b"], "--columns is for cells of tensors"),
])
def test_a_classifier_takes_no_options_of_tensors_and_overwrites_nothing(blobs, args, words):
    blobs("classify", "train.csv", *PRIVATE, "-o", "model.npz")
    kept = {name: (blobs.folder / name).read_bytes() for name in ("model.npz", "test.csv")}
    assert words in blobs(*args, status=2).err
    assert all((blobs.folder / name).read_bytes() == before for name, before in kept.items())


def test_a_table_holds_images_only_if_that_is_stated(tulle):
    random = np.random.default_rng(1)
    values = random.standard_normal((400, 64))
    np.savetxt(tulle.folder / "train.csv", np.column_stack([values, values[:, 0] > 0]), fmt="%.4g", delimiter=",")
    command = ("classify", "train.csv", "--range=-3:3", "--classes", 2, "--header", "no", "--epsilon", 2, "--delta", 1e-5, "--seed", 1)
    unsaid, images, other = (tulle(*command, *image, "--json").json for image in ((), ("--image", "8x8"), ("--image", "none")))
    assert any("state image 8x8" in remark for remark in unsaid["remarks"])
    assert not any("state image" in remark for report in (images, other) for remark in report["remarks"])
    assert unsaid["guarantee"] == other["guarantee"] != images["guarantee"]
    assert "such as 28x28" in tulle(*command, "--image", "8by8", status=2).err


def test_steps_without_bound_leave_no_model_and_tell_of_the_charge(blobs):
    steps = ("--hidden", "10,10", "--learning-rate", 1e6, "--range", "0:1", "--header", "no", "-o", "model.npz")
    plain = blobs("classify", "train.csv", "--method", "plain", "--steps", 5, *steps, status=1).err
    assert "grow without bound" in plain and "charged" not in plain
    blobs("budget", "create", "a", "--unit", "example", "--relation", "add-remove")
    blobs("budget", "grant", "a", "--epsilon", 3, "--delta", 1e-4)
    paid = blobs("classify", "train.csv", "--method", "sgd", "--classes", 2, "--steps", 50, *steps, "--epsilon", 0.5,
                 "--delta", 1e-5, "--account", "a", status=1).err
    assert "grow without bound" in paid and "'a' was charged" in paid
    assert not (blobs.folder / "model.npz").exists()


@pytest.mark.parametrize("args", [
    ["--method", "plain", "--hidden", 10, "--dropout", "binary"],
    ["--method", "sgd", "--hidden", "10,5", "--steps", 20, "--epsilon", 1, "--delta", 1e-5],
    ["--method", "sgld", "--hidden", 10, "--steps", 20, "--epsilon", 1, "--delta", 1e-5, "--relation", "replace"],
    ["--method", "dpd", "--hidden", 10, "--steps", 20, "--epsilon", 1, "--delta", 1e-5, "--activation", "tanh"],
    ["--method", "dpd", "--hidden", 10, "--steps", 20, "--epsilon", 1, "--delta", 1e-4, "--calibration", "published", "--accounting", "ac"],
])
def test_every_method_runs(blobs, args):
    out = blobs("classify", "train.npz", "--range", "0:1", "--classes", 2, "--holdout", 0.2, *args).out
    assert "accuracy" in out and "nan" not in out
    assert ("NOT PROVEN" in out) == ("published" in args)


def write_idx(path, array):
    path.write_bytes(bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.astype(np.uint8).tobytes())


def test_images_of_mnist_are_read_with_their_labels(tulle):
    labels = np.arange(60) % 2
    images = np.zeros((60, 8, 8))
    images[labels == 0, :, 1:4] = 255
    images[labels == 1, :, 4:7] = 255
    write_idx(tulle.folder / "train-images-idx3-ubyte", images)
    write_idx(tulle.folder / "train-labels-idx1-ubyte", labels)
    report = tulle("classify", ".", "--test", "train-images-idx3-ubyte", "--classes", 2, "--epsilon", 20, "--delta", 1e-4, "--seed", 1, "--json").json
    assert report["test_accuracy"] == 1 and report["classes"] == 2


@pytest.mark.parametrize("args, words, status", [
    (["train.csv", "--epsilon", 1, "--delta", 1e-5], "--range", 2),
    (["train.csv", "--range", "0:1"], "give --epsilon", 2),
    (["train.csv", "--range", "0:1", "--classes", 2, "--epsilon", 1, "--header", "no"], "delta", 2),
    (["train.csv", "--range", "0:1", "--classes", 2, "--epsilon", 1, "--delta", 1e-5], "(--header)", 2),
    (["train.csv", *PRIVATE, "--dropout", "binary"], "dropout is an option of method plain", 2),
    (["train.csv", *PRIVATE, "--activation", "tanh"], "activation relu alone", 2),
    (["train.csv", "--range", "0:1", "--classes", 2, "--header", "no", "--epsilon", 1, "--delta", 0.01, "--relation", "replace"], "below 1/n", 2),
    (["train.csv", "--range", "0:1", "--method", "plain", "--epsilon", 1], "spends no --epsilon", 2),
    (["train.csv", "--range", "0:1", "--epsilon", 1, "--delta", 1e-5], "state how many classes there are (--classes N)", 2),
    (["train.csv", "--range", "0:1", "--epsilon", 1, "--delta", 1e-5, "--classes", 1], "nothing to tell apart", 2),
    (["train.csv", "--range", "0:1", "--method", "plain", "--classes", 2, "--label-column", 1], "is no class", 1),
    (["one.csv", "--range", "0:1", "--method", "plain"], "nothing to tell apart", 2),
    (["third.csv", "--range", "0:1", "--method", "plain"], "all examples are of class 2", 1),
    (["train.csv", *PRIVATE[:2], *PRIVATE[4:], "--classes", 1000000000], "give 1000000 at most", 2),
    (["a-labels-idx1-ubyte", "--epsilon", 1, "--delta", 1e-5], "holds labels, not images", 1),
    (["train.csv", *PRIVATE, "--accounting", "ac"], "--calibration published", 2),
    (["train.csv", *PRIVATE, "--hidden", "many"], "--hidden many", 2),
    (["train.csv", *PRIVATE[:4], *PRIVATE[6:], "--label-column", "class"], "no column is named 'class'", 1),
    (["words.txt", *PRIVATE], "no known format", 1),
    (["-", *PRIVATE[:4], *PRIVATE[6:]], "state whether it is (--header)", 2),
    (["train.csv", *PRIVATE, "--labels", "nosuch"], "--labels is for images in idx files", 2),
    (["train.csv", *PRIVATE, "--test", "test.csv", "--test-labels", "nosuch"], "--test-labels is for images in idx files", 2),
    (["train.npz", *PRIVATE, "--label-column", 1], "--label-column is for tables", 2),
    (["train.csv", *PRIVATE, "--method", "sgd", "--image", "2x2"], "--image is for method best", 2),
    (["train.csv", *PRIVATE, "--image", "1x4"], "from 2x2 on", 2),
    (["train.csv", *PRIVATE, "--image", "3x3"], "no image of 3x3", 1),
    (["train.csv", *PRIVATE, "--hidden", "10,0"], "a layer of 0 units", 2),
    (["missing.csv", *PRIVATE], "missing.csv", 1),
    (["train.csv", *PRIVATE, "--test", "one.csv"], "one.csv: examples have 2 values", 1),
])
def test_what_cannot_be_done_is_refused_in_one_line(blobs, args, words, status):
    (blobs.folder / "one.csv").write_text("0.1,0.2,0\n0.3,0.4,0\n")
    (blobs.folder / "third.csv").write_text("0.1,0.2,2\n0.3,0.4,2\n")
    (blobs.folder / "words.txt").write_text("hello\n")
    write_idx(blobs.folder / "a-labels-idx1-ubyte", np.arange(3))
    error = blobs("classify", *args, status=status).err
    assert words in error and error.count("\n") == 1


def test_a_part_without_examples_shows_in_no_field(blobs):
    (blobs.folder / "none.csv").write_text("a,b,c,d,label\n")
    blobs("classify", "train.csv", "--test", "none.csv", *["yes" if arg == "no" else arg for arg in PRIVATE])
    args = ["classify", "none.csv", "--holdout", 0.2, *["yes" if arg == "no" else arg for arg in PRIVATE]]
    report = blobs(*args, "--json").json
    assert report["test_accuracy"] is None and report["test_examples"] == 0 and report["train_examples"] == 0
    assert "test_accuracy" in report["owner_only"]["fields"]
    assert "too small to learn" in " ".join(report["remarks"])
    assert "no examples to measure on" in blobs(*args).out


def test_an_account_for_examples_is_charged(blobs):
    blobs("budget", "create", "digits", "--unit", "example", "--relation", "add-remove")
    blobs("budget", "grant", "digits", "--epsilon", 3, "--delta", 1e-5)
    unseeded = [arg for arg in PRIVATE if arg not in ("--seed", 1)]
    report = blobs("classify", "train.csv", *unseeded, "--account", "digits", "--json").json
    assert 0 < report["budget"]["spent"] < 3
    assert blobs("audit", "--exact", "sgd", "--unit", "example", "--model", "network", "--pairs", 2).out


def test_a_part_to_hold_out_is_between_0_and_1(blobs):
    for part in (0, 1.5):
        assert f"--holdout {part:g}: give a part between 0 and 1" in blobs(
            "classify", "train.npz", "--range", "0:1", "--method", "plain", "--holdout", part, status=2).err


@pytest.fixture
def people(tulle):
    """Two classes with names, told apart by a colour and by an income in another unit than the age."""
    random = np.random.default_rng(2)
    rows = []
    for _ in range(600):
        label = random.integers(2)
        colour = random.choice(["red", "green", "blue"], p=[0.8, 0.1, 0.1] if label else [0.1, 0.1, 0.8])
        rows.append(f"{random.integers(18, 90)},{colour},{20000 + 40000 * label + 5000 * random.standard_normal():.0f},{['no', 'yes'][label]}")
    for name, part in (("train", rows[:400]), ("test", rows[400:])):
        (tulle.folder / f"{name}.csv").write_text("age,colour,income,buys\n" + "\n".join(part) + "\n")
    (tulle.folder / "ranges.csv").write_text("column,low,high\nage,18,90\nincome,0,100000\n")
    (tulle.folder / "labels.txt").write_text("no\nyes\n")
    (tulle.folder / "colours.txt").write_text("red\ngreen\nblue\n")
    return tulle


PEOPLE = ("--label-column", "buys", "--classes", "labels.txt", "--category", "colour=colours.txt", "--ranges", "ranges.csv")


@pytest.mark.parametrize("terms", [("--epsilon", 5, "--delta", 1e-4, "--seed", 1), ("--method", "plain", "--hidden", 0, "--seed", 1)])
def test_labels_categories_and_bounds_of_columns_are_public_lists(people, terms):
    report = people("classify", "train.csv", *PEOPLE, "--test", "test.csv", *terms, "-o", "model.npz", "--json").json
    assert report["test_accuracy"] > 0.85
    listed = "the labels of column colour (a list of the owner's)"
    assert report["guarantee"] is None or listed in report["guarantee"]["public"]
    predicted = [line.split(",")[1] for line in people("predict", "model.npz", "test.csv", "--label-column", "buys").out.splitlines()[1:]]
    labels = [line.rsplit(",", 1)[1] for line in (people.folder / "test.csv").read_text().splitlines()[1:]]
    assert np.mean(np.array(predicted) == labels) == pytest.approx(report["test_accuracy"])
    again = people("evaluate", "model.npz", "test.csv", "--label-column", "buys", "--json").json
    assert again["test_accuracy"] == report["test_accuracy"]


def test_labels_and_values_outside_of_public_lists_stop_a_private_run(people):
    run = ("classify", "train.csv", *PEOPLE, "--epsilon", 5, "--delta", 1e-4)
    for name, text, words in (("labels.txt", "nein\nja\n", "are none of the 2 classes"), ("colours.txt", "rot\nblue\n", "'red' in row"),
                              ("ranges.csv", "age,18,90\nincome,0,10\n", "the range of their column")):
        before = (people.folder / name).read_text()
        (people.folder / name).write_text(text)
        error = people(*run, status=1).err
        assert words in error and "--accept-losses" in error and error.count("\n") == 1
        people(*run, "--accept-losses")
        (people.folder / name).write_text(before)


@pytest.mark.parametrize("changed, words", [
    (("--category", "color=colours.txt"), "no column is named 'color'"),
    (("--category", "colours.txt"), "COLUMN=FILE"),
    (("--category", "buys=labels.txt"), "holds the labels"),
])
def test_columns_that_are_none_are_named(people, changed, words):
    assert words in people("classify", "train.csv", *PEOPLE, *changed, "--method", "plain", "--hidden", 0, status=None).err


def test_every_column_has_bounds(people):
    run = ("classify", "train.csv", *PEOPLE[:-2], "--epsilon", 5, "--delta", 1e-4)
    (people.folder / "some.csv").write_text("age,18,90\n")
    assert "column 'income' has no bounds" in people(*run, "--ranges", "some.csv", status=1).err
    (people.folder / "odd.csv").write_text("age,18,90\nincom,0,1\n")
    assert "there is no column 'incom' (did you mean 'income'?)" in people(*run, "--ranges", "odd.csv", status=1).err
