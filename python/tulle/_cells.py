"""Cells to predict: one per row, by positions from 0, or by labels where the model has them."""
from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from . import _core
from ._arrays import positions
from ._data import Given, hold_table
from ._tables import Table, coded, is_table, label_text

LACKED = "(none)"  # the position of cells whose relation lacks the entity
Mode = tuple[str, list[str], bool, bool]  # name, labels, whether any label stands for the one position, whether it is numbered


def _has_labels(mode: Mode) -> bool:
    """Labels of a numbered mode are numbers of its positions, which Python counts from 0."""
    _, labels, any_label, numbered = mode
    return bool(labels or any_label) and not numbered


def labels_of(mode: Mode) -> list:
    """Of a numbered mode, whose positions may have gaps, its positions from 0."""
    return [int(label) - 1 for label in mode[1]] if mode[3] else mode[1]


def name_of(position: Any, mode: Mode) -> str:
    """Of a position from 0, or of a label, as the core names it."""
    return label_text(position) if _has_labels(mode) else str(int(position) + 1)


def position_of(name: str, mode: Mode) -> Any:
    return name if _has_labels(mode) else int(name) - 1


def _whole(values: Any, name: str) -> np.ndarray:
    array = np.asarray(values)
    try:
        array = array.astype(np.float64) if array.dtype.kind == "O" else array
    except (TypeError, ValueError, OverflowError):
        pass
    if array.size and (array.dtype.kind not in "iuf" or not (array == np.floor(array)).all() or not (np.abs(array) < 2.0**63).all()):
        raise _core.Error(f"{name}: positions are whole numbers from 0")
    return positions(array.astype(np.int64))


def _column(mode: Mode, values: Any, name: str) -> tuple:
    """Positions or labels. An entity that a relation lacks has labels for its numbers: whole numbers are its positions too."""
    if not _has_labels(mode):
        return (mode[0], _whole(values, name), None)
    are_numbers = mode[1][-1:] == [LACKED] and mode[1][:-1] == [str(number + 1) for number in range(len(mode[1]) - 1)]
    if are_numbers and np.asarray(values).dtype.kind in "iuf":
        places = _whole(values, name)
        if not places.size or places.max() < len(mode[1]):
            return (mode[0], places, mode[1])
    return (mode[0], *coded(values))


def _of_table(table: Table, modes: list[Mode]) -> list[tuple]:
    """By the names of the modes; by their order where the table has none of these."""
    names = [mode[0] for mode in modes]
    lacking = [mode for mode in names if not table.has(mode)]
    if 0 < len(lacking) < len(names):
        raise _core.Error(f"{table.name}: there is no column '{lacking[0]}'; there is {', '.join(table.names)}")
    chosen = table.names[: len(modes)] if lacking else names
    _check_count(len(chosen), len(modes), table.name)
    return [table.mode(choice) if _has_labels(mode) else _column(mode, table.values(choice), table.name) for choice, mode in zip(chosen, modes)]


def _rows(cells: Any, name: str) -> list[tuple]:
    try:
        rows = [] if isinstance(cells, (str, os.PathLike)) else list(cells)
        if not rows and not isinstance(cells, (list, tuple)) or any(isinstance(row, str) for row in rows):
            raise TypeError
        return [tuple(row) for row in rows]
    except TypeError:
        raise _core.Error(f"{name}: give one row per cell, such as [(0, 2), (1, 1)]") from None


def _check_count(found: int, expected: int, name: str) -> None:
    if found != expected:
        raise _core.Error(f"{name}: {found} columns of positions, but there are {expected} modes; give one for each")


def _of_rows(cells: Any, modes: list[Mode], name: str) -> list[tuple]:
    if isinstance(cells, np.ndarray):
        if cells.ndim != 2:
            raise _core.Error(f"{name}: Reshape your data to one row per cell; it has {cells.ndim} modes")
        columns = list(cells.T)
        _check_count(len(columns), len(modes), name)
    else:
        rows = _rows(cells, name)
        for row in rows:
            _check_count(len(row), len(modes), name)
        columns = list(zip(*rows)) or [()] * len(modes)
    return [_column(mode, column, name) for mode, column in zip(modes, columns)]


def listed_cells(cells: Any, modes: list[Mode], name: str = "cells") -> list[tuple]:
    """A column for each mode: its name, and positions, or places in a list of labels and these."""
    if not isinstance(cells, np.ndarray) and hasattr(cells, "__dlpack__") and not is_table(cells):
        cells = np.from_dlpack(cells)
    return _of_table(Table(cells, name), modes) if is_table(cells) else _of_rows(cells, modes, name)


def hold_cells(columns: list[tuple], name: str = "cells") -> Given:
    held = hold_table(name, columns)
    return Given(held.path, held)


def give_cells(cells: Any, modes: list[Mode], name: str = "cells", common: Mapping[str, str] = MappingProxyType({})) -> Given:
    """`common`: labels that all cells have in modes of these names, which the rows leave out."""
    listed = listed_cells(cells, [mode for mode in modes if mode[0] not in common], name)
    given = iter(listed)
    zeros = np.zeros(len(listed[0][1]), dtype=np.int64)
    return hold_cells([(mode[0], zeros, [common[mode[0]]]) if mode[0] in common else next(given) for mode in modes], name)


UNKNOWN = -1


def places_in(mode: Mode, size: int, column: tuple) -> np.ndarray:
    """The positions that a model has for a column of cells, UNKNOWN where it has none. A number below 0 is no position at all."""
    _, codes, labels = column
    if mode[2]:  # any label stands for the one position
        return np.zeros(len(codes), dtype=np.int64)
    if labels is None and not mode[1]:
        return np.where(codes >= size, UNKNOWN, np.where(codes < 0, UNKNOWN - 1, codes))
    of_labels = {label: place for place, label in enumerate(labels_of(mode))}
    if labels is None:
        return np.array([of_labels.get(int(code), UNKNOWN if code >= 0 else UNKNOWN - 1) for code in codes], dtype=np.int64)
    return np.array([of_labels.get(label, UNKNOWN) for label in labels] + [UNKNOWN])[codes]
