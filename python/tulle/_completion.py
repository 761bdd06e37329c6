"""Completion of tensors: CP, Tucker and tubal models."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _cells, _core, _data
from ._estimator import Estimator, verb
from ._files import lists
from ._keywords import call
from ._listed import give_listed, values_of
from ._means import are_known, mean_predictions, rows_of

HIDDEN = {"train", "output", "user-output", "test", "model"}
_ALL = 2**62  # more items than there are


class _Completion(Estimator):
    _model = ""
    _as_regressor = False  # fitted to cells with y, as scikit-learn's estimators are, which predict whatever they are given

    def _is_private(self) -> bool:
        return self.method != "plain"

    def _cells_are_public(self) -> bool:
        """Which cells are observed may decide whether a fit is refused."""
        return not self._is_private() or (self.unit == "entry" and self.relation != "add-remove")

    def _rows_are_private(self) -> bool:
        return self.relation == "add-remove" or (self.relation is None and self.unit == "user")

    def fit(self, X: Any, y: Any = None, *, test: Any = None) -> _Completion:
        """Fits the model to the cells of X whose values are known.

        X: a NumPy array (NaN: missing), a SciPy sparse matrix, a sparse.COO, a DataFrame or Arrow table with a column per
        mode and one of values (`columns` chooses them), anything with `__dlpack__`, or the name of a file. `test` holds
        cells to measure the error on, of the same kind.

        With y, its values: X has a row for each and a column per mode, with labels: a table (`columns` chooses the modes) or an
        array; `test` is a pair of such X and y. NaN in y is a cell without a value.

        With unit="user" the users of an array or a sparse matrix are its axis 0, unless `user_mode` names another. Which
        positions its other axes have may follow from the data of users, so that the owner says what is public:
        `public=[1, 2]` those of these axes, `shape=X.shape` all sizes but the number of users.
        """
        if y is None:
            given = _data.give(X, "X", self.columns, self._is_private(), may_be_wide=self._cells_are_public())
        else:
            given = give_listed(X, y, "X", self.columns)
        changed = given.reading if given.columns is None else {**given.reading, "columns": None}
        if self.unit == "user" and self.user_mode is None:
            changed["user_mode"] = "user" if given.named else 0
        kept, tests = [given.held], []
        if test is not None:
            tests.append(self._tested(test, given, changed) if y is None else self._tested_pair(test))
            kept.append(tests[0].held)
        changed["public"] = lists(self.public, not given.labelled, kept)
        start = None
        if isinstance(self.from_model, Estimator):
            if not isinstance(self.from_model, _Completion):
                raise _core.UsageError(f"from_model is a {type(self.from_model).__name__}; give a CP, Tucker or Tubal, or the file of one")
            start, changed["from_model"] = self.from_model._fitted(), None
        values = {**self._values(**changed), "train": given.path, "model": self._model, **({"test": tests[0].path} if tests else {})}
        self._accept(self._run(_core.complete, values, kept, start))
        self._take(self._result.report)
        self._as_regressor = y is not None
        return self

    def _tested_pair(self, test: Any) -> _data.Given:
        if not isinstance(test, (tuple, list)) or len(test) != 2:
            raise _core.Error("test: with y, give a pair of cells and their values, (X_test, y_test)")
        X, y = test
        return give_listed(X, y, "test", self.columns)

    def _tested(self, test: Any, given: _data.Given, changed: dict[str, Any]) -> _data.Given:
        """Cells to score, which must call positions as the data do."""
        tested = _data.give(test, "test", self.columns or given.columns, self._is_private())
        # How many users there are is private, and so are all sizes under add-remove: cells beyond them are dropped.
        is_public = self.unit != "user" and self.relation != "add-remove"
        if is_public and given.shape is not None and tested.shape not in (None, given.shape):
            raise _core.Error("test: an array of another shape than X; give one of the same, with NaN for cells that are not tested")
        if given.held is not None and tested.held is not None and given.numbered != tested.numbered:
            raise _core.Error("test: a table has labels and an array has positions; give cells of the kind of X")
        if given.held is not None and tested.reading.get("nan_missing"):
            changed["nan_missing"] = True
        return tested

    def _expose(self) -> dict[str, Any]:
        modes = _core.modes(self._result)
        found = {"mode_names_": [mode[0] for mode in modes], "labels_": [_cells.labels_of(mode) for mode in modes]}
        for name, value in _core.parameters(self._result).items():
            found["level_" if name == "global" else f"{name}_"] = value
        return found

    def predict(self, cells: Any, *, clamped: bool = True, user_rows: bool = False, unknown: str | None = None) -> np.ndarray:
        """Values of cells, one cell per row: labels if the data had labels, otherwise positions from 0.

        Predictions are clamped to the model's range. `user_rows`: under joint privacy, with every
        user's own row, which is for that user alone.

        unknown: what is predicted at a label that the model does not know. "mean": the mean of the predictions at all positions of
        that mode; "nan"; "error", the default after a fit without y (with y, "mean").
        """
        if unknown not in (None, "mean", "nan", "error"):
            raise _core.UsageError(f"unknown is {unknown!r}; give 'mean', 'nan' or 'error'")
        model = self._fitted()
        modes = call(_core.modes, model, user_rows=bool(user_rows))
        columns = _cells.listed_cells(cells, modes)
        unknown = unknown or ("mean" if self._as_regressor else "error")
        known = np.ones(len(columns[0][1]), bool) if unknown == "error" else are_known(model, modes, columns)
        given = _cells.hold_cells(rows_of(columns, known))
        values = np.full(len(known), np.nan)
        values[known] = call(_core.predict, model, given.path, [given.held], clamped=bool(clamped), user_rows=bool(user_rows))
        if unknown == "mean" and not known.all():  # of users without a row of their own: what is public
            values[~known] = mean_predictions(model, call(_core.modes, model), rows_of(columns, ~known), clamped)
        return values

    def score(self, X: Any, y: Any) -> float:
        """R^2 of predictions of the cells X with values y. No guarantee covers it: it is for the owner of y.

        Cells of which y is NaN do not count; labels that the model does not know are predicted as predict(.., unknown="mean") does.
        """
        values, predicted = values_of(y), self.predict(X, unknown="mean")
        if len(values) != len(predicted):
            raise _core.Error(f"X: {len(predicted)} cells, but {len(values)} values; give one for each")
        known = ~np.isnan(values)
        if not known.any():
            return float("nan")
        values, predicted = values[known].astype(np.float64), predicted[known]
        error, total = np.square(values - predicted).sum(), np.square(values - values.mean()).sum()
        return float(1 - error / total) if total > 0 else float(error == 0)

    def recommend(self, user: Any, known: Any = None, *, top: int = 10, by: str = "", item_mode: int = 1, user_rows: bool = False,
                  items: Any = None) -> list[Any]:
        """The items that suit a user best, of a model of users and items: pairs of an item and its predicted value.

        user: a label, or a position from 0 if the data had no labels; of a list of users, the answer is a list for each. `known`: cells
        that users have, as in predict; those of this user are not recommended. `items`: those to choose from, by default all. `by`:
        "rating", "popularity" (how many users have an item, and which items go together with those of this user) or "both", the default
        where popularity is known: from releases, or without privacy counted in `known`. `user_rows` as in predict; with it, or with
        `known`, the answer is for that user alone.
        """
        model = self._fitted()
        modes = call(_core.modes, model, user_rows=bool(user_rows))
        if len(modes) != 2 or item_mode not in (0, 1):
            raise _core.UsageError("recommend is for a model of users and items; item_mode is 0 or 1")
        given = _cells.give_cells(known, modes, "known") if known is not None else None
        path, kept = (given.path, [given.held]) if given else ("", [])
        choice = None if items is None else {_cells.name_of(each, modes[item_mode]) for each in items}
        ranked = int(top) if choice is None else _ALL

        def best(each: Any) -> list[tuple[Any, float]]:
            name = _cells.name_of(each, modes[1 - item_mode])
            found = call(_core.recommend, model, name, path, kept, int(item_mode), ranked, by, bool(user_rows))
            chosen = [pair for pair in found if choice is None or pair[0] in choice][: int(top)]
            return [(_cells.position_of(item, modes[item_mode]), value) for item, value in chosen]

        several = hasattr(user, "__iter__") and not isinstance(user, (str, bytes))
        return [best(each) for each in user] if several else best(user)

    def reconstruct(self, *, clamped: bool = True) -> np.ndarray:
        """Predictions of all cells."""
        return call(_core.predict_all, self._fitted(), clamped=bool(clamped))

    def __sklearn_tags__(self):
        from sklearn.utils import RegressorTags

        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.regressor_tags = "regressor", RegressorTags()
        tags.input_tags.sparse = False  # beside y
        return tags

    def save(self, path: Any, *, user_rows: bool = False) -> None:
        """Writes the model file that `tulle predict` reads; `user_rows` as in predict."""
        call(self._fitted().save, os.fspath(path), user_rows=bool(user_rows))


@verb(_core.complete_options(), HIDDEN)
class CP(_Completion):
    """A CP model: the sum of `rank` products of one factor per mode.

    Examples
    --------
    >>> import numpy as np, tulle
    >>> X = np.outer([1.0, 2, 3], [1.0, 1, 2]); X[0, 2] = np.nan
    >>> model = tulle.CP(rank=1, method="plain", seed=1).fit(X)
    >>> round(float(model.predict([(0, 2)])[0]), 2)
    2.0
    """

    _model = "cp"

    def to_tensorly(self) -> tuple[np.ndarray, list[np.ndarray]]:
        """TensorLy's (weights, factors). Offsets, which TensorLy does not have, become components."""
        self._fitted()
        weights, factors = self.weights_, list(self.factors_)
        for mode, offsets in enumerate([np.full(len(factors[0]), self.level_), *self.offsets_]):
            if not np.any(offsets):
                continue
            place = max(mode - 1, 0)
            columns = [np.asarray(offsets) if other == place else np.ones(len(factor)) for other, factor in enumerate(factors)]
            factors = [np.column_stack([factor, column]) for factor, column in zip(factors, columns)]
            weights = np.append(weights, 1.0)
        return weights, factors


@verb(_core.complete_options(), HIDDEN)
class Tucker(_Completion):
    """A Tucker model: a core tensor times one factor per mode; `rank` is one number, or one per mode.

    Examples
    --------
    >>> import numpy as np, tulle
    >>> X = np.outer([1.0, 2, 3], [1.0, 1, 2])
    >>> model = tulle.Tucker(rank=(1, 1), method="plain", seed=1).fit(X)
    >>> bool(np.allclose(model.reconstruct(), X))
    True
    """

    _model = "tucker"

    def to_tensorly(self) -> tuple[np.ndarray, list[np.ndarray]]:
        """TensorLy's (core, factors). An error if the model has offsets, which TensorLy does not have."""
        self._fitted()
        if self.level_ or any(np.any(offsets) for offsets in self.offsets_):
            raise _core.Error("TensorLy's Tucker tensors have no offsets; fit without biases")
        return self.core_, list(self.factors_)


@verb(_core.complete_options(), HIDDEN)
class Tubal(_Completion):
    """A model of low tubal rank, by the t-product: U * S * V^T; the order of the modes matters.

    Examples
    --------
    >>> import numpy as np, tulle
    >>> X = np.einsum("i,j,k->ijk", [1.0, 2, 3], [1.0, 1, 2], [1.0, 2])
    >>> model = tulle.Tubal(rank=1, method="plain").fit(X)
    >>> bool(np.allclose(model.reconstruct(), X))
    True
    """

    _model = "tubal"
