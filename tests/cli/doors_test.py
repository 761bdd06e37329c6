"""What a guarantee rests on, asked of the command: a test for each row of docs/guarantee-checks.md.

tests/job/doors_test.cpp and tests/python/doors_test.py ask the same of C++ programs and of Python.
"""
import json

import numpy as np
import pytest

ROWS = ["ann,Alien,2", "bob,Brazil,4", "cid,Cube,5", "ann,Cube,1", "bob,Alien,3"]
ENTRY = ("--method", "input", "--epsilon", 1, "--range", "1:5", "--rank", 1)
REMOVAL = (*ENTRY, "--relation", "add-remove")
USERS = ("--unit", "user", "--user-mode", "user", "--epsilon", 1, "--delta", 1e-3, "--range", "1:5", "--rank", 1)
CLASSES = ("--range", "0:1", "--epsilon", 1, "--delta", 1e-5, "--method", "sgd", "--steps", 2, "--hidden", 0)


@pytest.fixture
def films(tulle):
    (tulle.folder / "ratings.csv").write_text("\n".join(["user,film,rating", *ROWS]) + "\n")
    return tulle


@pytest.fixture
def examples(tulle):
    (tulle.folder / "examples.csv").write_text("x,label\n0.1,0\n0.2,1\n0.3,7\n")
    return tulle


def refused(tulle, *words, status=2):
    error = tulle(*words, status=status).err
    assert error.count("\n") == 1
    return error


def guarantee(tulle, *words):
    return tulle(*words, "--json").json["guarantee"]


def test_warm_start_is_from_a_model_of_which_the_owner_says_why_it_may(films):
    films("complete", "ratings.csv", "--method", "plain", "--rank", 1, "--seed", 1, "-o", "plain.npz")
    run = ("complete", "ratings.csv", "--method", "one-shot", "--epsilon", 1, "--range", "1:5", "--from", "plain.npz", "--hold", "film")
    error = refused(films, *run)
    assert "plain.npz: the model has no guarantee that holds" in error and "(--from-is-public)" in error
    assert "a model that is public" in guarantee(films, *run, "--from-is-public")["sentence"]
    assert "no guarantee that holds" in refused(films, *run, "--from-is-public=false")
    films("complete", "ratings.csv", "--method", "input", "--rank", 1, "--epsilon", 5, "--range", "1:5", "-o", "entries.npz")
    users = ("complete", "ratings.csv", "--method", "input", "--unit", "user", "--user-mode", "user", "--relation", "replace", "--epsilon", 1,
             "--delta", 0.01, "--range", "1:5", "--from", "entries.npz", "--hold", "user")
    assert "does not bound what it knows of one user of mode user" in refused(films, *users)


def test_private_positions_are_those_that_the_owner_states(films):
    assert "of mode user are private" in refused(films, "complete", "ratings.csv", "--header", "yes", *REMOVAL)
    facts = guarantee(films, "complete", "ratings.csv", *REMOVAL, "--public", "user,film", "--accept-losses")["public"]
    assert len(facts) == 2 and all("the owner's word" in fact for fact in facts)


def test_hidden_users_are_nowhere_in_what_is_published(films):
    report = films("complete", "ratings.csv", *USERS, "--public", "film", "-o", "model.npz", "--json").json
    model = json.loads(bytes(np.load(films.folder / "model.npz")["tulle.json"]))
    assert report["shape"] == "1x3" and model["shape"] == [1, 3] and model["modes"][0] == {"name": "user", "any": True}
    assert "bob" not in json.dumps(report) and "bob" not in json.dumps(model)


def test_header_is_stated_where_the_first_line_may_be_private(films):
    (films.folder / "unnamed.csv").write_text("1,1,2\n2,1,3\n")
    assert "(--header)" in refused(films, "complete", "unnamed.csv", *REMOVAL, "--public", "1,2")
    (films.folder / "rows.csv").write_text("0.1,0\n0.2,1\n")
    assert "(--header)" in refused(films, "classify", "rows.csv", *CLASSES, "--classes", 2)


def test_read_for_the_job_are_all_data_of_a_private_run(films):
    """The relation alone decides what the reader keeps back: labels under replace are public, under add-remove they are not."""
    films("complete", "ratings.csv", *ENTRY, "-o", "model.npz")
    model = json.loads(bytes(np.load(films.folder / "model.npz")["tulle.json"]))
    assert model["modes"][0]["labels"] == ["ann", "bob", "cid"]
    (films.folder / "users.txt").write_text("zoe\nann\n")
    films("complete", "ratings.csv", *REMOVAL, "--public", "user=users.txt", "--public", "film", "--accept-losses", "-o", "listed.npz")
    listed = json.loads(bytes(np.load(films.folder / "listed.npz")["tulle.json"]))
    assert listed["modes"][0]["labels"] == ["zoe", "ann"]


def test_merged_rows_are_refused_where_one_row_is_more_than_one_change(films):
    for relation in (("--method", "gradient", "--relation", "zero-out", "--delta", 1e-4), ("--relation", "add-remove", "--public", "user,film")):
        error = refused(films, "complete", "ratings.csv", "--epsilon", 1, "--range", "1:5", "--duplicates", "mean", *relation)
        assert "two changes where one is protected" in error
    said = guarantee(films, "complete", "ratings.csv", *ENTRY, "--duplicates", "mean")["sentence"]
    assert "an entry is a cell with all its rows" in said


def test_one_cell_per_entry_is_what_an_entry_changes(tulle):
    (tulle.folder / "s.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 2\n3 1 3\n3 2 4\n")
    assert "stands for two cells" in refused(tulle, "complete", "s.mtx", *ENTRY, status=1)


def test_validation_cells_are_not_looked_at_without_a_charge(films):
    assert "(--validation)" in refused(films, "complete", "ratings.csv", *ENTRY, "--validation", 0.2)


def test_held_out_cells_are_chosen_each_by_itself(tulle):
    """By a hash of each cell how many are held out varies; by number it would be half of them, rounded."""
    cells = [f"u{user},f{film},3" for user in range(6) for film in range(4)]
    sizes = set()
    for seed in range(4):
        (tulle.folder / "r.csv").write_text("\n".join(["user,film,rating", *cells]) + "\n")
        sizes.add(tulle("complete", "r.csv", *REMOVAL, "--public", "user,film", "--holdout", 0.5, "--seed", seed, "--json").json["train_cells"])
    assert len(sizes) > 1


def test_classes_are_stated_since_one_example_may_be_all_there_is_of_one(examples):
    assert "(--classes N)" in refused(examples, "classify", "examples.csv", *CLASSES, "--header", "yes")
    report = examples("classify", "examples.csv", *CLASSES, "--header", "yes", "--classes", 3, "--accept-losses", "--json").json
    assert report["classes"] == 3


def test_documents_are_as_many_as_the_file_states(tulle):
    (tulle.folder / "bags.tns").write_text("1 1 3\n2 2 3\n3 1 3\n")
    error = refused(tulle, "topics", "bags.tns", "--words", 3, "--topics", 2, "--epsilon", 1)
    assert "how many documents there are" in error


def test_range_is_stated_and_never_taken_from_the_data(films):
    assert "--range LOW:HIGH" in refused(films, "complete", "ratings.csv", "--epsilon", 1)


STUDY = """
entities = ["user", "film", "tag"]
private = ["user"]
[positions]
film = "films.txt"
[[relations]]
name = "r"
entities = ["user", "film"]
file = "r.tns"
[[relations]]
name = "v"
entities = ["user", "film"]
range = [0, 10]
file = "v.tns"
[[relations]]
name = "f"
entities = ["film", "tag"]
public = true
file = "f.tns"
"""


def test_tables_of_users_are_all_that_a_study_keeps_private(tulle):
    files = {"r.tns": "1 1 5\n2 2 3\n3 1 1\n", "v.tns": "1 2 9\n4 1 2\n", "f.tns": "1 1 2\n2 1 7\n", "n.csv": "user,film,value\nann,1,3\n",
             "films.txt": "1\n2\n"}
    for name, text in files.items():
        (tulle.folder / name).write_text(text)
    run = ("couple", "study.toml", "--epsilon", 2, "--delta", 1e-3, "--range", "1:5", "--steps", 2)

    def study(before="", after=""):
        (tulle.folder / "study.toml").write_text(STUDY.replace(before, after))
        return run
    assert "relation f has no user, so the guarantee would protect nobody" in refused(tulle, *study("public = true", "range = [0, 9]"), status=1)
    assert "cannot be public" in refused(tulle, *study("range = [0, 10]", "public = true"), status=1)
    assert "needs range = [LOW, HIGH]" in refused(tulle, *study("range = [0, 10]\n"), status=1)
    assert "nobody would be the same in both" in refused(tulle, *study("v.tns", 'n.csv"\nheader = true\nformat = "csv'), status=1)
    found = guarantee(tulle, *study())
    assert found["unit"] == "user" and found["mode"] == "user" and found["adversary"] == "anybody who sees the releases" and "relation f, all of it" in found["public"]
    for name, tables in (("all", ["r.tns", "v.tns"]), ("first", ["r.tns"])):
        tulle("budget", "create", name, "--unit", "user", "--mode", "user", "--relation", "add-remove", *(word for table in tables for word in ("--data", table)))
        tulle("budget", "grant", name, "--epsilon", 9, "--delta", 1e-2)
    assert "not those of 'first'" in refused(tulle, *run, "--account", "first", status=1)
    assert tulle(*run, "--account", "all", "--json").json["budget"]["spent"] > 1.9


def test_norm_of_a_mixture_is_stated(tulle):
    np.save(tulle.folder / "rows.npy", np.ones((9, 3)))
    assert "--norm B" in refused(tulle, "topics", "rows.npy", "--mixture", "--topics", 2, "--epsilon", 1)


@pytest.mark.parametrize("epsilon", ["0", "-1", "inf"])
def test_budget_is_a_finite_number_above_zero(films, epsilon):
    assert "epsilon" in refused(films, "complete", "ratings.csv", "--method", "input", "--range", "1:5", f"--epsilon={epsilon}")


def test_delta_is_below_one_over_the_public_number_of_units(films):
    assert "below 1/n" in refused(films, "complete", "ratings.csv", *ENTRY, "--delta", 0.5)


def test_relation_is_one_that_the_method_protects(films):
    error = refused(films, "complete", "ratings.csv", "--method", "als", "--epsilon", 1, "--range", "1:5", "--relation", "zero-out")
    assert "does not protect unit entry under zero-out" in error


def test_user_mode_is_a_mode_of_the_data_and_named_in_the_guarantee(films):
    assert guarantee(films, "complete", "ratings.csv", *USERS, "--public", "film")["mode"] == "user"
    error = refused(films, "complete", "ratings.csv", "--header", "yes", *USERS[:3], "9", *USERS[4:], "--public", "film")
    assert "from 1 to 2" in error


def test_rows_of_users_that_count_are_stated_or_chosen(tulle):
    (tulle.folder / "log.csv").write_text("rider,stop,hour\nann,a,1\nann,a,1\nbob,b,2\nbob,a,2\n")
    log = ("count", "log.csv", "--columns", "rider,stop,hour", "--public", "stop,hour", "--epsilon", 1, "--unit", "user")
    assert "--user-mode" in refused(tulle, *log)
    chosen = guarantee(tulle, *log, "--user-mode", "rider")
    assert any("chooses how many rows of a user count: " in fact for fact in chosen["public"])
    stated = guarantee(tulle, *log, "--user-mode", "rider", "--rows-per-user", 2)
    assert stated["mode"] == "rider" and "how many rows of a user count (2 at most, 2 in one cell)" in stated["public"]


def test_private_keys_are_chosen_at_a_cost(tulle):
    (tulle.folder / "log.csv").write_text("stop,hour\na,1\na,2\nb,1\n")
    log = ("count", "log.csv", "--columns", "stop,hour", "--public", "hour", "--private-keys", "stop", "--epsilon", 1)
    assert "one unit alone brings" in refused(tulle, *log)
    assert tulle(*log, "--delta", 1e-6, "--json").json["shape"] == "1x2"


def test_what_is_public_is_said_by_the_guarantee(films, examples):
    few = "that public lists leave out, and the range changes, at most 1 % of the data"
    assert guarantee(films, "complete", "ratings.csv", *ENTRY)["public"] == ["which cells are observed, and their labels", few]
    facts = guarantee(films, "complete", "ratings.csv", *USERS, "--public", "film", "--accept-losses")["public"]
    assert facts == ["the positions of mode film (found in the data; the owner's word)"]
    assert "the classes" in guarantee(examples, "classify", "examples.csv", *CLASSES, "--header", "yes", "--classes", 3, "--accept-losses")["public"]


def test_published_forms_are_claimed_and_never_charged(films):
    run = ("complete", "ratings.csv", *ENTRY, "--calibration", "published")
    assert guarantee(films, *run)["status"] == "claimed, not proven"
    films("budget", "create", "a", "--ledger", "l.db")
    films("budget", "grant", "a", "--epsilon", 9, "--ledger", "l.db")
    assert "proves nothing that a ledger could keep" in refused(films, *run, "--account", "a", "--ledger", "l.db")


def test_seeds_are_said_to_end_privacy(films):
    assert "NOT PRIVATE against whoever knows it" in guarantee(films, "complete", "ratings.csv", *ENTRY, "--seed", 1)["sentence"]
