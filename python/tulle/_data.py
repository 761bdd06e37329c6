"""Data of any kind, as the verbs read them. C-contiguous float32 and float64 arrays are read where they are."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _core
from ._arrays import numbers, positions
from ._tables import Choice, Table, chosen_columns, is_table, read_parquet


class Given:
    """Data for a verb: the path that it reads, what must live meanwhile, and the keywords that say how to read it.

    `numbered`: an array, whose modes are axes and whose positions are numbers. `named`: modes have names. `labelled`: positions have
    labels. `columns`: of a table. `shape`: of an array that has all cells.
    """

    def __init__(self, path: str, held: Any = None, numbered: bool = False, named: bool = True, columns: Any = None,
                 shape: Any = None, **reading: Any):
        self.path, self.held, self.columns, self.reading = path, held, columns, reading
        self.numbered, self.named, self.shape = numbered, named and not numbered, shape
        self.labelled = not (numbered or path.removesuffix(".gz").endswith((".tns", ".mtx", ".npy", ".mat")))


def hold_table(name: str, columns: list[tuple], values: Any = None, shape: Any = None) -> Any:
    try:
        return _core.hold_table(name, columns, values, shape)
    except TypeError:  # whose message would show the table
        raise _core.Error(f"{name}: names of columns must be texts that UTF-8 has") from None


def _from_array(array: Any, name: str, always_missing: bool) -> Given:
    array = numbers(array, name)
    missing = always_missing or bool(np.isnan(array).any())
    return Given("", _core.hold_array(name, array), numbered=True, shape=array.shape, nan_missing=missing)


def _from_coordinates(listed: Any, name: str) -> Given:
    fill = getattr(listed, "fill_value", 0)
    if not (fill == 0 or np.isnan(fill)):
        raise _core.Error(f"{name}: its fill_value is neither NaN nor 0; cells that are not listed are missing, "
                          "or 0 where unlisted says zero")
    coordinates = listed.coords if hasattr(listed, "coords") else (listed.row, listed.col)
    columns = [(_core.axis_name(mode), positions(column), None) for mode, column in enumerate(coordinates)]
    sizes = [int(size) for size in listed.shape]
    return Given("", hold_table(name, columns, numbers(listed.data, name), sizes), numbered=True, nan_missing=True)


def _from_table(table: Table, choices: list[Choice]) -> Given:
    columns = [table.chosen(choice) for choice in choices] or table.names
    if len(columns) < 2:
        raise _core.Error(f"{table.name}: give columns of positions and one of values (reset_index() of pandas makes "
                          "columns of an index)")
    twice = [choice for choice in columns if columns.count(choice) > 1]
    if twice:
        raise _core.UsageError(f"{table.name}: column '{twice[0]}' is chosen twice; choose each once")
    *modes, value = columns
    values = None if value == "-" else table.values(value)
    held = hold_table(table.name, [table.mode(mode) for mode in modes], values)
    return Given("", held, columns=columns, nan_missing=True, header="yes")


def refuse_wide(table: Table) -> None:
    """A table with a row per user and a column per film, whose columns but the last would be taken for modes."""
    positions = [name for name in table.names[:-1] if table.names.count(name) == 1]
    if sum(map(table.holds_fractions, positions)) > 1:
        raise _core.Error(f"{table.name}: several columns of positions hold fractions or NaN, as those of a table with a column per item do; give its values "
                          "as an array (.to_numpy()), or a row per cell (.melt()), or choose the columns of positions by columns")


def is_parquet(data: Any) -> bool:
    return isinstance(data, (str, os.PathLike)) and os.fspath(data).endswith((".parquet", ".pq"))


def give(data: Any, name: str = "X", columns: Any = None, private: bool = True, may_be_wide: bool = False) -> Given:
    """Data of any kind. In a private run that no cell of an array is NaN is not looked for, and no value decides which cells
    are observed. `may_be_wide`: a table whose columns nobody chose may be one that has its cells in other columns."""
    if data is None:
        raise _core.Error(f"{name} is None; give an array, a table or the name of a file")
    if isinstance(data, (str, os.PathLike)):
        if not is_parquet(data):
            return Given(os.fspath(data))
        data = read_parquet(os.fspath(data), chosen_columns(columns))
    if is_table(data):
        table = Table(data, name)
        if may_be_wide and columns is None:
            refuse_wide(table)
        given = _from_table(table, chosen_columns(columns))
    elif columns is not None:
        raise _core.UsageError(f"{name}: columns are chosen of a table or a file, and this is neither; give one, or leave columns out")
    elif hasattr(data, "tocoo"):
        kind = getattr(data, "format", "")
        if private and kind in ("bsr", "dia"):  # bsr fills its blocks up with zeros, dia its diagonals
            raise _core.Error(f"{name}: SciPy's {kind} does not list which zeros were observed; give coo or csr with all observed cells, zeros "
                              "too (tocoo() keeps all zeros of bsr, and none of dia)")
        cells = data.tocoo()
        if kind == "bsr":
            cells.eliminate_zeros()
        given = _from_coordinates(cells, name)
    elif hasattr(data, "coords") and hasattr(data, "fill_value"):
        given = _from_coordinates(data, name)
    else:
        given = _from_array(data, name, private)
    given.path = given.held.path
    return given
