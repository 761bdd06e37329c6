"""Predictions at positions that a model does not know."""
import numpy as np
import pytest
import tulle

pandas = pytest.importorskip("pandas")

PLAIN = dict(method="plain", seed=1, threads=1)


def tensor():
    random = np.random.default_rng(4)
    return np.einsum("ir,jr,kr->ijk", random.random((6, 2)), random.random((5, 2)), random.random((4, 2)))


def models():
    X = tensor()
    yield tulle.CP(rank=2, **PLAIN).fit(X)
    lacking = np.where(np.arange(120).reshape(X.shape) % 7 > 0, X, np.nan)  # as fits with offsets need
    yield tulle.CP(rank=2, biases=True, **PLAIN).fit(lacking)
    yield tulle.Tucker(rank=(2, 1, 2), biases=True, **PLAIN).fit(lacking)
    yield tulle.Tucker(rank=(2, 2, 2), **PLAIN).fit(X)
    yield tulle.Tubal(rank=2, **PLAIN).fit(X)


def test_the_mean_is_that_of_the_predictions_at_all_positions():
    for model in models():
        every = model.reconstruct()
        cells = [(1, 2, 3), (99, 2, 3), (1, 5, 3), (99, 7, 3), (1, 2, 2**40), (6, 5, 4)]
        expected = [every[1, 2, 3], every[:, 2, 3].mean(), every[1, :, 3].mean(), every[:, :, 3].mean(), every[1, 2].mean(), every.mean()]
        assert np.allclose(model.predict(cells, unknown="mean"), expected)
        found = model.predict(cells, unknown="nan")
        assert np.isclose(found[0], expected[0]) and np.isnan(found[1:]).all()
        for wrong in (cells, cells[1:2]):
            with pytest.raises(tulle.Error, match="is outside 0.."):
                model.predict(wrong)
        for refused in ((-1, 0, 0), (-1, 99, 0)):
            with pytest.raises(tulle.Error, match="position -1 of axis 0"):
                model.predict([(0, 0, 0), refused], unknown="mean")
        with pytest.raises(tulle.UsageError, match="unknown is 'zero'; give 'mean', 'nan' or 'error'"):
            model.predict(cells, unknown="zero")


def test_labels_that_are_missing_or_new_are_unknown(table):
    model = tulle.CP(rank=1, biases=True, **PLAIN).fit(table)
    every, films = model.reconstruct(), model.labels_[1]
    cells = pandas.DataFrame({"user": ["u1", "guest", None], "film": ["f2", "f2", "f2"]})
    column = every[:, films.index("f2")]
    assert np.allclose(model.predict(cells, unknown="mean"), [column[model.labels_[0].index("u1")], column.mean(), column.mean()])
    assert np.allclose(model.predict([("guest", "f2"), ("u1", "f2")], unknown="mean")[0], column.mean())
    with pytest.raises(tulle.Error, match="'guest' is not among the known labels of user"):
        model.predict([("guest", "f2")])


def test_means_lie_in_the_range(ratings):
    model = tulle.CP(epsilon=0.5, range=(2, 2.5), seed=1, accept_losses=True).fit(ratings)
    cells = [(1000, film) for film in range(15)]
    assert model.predict(cells, unknown="mean").max() <= 2.5 and model.predict(cells, unknown="mean").min() >= 2
    assert np.allclose(model.predict(cells, unknown="mean", clamped=False), model.reconstruct(clamped=False).mean(axis=0))


def test_users_without_a_row_of_their_own_are_predicted_what_is_public(table):
    model = tulle.CP(epsilon=2, delta=1e-6, range=(1, 5), unit="user", public="film", seed=1).fit(table)
    cells = [("u1", "f2"), ("guest", "f2")]
    assert model.predict(cells, user_rows=True, unknown="mean")[1] == model.predict(cells)[1]
    assert model.predict(cells, user_rows=True, unknown="mean")[0] == model.predict(cells[:1], user_rows=True)[0]


def test_after_a_fit_with_y_cells_at_unknown_labels_have_the_mean(table):
    model = tulle.CP(rank=1, **PLAIN).fit(table[["user", "film"]], table["rating"])
    cells = [("guest", "f2")]
    assert np.array_equal(model.predict(cells), model.predict(cells, unknown="mean"))
    with pytest.raises(tulle.Error, match="'guest' is not among the known labels"):
        model.predict(cells, unknown="error")
