"""Cells and their values apart, as scikit-learn has them: X has a row per cell and a column per mode, y the values."""
from __future__ import annotations

import os
import sys
import warnings
from typing import Any

import numpy as np

from . import _core
from ._arrays import numbers
from ._data import Given, hold_table
from ._tables import Table, chosen_columns, coded, column_numbers, is_table


def _conversion_warning() -> type[Warning]:
    if "sklearn" not in sys.modules:
        return UserWarning
    from sklearn.exceptions import DataConversionWarning

    return DataConversionWarning


def one_column(y: np.ndarray, stacklevel: int) -> np.ndarray:
    """A column vector as a row of values, with scikit-learn's warning."""
    if y.ndim != 2 or y.shape[1] != 1:
        return y
    warnings.warn("A column-vector y was passed when a 1d array was expected", _conversion_warning(), stacklevel=stacklevel)
    return y.ravel()


def values_of(y: Any, name: str = "y") -> np.ndarray:
    """Values of cells; NaN is a cell without one."""
    if is_table(y):
        table = Table(y, name)
        if len(table.names) != 1:
            raise _core.Error(f"{name}: a table of {len(table.names)} columns; give one value for each row of X")
        return table.values(table.names[0])
    values = one_column(column_numbers(y, name), stacklevel=4)
    if values.ndim != 1:
        raise _core.Error(f"{name} should be a 1d array of values, one for each row of X")
    return values


def _columns_of(X: Any, name: str) -> list[Any]:
    """Of an array or a list of rows."""
    if hasattr(X, "tocoo") or hasattr(X, "coords") or isinstance(X, (str, os.PathLike)):
        raise _core.Error(f"{name}: sparse input and files are not supported with y, which have values of their own; omit y, or give an "
                          "array or a table with a row for each value")
    if isinstance(X, (list, tuple)):
        X = np.array(X, dtype=object)  # in which each label stays what it is
    rows = X if isinstance(X, np.ndarray) else numbers(X, name)
    if rows.ndim == 2 and 0 in rows.shape:
        raise _core.Error(f"{name}: {rows.shape[0]} sample(s) and {rows.shape[1]} feature(s) (shape={rows.shape}) while a minimum of 1 is required.")
    if rows.ndim != 2:
        raise _core.Error(f"{name}: Reshape your data to a row for each value of y, and a column for each mode")
    return list(rows.T)


def give_listed(X: Any, y: Any, name: str = "X", columns: Any = None) -> Given:
    """Cells with labels. Columns of a table have names, those of an array are axes."""
    if is_table(X):
        table = Table(X, name)
        modes = [table.mode(mode) for mode in [table.chosen(choice) for choice in chosen_columns(columns)] or table.names]
    elif columns is not None:
        raise _core.UsageError(f"{name}: columns are chosen of a table, and this is none; give one, or leave columns out")
    else:
        modes = [(_core.axis_name(axis), *coded(column)) for axis, column in enumerate(_columns_of(X, name))]
    values = values_of(y, "y" if name == "X" else f"y of {name}")
    if len(modes[0][1]) != len(values):
        raise _core.Error(f"{name}: {len(modes[0][1])} cells, but {len(values)} values; give one for each")
    held = hold_table(name, modes, values)
    return Given(held.path, held, columns=[mode[0] for mode in modes], named=is_table(X), nan_missing=True, header="yes")
