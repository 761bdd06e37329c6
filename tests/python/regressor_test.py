"""scikit-learn's way to fit: X has a row per cell, with labels, and y the values."""
import warnings

import numpy as np
import pytest
import tulle

pandas, sparse = pytest.importorskip("pandas"), pytest.importorskip("scipy.sparse")
model_selection = pytest.importorskip("sklearn.model_selection")

PLAIN = dict(rank=1, method="plain", seed=1, threads=1, biases=True)
PRIVATE = dict(rank=1, epsilon=1, delta=1e-6, range=(1, 5), seed=1, threads=1)


@pytest.fixture
def visits():
    """Users, films and weeks by numbers, with ratings that are no weeks."""
    random = np.random.default_rng(2)
    cells = random.permutation(np.unique(random.integers(0, (40, 15, 4), (900, 3)), axis=0))
    likes = random.normal(size=40)[cells[:, 0]] * random.normal(size=15)[cells[:, 1]]
    return pandas.DataFrame(cells, columns=["user", "film", "week"]), pandas.Series(np.clip(3 + likes, 1, 5), name="rating")


def same_as(model, other):
    return model.labels_ == other.labels_ and np.array_equal(model.reconstruct(), other.reconstruct())


@pytest.mark.parametrize("kind", [tulle.CP, tulle.Tucker, tulle.Tubal])
def test_values_are_y_and_no_column_of_x(visits, kind):
    X, y = visits
    keywords = {name: value for name, value in PLAIN.items() if name != "biases" or kind is not tulle.Tubal}
    if kind is tulle.Tubal:
        X = pandas.DataFrame(list(np.ndindex(6, 5, 3)), columns=X.columns)
        y = pandas.Series(np.random.default_rng(1).random(len(X)))
    model = kind(**keywords).fit(X, y)
    assert same_as(model, kind(**keywords).fit(X.assign(rating=y)))
    assert model.mode_names_ == ["user", "film", "week"]
    constant = kind(**keywords).fit(X, np.full(len(X), 4.5))
    assert np.allclose(constant.predict(X), 4.5, atol=1e-3)


def test_x_is_a_table_of_any_package_an_array_or_rows(visits):
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    X, y = visits
    expected = tulle.CP(**PLAIN).fit(X, y)
    columns = {name: X[name].to_list() for name in X.columns}
    rows = X.to_numpy()
    for given in (polars.DataFrame(columns), pyarrow.table(columns), X.astype(float), X.astype(str), rows, rows.astype(float), rows.astype(str),
                  rows.astype(object), rows.tolist(), np.asfortranarray(rows)):
        model = tulle.CP(**PLAIN).fit(given, y)
        assert same_as(model, expected)
        assert np.array_equal(model.predict(given), expected.predict(X))
    for values in (y.to_numpy(), y.to_list(), polars.Series(y.to_list()), pyarrow.array(y.to_list()), y.to_frame(), y.astype("Float64")):
        assert same_as(tulle.CP(**PLAIN).fit(X, values), expected)
    with pytest.warns(UserWarning, match="A column-vector y was passed"):
        assert same_as(tulle.CP(**PLAIN).fit(X, y.to_numpy()[:, None]), expected)


def test_columns_choose_the_modes_of_a_table(visits):
    X, y = visits
    chosen = tulle.CP(**PLAIN, columns=["film", "user"], duplicates="mean").fit(X, y)
    assert chosen.mode_names_ == ["film", "user"]
    assert np.array_equal(chosen.predict(X), chosen.predict(X[["film", "user"]]))
    with pytest.raises(tulle.UsageError, match="X: columns are chosen of a table"):
        tulle.CP(**PLAIN, columns=[0, 1]).fit(X.to_numpy(), y)


def test_labels_of_an_array_are_named_by_axis(visits):
    X, y = visits
    person = dict(**PRIVATE, unit="user")
    films, weeks = range(15), range(4)
    model = tulle.CP(**person, public={1: films, 2: weeks}).fit(X.to_numpy(), y)
    assert "for any one user of mode axis 0" in str(model.guarantee_)
    named = tulle.CP(**person, public={"film": films, "week": weeks}).fit(X, y)
    assert "for any one user of mode user" in str(named.guarantee_) and np.array_equal(named.reconstruct(), model.reconstruct())
    other = tulle.CP(**person, user_mode=1, public={0: range(40), 2: weeks}).fit(X.to_numpy(), y)
    assert "for any one user of mode axis 1" in str(other.guarantee_)
    with pytest.raises(tulle.UsageError, match="positions of mode axis 1 are private"):
        tulle.CP(**person).fit(X.to_numpy(), y)


def test_no_value_of_y_decides_whether_a_private_fit_ends(visits):
    """A cell without a value is none, and one beyond the range is clamped, as of a file."""
    X, y = visits
    for odd in (np.nan, 1e300, -7.0):
        values = y.to_numpy().copy()
        values[3] = odd
        model = tulle.CP(**PRIVATE).fit(X, values)
        assert same_as(model, tulle.CP(**PRIVATE).fit(X.assign(rating=values)))
        assert len(model.owner_.get("owner_notes", [])) == (0 if np.isnan(odd) else 1)


def test_x_and_y_that_do_not_belong_together_are_refused(visits):
    X, y = visits
    for given, values, message in [
        (X, y[:-1], f"X: {len(X)} cells, but {len(X) - 1} values; give one for each"), (X, [[1, 2]] * len(X), "y should be a 1d array"),
        (X, ["good"] * len(X), "y: holds something other than numbers"), (X, X, "y: a table of 3 columns; give one value for each row of X"),
        (np.arange(5), range(5), "X: Reshape your data to a row for each value of y, and a column for each mode"),
        (sparse.csr_matrix(X), y, "X: sparse input and files are not supported with y"), ("ratings.csv", y, "X: sparse input and files"),
        ([(0, 1), (0,)], [1, 2], "X: Reshape your data"), (X[["user"]].drop_duplicates(), range(40), "a tensor has 2 to 8 modes, not 1"),
    ]:
        with pytest.raises(tulle.Error, match=message):
            tulle.CP(**PLAIN).fit(given, values)


def test_a_wide_table_is_no_list_of_cells(ratings, table):
    wide = table.pivot(index="user", columns="film", values="rating")
    for data in (wide, wide.reset_index(), pytest.importorskip("polars").from_pandas(wide), pytest.importorskip("pyarrow").Table.from_pandas(wide)):
        for keywords in (PLAIN, dict(epsilon=1, range=(1, 5))):
            with pytest.raises(tulle.Error, match=r"X: several columns of positions hold fractions or NaN.*\.to_numpy\(\).*\.melt\(\).*columns"):
                tulle.CP(**keywords).fit(data)
    melted = wide.reset_index().melt(id_vars="user")
    assert set(tulle.CP(**PLAIN).fit(melted).labels_[0]) == set(table.user)
    halves = table.assign(user=table.user.str[1:].astype(float), film=table.film.str[1:].astype(float)) / 2
    with pytest.raises(tulle.Error, match="X: several columns of positions"):
        tulle.CP(**PLAIN).fit(halves)
    assert tulle.CP(**PLAIN, columns=["user", "film", "rating"]).fit(halves).labels_[0][:2] == ["0", "0.5"]


def test_where_positions_are_private_the_types_of_columns_refuse_nothing(table):
    """One user with a number that is missing turns a column of integers into one of fractions."""
    halves = table.assign(user=table.user.str[1:].astype(float), film=table.film.str[1:].astype(float)) / 2
    model = tulle.CP(**PRIVATE, unit="user", public="film", accept_losses=True).fit(halves)
    assert len(model.labels_[1]) == 15


def test_test_is_a_pair_too(visits):
    X, y = visits
    expected = tulle.CP(**PLAIN).fit(X[100:].assign(rating=y), test=X[:100].assign(rating=y))
    assert tulle.CP(**PLAIN).fit(X[100:], y[100:], test=(X[:100], y[:100])).report_["test_rmse"] == expected.report_["test_rmse"]
    with pytest.raises(tulle.Error, match="test: with y, give a pair of cells and their values"):
        tulle.CP(**PLAIN).fit(X, y, test=X)


def test_the_score_is_that_of_regressors(visits):
    from sklearn.metrics import r2_score

    X, y = visits
    model = tulle.CP(**PLAIN).fit(X[:500], y[:500])
    assert np.isclose(model.score(X[500:], y[500:]), r2_score(y[500:], model.predict(X[500:])))
    lacking = y.where(np.arange(len(y)) % 3 > 0)
    assert np.isclose(model.score(X, lacking), model.score(X[lacking.notna()], y[lacking.notna()]))
    assert np.isnan(model.score(X[:2], [np.nan, np.nan])) and model.score(X[:1], [9]) == 0
    with pytest.raises(tulle.Error, match="X: 3 cells, but 2 values"):
        model.score(X[:3], y[:2])


def test_searches_and_pipelines_and_splits_take_completions(visits):
    from sklearn.base import is_regressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder

    X, y = visits
    assert is_regressor(tulle.CP())
    scores = model_selection.cross_val_score(tulle.CP(**PLAIN), X, y, cv=3, error_score="raise")
    assert scores.shape == (3,) and scores.min() > 0.5
    search = model_selection.GridSearchCV(tulle.CP(**PLAIN), {"rank": [1, 3], "biases": [True, False]}, cv=2, error_score="raise",
                                          scoring="neg_mean_absolute_error").fit(X, y)
    assert search.best_score_ > -0.5 and search.predict(X).shape == (len(X),)
    train, test, values, others = model_selection.train_test_split(X, y, random_state=0)
    pipeline = make_pipeline(OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), tulle.CP(**PLAIN)).fit(train, values)
    assert pipeline.score(test, others) > 0.5
    assert np.isclose(pipeline.score(test, others), tulle.CP(**PLAIN).fit(train, values).score(test, others), atol=0.02)


def test_a_search_over_private_fits_says_what_it_costs(visits, tmp_path):
    X, y = visits
    with pytest.warns(UserWarning, match="each of these fits costs its own epsilon") as said:
        model_selection.cross_val_score(tulle.CP(**PRIVATE), X, y, cv=3, error_score="raise")
    assert len({str(each.message) for each in said}) == 1
    ledger = tulle.Ledger(tmp_path / "ledger.db")
    ledger.create("visits")
    ledger.grant("visits", epsilon=10)
    charged = tulle.CP(**{**PRIVATE, "seed": None, "delta": 0, "epsilon": 0.5}, account="visits", ledger=ledger)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model_selection.cross_val_score(charged, X, y, cv=3, error_score="raise")
        tulle.CP(**PRIVATE).fit(X, y)
        model_selection.cross_val_score(tulle.CP(**PLAIN), X, y, cv=2, error_score="raise")
    assert np.isclose(ledger.show("visits")["spent"], 1.5)


def test_splits_by_numbers_of_rows_are_no_parts_of_data_whose_rows_are_private(visits):
    """A row more moves those of others into other parts, so that these are no neighbours."""
    X, y = visits
    person = tulle.CP(**PRIVATE, unit="user", public=["film", "week"])
    with pytest.warns(UserWarning, match="under add-remove, a split by numbers of rows moves rows of others"):
        model_selection.cross_val_score(person, X, y, cv=2, error_score="raise")
