"""--duplicates: rows that list the same cell, from the reader to the guarantee."""
import json

import numpy as np
import pytest

ROWS = """user,page,time,seconds
bob,home,10,1
ann,home,20,2
bob,home,4000,7
ann,home,30,4
ann,shop,31,5
cat,shop,99,3
"""
READ = ("--columns", "user,page,seconds")
PRIVATE = ("--epsilon", 5, "--range", "1:5", "--rank", 1)
USERS = (*PRIVATE, "--unit", "user", "--user-mode", "user", "--public", "page", "--delta", 1e-3)


@pytest.fixture
def log(tulle):
    (tulle.folder / "log.csv").write_text(ROWS)
    return tulle


def described(tulle, name="model.npz"):
    return json.loads(bytes(np.load(tulle.folder / name)["tulle.json"]))


def test_a_cell_that_is_listed_twice_has_a_remedy(log):
    error = log("info", "log.csv", *READ, status=1).err
    assert "log.csv:4: cell (bob, home) was given in line 2 already" in error
    assert "(--duplicates mean, last, sum or count)" in error and error.count("\n") == 1
    np.savez(log.folder / "x.npz", indices=np.array([[0, 1], [0, 1]]), values=np.array([1.0, 2.0]), shape=np.array([2, 2]))
    assert "(--duplicates mean, last, sum or count)" in log("info", "x.npz", status=1).err
    assert log("info", "x.npz", "--duplicates", "sum", "--json").json["max"] == 3


@pytest.mark.parametrize("duplicates, smallest, largest", [("mean", 3, 5), ("last", 3, 7), ("sum", 3, 8), ("count", 1, 2)])
def test_rows_of_one_cell_are_merged(log, duplicates, smallest, largest):
    report = log("info", "log.csv", *READ, "--duplicates", duplicates, "--json").json
    assert report["listed_cells"] == 4 and report["merged_rows"] == 2
    assert (report["min"], report["max"]) == (smallest, largest)
    assert "merged_rows" in report["owner_only"]["fields"]


def test_an_event_log_has_no_value_column(log):
    report = log("info", "log.csv", "--columns", "user,page,time/3600,-", "--duplicates", "count", "--json").json
    assert report["shape"] == "3x2x2" and report["listed_cells"] == 5 and report["max"] == 2
    error = log("info", "log.csv", "--columns", "1,2,-", "--duplicates", "count", status=2).err
    assert "(--header)" in error
    assert log("info", "log.csv", "--columns", "1,2,-", "--header", "yes", "--duplicates", "count", "--json").json["listed_cells"] == 4


def test_the_guarantee_says_how_rows_were_merged(log):
    run = ("complete", "log.csv", *READ, "--duplicates", "mean", "-o", "model.npz", "--json")
    entries = log(*run, *PRIVATE).json["guarantee"]
    assert any(fact.startswith("duplicates: mean") and "an entry is a cell with all its rows" in fact for fact in entries["public"])
    assert "rows of one cell are merged into their mean before clamping" in entries["sentence"]
    assert any(fact.startswith("duplicates: mean") for fact in described(log)["guarantee"]["public"])
    users = log(*run, *USERS).json["guarantee"]
    assert any(fact.startswith("duplicates: mean") and "an entry" not in fact for fact in users["public"])


def test_without_the_option_the_guarantee_does_not_speak_of_rows(log):
    (log.folder / "once.csv").write_text("user,page,seconds\nann,home,2\nbob,shop,3\n")
    assert "duplicates" not in log("complete", "once.csv", *PRIVATE, "--json").json["guarantee"]["sentence"]


def test_how_many_rows_were_merged_is_for_the_owner(log):
    run = ("complete", "log.csv", *READ, "--duplicates", "mean", *USERS, "-o", "model.npz")
    report = log(*run, "--json").json
    assert report["owner_notes"][0].startswith("2 rows list a cell that an earlier row lists")
    assert "owner_notes" in report["owner_only"]["fields"]
    note = next(line for line in log(*run).out.splitlines() if "2 rows" in line)
    assert "for the data owner, not covered by the guarantee" in note
    assert "2 rows" not in json.dumps(described(log))
    assert "2 rows" in log("complete", "log.csv", *READ, "--duplicates", "mean", "--method", "plain", "--rank", 1).out


@pytest.mark.parametrize("relation", [("add-remove", "--public", "user,page"), ("zero-out",)])
def test_entries_that_come_and_go_are_refused_before_anything_is_read_or_charged(log, relation):
    log("budget", "create", "log", "--unit", "entry", "--relation", relation[0])
    log("budget", "grant", "log", "--epsilon", 9, "--delta", 1e-2)
    run = ("complete", "log.csv", *READ, "--duplicates", "sum", *PRIVATE, "--delta", 1e-3, "--method", "gradient", "--relation", *relation,
           "--account", "log")
    error = log(*run, status=2).err
    assert f"unit entry under {relation[0]}" in error and "protect users, choose relation replace" in error
    assert all(row["kind"] != "charge" for row in log("budget", "history", "log", "--json").json)
    (log.folder / "log.csv").unlink()
    assert log(*run, status=2).err == error


def test_test_files_are_merged_alike_and_cells_are_held_out_after_merging(log):
    (log.folder / "test.csv").write_text("user,page,seconds\nbob,shop,2\nbob,shop,4\n")
    run = ("complete", "log.csv", *READ, "--duplicates", "mean", "--method", "plain", "--rank", 1, "--seed", 1, "--json")
    report = log(*run, "--test", "test.csv", "-o", "model.npz").json
    assert report["test_cells"] == 1 and report["train_cells"] == 4
    held = log(*run, "--holdout", 0.5).json
    assert held["test_cells"] + held["train_cells"] == 4
    assert log("evaluate", "model.npz", "test.csv", "--duplicates", "mean", "--json").json["test_cells"] == 1
    assert "--duplicates" in log("evaluate", "model.npz", "test.csv", status=1).err


def test_the_order_of_rows_of_different_cells_does_not_show(log):
    header, *rows = ROWS.splitlines()
    (log.folder / "sorted.csv").write_text("\n".join([header, *sorted(rows, key=lambda row: row.split(",")[:2])]) + "\n")
    for name in ("log", "sorted"):
        log("complete", f"{name}.csv", *READ, "--duplicates", "last", *PRIVATE, "--accept-losses", "--seed", 1, "-o", f"{name}.npz")
    assert (log.folder / "log.npz").read_bytes() == (log.folder / "sorted.npz").read_bytes()


def test_a_user_changes_no_bit_of_the_other_rows(tulle):
    """A label that only one user has, and that is not public, would once reorder, and so round, the sums of all others."""
    random = np.random.default_rng(3)
    rows = [f"u{user},{page},{random.uniform(1, 5):.4f}\n" for user in range(40)
            for page in random.permutation(np.arange(1, 31))[:20] for _ in range(random.integers(1, 4))]
    (tulle.folder / "pages.txt").write_text("".join(f"{page}\n" for page in range(1, 31)))
    models = []
    for name, more in (("without", ""), ("with", "zz,abc,3\n")):
        (tulle.folder / f"{name}.csv").write_text("user,page,value\n" + more + "".join(rows))
        tulle("complete", f"{name}.csv", "--columns", "user,page,value", "--duplicates", "mean", "--unit", "user", "--user-mode", "user",
              "--public", "page=pages.txt", "--range", "1:5", "--epsilon", 100, "--delta", 1e-3, "--method", "als", "--rank", 4,
              "--seed", 5, "-o", f"{name}.npz", "--user-output", f"{name}-users.npz")
        users = described(tulle, f"{name}-users.npz")["modes"][0]["labels"]
        arrays = np.load(tulle.folder / f"{name}-users.npz")
        models.append({user: (*arrays["factor1"][i], arrays["bias1"][i]) for i, user in enumerate(users)})
        published = np.load(tulle.folder / f"{name}.npz")
        models[-1]["published"] = [published[key].tobytes() for key in published.files if key != "tulle.json"]
    without, with_one = models
    assert len(without) == 41 and all(with_one[user] == row for user, row in without.items())
