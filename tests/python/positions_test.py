"""Positions count from 0 in Python, whatever the data come in: a cell's value is the model's at that cell, and nowhere else."""
import json
import types
import zipfile

import numpy as np
import pytest
import tulle

pandas, sparse, scipy_io = (pytest.importorskip(name) for name in ("pandas", "scipy.sparse", "scipy.io"))

USERS, FILMS = 12, 5
WITHOUT_CELLS = (0, 4, 7)  # so that the rows of users are not their positions


@pytest.fixture(scope="module")
def values():
    """Every user is known by her own row: with so large an epsilon her predictions are near her values."""
    random = np.random.default_rng(3)
    values = np.clip(3 + np.outer(np.linspace(-2, 2, USERS), np.array([1, -1, 0.7, -0.4, 0.9])) + random.normal(size=(USERS, FILMS)) / 50, 1, 5)
    values[list(WITHOUT_CELLS)] = np.nan
    return values


def listed(values):
    users, films = np.nonzero(~np.isnan(values))
    return users, films, values[users, films]


def coordinates(values):
    users, films, found = listed(values)
    return sparse.coo_matrix((found, (users, films)), shape=values.shape)


def table(values, user, film):
    users, films, found = listed(values)
    return pandas.DataFrame({"user": [user(each) for each in users], "film": [film(each) for each in films], "rating": found})


def arrays(values):
    """Data whose positions are numbers, in memory."""
    users, films, found = listed(values)
    return {
        "array": values, "float32": values.astype(np.float32), "Fortran": np.asfortranarray(values), "list": values.tolist(),
        "masked": np.ma.masked_array(np.nan_to_num(values, nan=99), np.isnan(values)),
        "coo": coordinates(values), "csr": coordinates(values).tocsr(), "csc": coordinates(values).tocsc(),
        "coords": types.SimpleNamespace(coords=np.array([users, films]), data=found, shape=values.shape, fill_value=np.nan),
    }


def files(values, folder):
    """The same in files, whose own numbers count from 1 where they are listed."""
    users, films, found = listed(values)
    lines = [f"{user + 1} {film + 1} {value}\n" for user, film, value in zip(users, films, found)]
    (folder / "x.tns").write_text("".join(lines))
    np.save(folder / "x.npy", values)
    scipy_io.mmwrite(folder / "x.mtx", coordinates(values))
    scipy_io.savemat(folder / "x.mat", {"x": values})
    sparse.save_npz(folder / "x.npz", coordinates(values))
    return {name: folder / name for name in ("x.tns", "x.npy", "x.mtx", "x.mat", "x.npz")}


NUMBERED = ["array", "float32", "Fortran", "list", "masked", "coo", "csr", "csc", "coords", "x.tns", "x.npy", "x.mtx", "x.mat", "x.npz"]
LABELLED = {"texts": (lambda user: f"u{user}", lambda film: f"f{film}"), "integers": (lambda user: 7 * user, lambda film: 100 - film)}
PERSON = dict(rank=2, epsilon=1e5, delta=1e-3, range=(1, 5), unit="user", relation="add-remove", method="als", seed=1)


def numbered(kind, values, folder):
    return arrays(values)[kind] if kind in arrays(values) else files(values, folder)[kind]


def fitted(kind, values, folder):
    public = {"user_mode": 0, "public": [1]}
    if str(kind) == "x.npy" or str(kind) == "x.mat":
        public["nan_missing"] = True
    return tulle.CP(**PERSON, **public).fit(numbered(kind, values, folder))


def own_reconstruction(path):
    """The values of a model file, by its arrays alone."""
    with np.load(path) as file:
        found = np.einsum("r,ur,fr->uf", file["weights"], file["factor1"], file["factor2"])
        if "bias_global" in file:
            found = found + file["bias_global"] + file["bias1"][:, None] + file["bias2"][None, :]
    return np.clip(found, 1, 5)


def modes_of(path):
    with zipfile.ZipFile(path) as file:
        return json.loads(file.read("tulle.json"))["modes"]


def check_refusals(predict, wrong):
    for cell in wrong:
        with pytest.raises(tulle.Error) as refusal:
            predict([cell])
        assert "\n" not in str(refusal.value) and str(refusal.value).startswith("cells"), cell


@pytest.mark.parametrize("kind", NUMBERED)
def test_a_user_is_shown_her_own_row_and_nobody_elses(kind, values, tmp_path):
    model = fitted(kind, values, tmp_path)
    model.save(tmp_path / "own.npz", user_rows=True)
    model.save(tmp_path / "public.npz")
    present = [user for user in range(USERS) if user not in WITHOUT_CELLS]
    cells = [(user, film) for user in present for film in range(FILMS)]
    expected, modes = own_reconstruction(tmp_path / "own.npz"), modes_of(tmp_path / "own.npz")
    assert modes[0]["labels"] == [str(user + 1) for user in present]  # numbers of a model file count from 1
    loaded = tulle.load(tmp_path / "own.npz")
    for predict in (lambda asked: model.predict(asked, user_rows=True), loaded.predict):
        found = predict(cells)
        assert np.allclose(found, expected.ravel(), atol=1e-9)
        for given in (np.array(cells), np.array(cells, dtype=float), pandas.DataFrame(cells, columns=["a", "b"]), iter(cells)):
            assert np.array_equal(predict(given), found)
        # Nobody else has values near hers: users are 0.36 apart in the first film, noise is at most 0.1.
        rows = found.reshape(len(present), FILMS)
        nearest = np.abs(rows[:, None, :] - values[present][None, :, :]).sum(axis=2).argmin(axis=1)
        assert nearest.tolist() == list(range(len(present)))
        check_refusals(predict, [(USERS, 0), (-1, 0), (WITHOUT_CELLS[0], 0), (WITHOUT_CELLS[1], 0), (1, FILMS), (1, -1), (0.5, 1), (300, 0)])
    assert loaded.labels_ == [present, []]


@pytest.mark.parametrize("kind", NUMBERED)
def test_what_is_public_of_users_is_the_same_at_every_position(kind, values, tmp_path):
    model = fitted(kind, values, tmp_path)
    model.save(tmp_path / "public.npz")
    expected = own_reconstruction(tmp_path / "public.npz")
    for same in (model, tulle.load(tmp_path / "public.npz")):
        for user in (0, 4, USERS, 300):
            assert np.allclose(same.predict([(user, film) for film in range(FILMS)]), expected[0], atol=1e-9)
        check_refusals(same.predict, [(1, FILMS), (1, -1)] + ([] if kind == "x.npz" else [(-1, 0), ("ann", 0)]))


@pytest.mark.parametrize("kind", LABELLED)
def test_labels_name_users_whatever_they_look_like(kind, values, tmp_path):
    user_of, film_of = LABELLED[kind]
    data = table(values, user_of, film_of)
    data.to_csv(tmp_path / "x.csv", index=False)
    present = [user for user in range(USERS) if user not in WITHOUT_CELLS]
    cells = [(user_of(user), film_of(film)) for user in present for film in range(FILMS)]
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    columns = {name: data[name].to_list() for name in data.columns}
    for given in (data, polars.DataFrame(columns), pyarrow.table(columns), tmp_path / "x.csv"):
        model = tulle.CP(**PERSON, user_mode="user", public="film").fit(given)
        model.save(tmp_path / "own.npz", user_rows=True)
        found, modes = own_reconstruction(tmp_path / "own.npz"), modes_of(tmp_path / "own.npz")
        places = [[mode["labels"].index(str(label)) for label in labels] for mode, labels in zip(modes, zip(*cells))]
        expected = found[tuple(places)]
        for predict in (lambda asked: model.predict(asked, user_rows=True), tulle.load(tmp_path / "own.npz").predict):
            assert np.allclose(predict(cells), expected, atol=1e-9)
            assert np.allclose(predict(pandas.DataFrame(cells, columns=["user", "film"])), expected, atol=1e-9)
            rows = predict(cells).reshape(len(present), FILMS)
            nearest = np.abs(rows[:, None, :] - values[present][None, :, :]).sum(axis=2).argmin(axis=1)
            assert nearest.tolist() == list(range(len(present)))
            check_refusals(predict, [(user_of(WITHOUT_CELLS[1]), film_of(0)), (user_of(1), film_of(200)), (user_of(-3), film_of(0))])


@pytest.mark.parametrize("kind", NUMBERED)
@pytest.mark.parametrize("private", [False, True])
def test_cells_are_those_of_the_reconstruction(kind, private, values, tmp_path):
    full = np.where(np.isnan(values), 3.0, values)
    keywords = dict(epsilon=5, range=(1, 5)) if private else dict(method="plain")
    model = tulle.CP(rank=2, seed=1, **keywords).fit(numbered(kind, full, tmp_path))
    model.save(tmp_path / "model.npz")
    cells = list(np.ndindex(full.shape))
    for same in (model, tulle.load(tmp_path / "model.npz")):
        assert np.array_equal(same.predict(cells), same.reconstruct().ravel())
        check_refusals(same.predict, [(USERS, 0), (-1, 0), (0, FILMS), (0, -1)])


def test_cells_of_coupled_tables_count_from_0_too(values, tmp_path):
    full = np.where(np.isnan(values), 3.0, values)
    users, films, found = listed(full)
    relation = {"formula": "X[u,f] = U[u,k] V[f,k]", "entities": ["user", "film"]}
    for data in (full, coordinates(full)):
        model = tulle.Coupled(rank=2, seed=1).fit({"entities": ["user", "film"], "relations": [{**relation, "file": data}]})
        model.save(tmp_path / "model.npz")
        expected = model.factors_["U"] @ model.factors_["V"].T
        for same in (model, tulle.load(tmp_path / "model.npz")):
            assert np.allclose(same.predict(list(np.ndindex(full.shape))), expected.ravel())
            check_refusals(same.predict, [(USERS, 0), (-1, 0), (0, FILMS), (0, -1)])


def test_cells_to_test_are_at_the_positions_of_the_data(tmp_path):
    """Data of rank 1 are fitted exactly: cells of them have no error, the same values one row further have."""
    full = np.outer(np.linspace(1, 3, USERS), [1.0, 3, 2, 0.5, 4])
    keywords = dict(rank=1, method="plain", seed=1)
    users, films, found = listed(full)
    (tmp_path / "test.tns").write_text("".join(f"{user + 1} {film + 1} {value}\n" for user, film, value in zip(users, films, found)))
    for data in (full, coordinates(full)):
        for test, nothing in ((full, True), (coordinates(full), True), (tmp_path / "test.tns", True), (np.roll(full, 1, axis=0), False)):
            error = tulle.CP(**keywords).fit(data, test=test).report_["test_rmse"]
            assert (error < 1e-3) == nothing
    with pytest.raises(tulle.Error, match="test: a table has labels and an array has positions; give cells of the kind of X"):
        tulle.CP(**keywords).fit(full, test=table(full, int, int))
    with pytest.raises(tulle.Error, match="test: columns are chosen of a table or a file, and this is neither"):
        tulle.CP(**keywords).fit(table(full, int, int), test=full)


def test_public_positions_of_an_array_count_from_0(values):
    keywords = {**PERSON, "method": "als", "accept_losses": True}
    model = tulle.CP(**keywords, public={1: [0, 2, 4]}).fit(values)
    same = tulle.CP(**keywords, public={"axis 1": np.array([4, 2, 0])}).fit(values)
    assert np.array_equal(model.factors_[1], same.factors_[1])
    blank = values.copy()
    blank[:, [1, 3]] = np.nan  # which are not public, and so do not count
    assert np.array_equal(tulle.CP(**keywords, public={1: [0, 2, 4]}).fit(blank).factors_[1], model.factors_[1])
