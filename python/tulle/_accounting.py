"""What releases cost, what was spent, and lower bounds on what methods leak."""
from __future__ import annotations

import inspect
import json
import os
from typing import Any

from . import _core, _keywords, _progress
from ._keywords import call


def of_options(options: list[dict], hidden: set[str]):
    """Gives a function the keywords of a job, besides its positional argument."""
    keywords = _keywords.parameters(options, hidden)
    kind = inspect.Parameter.KEYWORD_ONLY

    def decorate(function):
        first = next(iter(inspect.signature(function).parameters.values()))
        function.__signature__ = inspect.Signature(
            [first] + [inspect.Parameter(name, kind, default=each["default"]) for name, each in keywords.items()]
        )
        function.__doc__ = f"{inspect.cleandoc(function.__doc__)}\n\n{_keywords.described(keywords)}"
        function.keywords = keywords
        return function

    return decorate


def values_of(function: Any, values: dict[str, Any]) -> dict[str, Any]:
    unknown = set(values) - set(function.keywords)
    if unknown:
        raise TypeError(f"{function.__name__}() {_keywords.unexpected(min(unknown), function.keywords)}")
    return _keywords.values(values, function.keywords)


@of_options(_core.account_options(), {"mechanism"})
def account(mechanism: str, **values: Any) -> dict[str, Any]:
    """Computes what releases of a mechanism (gaussian, laplace or pure) cost, or what a budget allows.

    Examples
    --------
    >>> import tulle
    >>> tulle.account("laplace", sigma=2, delta=0)["epsilon"]
    0.5
    """
    return json.loads(call(_core.account, {**values_of(account, values), "mechanism": str(mechanism)}))


@of_options(_core.audit_options(), {"target"})
def audit(method: str | None = None, **values: Any) -> dict[str, Any]:
    """Attacks a method and bounds its epsilon from below; with `exact`, compares exact answers on random neighbours.

    Examples
    --------
    >>> import tulle
    >>> found = tulle.audit("als", exact=True, pairs=5)["exact"]
    >>> sum(each["violated"] for each in found)
    0
    """
    given = values_of(audit, values)
    if method:
        given["target"] = method
    return json.loads(call(_core.audit, given, _progress.bar("audit")))


class Ledger:
    """The record of what was granted and spent for each data set: a file, or ``postgresql://..``.

    Estimators are charged to it by ``CP(.., account="ratings", ledger=ledger)``.

    Examples
    --------
    >>> import tempfile, os, tulle
    >>> ledger = tulle.Ledger(os.path.join(tempfile.mkdtemp(), "ledger.db"))
    >>> ledger.create("ratings")
    >>> ledger.grant("ratings", epsilon=3)
    >>> ledger.show("ratings")["left"]
    3.0
    """

    def __init__(self, path: Any = None):
        self.path = _core.default_ledger() if path is None else os.fspath(path)

    def __repr__(self) -> str:
        scheme, address, _ = self.path.partition("://")  # which may hold a password
        return f"Ledger('{scheme}://..')" if address else f"Ledger({self.path!r})"

    def __fspath__(self) -> str:
        """The keyword `ledger` of estimators takes a Ledger too."""
        return self.path

    def _do(self, action: str, **values: Any) -> Any:
        given = {name: str(value) if name == "name" else value for name, value in values.items() if value is not None}
        return json.loads(call(_core.budget, action, self.path, given))

    def create(self, name: str, *, unit: str = "entry", relation: str = "replace", mode: str | int | None = None,
               data: Any = None) -> None:
        """Opens an account for a data set. `mode`: the mode whose positions are the users, as its name or its axis in an array, from 0. `data`: its file, or a list of
        the tables of a site; charges for other data, and for data in memory, are then refused."""
        files = data if data is None or isinstance(data, (list, tuple)) else [data]
        self._do("create", name=name, unit=unit, relation=relation, mode=None if mode is None else _keywords.mode_text("mode", mode),
                 data=None if files is None else [os.fspath(file) for file in files])

    def grant(self, name: str, epsilon: float, delta: float = 0.0, note: str = "") -> None:
        """Grants a budget in addition to what was granted before."""
        self._do("grant", name=name, epsilon=float(epsilon), delta=float(delta), note=note)

    def show(self, name: str | None = None) -> Any:
        """What was granted, what was spent and what is left for one data set, or a list for all."""
        return self._do("show", name=name)

    def history(self, name: str | None = None) -> list[dict[str, Any]]:
        """Every row, with the epsilon of every charge."""
        return self._do("history", name=name)

    def verify(self, head: str | None = None) -> int:
        """The number of rows, if none was edited; an Error otherwise. `head`: a hash that show() gave before."""
        return self._do("verify", head=head)["rows"]
