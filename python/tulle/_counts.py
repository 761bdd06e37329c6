"""Counts of events, with privacy for single events or users."""
from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _cells, _core, _data
from ._core import UsageError
from ._estimator import Estimator, refuse_target, verb
from ._files import lists
from ._keywords import call, mode_text
from ._tables import Table, chosen_columns, is_table, label_text, read_parquet


def _range(positions: slice, labelled: bool) -> str:
    """Of labels the last counts, of positions from 0 it does not."""
    if positions.step not in (None, 1):
        raise UsageError("where: a slice has no step; give a list")
    first = "" if positions.start is None else label_text(positions.start) if labelled else str(int(positions.start) + 1)
    last = "" if positions.stop is None else label_text(positions.stop) if labelled else str(int(positions.stop))
    return f"{first}:{last}"


@verb(_core.count_options(), {"input", "output"})
class Counts(Estimator):
    """How many events there are in every cell: of a table with a row per event, or of an array of numbers of events.

    Examples
    --------
    >>> import numpy as np, tulle
    >>> trips = np.random.default_rng(1).poisson(3, (4, 5, 6)).astype(np.float32)
    >>> model = tulle.Counts(epsilon=1).fit(trips)
    >>> model.counts_.shape
    (4, 5, 6)
    >>> sums = model.query(sum_over=[1, 2])
    >>> sorted(sums)
    ['axis 0', 'count', 'high', 'low', 'stddev']
    """

    def fit(self, X: Any, y: Any = None) -> Counts:
        """Counts the events of X.

        X: a DataFrame or Arrow table with a row per event (`columns` chooses the columns by which they are counted, by default all; `events`
        names one with the number of events of each row), an array or a sparse matrix of numbers of events, or the name of a file.
        y must be None.

        With unit="user" each user is protected with all events together: `user_mode` is the column or axis of the users, and at
        most `rows_per_user` rows of each count; None: a release with 5 % of epsilon chooses how many.

        Which positions have events is private: `public` states which positions there are, `shape` how many. An array states
        them by its shape.
        """
        refuse_target(y, "events are the rows of a table or the cells of an array")
        given = self._give(X)
        kept = [given.held]
        changed = {name: value for name, value in given.reading.items() if name == "header"}
        if given.held is not None:
            changed.update(columns=None, events=None)
        changed["public"] = lists(self.public, not given.labelled, kept)
        self._accept(self._run(_core.count, {**self._values(**changed), "input": given.path}, kept))
        self._take(self._result.report)
        return self

    def _give(self, X: Any) -> _data.Given:
        """No column of a table holds the number of events unless `events` names it, whichever is the last."""
        columns, name = self.columns, "X"
        if _data.is_parquet(X):
            name = os.fspath(X)
            X = read_parquet(name, [])
        if columns is None and is_table(X):
            columns = [column for column in Table(X, name).names if column != self.events]
        if columns is not None and not isinstance(X, (str, os.PathLike)):
            columns = [*chosen_columns(columns), "-" if self.events is None else self.events]
        return _data.give(X, name, columns)

    def _expose(self) -> dict[str, Any]:
        modes = _core.modes(self._result)
        return {"mode_names_": [mode[0] for mode in modes], "labels_": [_cells.labels_of(mode) for mode in modes],
                **{f"{name}_": value for name, value in _core.parameters(self._result).items()}}

    def predict(self, cells: Any) -> np.ndarray:
        """Expected counts of cells, one cell per row: labels if the data had labels, otherwise positions from 0."""
        given = _cells.give_cells(cells, call(_core.modes, self._fitted()))
        return call(_core.predict, self._fitted(), given.path, [given.held])

    def query(self, sum_over: Any = (), where: Mapping[Any, Any] | None = None, interval: float = 0.9) -> dict[str, Any]:
        """Sums of counts over some modes, as columns of a table (`pandas.DataFrame(model.query(..))`): the positions of the other
        modes, `count`, its standard deviation `stddev`, and the bounds `low` and `high` of an interval.

        `where`: a dictionary of modes and the positions that count: one, a list, or a slice. A slice of labels has both of its ends,
        in the order of the mode, as in `DataFrame.loc`.
        """
        model = self._fitted()
        over = [sum_over] if isinstance(sum_over, str) or not hasattr(sum_over, "__iter__") else list(sum_over)
        values = {"model": "the model", "interval": float(interval)}
        if over:
            values["sum-over"] = [mode_text("sum_over", mode) for mode in over]
        if where:
            values["where"] = [self._condition(mode, positions) for mode, positions in where.items()]
        answer = json.loads(call(_core.query, model, values))
        sums, table = answer["sums"], {}
        for place, name in enumerate(answer["modes"]):
            texts = [line["positions"][place] for line in sums]
            table[name] = texts if self.labels_[self.mode_names_.index(name)] else [int(text) - 1 for text in texts]
        return {**table, **{name: np.array([line[name] for line in sums]) for name in ("count", "stddev", "low", "high")}}

    def _condition(self, mode: Any, positions: Any) -> str:
        name = mode_text("where", mode)
        several = isinstance(positions, (list, tuple, set, np.ndarray, range))
        labelled = name in self.mode_names_ and bool(self.labels_[self.mode_names_.index(name)])
        if isinstance(positions, slice):
            return f"{name}={_range(positions, labelled)}"
        texts = [label_text(each) if labelled else str(int(each) + 1) for each in (positions if several else [positions])]
        return f"{name}={','.join(texts)}"

    def sample(self, n: int | None = None, *, seed: int | None = None) -> dict[str, Any]:
        """Synthetic events with the estimated counts, a row each, as columns of a table (`pandas.DataFrame(model.sample())`):
        labels, or positions from 0. `n`: their number, by default as many as are estimated."""
        values = {"model": "the model", "output": "-", **({} if n is None else {"events": n}), **({} if seed is None else {"seed": seed})}
        positions, events = call(_core.synthesize, self._fitted(), values)
        rows = [np.repeat(column, events.astype(np.int64)) for column in positions]
        return {name: np.array(labels)[row] if labels else row for name, labels, row in zip(self.mode_names_, self.labels_, rows)}

    def save_margins(self, path: Any) -> None:
        """Writes the margins as they were released, noise and all (.csv, .tsv): a line per value, with a column per mode, empty where
        the margin adds up over it, and then `release`, `count`, `stddev` and `noise`."""
        call(_core.save_margins, self._fitted(), {"model": "the model", "margins": os.fspath(path)})

    @classmethod
    def from_margins(cls, path: Any) -> Counts:
        """Counts of all cells from such a table, whoever released it. It has the guarantee that the margins were released with,
        which the table does not state."""
        return cls()._restore(call(_core.refit, {"from": os.fspath(path)}, [], None))

    def save(self, path: Any) -> None:
        """Writes the model file (.npz)."""
        call(self._fitted().save, os.fspath(path))
