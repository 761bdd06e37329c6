"""Cells to predict: none is read as another one."""
import multiprocessing

import numpy as np
import pytest
import tulle

pandas = pytest.importorskip("pandas")


@pytest.fixture
def model(ratings):
    return tulle.CP(rank=1, method="plain", seed=1, threads=2).fit(ratings)


@pytest.fixture
def labelled(table):
    return tulle.CP(rank=1, method="plain", seed=1, threads=1).fit(table)


def test_positions_in_tables_are_those_in_lists(model):
    expected = model.predict([(0, 2), (7, 3)])
    for kind in ("int64", "float64", "Int64", "object"):
        assert np.array_equal(model.predict(pandas.DataFrame({"a": [0, 7], "b": [2, 3]}).astype(kind)), expected)
    assert np.array_equal(model.predict(np.array([(0, 2), (7, 3)], dtype=object)), expected)


def test_a_missing_position_is_no_position(model):
    """Of a nullable column, as a join leaves it; NumPy would count a code of -1 from the end."""
    for column in (pandas.array([0, None], dtype="Int64"), [0, np.nan], [0, None]):
        with pytest.raises(tulle.Error, match="cells: positions are whole numbers from 0"):
            model.predict(pandas.DataFrame({"a": column, "b": [2, 3]}))


def test_tables_are_read_by_names_or_by_order_but_not_by_both(labelled, table):
    expected = labelled.predict(table)
    assert np.array_equal(labelled.predict(table[["rating", "film", "user"]]), expected)
    assert np.array_equal(labelled.predict(table.set_axis(["a", "b", "c"], axis=1)), expected)
    with pytest.raises(tulle.Error, match="cells: there is no column 'user'; there is film, usr"):
        labelled.predict(table.rename(columns={"user": "usr"})[["film", "usr"]])


@pytest.mark.parametrize("cells", [(0, 2), None, 3, "cells.csv", ["ab"], {"a": 1}])
def test_what_is_no_list_of_cells_is_refused(model, cells):
    with pytest.raises(tulle.Error, match=r"cells: give one row per cell, such as \[\(0, 2\), \(1, 1\)\]"):
        model.predict(cells)


def test_cells_of_too_many_positions_are_refused(model):
    with pytest.raises(tulle.Error, match="cells: 3 columns of positions, but there are 2 modes"):
        model.predict([(0, 1), (0, 1, 2)])
    for position in (np.inf, 2.0**70, 2**63):
        with pytest.raises(tulle.Error, match="cells: positions are whole numbers from 0"):
            model.predict([(0, position)])


def _forked(model, cells):
    return model.reconstruct().sum() + model.predict(cells).sum()


def test_a_process_that_was_forked_after_a_prediction_predicts_too(model):
    """OpenMP of GNU cannot be used in a thread that has used it before the fork: the child would wait for ever."""
    cells = np.argwhere(np.ones((40, 15)))
    expected = _forked(model, cells)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_forked, (model, cells)).get(60) == expected
