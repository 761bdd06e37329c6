"""tulle complete --ordered: modes whose neighbouring positions are alike."""
import json
import zipfile

import numpy as np
import pytest

SIZES = (24, 30, 28)
PRIVATE = ("--epsilon", 1, "--range", "-1:1")


def write_cells(path, shuffled=None):
    """A wave through a box; half of its cells are held out. `shuffled`: numbers of the positions of the first mode."""
    i, j, k = np.indices(SIZES)
    values = 0.7 * np.sin(0.25 * i + 0.1 * j) * np.cos(0.2 * k - 0.15 * j)
    known = np.random.default_rng(1).random(SIZES) < 0.5
    order = np.arange(SIZES[0]) if shuffled is None else shuffled
    for name, cells in (("train.tns", known), ("test.tns", ~known)):
        at = np.argwhere(cells)
        rows = np.column_stack([order[at[:, 0]] + 1, at[:, 1:] + 1])
        (path / name).write_text("".join(f"{a} {b} {c} {v:.4f}\n" for (a, b, c), v in zip(rows, values[cells])))


def error(tulle, *more):
    report = tulle("complete", "train.tns", "--test", "test.tns", *PRIVATE, "--seed", 1, *more, "--json").json
    assert report["picked"] == "margins"
    return report["test_rmse"]


def test_blocks_of_stated_modes_halve_the_error_of_what_changes_slowly(tulle):
    write_cells(tulle.folder)
    assert error(tulle, "--ordered", "1,2,3") < 0.5 * error(tulle)
    releases = tulle("complete", "train.tns", *PRIVATE, "--ordered", "1,2,3", "--json").json["guarantee"]["releases"]
    assert any("blocks" in release["what"] for release in releases)


def test_the_order_of_positions_is_that_of_their_labels(tulle):
    """Rows in any order, days by their dates."""
    days = [f"2024-{1 + n // 28:02}-{1 + n % 28:02}" for n in range(SIZES[0])]
    errors = []
    for order in (np.arange(SIZES[0]), np.random.default_rng(2).permutation(SIZES[0])):
        write_cells(tulle.folder)
        for name in ("train", "test"):
            rows = [line.split() for line in (tulle.folder / f"{name}.tns").read_text().splitlines()]
            rows.sort(key=lambda row: order[int(row[0]) - 1])
            (tulle.folder / f"{name}.csv").write_text("day,j,k,value\n" + "".join(f"{days[int(a) - 1]},{b},{c},{v}\n" for a, b, c, v in rows))
        report = tulle("complete", "train.csv", "--test", "test.csv", *PRIVATE, "--seed", 1, "--ordered", "day,j,k", "--json").json
        errors.append(report["test_rmse"])
    assert max(errors) < 0.2


def test_a_refit_makes_the_same_model(tulle):
    write_cells(tulle.folder)
    tulle("complete", "train.tns", *PRIVATE, "--ordered", "1,2%10,3", "-o", "model.npz")
    with zipfile.ZipFile(tulle.folder / "model.npz") as file:
        orders = json.loads(file.read("releases.json"))["orders"]
    assert orders == [{"order": "stated"}, {"order": "stated", "period": 10}, {"order": "stated"}]
    tulle("refit", "model.npz", "-o", "again.npz")
    with np.load(tulle.folder / "model.npz") as first, np.load(tulle.folder / "again.npz") as again:
        assert set(first.files) == set(again.files)
        assert all(np.array_equal(first[name], again[name]) for name in first.files)


@pytest.mark.parametrize("more, message", [
    (("--ordered", "hour"), "--ordered"), (("--ordered", "1%x"), "a period is a whole number of at least 2, as in hour%24"),
    (("--ordered", "1,1"), "names mode 1 twice"), (("--ordered", "1", "--method", "als"), "method als does not read --ordered")])
def test_what_makes_no_sense_is_refused_in_one_line(tulle, more, message):
    write_cells(tulle.folder)
    refused = tulle("complete", "train.tns", *PRIVATE, *more, status=2)
    assert message in refused.err and len(refused.err.strip().splitlines()) == 1


def test_it_is_for_private_runs(tulle):
    write_cells(tulle.folder)
    assert "--ordered" in tulle("complete", "train.tns", "--method", "plain", "--ordered", "1", status=2).err
