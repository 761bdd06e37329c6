"""What a guarantee rests on, asked of Python: a test for each row of docs/guarantee-checks.md.

tests/job/doors_test.cpp and tests/cli/doors_test.py ask the same of C++ programs and of the command.
"""
import numpy as np
import pytest
import tulle

ENTRY = dict(method="input", epsilon=1, range=(1, 5), rank=1)
REMOVAL = dict(ENTRY, relation="add-remove")
USERS = dict(epsilon=1, delta=1e-3, range=(1, 5), rank=1, unit="user", user_mode="user")
CLASSES = dict(method="sgd", epsilon=1, delta=1e-5, range=(0, 1), steps=2, hidden=0)


@pytest.fixture
def films():
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({"user": ["ann", "bob", "cid", "ann", "bob"], "film": ["Alien", "Brazil", "Cube", "Cube", "Alien"],
                             "rating": [2.0, 4, 5, 1, 3]})


def refused(model, *data):
    with pytest.raises(tulle.Error) as caught:
        model.fit(*data)
    return str(caught.value)


def test_warm_start_is_from_a_model_of_which_the_owner_says_why_it_may(films):
    plain = tulle.CP(method="plain", rank=1, seed=1).fit(films)
    start = dict(method="one-shot", epsilon=1, range=(1, 5), from_model=plain, hold="film")
    error = refused(tulle.CP(**start), films)
    assert "the model has no guarantee that holds" in error and "from_model_is_public" in error
    assert "a model that is public" in str(tulle.CP(**start, from_model_is_public=True).fit(films).guarantee_)
    entries = tulle.CP(method="input", rank=1, epsilon=5, range=(1, 5)).fit(films)
    users = dict(method="input", unit="user", user_mode="user", relation="replace", epsilon=1, delta=0.01, range=(1, 5))
    assert "does not bound what it knows of one user" in refused(tulle.CP(**users, from_model=entries, hold="user"), films)


def test_private_positions_are_those_that_the_owner_states(films):
    assert "of mode user are private" in refused(tulle.CP(**REMOVAL), films)
    facts = tulle.CP(**REMOVAL, public=["user", "film"], accept_losses=True).fit(films).guarantee_["public"]
    assert len(facts) == 2 and all("the owner's word" in fact for fact in facts)


def test_hidden_users_are_nowhere_in_what_is_published(films):
    model = tulle.CP(**USERS, public="film").fit(films)
    assert model.labels_[0] == [] and model.factors_[0].shape[0] == 1 and model.report_["shape"] == "1x3"
    assert "bob" not in str(model.report_) and "bob" not in str(model.guarantee_)


def test_header_is_stated_where_the_first_line_may_be_private(tmp_path):
    (tmp_path / "unnamed.csv").write_text("1,1,2\n2,1,3\n")
    error = refused(tulle.CP(**REMOVAL, public=[0, 1]), str(tmp_path / "unnamed.csv"))
    assert "state whether it is (header)" in error


def test_read_for_the_job_are_all_data_of_a_private_run(films):
    """The relation alone decides what the reader keeps back: labels under replace are public, under add-remove they are not."""
    assert tulle.CP(**ENTRY).fit(films).labels_[0] == ["ann", "bob", "cid"]
    listed = tulle.CP(**REMOVAL, public={"user": ["zoe", "ann"], "film": ["Alien", "Cube"]}, accept_losses=True).fit(films)
    assert listed.labels_ == [["zoe", "ann"], ["Alien", "Cube"]]


def test_merged_rows_are_refused_where_one_row_is_more_than_one_change(films):
    run = dict(epsilon=1, range=(1, 5), duplicates="mean")
    for more in (dict(method="gradient", relation="zero-out", delta=1e-4), dict(relation="add-remove", public=["user", "film"])):
        assert "two changes where one is protected" in refused(tulle.CP(**run, **more), films)
    said = str(tulle.CP(**ENTRY, duplicates="mean").fit(films).guarantee_)
    assert "an entry is a cell with all its rows" in said


def test_one_cell_per_entry_is_what_an_entry_changes(tmp_path):
    (tmp_path / "s.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 2\n3 1 3\n3 2 4\n")
    assert "stands for two cells" in refused(tulle.CP(**ENTRY), str(tmp_path / "s.mtx"))


def test_validation_cells_are_not_looked_at_without_a_charge(films):
    assert "without a charge" in refused(tulle.CP(**ENTRY, validation=0.2), films)


def test_held_out_cells_are_chosen_each_by_itself(films):
    """By a hash of each cell how many are held out varies; by number it would be half of them, rounded."""
    cells = films.iloc[np.zeros(24, int)].assign(user=[f"u{row // 4}" for row in range(24)], film=[f"f{row % 4}" for row in range(24)])
    run = dict(REMOVAL, public=["user", "film"], holdout=0.5)
    assert len({tulle.CP(**run, seed=seed).fit(cells).owner_["train_cells"] for seed in range(4)}) > 1


def test_classes_are_stated_since_one_example_may_be_all_there_is_of_one():
    rows, labels = np.array([[0.1], [0.2], [0.3]]), [0, 1, 7]
    assert "the public number of classes" in refused(tulle.Classifier(**CLASSES), rows, labels)
    assert tulle.Classifier(**CLASSES, classes=3, accept_losses=True).fit(rows, labels).report_["classes"] == 3


def test_documents_are_as_many_as_the_file_states(tmp_path):
    (tmp_path / "bags.tns").write_text("1 1 3\n2 2 3\n3 1 3\n")
    assert "how many documents there are" in refused(tulle.Topics(topics=2, words=3, epsilon=1), str(tmp_path / "bags.tns"))


def test_range_is_stated_and_never_taken_from_the_data(films):
    assert "range LOW:HIGH" in refused(tulle.CP(epsilon=1), films)


def test_tables_of_users_are_all_that_a_study_keeps_private(films):
    films = films.assign(film=["1", "2", "3", "3", "1"])
    features = films[["film"]].drop_duplicates().assign(tag="new", value=[1.0, 2, 3])
    views = {"name": "views", "entities": ["user", "film"], "range": [0, 10], "file": films}
    public = {"name": "features", "entities": ["film", "tag"], "public": True, "file": features}

    def study(views=views, public=public):
        ratings = {"name": "ratings", "entities": ["user", "film"], "file": films}
        return {"entities": ["user", "film", "tag"], "private": ["user"], "positions": {"film": ["1", "2", "3"]},
                "relations": [ratings, views, public]}
    model = tulle.Coupled(epsilon=2, delta=1e-3, range=(1, 5), steps=2)
    assert "relation features has no user" in refused(model, study(public=dict(public, public=False, range=[0, 9])))
    assert "cannot be public" in refused(model, study(views={**{key: views[key] for key in views if key != "range"}, "public": True}))
    assert "needs range = [LOW, HIGH]" in refused(model, study(views={key: views[key] for key in views if key != "range"}))
    numbered = dict(views, file=np.ones((2, 3)))
    assert "nobody would be the same in both" in refused(model, study(views=numbered))
    guarantee = model.fit(study()).guarantee_
    assert guarantee["mode"] == "user" and "relation features, all of it" in guarantee["public"]
    assert "bob" not in str(model.report_) and "bob" not in str(guarantee)


def test_norm_of_a_mixture_is_stated():
    assert "norm" in refused(tulle.Topics(topics=2, mixture=True, epsilon=1), np.ones((9, 3)))


@pytest.mark.parametrize("epsilon", [0, -1, float("inf")])
def test_budget_is_a_finite_number_above_zero(films, epsilon):
    assert "epsilon" in refused(tulle.CP(method="input", range=(1, 5), epsilon=epsilon), films)


def test_delta_is_below_one_over_the_public_number_of_units(films):
    assert "below 1/n" in refused(tulle.CP(**ENTRY, delta=0.5), films)


def test_relation_is_one_that_the_method_protects(films):
    error = refused(tulle.CP(method="als", epsilon=1, range=(1, 5), relation="zero-out"), films)
    assert "does not protect unit entry under zero-out" in error


def test_user_mode_is_a_mode_of_the_data_and_named_in_the_guarantee(films):
    assert tulle.CP(**USERS, public="film").fit(films).guarantee_["mode"] == "user"
    assert "reader: there is no such mode" in refused(tulle.CP(**dict(USERS, user_mode="reader"), public="film"), films)


def test_rows_of_users_that_count_are_stated_or_chosen():
    pandas = pytest.importorskip("pandas")
    log = pandas.DataFrame({"rider": ["ann", "ann", "bob", "bob"], "stop": ["a", "a", "b", "a"], "hour": [1, 1, 2, 2]})
    asked = dict(epsilon=1, columns=["rider", "stop", "hour"], public=["stop", "hour"], unit="user")
    assert "user_mode" in refused(tulle.Counts(**asked), log)
    chosen = tulle.Counts(**asked, user_mode="rider", rows_per_user=None).fit(log).guarantee_
    assert any("chooses how many rows of a user count: " in fact for fact in chosen["public"])
    assert "rows_per_user M" in refused(tulle.Counts(**dict(asked, public="hour"), user_mode="rider", delta=1e-6, private_keys="stop"), log)
    stated = tulle.Counts(**asked, user_mode="rider", rows_per_user=2).fit(log).guarantee_
    assert stated["mode"] == "rider" and "how many rows of a user count (2 at most, 2 in one cell)" in stated["public"]


def test_private_keys_are_chosen_at_a_cost():
    pandas = pytest.importorskip("pandas")
    log = pandas.DataFrame({"stop": ["a", "a", "b"], "hour": [1, 2, 1]})
    asked = dict(epsilon=1, columns=["stop", "hour"], public="hour", private_keys="stop")
    assert "one unit alone brings" in refused(tulle.Counts(**asked), log)
    assert tulle.Counts(**asked, delta=1e-6).fit(log).counts_.shape == (1, 2)


def test_what_is_public_is_said_by_the_guarantee(films):
    few = "that public lists leave out, and the range changes, at most 1 % of the data"
    assert tulle.CP(**ENTRY).fit(films).guarantee_["public"] == ["which cells are observed, and their labels", few]
    facts = tulle.CP(**USERS, public="film", accept_losses=True).fit(films).guarantee_["public"]
    assert facts == ["the positions of mode film (found in the data; the owner's word)"]
    classifier = tulle.Classifier(**CLASSES, classes=2).fit(np.array([[0.1], [0.2]]), [0, 1])
    assert "the classes" in classifier.guarantee_["public"]


def test_published_forms_are_claimed_and_never_charged(films, tmp_path):
    published = dict(ENTRY, calibration="published")
    assert tulle.CP(**published).fit(films).guarantee_["status"] == "claimed, not proven"
    error = refused(tulle.CP(**published, account="a", ledger=str(tmp_path / "l.db")), films)
    assert "proves nothing that a ledger could keep" in error


def test_seeds_are_said_to_end_privacy(films):
    assert "NOT PRIVATE against whoever knows it" in str(tulle.CP(**ENTRY, seed=1).fit(films).guarantee_)
