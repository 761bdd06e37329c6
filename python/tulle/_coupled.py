"""One model of several tables that share entities."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _core, _data
from ._estimator import Estimator, verb
from ._keywords import call

# Runs over sites are for the command: every site has its own.
SITES = {"epsilon", "delta", "calibration", "trust", "method", "range", "colluding", "threshold", "sites", "rate", "sweeps",
         "site-models"}
READING = {"format", "columns", "header", "unlisted", "duplicates", "nan-missing", "shape", "variable"}


@verb(_core.couple_options(), {"STUDY", "output", "draw", "test", "predictions", "json"} | SITES | READING)
class Coupled(Estimator):
    """A coupled factorization of a study: tables, each a product of factors, that share factors.

    The study is a file, as docs/study-file.md describes it. The model is not private.

    Examples
    --------
    >>> import tulle
    >>> tulle.Coupled(inference="vb", missing=0.2, seed=1)
    Coupled(missing=0.2, inference='vb', seed=1)
    """

    _load = staticmethod(_core.load_coupled)

    def fit(self, X: Any, y: Any = None) -> "Coupled":
        """Fits the study in the file X. y is ignored."""
        self._accept(self._run(_core.couple, [os.fspath(X), *self._words()], []))
        self._take(self._result.report)
        return self

    def _expose(self) -> dict[str, Any]:
        return {"factors_": _core.factors(self._result)}

    def predict(self, cells: Any, *, relation: str = "") -> np.ndarray:
        """Values of cells of a relation, by default the first: labels where entities have them, else positions from 0."""
        model = self._fitted()
        given = _data.give_cells(cells, call(_core.coupled_modes, model, relation))
        return call(_core.predict_relation, model, given.path, relation)

    def save(self, path: Any) -> None:
        """Writes the model file that `tulle predict` reads."""
        call(self._fitted().save, str(path))
