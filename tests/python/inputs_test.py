"""Whatever the data come in, the model is the same."""
import types

import numpy as np
import pytest
import tulle
from tulle import _core, _data


def fitted(data, **keywords):
    return tulle.CP(rank=2, method="plain", seed=1, threads=1, **keywords).fit(data)


@pytest.fixture
def expected(ratings):
    return fitted(ratings).reconstruct()


class Tensor:
    """What torch gives: memory by DLPack and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def coordinates(ratings):
    rows, columns = np.nonzero(~np.isnan(ratings))
    return rows, columns, ratings[rows, columns]


def test_arrays_of_any_layout_and_dlpack(ratings, expected):
    for same in (np.asfortranarray(ratings), ratings.tolist(), Tensor(ratings)):
        assert np.array_equal(fitted(same).reconstruct(), expected)


def test_float32_is_the_same_in_float64(ratings):
    single = ratings.astype(np.float32)
    assert np.array_equal(fitted(single).reconstruct(), fitted(single.astype(np.float64)).reconstruct())


def test_an_array_has_the_shape_that_is_stated_or_is_refused(ratings):
    assert fitted(ratings, shape=(50, 20)).report_["shape"] == "50x20"
    for array, shape in ((np.nan_to_num(ratings), (50, 20)), (ratings, (39, 15))):
        with pytest.raises(tulle.Error, match="X: "):
            fitted(array, shape=shape)


def test_masked_cells_are_missing(ratings, expected):
    filled, missing = np.nan_to_num(ratings, nan=99), np.isnan(ratings)
    assert np.array_equal(fitted(np.ma.masked_array(filled, missing)).reconstruct(), expected)
    large = filled.astype(object)
    large[missing] = 10**400
    assert np.array_equal(fitted(np.ma.masked_array(large, missing)).reconstruct(), expected)
    whole = np.ma.masked_array(np.round(filled).astype(int), missing)
    assert fitted(whole).report_["train_cells"] == np.count_nonzero(~missing)


def test_missing_test_cells_are_not_scored(ratings):
    full = np.nan_to_num(ratings, nan=3.0)
    model = tulle.CP(rank=1, method="plain", seed=1, threads=1).fit(full, test=ratings)
    assert model.report_["test_cells"] == np.count_nonzero(~np.isnan(ratings))


def test_scipy_sparse(ratings, expected):
    sparse = pytest.importorskip("scipy.sparse")
    rows, columns, values = coordinates(ratings)
    for kind in (sparse.csr_matrix, sparse.coo_array):
        assert np.array_equal(fitted(kind((values, (rows, columns)), shape=ratings.shape)).reconstruct(), expected)


def test_zeros_that_fill_the_blocks_of_a_sparse_matrix_are_not_cells(ratings):
    sparse = pytest.importorskip("scipy.sparse")
    rows, columns, values = coordinates(ratings)
    even = [size + size % 2 for size in ratings.shape]
    blocks = sparse.coo_matrix((values, (rows, columns)), shape=even).tobsr(blocksize=(2, 2))
    assert blocks.nnz > len(values)
    assert fitted(blocks).report_["train_cells"] == len(values)


@pytest.mark.parametrize("kind", ["bsr", "dia"])
def test_of_formats_that_lose_zeros_no_value_decides_which_cells_a_private_fit_has(kind):
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.coo_array(([1.0, 0.0, 3.0, 2.0], ([0, 1, 2, 3], [0, 1, 2, 3])), shape=(4, 4)).asformat(kind)
    private = tulle.CP(method="input", epsilon=1, range=(0, 5), rank=1)
    for data, test in ((matrix, None), (matrix.tocoo(), matrix)):
        with pytest.raises(tulle.Error, match=f": SciPy's {kind} does not list which zeros were observed; give coo or csr with all"):
            private.fit(data, test=test)
    assert fitted(matrix).report_["train_cells"] == 3
    relation = {"formula": "X[u,f] = U[u,k] V[f,k]", "entities": ["user", "film"], "file": matrix}
    assert tulle.Coupled(rank=1, seed=1).fit({"entities": ["user", "film"], "relations": [relation]}).factors_["U"].shape == (4, 1)


@pytest.mark.parametrize("kind", ["coo", "csr", "csc", "lil", "dok"])
def test_zeros_that_are_listed_are_cells(kind):
    sparse = pytest.importorskip("scipy.sparse")
    for value in (0.0, 3.0):
        matrix = sparse.coo_array(([1.0, value], ([0, 1], [0, 1])), shape=(4, 4)).asformat(kind)
        assert tulle.CP(method="input", epsilon=1, range=(0, 5), rank=1).fit(matrix).guarantee_["releases"][0]["coordinates"] == 2


def test_arrays_of_coordinates_as_sparse_has_them(ratings, expected):
    rows, columns, values = coordinates(ratings)
    listed = types.SimpleNamespace(coords=np.array([rows, columns]), data=values, shape=ratings.shape, fill_value=0.0)
    for listed.fill_value in (0.0, np.nan):
        assert np.array_equal(fitted(listed).reconstruct(), expected)
    listed.fill_value = 3.0
    with pytest.raises(tulle.Error, match="X: its fill_value is neither NaN nor 0"):
        fitted(listed)


def test_tables_of_pandas_polars_and_arrow_and_parquet_files(table, tmp_path):
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    from pyarrow import parquet

    arrow = pyarrow.table({name: table[name].to_list() for name in table.columns})
    parquet.write_table(arrow, tmp_path / "x.parquet")
    table.to_csv(tmp_path / "x.csv", index=False)
    expected = fitted(table)
    assert expected.mode_names_ == ["user", "film"] and expected.labels_[0][0] == "u0"
    categorical = table.astype({"user": "category"})
    columns = {name: table[name].to_list() for name in table.columns}
    for same in (categorical, polars.DataFrame(columns), arrow, tmp_path / "x.parquet", str(tmp_path / "x.csv")):
        model = fitted(same)
        assert model.labels_ == expected.labels_
        assert np.allclose(model.predict(table), expected.predict(table), rtol=1e-5)  # of CSV: as many digits as it has


def test_columns_are_chosen_binned_and_counted(table):
    timed = table.assign(time=np.arange(len(table)) * 60.0)[["time", "rating", "film", "user"]]
    assert fitted(timed, columns=["user", "film", "rating"]).mode_names_ == ["user", "film"]
    binned = fitted(timed, columns="user,time/3600,rating", duplicates="mean")
    assert binned.labels_[1] == [str(hour) for hour in range(-(-len(table) // 60))]
    counted = fitted(timed, columns="user,time/3600,-", duplicates="count")
    assert counted.mode_names_ == ["user", "time/3600"]
    with pytest.raises(tulle.UsageError, match="there is no column 'stars'; there is time, rating, film, user"):
        fitted(timed, columns=["user", "stars"])


def test_rows_without_a_value_do_not_count(table):
    pandas = pytest.importorskip("pandas")
    more = pandas.concat([pandas.DataFrame({"user": ["nobody"], "film": ["f0"], "rating": [np.nan]}), table])
    assert fitted(more).labels_ == fitted(table).labels_


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_contiguous_arrays_are_read_where_they_are(ratings, kind):
    array = np.ascontiguousarray(ratings, dtype=kind)
    assert _data.give(array).held.addresses == [array.ctypes.data]
    assert _data.give(Tensor(array)).held.addresses == [array.ctypes.data]


def test_columns_of_a_sparse_matrix_are_read_where_they_are(ratings):
    sparse = pytest.importorskip("scipy.sparse")
    rows, columns, values = coordinates(ratings)
    matrix = sparse.coo_matrix((values, (rows.astype(np.int32), columns.astype(np.int32))), shape=ratings.shape)
    assert _data.give(matrix).held.addresses[-1] == matrix.data.ctypes.data


def test_parameters_are_views_of_the_memory_of_the_model(ratings):
    model = fitted(ratings)
    again = _core.parameters(model._result)["factors"]
    for one, other in zip(model.factors_, again):
        assert one.ctypes.data == other.ctypes.data and not one.flags.writeable
    factor = model.factors_[0]
    first = factor[0, 0]
    del model, again
    assert factor[0, 0] == first  # it keeps the model alive


def test_what_is_no_data_is_refused():
    for wrong, message in [
        ([["a", "b"]], "X: holds something other than numbers"),
        (np.array([[1, np.inf]]), r"X: cell \(0, 1\) is infinite; replace it by a finite number"),
        (np.array(3.0), "X: one number; give an array"),
        (np.array([[1j]]), "Complex data not supported"),
        (np.array([["1", "secret"]]), "X: holds something other than numbers"),
        (np.array([["2020-01-01"]], dtype="datetime64[D]"), "X: holds dates or times; give numbers, such as seconds"),
        (np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]), "X: holds something other than numbers"),
    ]:
        with pytest.raises(tulle.Error, match=message):
            fitted(np.array(wrong, dtype=object) if isinstance(wrong, list) else wrong)
    with pytest.raises(tulle.Error, match="X: has rows of different lengths; fill them up with NaN"):
        fitted([[1, 2], [3]])
    with pytest.raises(tulle.Error, match="X is None; give an array, a table or the name of a file"):
        fitted(None)


def test_columns_are_not_chosen_of_an_array(ratings):
    with pytest.raises(tulle.Error, match="X: columns are chosen of a table or a file, and this is neither"):
        fitted(ratings, columns="user,film,rating")


def test_cells_to_test_are_an_array_like_the_data(ratings):
    with pytest.raises(tulle.Error, match="test: an array of another shape than X"):
        tulle.CP(rank=1, method="plain", seed=1).fit(ratings, test=[(0, 0, 3.0)])


def test_a_tensor_that_cannot_be_exported_is_explained(ratings):
    class Tracked(Tensor):
        def __dlpack__(self, **keywords):
            raise BufferError("Can't export tensors that require gradient, use tensor.detach()")

    with pytest.raises(tulle.Error, match="X: cannot be read by DLPack: Can't export tensors that require gradient, use"):
        fitted(Tracked(ratings))


def test_messages_count_from_0_as_the_array_does():
    values = np.ones((4, 5))
    values[1, 2] = np.inf
    for given in (values, values.astype(np.float32), scipy_sparse(values)):
        with pytest.raises(tulle.Error, match=r"X: cell \(1, 2\) is infinite"):
            tulle.CP(rank=1, method="plain").fit(given)


def scipy_sparse(values):
    return pytest.importorskip("scipy.sparse").coo_matrix(values)
