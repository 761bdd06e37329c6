"""One model of several tables that share entities."""
from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from . import _cells, _core, _data
from ._estimator import Estimator, refuse_target, verb
from ._files import lists, text, toml
from ._keywords import call

READING = {"format", "columns", "header", "unlisted", "duplicates", "nan-missing", "shape", "variable"}


def _relation(relation: dict[str, Any], private: bool) -> tuple[dict[str, Any], Any]:
    """A relation as the file has it, and what holds its table meanwhile."""
    if not isinstance(relation, dict):
        raise _core.Error("study: relations are a list of dictionaries, such as {'formula': .., 'entities': .., 'file': ..}")
    table = relation.get("file")
    if table is None:
        return relation, None
    columns = relation.get("columns")
    if columns is not None and not isinstance(columns, str):
        columns = [str(column) for column in columns]
    given = _data.give(table, str(relation.get("name", "table")), columns, private=private and not relation.get("public"))
    if given.held is None:
        return {**relation, "file": os.path.abspath(given.path)}, None
    stated = {name: value for name, value in relation.items() if name != "columns"}
    header = {"header": True} if "header" in given.reading else {}
    return {**stated, **header, "file": given.path}, given.held


def _listed(study: dict[str, Any]) -> list[Any]:
    relations = study.get("relations")
    return list(relations) if isinstance(relations, (list, tuple)) else [relations]


def _study(study: Any) -> tuple[str, list[Any]]:
    """The path of a study, and what holds it and its tables meanwhile."""
    if isinstance(study, (str, os.PathLike)):
        return os.fspath(study), []
    if not isinstance(study, dict):
        raise _core.Error(f"study: give the name of its file or a dictionary with the same keys, not a {type(study).__name__}")
    relations = [_relation(relation, "private" in study) for relation in _listed(study)]
    kept: list[Any] = []
    stated = {**study, "positions": _positions(study["positions"], kept)} if "positions" in study else study
    lines = [f"{json.dumps(key)} = {toml(value)}" for key, value in stated.items() if key != "relations"]
    lines.append(f"relations = {toml([relation for relation, _ in relations])}")
    held = text("study", lines)
    return held.path, [held, *kept, *(table for _, table in relations)]


def _positions(positions: Any, kept: list[Any]) -> Any:
    """Lists of the positions of entities; files beside the program, as tables are."""
    given = lists(positions, False, kept)
    if not isinstance(given, dict):
        return given
    held = {each.path for each in kept}
    return {entity: file if file in held else os.path.abspath(file) for entity, file in given.items()}


@verb(_core.couple_options(), {"study", "output", "user-output", "draw", "test", "predictions"} | READING)
class Coupled(Estimator):
    """A coupled factorization of a study: tables, each a product of factors, that share factors.

    The study is a file, as docs/study-file.md describes it, or a dictionary with the same keys. One that states
    ``private = ["user"]`` protects the users of its relations and takes `epsilon`, `delta` and `range`; relations with
    ``public = true`` cost nothing. Any other model is not private.

    Examples
    --------
    >>> import numpy as np, tulle
    >>> table = np.outer([1.0, 2, 3], [1.0, 2])
    >>> relation = {"formula": "X[u,f] = U[u,k] V[f,k]", "entities": ["user", "film"], "file": table}
    >>> model = tulle.Coupled(rank=1, seed=1).fit({"entities": ["user", "film"], "relations": [relation]})
    >>> model.factors_["U"].shape, round(float(model.predict([(2, 1)])[0]), 2)
    ((3, 1), 6.0)
    """

    def fit(self, X: Any, y: Any = None) -> Coupled:
        """Fits a study: the name of its file, or a dictionary with the same keys, in which the `file` of a relation is a
        DataFrame, an array, a sparse matrix or the name of a file. Numbers in it count from 1, as in the file of a study. y must be None."""
        refuse_target(y, "the values of a relation are in its file")
        study, kept = _study(X)
        self._accept(self._run(_core.couple, {**self._values(), "study": study}, kept))
        self._take(self._result.report)
        return self

    def _expose(self) -> dict[str, Any]:
        if isinstance(self._result, _core.Coupled):
            return {"factors_": _core.factors(self._result)}
        found = _core.parameters(self._result)
        names = [mode[0] for mode in _core.modes(self._result)]
        return {"factors_": dict(zip(names, found["factors"])), "level_": found["global"], "offsets_": dict(zip(names, found["offsets"]))}

    def predict(self, cells: Any, *, relation: str = "", user_rows: bool = False) -> np.ndarray:
        """Values of cells of a relation, by default the first: labels if entities have labels, otherwise positions from 0.

        A private model has all relations on the scale of `range`. `user_rows`: with every user's own row, which is for that
        user alone.
        """
        model = self._fitted()
        if isinstance(model, _core.Coupled):
            given = _cells.give_cells(cells, call(_core.coupled_modes, model, relation))
            return call(_core.predict_relation, model, given.path, [given.held], relation)
        modes = call(_core.modes, model, user_rows=bool(user_rows))
        given = _cells.give_cells(cells, modes, common=self._common(relation, [mode[0] for mode in modes]))
        return call(_core.predict, model, given.path, [given.held], user_rows=bool(user_rows))

    def _relations(self) -> list[str]:
        return [relation["name"] for relation in self.report_.get("relations", [])] or [""]

    def _common(self, relation: str, names: list[str]) -> dict[str, str]:
        """What all cells of a relation of a private model have in common: the relation, and no entity that it lacks."""
        known = self._relations()
        if relation and relation not in known:
            raise _core.UsageError(f"there is no relation '{relation}'; there is: {', '.join(known)}")
        if len(known) < 2:
            return {}
        chosen = self.report_["relations"][known.index(relation or known[0])]
        own = [names[mode - 1] for mode in chosen["modes"]]
        return {name: chosen["name"] if name == names[-1] else _cells.LACKED for name in names if name not in own}

    def predict_interval(self, cells: Any, probability: float = 0.9, *, relation: str = "") -> np.ndarray:
        """Bounds, low and high for each cell, which contain the mean of the cell with this posterior probability.
        For inference by vb, gibbs, langevin or sgld, which find a distribution."""
        model = self._fitted()
        if not isinstance(model, _core.Coupled):
            raise _core.UsageError("a private model has no distribution of its cells; predict gives their values")
        given = _cells.give_cells(cells, call(_core.coupled_modes, model, relation))
        return call(_core.predict_intervals, model, given.path, [given.held], relation, float(probability))

    def save(self, path: Any, *, user_rows: bool = False) -> None:
        """Writes the model file that `tulle predict` reads; `user_rows`, of a private model, as in predict."""
        call(self._fitted().save, os.fspath(path), **({"user_rows": True} if user_rows else {}))
