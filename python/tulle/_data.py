"""Arrays, tables and files as the verbs read them. C-contiguous float32 and float64 arrays are read where they are."""
from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from . import _core


class Given:
    """Data for a verb: the path that it reads, what must live meanwhile, and the keywords that say how to read it.

    `sizes`: of the modes of an array, which whoever made it has stated; None for tables and files.
    """

    def __init__(self, path: str, held: Any = None, sizes: Any = None, **reading: Any):
        self.path, self.held, self.reading = path, held, reading
        self.sizes = None if sizes is None else [int(size) for size in sizes]


def module_of(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


# ---- Arrays ----


def numbers(array: Any, name: str = "X") -> np.ndarray:
    """A C-contiguous array of float32 or float64: the same memory if it is one already."""
    if not isinstance(array, np.ndarray) and hasattr(array, "__dlpack__"):
        array = np.from_dlpack(array)
    array = np.asarray(array)
    if array.dtype == object:
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            raise _core.Error(f"{name}: holds something other than numbers; give numbers, with NaN for what is missing") from None
    if np.iscomplexobj(array):
        raise _core.Error(f"{name}: Complex data not supported; give real numbers")
    if array.dtype not in (np.float32, np.float64):
        array = array.astype(np.float64)
    if array.ndim == 0:
        raise _core.Error(f"{name}: one number; give an array")
    return np.ascontiguousarray(array)


def _positions(array: Any) -> np.ndarray:
    array = np.asarray(array)
    return np.ascontiguousarray(array if array.dtype in (np.int32, np.int64) else array.astype(np.int64))


def _from_array(array: Any, name: str, always_missing: bool) -> Given:
    array = numbers(array, name)
    missing = always_missing or bool(np.isnan(array).any())
    return Given("", _core.hold_array(name, array), array.shape, nan_missing=missing)


def _from_coordinates(coordinates, values, shape, name: str) -> Given:
    columns = [(f"mode{mode + 1}", _positions(column), None) for mode, column in enumerate(coordinates)]
    sizes = [int(size) for size in shape]
    return Given("", _core.hold_table(name, columns, numbers(values, name), sizes), sizes, nan_missing=True)


# ---- Tables ----


class _Table:
    """The columns of a DataFrame of pandas or polars, or of a table of Arrow."""

    def __init__(self, table: Any):
        self.kind = module_of(table)
        self.table = table
        self.names = [str(name) for name in (table.column_names if self.kind == "pyarrow" else table.columns)]

    def column(self, name: str) -> Any:
        if name not in self.names:
            if name.isdigit() and 1 <= int(name) <= len(self.names):
                name = self.names[int(name) - 1]
            else:
                raise _core.UsageError(f"columns: there is no column '{name}'; there is {', '.join(self.names)}")
        index = self.names.index(name)
        return self.table.iloc[:, index] if self.kind == "pandas" else self.table[name]

    def values(self, name: str) -> np.ndarray:
        column = self.column(name)
        if self.kind == "pandas":
            return numbers(column.to_numpy(dtype=None if column.dtype.kind == "f" else np.float64, na_value=np.nan), name)
        return numbers(column.to_numpy(), name)

    def codes(self, name: str) -> tuple[np.ndarray, list[str]]:
        column = self.column(name)
        if self.kind == "pandas":
            import pandas

            codes, labels = pandas.factorize(column)
            return _positions(codes), [str(label) for label in labels]
        if self.kind == "polars":
            labels = column.unique(maintain_order=True).drop_nulls()
            codes = column.replace_strict(labels, np.arange(len(labels)), default=-1) if len(labels) else np.full(len(column), -1)
            return _positions(codes), [str(label) for label in labels]
        encoded = column.combine_chunks().dictionary_encode()
        return _positions(encoded.indices.fill_null(-1).to_numpy()), [str(label) for label in encoded.dictionary.to_pylist()]

    def mode(self, choice: str) -> tuple[str, np.ndarray, list[str]]:
        """A column of positions: a name, or ``time/3600`` for bins of a numeric one."""
        binned = re.fullmatch(r"(.*)/([0-9.eE+-]+)", choice)
        if not binned or choice in self.names:
            return (choice, *self.codes(choice))
        bins = np.floor(self.values(binned[1]).astype(np.float64) / float(binned[2]))
        if not np.isfinite(bins).all():
            raise _core.Error(f"column {binned[1]} cannot be divided into bins; it must hold numbers")
        labels, codes = np.unique(bins.astype(np.int64), return_inverse=True)
        return choice, _positions(codes.ravel()), [str(label) for label in labels]


def _from_table(table: _Table, name: str, columns: list[str]) -> Given:
    *modes, value = columns or table.names
    if not modes:
        raise _core.Error(f"{name}: one column; give columns of positions and one of values")
    values = None if value == "-" else table.values(value)
    held = _core.hold_table(name, [table.mode(mode) for mode in modes], values, None)
    return Given("", held, nan_missing=True, header="yes", columns=None)


# ---- Anything ----


def chosen_columns(columns: Any) -> list[str]:
    if columns is None:
        return []
    return columns.split(",") if isinstance(columns, str) else [str(column) for column in columns]


def is_table(data: Any) -> bool:
    return module_of(data) in ("pandas", "polars", "pyarrow") and (hasattr(data, "columns") or hasattr(data, "column_names"))


def give(data: Any, name: str = "X", columns: Any = None, private: bool = True) -> Given:
    """Data of any kind. In a private run that no cell of an array is NaN is not looked for."""
    if isinstance(data, (str, os.PathLike)):
        path = os.fspath(data)
        if not path.endswith((".parquet", ".pq")):
            return Given(path)
        try:
            from pyarrow import parquet
        except ImportError:
            raise _core.Error(f"{path}: needs pyarrow; pip install tulle[parquet]") from None
        data = parquet.read_table(path, columns=[c for c in chosen_columns(columns) if c != "-"] or None)
    if is_table(data):
        given = _from_table(_Table(data), name, chosen_columns(columns))
    elif hasattr(data, "tocoo"):
        listed = data.tocoo()
        coordinates = listed.coords if hasattr(listed, "coords") else (listed.row, listed.col)
        given = _from_coordinates(coordinates, listed.data, listed.shape, name)
    elif hasattr(data, "coords") and hasattr(data, "fill_value"):
        given = _from_coordinates(data.coords, data.data, data.shape, name)
    else:
        given = _from_array(data, name, private)
    given.path = given.held.path
    return given


def _labelled(values: Any) -> tuple[np.ndarray, list[str]]:
    places: dict[str, int] = {}
    codes = [places.setdefault(str(value), len(places)) for value in values]
    return np.array(codes, dtype=np.int64), list(places)


def give_cells(cells: Any, modes: list[tuple[str, list[str], bool]], name: str = "cells") -> Given:
    """Cells to predict, one per row: positions from 0, or labels where the model has them."""
    labelled = [bool(labels) or any_position for _, labels, any_position in modes]
    if is_table(cells):
        table = _Table(cells)
        names = [mode for mode, _, _ in modes]
        chosen = names if all(mode in table.names or "/" in mode for mode in names) else table.names[: len(modes)]
        columns = [table.mode(choice) for choice in chosen]
        if not all(labelled):
            columns = [(m, c, l) if has else (m, _positions([int(l[i]) for i in c]), None)
                       for (m, c, l), has in zip(columns, labelled)]
    else:
        if isinstance(cells, np.ndarray) and cells.ndim != 2:
            raise _core.Error(f"{name}: Reshape your data to one row per cell; it has {cells.ndim} modes")
        rows = list(zip(*cells)) if not isinstance(cells, np.ndarray) else list(cells.T)
        rows = rows or [()] * len(modes)
        if len(rows) != len(modes):
            raise _core.Error(f"{name}: {len(rows)} columns of positions, but there are {len(modes)} modes; give one for each")
        columns = [(mode, *_labelled(row)) if has else (mode, _whole(row, name), None)
                   for (mode, _, _), row, has in zip(modes, rows, labelled)]
    held = _core.hold_table(name, columns, None, None)
    return Given(held.path, held)


def _whole(values: Any, name: str) -> np.ndarray:
    array = np.asarray(values)
    if array.size and (array.dtype.kind not in "iuf" or (array != np.floor(array)).any()):
        raise _core.Error(f"{name}: positions are whole numbers from 0")
    return _positions(array.astype(np.int64))
