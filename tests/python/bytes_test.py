"""The byte audit of what Python returns: with the releases replayed, two neighbouring data sets cannot be told apart by any
attribute, prediction, file, pickle or error, except what is in `owner_` and what users' own rows predict."""
import json
import pathlib
import pickle

import numpy as np
import pytest
import tulle
from tulle import _core

OWNERS = {"owner_"}


def returned(estimator, data, cells, folder):
    """All that an owner would hand on, as bytes by name."""
    found = {}
    try:
        estimator.fit(*data)
    except tulle.Error as error:
        return {"error": str(error).encode()}
    for name, value in vars(estimator).items():
        if name.endswith("_") and name not in OWNERS:
            found[name] = plain(value)
    found["repr"] = repr(estimator).encode()
    found["pickle"] = pickle.dumps(estimator)
    path = pathlib.Path(folder) / "model.npz"
    estimator.save(path)
    found["model.npz"] = path.read_bytes()
    page = pathlib.Path(folder) / "report.html"
    estimator.report(page)
    found["report.html"] = page.read_bytes()
    if cells is not None:
        found["predicted"] = np.asarray(estimator.predict(cells)).tobytes()
    return found


def plain(value):
    if isinstance(value, np.ndarray):
        return repr(value.shape).encode() + value.tobytes()
    if isinstance(value, dict) and any(isinstance(each, np.ndarray) for each in value.values()):
        return b"|".join(name.encode() + plain(each) for name, each in value.items())
    if isinstance(value, (list, tuple)):
        return b"|".join(plain(each) for each in value)
    return json.dumps(value).encode()


def assert_alike(make, sides, cells, folder, least=1):
    differences, releases = _core.audit_bytes(lambda side: returned(make(), sides[side], cells, folder))
    assert differences == []
    assert releases >= least


COMMON = dict(epsilon=2, range=(1, 5), seed=5, threads=1)


def test_an_entry_of_an_array(ratings, tmp_path):
    other = ratings.copy()
    other[tuple(np.argwhere(~np.isnan(ratings))[3])] = 1e300
    for keywords in (dict(method="als"), dict(method="one-shot", holdout=0.2), dict(method="gradient", delta=1e-3, steps=3)):
        assert_alike(lambda: tulle.CP(**COMMON, **keywords), [(ratings,), (other,)], [(0, 0), (39, 14)], tmp_path)
    assert_alike(lambda: tulle.Tucker(**COMMON, method="subspace", delta=1e-3), [(ratings,), (other,)], [(0, 0)], tmp_path)


def test_a_value_of_cells_apart_from_their_values(table, tmp_path):
    cells, values = table[["user", "film"]], table["rating"].to_numpy()
    other = values.copy()
    other[3] = 1e300
    for given in (cells, cells.to_numpy()):
        assert_alike(lambda: tulle.CP(**COMMON, method="als"), [(given, values), (given, other)], [("u1", "f1"), ("guest", "f1")], tmp_path)


def test_a_user_more_of_cells_apart_from_their_values(table, tmp_path):
    pandas = pytest.importorskip("pandas")
    guest = pandas.DataFrame({"user": ["guest"] * 3, "film": ["f3", "f1", "unheard of"], "rating": [5.0, float("nan"), 5]})
    more = pandas.concat([guest, table], ignore_index=True)
    films = [f"f{film}" for film in range(15)]
    for public, chosen in (({"film": films}, lambda data: data[["user", "film"]]), ({1: films}, lambda data: data[["user", "film"]].to_numpy())):
        user = dict(unit="user", public=public, delta=1e-3, method="als")
        sides = [(chosen(each), each["rating"]) for each in (table, more)]
        assert_alike(lambda: tulle.CP(**COMMON, **user), sides, [("guest", "f3"), ("u1", "f1"), ("u1", "unheard of")], tmp_path)


def test_an_entry_more_of_a_full_array_or_one_less(tmp_path):
    full = np.random.default_rng(1).random((12, 8)) * 4 + 1
    other = full.copy()
    other[0, 0] = np.nan
    keywords = dict(method="input", relation="add-remove", shape=(12, 8))
    assert_alike(lambda: tulle.CP(**COMMON, **keywords), [(full,), (other,)], [(0, 0)], tmp_path)


def test_a_row_less_of_an_array_whose_shape_is_stated(tmp_path):
    """That nobody is at the last position is private, so the model has the shape that is stated."""
    full = np.random.default_rng(1).random((12, 8)) * 4 + 1
    absent = full.copy()
    absent[11, 1:] = np.nan
    keywords = dict(method="input", relation="add-remove", shape=(12, 8))
    fitted = tulle.CP(**COMMON, **keywords).fit(absent[:11])
    assert fitted.report_["shape"] == "12x8"
    other = absent.copy()
    other[11, 0] = np.nan
    assert_alike(lambda: tulle.CP(**COMMON, **keywords), [(absent,), (other[:11],)], [(0, 0), (11, 0)], tmp_path)


def test_a_user_more_of_an_array(ratings, tmp_path):
    more = np.vstack([ratings, np.full((1, ratings.shape[1]), 5.0)])
    user = dict(unit="user", public=1, delta=1e-3)
    for keywords in (dict(method="als"), dict(method="als", holdout=0.3), dict(method="auto")):
        assert_alike(lambda: tulle.CP(**COMMON, **user, **keywords), [(ratings,), (more,)], [(0, 3)], tmp_path)


def test_a_user_more_of_a_table(table, tmp_path):
    pandas = pytest.importorskip("pandas")
    guest = pandas.DataFrame({"user": ["guest"] * 4, "film": ["f3", "f2", "f1", "f0"], "rating": [5.0, 1, 5, 1]})
    sides = [(table,), (pandas.concat([guest, table], ignore_index=True),)]
    cells = [("guest", "f3"), ("u1", "f1")]
    user = dict(unit="user", relation="add-remove", public="film", delta=1e-3)
    for keywords in (dict(method="als"), dict(method="als", holdout=0.3), dict(method="gradient", steps=3), dict(method="auto")):
        assert_alike(lambda: tulle.CP(**COMMON, **user, **keywords), sides, cells, tmp_path)


def test_a_user_more_with_several_rows_of_a_cell(table, tmp_path):
    pandas = pytest.importorskip("pandas")
    guest = pandas.DataFrame({"user": ["a guest"] * 3, "film": ["f3", "f3", "f1"], "rating": [5.0, 1, 5]})
    sides = [(table,), (pandas.concat([guest, table], ignore_index=True),)]
    user = dict(unit="user", relation="add-remove", public="film", delta=1e-3, method="als", duplicates="mean")
    assert_alike(lambda: tulle.CP(**COMMON, **user), sides, [("u1", "f1")], tmp_path)


def test_a_user_more_in_two_tables_of_a_study(table, tmp_path):
    pandas = pytest.importorskip("pandas")
    guest = pandas.DataFrame({"user": ["guest"] * 3, "film": ["f3", "f1", "unheard of"], "rating": [5.0, 1, 5]})
    more = pandas.concat([guest, table], ignore_index=True)

    def study(ratings, seen):
        relations = [{"name": "ratings", "entities": ["user", "film"], "file": ratings},
                     {"name": "seen", "entities": ["user", "film"], "range": [0, 4], "file": seen}]
        return {"entities": ["user", "film"], "private": ["user"], "positions": {"film": [f"f{film}" for film in range(15)]}, "relations": relations}
    few = table.iloc[:9]
    sides = [(study(table, few),), (study(more, pandas.concat([guest, few], ignore_index=True)),)]
    for keywords in (dict(steps=3), dict(steps=3, missing=0.3)):
        assert_alike(lambda: tulle.Coupled(**COMMON, delta=1e-3, accept_losses=True, **keywords), sides, [("guest", "f3"), ("u1", "f1")], tmp_path)


def test_a_row_more_of_a_sparse_matrix(ratings, tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.coo_matrix(np.nan_to_num(ratings))
    more = sparse.vstack([matrix, sparse.coo_matrix(np.full((1, 15), 5.0))])
    user = dict(unit="user", user_mode=0, relation="add-remove", public=1, delta=1e-3, method="als")
    assert_alike(lambda: tulle.CP(**COMMON, **user), [(matrix,), (more,)], [(0, 3)], tmp_path)


def test_a_document(tmp_path):
    documents = np.tile([[1, 2, 1], [3, 4, 4]], (60, 1))
    other = documents.copy()
    other[5] = [4, 4, 4]
    assert_alike(lambda: tulle.Topics(topics=2, words=4, epsilon=5, seed=5, threads=1), [(documents,), (other,)], None, tmp_path)


def test_an_example_more(tmp_path):
    random = np.random.default_rng(1)
    X, y = random.random((200, 6)), random.integers(0, 2, 200)
    sides = [(X, y), (np.vstack([np.full((1, 6), 1e9), X]), np.concatenate([[99], y]))]
    make = lambda: tulle.Classifier(epsilon=1, delta=1e-5, range=(0, 1), classes=2, seed=5, threads=1)
    assert_alike(make, sides, X[:5], tmp_path)


def test_what_tells_them_apart_is_found(ratings, tmp_path):
    """A plain fit is not private, and the audit says so."""
    other = ratings.copy()
    other[tuple(np.argwhere(~np.isnan(ratings))[3])] = 1
    differences, releases = _core.audit_bytes(
        lambda side: returned(tulle.CP(method="plain", rank=1, seed=5, threads=1), [(ratings,), (other,)][side], None, tmp_path))
    assert releases == 0 and any(b"factors_" in difference for difference in differences)
