"""One model of several tables that share entities."""
from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from . import _cells, _core, _data
from ._estimator import Estimator, refuse_target, verb
from ._files import text, toml
from ._keywords import call

READING = {"format", "columns", "header", "unlisted", "duplicates", "nan-missing", "shape", "variable"}


def _relation(relation: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """A relation as the file has it, and what holds its table meanwhile."""
    if not isinstance(relation, dict):
        raise _core.Error("study: relations are a list of dictionaries, such as {'formula': .., 'entities': .., 'file': ..}")
    table = relation.get("file")
    if table is None:
        return relation, None
    columns = relation.get("columns")
    if columns is not None and not isinstance(columns, str):
        columns = [str(column) for column in columns]
    given = _data.give(table, str(relation.get("name", "table")), columns, private=False)
    if given.held is None:
        return {**relation, "file": os.path.abspath(given.path)}, None
    stated = {name: value for name, value in relation.items() if name != "columns"}
    return {**stated, "file": given.path}, given.held


def _listed(study: dict[str, Any]) -> list[Any]:
    relations = study.get("relations")
    return list(relations) if isinstance(relations, (list, tuple)) else [relations]


def _study(study: Any) -> tuple[str, list[Any]]:
    """The path of a study, and what holds it and its tables meanwhile."""
    if isinstance(study, (str, os.PathLike)):
        return os.fspath(study), []
    if not isinstance(study, dict):
        raise _core.Error(f"study: give the name of its file or a dictionary with the same keys, not a {type(study).__name__}")
    relations = [_relation(relation) for relation in _listed(study)]
    lines = [f"{json.dumps(key)} = {toml(value)}" for key, value in study.items() if key != "relations"]
    lines.append(f"relations = {toml([relation for relation, _ in relations])}")
    held = text("study", lines)
    return held.path, [held, *(table for _, table in relations)]


@verb(_core.couple_options(), {"study", "output", "draw", "test", "predictions"} | READING)
class Coupled(Estimator):
    """A coupled factorization of a study: tables, each a product of factors, that share factors.

    The study is a file, as docs/study-file.md describes it, or a dictionary with the same keys. The model is not private.

    Examples
    --------
    >>> import numpy as np, tulle
    >>> table = np.outer([1.0, 2, 3], [1.0, 2])
    >>> relation = {"formula": "X[u,f] = U[u,k] V[f,k]", "entities": ["user", "film"], "file": table}
    >>> model = tulle.Coupled(rank=1, seed=1).fit({"entities": ["user", "film"], "relations": [relation]})
    >>> model.factors_["U"].shape, round(float(model.predict([(2, 1)])[0]), 2)
    ((3, 1), 6.0)
    """

    _load = staticmethod(_core.load_coupled)

    def fit(self, X: Any, y: Any = None) -> Coupled:
        """Fits a study: the name of its file, or a dictionary with the same keys, in which the `file` of a relation is a
        DataFrame, an array, a sparse matrix or the name of a file. Numbers in it count from 1, as in the file of a study. y must be None."""
        refuse_target(y, "the values of a relation are in its file")
        study, kept = _study(X)
        self._accept(self._run(_core.couple, {**self._values(), "study": study}, kept))
        self._take(self._result.report)
        return self

    def _expose(self) -> dict[str, Any]:
        return {"factors_": _core.factors(self._result)}

    def predict(self, cells: Any, *, relation: str = "") -> np.ndarray:
        """Values of cells of a relation, by default the first: labels if entities have labels, otherwise positions from 0."""
        model = self._fitted()
        given = _cells.give_cells(cells, call(_core.coupled_modes, model, relation))
        return call(_core.predict_relation, model, given.path, [given.held], relation)

    def predict_interval(self, cells: Any, probability: float = 0.9, *, relation: str = "") -> np.ndarray:
        """Bounds, low and high for each cell, which contain the mean of the cell with this posterior probability.
        For inference by vb, gibbs, langevin or sgld, which find a distribution."""
        model = self._fitted()
        given = _cells.give_cells(cells, call(_core.coupled_modes, model, relation))
        return call(_core.predict_intervals, model, given.path, [given.held], relation, float(probability))

    def save(self, path: Any) -> None:
        """Writes the model file that `tulle predict` reads."""
        call(self._fitted().save, os.fspath(path))
