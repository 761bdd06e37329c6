"""Predictions at positions that a model does not know: the mean over all positions of the mode.

Models are linear in each mode, so that the mean of the predictions is the prediction by the mean of the rows.
"""
from __future__ import annotations

import json
import pathlib
import tempfile
import zipfile
from typing import Any

import numpy as np

from . import _core
from ._cells import UNKNOWN, Mode, places_in


def rows_of(columns: list[tuple], rows: np.ndarray) -> list[tuple]:
    return [(name, np.ascontiguousarray(codes[rows]), labels) for name, codes, labels in columns]


def _places(model: Any, modes: list[Mode], columns: list[tuple]) -> list[np.ndarray]:
    sizes = map(int, json.loads(model.report)["shape"].split("x"))  # of the published model
    return [places_in(mode, len(mode[1]) or size, column) for mode, size, column in zip(modes, sizes, columns)]


def are_known(model: Any, modes: list[Mode], columns: list[tuple]) -> np.ndarray:
    """Of cells, whether the model knows their positions in all modes; what is no position at all is for the library to refuse."""
    places = np.array(_places(model, modes, columns))
    return (places != UNKNOWN).all(axis=0) | (places < UNKNOWN).any(axis=0)


def _with_mean(rows: np.ndarray, axis: int = 0) -> np.ndarray:
    """The mean stands behind the rows, where UNKNOWN finds it."""
    return np.concatenate([rows, rows.mean(axis=axis, keepdims=True)], axis=axis)


def _of_all_cells(values: np.ndarray, places: list[np.ndarray]) -> np.ndarray:
    for axis in range(values.ndim):
        values = _with_mean(values, axis)
    return values[tuple(places)]


def _of_core(core: np.ndarray, rows: list[np.ndarray]) -> np.ndarray:
    product = np.tensordot(rows[0], core, axes=1)
    for row in rows[1:]:
        product = np.einsum("nr,nr...->n...", row, product)
    return product


def _of_factors(found: dict[str, Any], places: list[np.ndarray]) -> np.ndarray:
    rows = [_with_mean(factor)[place] for factor, place in zip(found["factors"], places)]
    products = _of_core(found["core"], rows) if "core" in found else np.prod(rows, axis=0) @ found["weights"]
    offsets = (_with_mean(np.asarray(each))[place] for each, place in zip(found["offsets"], places))
    return sum(offsets, products + found["global"])


def _range_of(model: Any) -> list[float] | None:
    """The public bounds that predictions are clamped to, which the file of the model has."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.npz"
        model.save(str(path))
        with zipfile.ZipFile(path) as file:
            return json.loads(file.read("tulle.json")).get("range")


def mean_predictions(model: Any, modes: list[Mode], columns: list[tuple], clamped: bool) -> np.ndarray:
    """Of cells that have positions which the model does not know."""
    places, found = _places(model, modes, columns), _core.parameters(model)
    values = _of_factors(found, places) if "factors" in found else _of_all_cells(_core.predict_all(model, clamped=False), places)
    bounds = _range_of(model) if clamped else None
    return values if bounds is None else np.clip(values, bounds[0], bounds[1])
