"""Estimators: keywords, guarantees, predictions, models."""
import copy
import inspect
import pickle
import re

import numpy as np
import pytest
import tulle
from tulle import _completion, _core, _estimator

COMPLETIONS = [tulle.CP, tulle.Tucker, tulle.Tubal]


def test_every_option_of_the_command_is_a_keyword_or_said_to_be_the_commands():
    options = {option["name"] for option in _core.complete_options()}
    hidden = _completion.HIDDEN | _estimator.PAGE
    assert hidden < options
    assert len(tulle.CP().get_params()) == len(options) - len(hidden)
    assert {"rank", "epsilon", "user_mode", "from_model", "clip_quantile"} <= set(tulle.CP().get_params())


def test_signatures_and_docstrings_name_the_keywords():
    parameters = inspect.signature(tulle.CP).parameters
    assert parameters["delta"].default == 0 and parameters["unit"].default == "entry" and parameters["epsilon"].default is None
    assert "user_mode\n    Mode whose positions are the users" in tulle.CP.__doc__
    assert not re.search(r"(?<!-)--[a-z]", tulle.CP.__doc__)
    with pytest.raises(TypeError, match="epsilom"):
        tulle.CP(epsilom=1)


def test_parameters_are_got_set_and_cloned():
    model = tulle.CP(rank=2, range=(1, 5))
    assert repr(model) == "CP(range=(1, 5), rank=2)"
    assert model.set_params(rank=3) is model and model.get_params()["rank"] == 3
    with pytest.raises(ValueError, match="Invalid parameter 'ranks' for CP"):
        model.set_params(ranks=3)
    base = pytest.importorskip("sklearn.base")
    assert base.clone(model).get_params() == model.get_params()


def test_a_private_fit_states_its_guarantee_and_keeps_the_owners_part_apart(table):
    model = tulle.CP(rank=2, epsilon=1, delta=1e-6, range=(1, 5), unit="user", relation="add-remove", public="film",
                     holdout=0.1).fit(table)
    assert str(model.guarantee_).startswith("epsilon 1, delta 1e-06 for any one user of mode user under add-remove, jointly")
    assert model.guarantee_["status"] == "proven" and model.remarks_
    assert {"test_rmse", "baseline_mean_rmse", "baseline_main_effects_rmse"} <= set(model.owner_) and not set(model.owner_) & set(model.report_)
    assert model.labels_[0] == [] and model.factors_[0].shape[0] == 1  # who the users are is private
    assert model.predict([("whoever", "f1")]).shape == (1,)
    with pytest.raises(tulle.Error, match="'whoever' is not among the known labels of user"):
        model.predict([("whoever", "f1")], user_rows=True)
    # So little noise that the components are not taken for it.
    clear = tulle.CP(rank=2, epsilon=1e5, delta=1e-3, range=(1, 5), unit="user", public="film", method="als", seed=1).fit(table)
    assert np.abs(clear.predict(table, user_rows=True) - clear.predict(table)).max() > 0


def test_test_cells_are_scored(ratings):
    model = tulle.CP(rank=1, method="plain").fit(ratings, test=ratings)
    assert model.report_["test_cells"] == np.count_nonzero(~np.isnan(ratings))


def test_items_are_recommended_by_rating_and_popularity():
    random = np.random.default_rng(1)
    likes = random.random((200, 40)) < np.where((np.arange(200)[:, None] + np.arange(40)) % 2 == 0, 0.6, 0.05)
    X = np.where(likes, random.integers(1, 6, likes.shape).astype(float), np.nan)
    model = tulle.CP(method="plain", rank=1, biases=True, seed=1).fit(X)
    known = np.argwhere(likes)
    best = [item for item, _ in model.recommend(0, known, top=5)]
    assert all(item % 2 == 0 and not likes[0, item] for item in best)
    assert all(item % 2 == 0 for item, _ in model.recommend(0, known, top=5, by="popularity"))
    assert model.recommend(0, top=1)[0][0] == model.reconstruct(clamped=False)[0].argmax()
    with pytest.raises(tulle.Error, match="rating, popularity or both"):
        model.recommend(0, known, by="taste")
    with pytest.raises(tulle.Error, match="not a user"):
        model.recommend(1000)


def test_many_users_are_recommended_items_of_a_choice(ratings, table):
    for data, user, item in ((ratings, int, int), (table, lambda user: f"u{user}", lambda film: f"f{film}")):
        model = tulle.CP(method="plain", rank=1, biases=True, seed=1).fit(data)
        known = np.argwhere(~np.isnan(ratings)) if data is ratings else table
        several = model.recommend([user(0), user(3), user(7)], known, top=4)
        assert several == [model.recommend(user(each), known, top=4) for each in (0, 3, 7)]
        choice = [item(each) for each in (2, 5, 11)]
        found = model.recommend(np.array([user(0), user(3)]), top=2, items=choice)
        every = [model.recommend(user(each), top=15) for each in (0, 3)]
        assert found == [[pair for pair in best if pair[0] in choice][:2] for best in every]
        assert model.recommend([], known) == [] and model.recommend(user(0), items=[]) == []


def test_predictions_are_clamped_to_the_range(ratings):
    model = tulle.CP(epsilon=0.5, range=(2, 4), accept_losses=True).fit(ratings)
    cells = np.argwhere(np.isnan(ratings))
    predicted = model.predict(cells)
    assert predicted.min() >= 2 and predicted.max() <= 4
    assert np.array_equal(model.reconstruct()[tuple(cells.T)], predicted)


def test_cells_are_checked(ratings, table):
    model = tulle.CP(rank=1, method="plain").fit(ratings)
    for cells, message in [([(0, 99)], "position 99 of axis 1 is outside 0..14"),
                           ([(0, 1, 2)], "3 columns of positions, but there are 2"),
                           ([(0.5, 1)], "positions are whole numbers from 0"), (np.zeros(3), "Reshape your data")]:
        with pytest.raises(tulle.Error, match=message):
            model.predict(cells)
    labelled = tulle.CP(rank=1, method="plain").fit(table)
    with pytest.raises(tulle.Error, match="'f99' is not among the known labels of film"):
        labelled.predict([("u1", "f99")])
    assert labelled.predict(np.empty((0, 2))).shape == (0,)


def test_errors_are_those_of_the_command_with_keywords_for_options(ratings):
    for keywords, message in [
        (dict(), "give epsilon E and range LOW:HIGH for a private run, or method plain for one without privacy"),
        (dict(epsilon=1), "a private run needs range LOW:HIGH, the public bounds of a value; they are never taken from the data"),
        (dict(method="plain", rank="x"), "rank x: expected a number from 1, or one per mode such as 8,8,4"),
        (dict(epsilon=1, range=(1, 5), account="none", ledger="/nowhere/l.db"), None),
    ]:
        with pytest.raises(tulle.Error) as caught:
            tulle.CP(**keywords).fit(ratings)
        assert "--" not in str(caught.value)
        assert message is None or str(caught.value) == message
    with pytest.raises(tulle.NotFittedError, match="this CP is not fitted yet; call fit first"):
        tulle.CP().predict([(0, 0)])


def test_models_are_saved_as_the_command_saves_them(ratings, tmp_path):
    for kind in COMPLETIONS:
        model = kind(rank=1, method="plain", seed=1).fit(np.nan_to_num(ratings, nan=3.0)[:, :, None].repeat(2, axis=2))
        model.save(tmp_path / "model.npz")
        loaded = _core.load(str(tmp_path / "model.npz"))
        assert np.array_equal(_core.predict_all(loaded), model.reconstruct())


def test_tensorly_has_the_same_values(ratings, table):
    tensorly = pytest.importorskip("tensorly")
    model = tulle.CP(rank=2, method="plain", biases=True, seed=1).fit(ratings)
    assert np.allclose(tensorly.cp_to_tensor(model.to_tensorly()), model.reconstruct(clamped=False))
    tucker = tulle.Tucker(rank=2, method="plain", seed=1).fit(ratings)
    assert np.allclose(tensorly.tucker_to_tensor(tucker.to_tensorly()), tucker.reconstruct(clamped=False))


def test_a_model_starts_from_another(ratings, tmp_path):
    tulle.CP(rank=2, method="plain", seed=1).fit(ratings).save(tmp_path / "first.npz")
    again = tulle.CP(method="plain", from_model=tmp_path / "first.npz", iterations=1, seed=1).fit(ratings)
    assert again.factors_[0].shape == (40, 2)
    first = tulle.CP(rank=3, method="plain", seed=1).fit(ratings)
    assert tulle.CP(method="plain", from_model=first, iterations=1, seed=1).fit(ratings).factors_[0].shape == (40, 3)


def test_public_positions_are_modes_files_or_lists(table, tmp_path):
    films = [f"f{film}" for film in range(20)]  # five more than there are in the table
    (tmp_path / "films.txt").write_text("\n".join(films))
    private = dict(epsilon=1, delta=1e-6, range=(1, 5), unit="user", relation="add-remove")
    for public in ({"film": films}, {"film": tmp_path / "films.txt"}):
        assert tulle.CP(**private, public=public).fit(table).labels_[1] == films
    assert len(tulle.CP(**private, public=["film"]).fit(table).labels_[1]) == 15
    with pytest.raises(tulle.Error, match="has a line break"):
        tulle.CP(**private, public={"film": ["f1\nf2"]}).fit(table)


def test_models_are_pickled_and_copied(ratings):
    import pickle

    model = tulle.CP(rank=2, epsilon=1, range=(1, 5)).fit(ratings)
    for same in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert np.array_equal(same.reconstruct(), model.reconstruct())
        assert same.guarantee_ == model.guarantee_


def test_a_pickle_has_no_rows_of_users(table):
    import pickle

    model = tulle.CP(epsilon=1, delta=1e-6, range=(1, 5), unit="user", public="film").fit(table)
    assert model.predict(table, user_rows=True).shape == (len(table),)
    with pytest.raises(tulle.Error, match="there are no rows of users' own: .* pickles, copies and files hold what may be published"):
        pickle.loads(pickle.dumps(model)).predict(table, user_rows=True)


def test_topics_from_tables_and_counts():
    sparse = pytest.importorskip("scipy.sparse")
    documents = np.tile([[1, 2, 1], [3, 4, 4]], (200, 1))
    model = tulle.Topics(topics=2, words=4, epsilon=5).fit(documents)
    assert np.allclose(model.topics_.sum(axis=0), 1) and model.guarantee_["unit"] == "document"
    counts = sparse.csr_matrix(np.array([[2, 1, 0, 0], [0, 0, 1, 2]] * 200))
    plain = [tulle.Topics(topics=2, words=4, method="plain", seed=1).fit(data).topics_ for data in (documents, counts)]
    assert np.allclose(plain[0], plain[1])
    letters = tulle.Topics(topics=2, vocabulary=["sun", "rain", "vote", "law"], method="plain", seed=1)
    letters.fit(["Sun, rain; sun!", "vote law\nlaw"] * 200)
    assert letters.vocabulary_ == ["sun", "rain", "vote", "law"] and np.allclose(letters.topics_, plain[0])


def test_topics_of_new_documents_in_the_shape_of_scikit_learn():
    words = ["sun", "rain", "vote", "law"]
    model = tulle.Topics(topics=2, vocabulary=words, method="plain", seed=1).fit(["sun rain sun", "vote law law"] * 100)
    assert np.array_equal(model.components_, model.topics_.T) and model.stands_out_ == [True, True]
    shares = model.transform(["sun sun", "law", "", None])
    assert shares.shape == (4, 2) and np.allclose(shares.sum(axis=1), 1)
    # Topics have 50 words of the background too, beside the 300 of their documents, so that one word does not decide.
    assert shares[0].argmax() != shares[1].argmax() and shares[:2].max(axis=1).min() > 0.9
    assert np.allclose(shares[2:], model.weights_)
    assert 2 < model.perplexity(["sun rain", "law vote"]) < 4
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.transform(["sun sun"]), shares[:1])
    with pytest.raises(tulle.UsageError, match="vocabulary is for documents of text"):
        model.transform([[1, 2]])
    numbered = tulle.Topics(topics=2, words=4, method="plain", seed=1)
    table = np.tile([[1, 2, 1], [3, 4, 4]], (100, 1))
    assert np.allclose(numbered.fit_transform(table), np.tile(numbered.transform(table[:2]), (100, 1)))
    with pytest.raises(tulle.Error):
        numbered.transform([[5, 5]])
    with pytest.raises(tulle.NotFittedError, match="not fitted"):
        tulle.Topics(topics=2, words=4).transform(table)


def test_a_mixture_tells_components_of_new_vectors():
    random = np.random.default_rng(1)
    means = np.array([[1.0, 0], [0, 1]])
    rows = means[random.integers(2, size=2000)] + 0.1 * random.standard_normal((2000, 2))
    model = tulle.Topics(topics=2, mixture=True, norm=2, method="plain", seed=1).fit(rows)
    shares = model.transform(means)
    assert shares.argmax(axis=1).tolist() in ([0, 1], [1, 0]) and shares.max(axis=1).min() > 0.99
    with pytest.raises(tulle.UsageError, match="no words"):
        model.perplexity(rows)


def test_texts_are_lists_arrays_or_columns_and_missing_ones_have_no_words():
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    texts = ["sun rain sun", "vote law law"] * 100
    model = tulle.Topics(topics=2, vocabulary=["sun", "rain", "vote", "law"], method="plain", seed=1)
    expected = model.fit(texts + [""]).topics_
    with_none = texts + [None]
    for same in (with_none, texts + [float("nan")], np.array(with_none, dtype=object), np.array(texts + [""]), pandas.Series(with_none),
                 pandas.Series(with_none, dtype="string"), pandas.Series(with_none, dtype="category"), polars.Series(with_none),
                 pyarrow.chunked_array([with_none]), texts + ["\ud800"]):
        assert np.array_equal(model.fit(same).topics_, expected)


def test_no_text_decides_whether_topics_are_found():
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    model = tulle.Topics(topics=1, vocabulary=["sun", "rain"], epsilon=1, seed=1)
    expected = model.fit(["", "", ""]).topics_
    for missing in (None, float("nan"), pandas.NA, pandas.NaT):
        model.fit([missing, missing, "sun"])
        for same in ([missing] * 3, np.array([missing] * 3), pandas.Series([missing] * 3)):
            assert np.array_equal(model.fit(same).topics_, expected)
    for same in (polars.Series([None] * 3), pyarrow.nulls(3)):
        assert np.array_equal(model.fit(same).topics_, expected)
    with pytest.raises(tulle.UsageError, match="give vocabulary, the public list of words"):
        tulle.Topics(topics=1, words=2, epsilon=1).fit([None] * 3)


def test_documents_that_are_not_what_the_keywords_say_are_refused_without_a_word_of_theirs():
    texts, words = ["secret rain"] * 3, ["sun", "rain"]
    for keywords, documents, message in [
        (dict(words=2), texts, "give vocabulary, the public list of words, for documents of text"),
        (dict(words=2), np.array(texts), "give vocabulary"), (dict(words=2), [["secret", "rain"]] * 3, "X: holds something other than"),
        (dict(vocabulary=words), [*texts, 3], "X: holds something other than texts"),
        (dict(vocabulary=words), np.ones((3, 4)), "vocabulary is for documents of text; give words"),
        (dict(vocabulary=[*words, "sun"]), texts, "^vocabulary: 'sun' is listed twice"),
    ]:
        with pytest.raises(tulle.Error, match=message) as caught:
            tulle.Topics(topics=1, method="plain", **keywords).fit(documents)
        assert "secret" not in str(caught.value)


def test_a_table_of_word_numbers_is_read_as_an_array():
    pandas = pytest.importorskip("pandas")
    documents = np.array([[1, 2, 1], [3, 4, 4], [2, 1, 1], [4, 3, 4]])
    model = tulle.Topics(topics=2, words=4, method="plain", seed=1)
    assert np.array_equal(model.fit(documents).topics_, model.fit(pandas.DataFrame(documents)).topics_)


def test_a_private_classifier(ratings):
    random = np.random.default_rng(1)
    X = random.random((400, 6)).astype(np.float32)
    y = (X[:, 0] > 0.5).astype(int)
    with pytest.raises(tulle.UsageError, match="give classes, the public number of classes"):
        tulle.Classifier(epsilon=1, delta=1e-5, range=(0, 1)).fit(X, y)
    model = tulle.Classifier(epsilon=8, delta=1e-4, range=(0, 1), classes=2).fit(X, y, test=(X, y))
    assert model.guarantee_["unit"] == "example" and "test_accuracy" in model.owner_
    assert model.predict_proba(X).shape == (400, 2) and 0 <= model.score(X, y) <= 1
    assert model.layers_[0][0].dtype == np.float32
    with pytest.raises(tulle.Error, match="X has 2 features, but Classifier is expecting 6"):
        model.predict(X[:, :2])


@pytest.mark.parametrize("label", [float("nan"), float("inf"), 1.5, "cat", None])
@pytest.mark.parametrize("classes", [3, [0, 1, 2]])
def test_one_label_does_not_decide_whether_a_private_classifier_is_fitted(label, classes):
    X = np.random.default_rng(1).random((40, 2))
    y = [0, 1, 2, label] * 10
    model = tulle.Classifier(method="sgd", epsilon=1, delta=1e-3, range=(0, 1), classes=classes, hidden=3, steps=2,
                             accept_losses=True).fit(X, y)
    assert model.guarantee_["unit"] == "example"


def test_targets_of_scikit_learn_are_refused_where_data_have_none():
    documents = np.tile([[1, 2, 1], [3, 4, 4]], (50, 1))
    relation = {"formula": "X[u,f] = U[u,k] V[f,k]", "entities": ["user", "film"], "file": np.outer([1.0, 2, 3], [1.0, 2])}
    for model, X, y, advice in [
        (tulle.Topics(topics=2, words=4, epsilon=5), documents, np.ones(100), "documents have no values besides their words"),
        (tulle.Coupled(rank=1), {"entities": ["user", "film"], "relations": [relation]}, np.ones(3), "the values of a relation are in its file"),
    ]:
        with pytest.raises(TypeError, match=f"^y is not used here and must be None; {advice}"):
            model.fit(X, y)
        assert not hasattr(model, "report_")


def test_a_coupled_study(tmp_path):
    rows = [f"u{user},f{film},{1 + user * film}\n" for user in range(4) for film in range(3)]
    (tmp_path / "x.csv").write_text("user,film,rating\n" + "".join(rows))
    (tmp_path / "study.toml").write_text(STUDY)
    model = tulle.Coupled(rank=1, seed=1).fit(tmp_path / "study.toml")
    assert model.factors_["U"].shape == (4, 1)
    assert model.predict([("u1", "f2")]).shape == (1,)
    with pytest.raises(tulle.Error, match="relation"):
        model.predict([("u1", "f2")], relation="Q")
    relation = {"formula": "X[u,f] = U[u,k] V[f,k]", "columns": ["user", "film", "rating"], "entities": ["user", "film"]}
    pandas = pytest.importorskip("pandas")
    for table in (pandas.read_csv(tmp_path / "x.csv"), tmp_path / "x.csv"):
        study = {"title": 'Two "words"', "entities": ["user", "film"], "relations": [{**relation, "file": table}]}
        same = tulle.Coupled(rank=1, seed=1).fit(study)
        assert np.array_equal(same.factors_["U"], model.factors_["U"])
    with pytest.raises(tulle.Error, match="relation X needs a file"):
        tulle.Coupled(rank=1).fit({"entities": ["user", "film"], "relations": [relation]})


def test_studies_are_checked_and_their_errors_name_no_file():
    relation = {"formula": "X[u,f] = U[u,k] V[f,k]", "entities": np.array(["user", "film"]), "file": np.outer([1.0, 2, 3], [1.0, 2])}
    study = {"entities": ["user", "film"], "relations": [{**relation, "weight": np.int64(1)}]}
    assert tulle.Coupled(rank=np.int64(1), seed=1).fit(study).factors_["U"].shape == (3, 1)
    for wrong, message in [
        ([relation], "study: give the name of its file or a dictionary with the same keys, not a list"),
        ({"entities": ["user"]}, "study: relations are a list of dictionaries"),
        ({"entities": ["user"], "relations": ["x"]}, "study: relations are a list of dictionaries"),
        ({**study, "relations": [{**relation, "weight": None}]}, "study: a value of type NoneType"),
        ({**study, "relations": [{**relation, "weight": np.inf}]}, r"study:\d+: relation X: table: weight is inf; it must be"),
        ({**study, "relations": [{**relation, "wieght": 1}]}, r"study:\d+: 'wieght' means nothing here \(did you mean 'weight'\?\)"),
    ]:
        with pytest.raises(tulle.Error, match=f"^{message}"):
            tulle.Coupled(rank=1).fit(wrong)


def test_a_study_reads_parquet_files(table, tmp_path):
    pytest.importorskip("pyarrow")
    table.to_parquet(tmp_path / "x.parquet")
    relation = {"formula": "X[u,f] = U[u,k] V[f,k]", "entities": ["user", "film"]}
    same = [tulle.Coupled(rank=1, seed=1).fit({"entities": ["user", "film"], "relations": [{**relation, "file": file}]}).factors_["U"]
            for file in (tmp_path / "x.parquet", table)]
    assert np.array_equal(*same)


STUDY = """
entities = ["user", "film"]

[[relations]]
formula = "X[u,f] = U[u,k] V[f,k]"
file = "x.csv"
columns = ["user", "film", "rating"]
entities = ["user", "film"]
"""


def test_the_positions_of_a_table_are_private_until_the_owner_says_otherwise(table):
    with pytest.raises(tulle.UsageError, match="positions of mode film are private"):
        tulle.CP(epsilon=1, delta=1e-6, range=(1, 5), unit="user").fit(table)


def test_coupled_distributions_have_intervals():
    table = np.outer([1.0, 2, 3, 4], [2.0, 3, 4])
    study = {"entities": ["user", "film"], "relations": [{"formula": "X[u,f] = U[u,k] V[f,k]", "entities": ["user", "film"], "file": table}]}
    cells = [(0, 0), (3, 2)]
    model = tulle.Coupled(rank=1, inference="vb", seed=1).fit(study)
    values, bounds = model.predict(cells), model.predict_interval(cells, 0.9)
    assert bounds.shape == (2, 2) and np.all(bounds[:, 0] < values) and np.all(values < bounds[:, 1])
    assert np.all(model.predict_interval(cells, 0.99)[:, 1] > bounds[:, 1])
    with pytest.raises(tulle.UsageError, match="is a point and has no intervals"):
        tulle.Coupled(rank=1, seed=1).fit(study).predict_interval(cells)


@pytest.fixture
def visits():
    """A private study of arrays: what users do where, how long they stay, and what is known of the places."""
    random = np.random.default_rng(1)
    done = np.where(random.random((60, 8, 2)) < 0.5, random.integers(1, 6, (60, 8, 2)), np.nan)
    stays = np.where(random.random((60, 8)) < 0.5, random.integers(0, 24, (60, 8)), np.nan)
    return {"entities": ["user", "place", "activity", "feature"], "private": ["user"], "sizes": {"place": 8, "activity": 2}, "relations": [
        {"name": "visits", "entities": ["user", "place", "activity"], "file": done},
        {"name": "stays", "entities": ["user", "place"], "range": [0, 24], "file": stays},
        {"name": "features", "entities": ["place", "feature"], "public": True, "file": random.random((8, 3))}]}


def test_a_private_study_has_a_guarantee_and_predicts_each_relation(visits, tmp_path):
    model = tulle.Coupled(epsilon=2, delta=1e-4, range=(1, 5), rank=2, steps=4, seed=1, missing=0.1).fit(visits)
    assert model.guarantee_["mode"] == "user" and "relation features, all of it" in model.guarantee_["public"]
    assert {name: factor.shape for name, factor in model.factors_.items()} == {
        "user": (1, 2), "place": (8, 2), "activity": (3, 2), "relation": (2, 2)}
    assert model.owner_["test_cells"] > 20 and "test_cells" not in model.report_
    of_user = model.predict([(0, 2, 0), (0, 2, 1)], user_rows=True)
    assert of_user.shape == (2,) and (of_user >= 1).all() and (of_user <= 5).all()
    stays = model.predict([(0, 2), (7, 5)], relation="stays")
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict([(0, 2), (7, 5)], relation="stays"), stays)
    model.save(tmp_path / "model.npz")
    loaded = tulle.load(tmp_path / "model.npz")
    np.testing.assert_array_equal(loaded.predict([(0, 2, "(none)", "stays"), (7, 5, "(none)", "stays")]), stays)
    with pytest.raises(tulle.UsageError, match="there is: visits, stays"):
        model.predict([(0, 2)], relation="features")
    with pytest.raises(tulle.UsageError, match="no distribution"):
        model.predict_interval([(0, 2, 0)])


def test_a_private_study_is_never_fitted_without_privacy(visits):
    for keywords, told in (({}, "each user is private; give epsilon E"), (dict(epsilon=2, delta=1e-4), "range LOW:HIGH"),
                           (dict(epsilon=2, delta=1e-4, range=(1, 5), inference="ml"), "inference is for a study without privacy"),
                           (dict(epsilon=2, delta=1e-4, range=(1, 5), method="als"), "takes one relation")):
        with pytest.raises(tulle.Error, match=told):
            tulle.Coupled(**keywords).fit(visits)


def test_a_device_that_is_not_there_is_named():
    cells = np.arange(12.0).reshape(3, 4)
    with pytest.raises(tulle.Error, match="device gpu is unknown; it is one of: cpu, cuda, cuda:N"):
        tulle.CP(method="plain", rank=1, device="gpu").fit(cells)
    tulle.CP(method="plain", rank=1, device="cpu", iterations=2).fit(cells)
    with pytest.raises(tulle.Error, match="method input computes on the CPU.*omit device"):
        tulle.CP(method="input", rank=1, epsilon=1, range=(0, 11), device="cuda").fit(cells)
