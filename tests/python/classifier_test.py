"""Labels of a classifier: of each example its own, and none that decides for others."""
import numpy as np
import pytest
import tulle
from tulle import _core

KEYWORDS = dict(range=(0, 1), hidden=3, seed=1, threads=1)


@pytest.fixture
def examples():
    X = np.random.default_rng(1).random((60, 4))
    return X, np.where(X[:, 0] > 0.5, "up", "down")


class Held(Exception):
    """In place of a run."""


@pytest.fixture
def places(monkeypatch):
    """The numbers that a private run gets for labels."""

    def stop(name, values, labels):
        raise Held(labels)

    def found(labels, classes):
        with pytest.raises(Held) as held:
            tulle.Classifier(classes=classes, epsilon=1, delta=1e-3, range=(0, 1)).fit(np.zeros((len(labels), 1)), labels)
        return held.value.args[0]

    monkeypatch.setattr(_core, "hold_examples", stop)
    return found


@pytest.mark.parametrize("label", ["cat", b"cat", None, 1.5, (1, 2), {}, 10**400, 1j, float("nan")])
def test_a_label_does_not_change_how_others_are_read(label, places):
    """NumPy makes texts of all elements of a list where one is a text: the labels of all others would change with it."""
    for classes in ([0, 1, 2], 3, ["a", "b", "c"]):
        labels = classes if isinstance(classes, list) else [0, 1, 2]
        assert places([*labels, label], classes)[:3] == [0, 1, 2]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("labels", [[0, 1, 2], [0.0, 1.0, 2.0], ["0", "1", "2"]])
@pytest.mark.parametrize("odd", ["cat", b"cat", None, 1.5, float("nan"), 1j, np.complex64(1j), True, 10**400, np.datetime64("2020-01-01")],
                         ids=lambda odd: type(odd).__name__)
def test_labels_are_read_the_same_in_arrays_whose_type_one_of_them_decides(labels, odd, places):
    """To which NumPy and pandas convert all others: whole numbers become fractions, complex numbers, texts, and so do truth values."""
    pandas = pytest.importorskip("pandas")
    for classes in ([0, 1, 2], ["0", "1", "2"], ["2", "1", "0"], [0.0, 1.0, 2.0], 3):
        expected = [2, 1, 0] if classes == ["2", "1", "0"] else [0, 1, 2]
        if not isinstance(odd, np.datetime64) or labels[0] == "0":  # with numbers NumPy refuses it
            assert places(np.array([*labels, odd]), classes)[:3] == expected
        assert places(np.array(labels), classes) == places(pandas.Series([*labels, odd]), classes)[:3] == expected
    for truth in (np.array([True, False]), np.array([True, False, 7]), np.array([True, False, "x"]), pandas.Series([True, False, odd])):
        for classes in ([0, 1], [False, True], 2):
            assert places(truth, classes)[:2] == [1, 0]


def test_labels_that_are_none_of_the_list_have_no_place(places):
    """They become the first class and are counted, as NaN is among numbers from 0."""
    for labels, classes in ((np.array([1, 2, "x"]), [1, 2]), (np.array([1, 2, np.nan]), [1, 2]), (np.array([1, 2, 3]), ["1", "2"]),
                            (np.array(["1", "2", "1.5"]), ["1", "2"])):
        found = places(labels, classes)
        assert found[:2] == [0, 1] and np.isnan(found[2])


def test_classes_whose_numbers_are_the_same_are_told_apart_by_their_texts(places):
    assert places(np.array(["1", "01", "1.0"]), ["01", "1", "1.0"]) == [1, 0, 2]


@pytest.mark.parametrize("classes, message", [
    (1.5, "classes is 1.5; it must be a whole number from 2, or the list of the labels"), ("ab", "classes is 'ab'"),
    (float("nan"), "classes is nan"), ({0, 1}, "classes is {0, 1}"), (-1, "classes -1: there is nothing to tell apart"),
    (10**9, "classes 1000000000: give 1000000 at most"), ([0, 0], "classes: give each label once"), ([0, "a"], "classes: give"),
])
def test_classes_are_a_number_or_a_list(examples, classes, message):
    X = examples[0]
    with pytest.raises(tulle.UsageError, match=message):
        tulle.Classifier(epsilon=1, delta=1e-3, method="sgd", steps=2, classes=classes, **KEYWORDS).fit(X, [0, 1] * 30)


def test_without_privacy_labels_that_are_no_classes_are_refused(examples):
    X, y = examples
    with pytest.raises(tulle.Error, match="y: there are labels that are none of the classes"):
        tulle.Classifier(method="plain", classes=["up", "left"], **KEYWORDS).fit(X, y)
    model = tulle.Classifier(method="plain", **KEYWORDS)
    with pytest.raises(tulle.Error, match="test: there are labels that are none of the classes"):
        model.fit(X, y, test=(X, np.where(y == "up", "left", y)))
    for labels, classes in ((np.array(["0", "1"] * 30), [0, 1]), (np.array([0, 1] * 30), ["0", "1"])):
        with pytest.raises(tulle.UsageError, match="y: give labels as the classes are, texts or numbers"):
            tulle.Classifier(method="plain", classes=classes, **KEYWORDS).fit(X, labels)
    for mixed in (["up", 1] * 30, ["up", None] * 30, [0, None] * 30):
        with pytest.raises(tulle.Error, match="y: labels of several types; give texts or numbers alone"):
            model.fit(X, mixed)


def test_the_owner_is_told_how_many_values_and_labels_were_replaced(examples):
    X, y = examples
    X[0, 0], y[:3] = 7, "?"
    model = tulle.Classifier(epsilon=1, delta=1e-3, method="sgd", steps=2, classes=["down", "up"], accept_losses=True, **KEYWORDS).fit(X, y)
    assert model.owner_["owner_notes"] == ["1 of the values (0.417 %) lie outside of the range 0:1 and were clamped to it.",
                                           "3 of the labels (5 %) are none of the 2 classes, and were replaced by one of them."]
    assert "owner_notes" not in model.report_


def test_a_fit_that_fails_leaves_the_model_as_it_was(examples):
    X, y = examples
    model = tulle.Classifier(method="plain", **KEYWORDS).fit(X, y)
    with pytest.raises(tulle.UsageError):
        model.set_params(epsilon=1).fit(X, np.where(y == "up", "left", "right"))
    assert set(model.predict(X)) == {"up", "down"}
    fresh = tulle.Classifier(method="plain", epsilon=1, **KEYWORDS)
    with pytest.raises(tulle.UsageError):
        fresh.fit(X, y)
    assert not hasattr(fresh, "classes_")


@pytest.mark.filterwarnings("ignore:A column-vector y")
def test_scores_compare_each_prediction_with_its_label(examples):
    X, y = examples
    model = tulle.Classifier(method="plain", **KEYWORDS).fit(X, y)
    expected = np.mean(model.predict(X) == y)
    assert model.score(X, y[:, None]) == model.score(X, y.tolist()) == expected
    for short in (y[:1], y[:5]):
        with pytest.raises(tulle.Error, match=f"X: 60 examples, but {len(short)} labels; give one for each"):
            model.score(X, short)


def test_no_examples_have_no_predictions(examples):
    X, y = examples
    model = tulle.Classifier(method="plain", **KEYWORDS).fit(X, y)
    assert model.predict(X[:0]).shape == (0,) and model.predict_proba(X[:0]).shape == (0, 2)


def test_columns_of_a_table_are_told_apart_by_their_names(examples):
    """In another order they would be taken for each other."""
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X, y = examples
    table = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
    for keywords in (dict(method="plain"), dict(epsilon=1, delta=1e-3, method="sgd", steps=2, classes=["up", "down"])):
        model = tulle.Classifier(**keywords, **KEYWORDS).fit(table, y)
        assert list(model.feature_names_in_) == ["a", "b", "c", "d"]
        for other in (table[["b", "a", "c", "d"]], polars.from_pandas(table[["d", "a", "b", "c"]])):
            with pytest.raises(tulle.Error, match="X: Feature names must be in the same order as they were in fit: a, b, c, d"):
                model.predict(other)
            with pytest.raises(tulle.Error, match="test: Feature names must be in the same order"):
                tulle.Classifier(**keywords, **KEYWORDS).fit(table, y, test=(other, y))
        with pytest.raises(tulle.Error, match="X: The feature names should match those that were passed during fit: a, b, c, d"):
            model.score(table.rename(columns={"a": "z"}), y)
        with pytest.warns(UserWarning, match="X does not have valid feature names"):
            found = model.predict(X)
        assert np.array_equal(model.predict(table), found)
        assert not hasattr(model.fit(X, y), "feature_names_in_")
        assert not hasattr(model.fit(table.set_axis([1, 2, 3, 4], axis=1), y), "feature_names_in_")


def test_missing_features_are_refused_where_that_tells_of_nobody(examples):
    X, y = examples
    for odd in (np.nan, np.inf):
        lacking = X.copy()
        lacking[0, 0] = odd
        model = tulle.Classifier(method="plain", **KEYWORDS).fit(X, y)
        for refused in (lambda: tulle.Classifier(method="plain", **KEYWORDS).fit(lacking, y), lambda: model.predict(lacking)):
            with pytest.raises(tulle.Error, match="X: Input X contains NaN or infinity"):
                refused()
        private = tulle.Classifier(epsilon=1, delta=1e-3, method="sgd", steps=2, classes=["up", "down"], **KEYWORDS).fit(lacking, y)
        assert len(private.owner_["owner_notes"]) == 1


def test_columns_have_bounds_of_their_own():
    random = np.random.default_rng(3)
    y = random.integers(2, size=300)
    X = np.column_stack([random.uniform(18, 90, 300), 20000 + 40000 * y + 5000 * random.standard_normal(300)])
    for ranges in ([(18, 90), (0, 100000)], {1: (0, 100000), 0: (18, 90)}):
        model = tulle.Classifier(epsilon=5, delta=1e-4, ranges=ranges, classes=2, seed=1).fit(X, y)
        assert model.score(X, y) > 0.95
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(X, columns=["age", "income"])
    named = tulle.Classifier(epsilon=5, delta=1e-4, ranges={"income": (0, 100000)}, range=(18, 90), classes=2, seed=1).fit(table, y)
    assert named.score(table, y) > 0.95
    with pytest.raises(tulle.UsageError, match="no column 'incom'"):
        named.set_params(ranges={"incom": (0, 1)}).fit(table, y)
    with pytest.raises(tulle.Error, match="column '2' has no bounds"):
        tulle.Classifier(epsilon=5, delta=1e-4, ranges=[(18, 90)], classes=2).fit(X, y)
