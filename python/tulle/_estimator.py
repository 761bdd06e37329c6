"""What all estimators share: keywords, a fit that can be interrupted, and what it reports."""
from __future__ import annotations

import inspect
import json
import os
import pathlib
import sys
import tempfile
import warnings
from collections.abc import Callable
from html import escape
from typing import Any, ClassVar

from . import _core, _keywords, _progress
from ._core import UsageError
from ._keywords import call

PAGE = {"report", "curve", "owner-part"}  # of the command; an estimator writes its page when it is asked to


class Guarantee(dict):
    """What a run states about the data it used. Prints as one sentence; the fields are those of the command's JSON."""

    def __str__(self) -> str:
        return self.get("sentence", "none")

    def _repr_html_(self) -> str:
        """For notebooks: the sentence, and the fields where somebody opens them."""
        rows = "".join(f"<tr><th>{escape(str(name))}</th><td>{escape(str(value))}</td></tr>" for name, value in self.items() if name != "sentence")
        fields = f"<details><summary>fields</summary><table>{rows}</table></details>" if rows else ""
        return f"<p><strong>{escape(str(self))}</strong></p>{fields}"


def refuse_target(y: Any, values: str) -> None:
    """For estimators that take their values in X: one who gives y would spend epsilon on something else than meant."""
    if y is not None:
        raise TypeError(f"y is not used here and must be None; {values}")


def _is_searched() -> bool:
    """Whether scikit-learn's model_selection made this fit, one of many."""
    frame = sys._getframe()
    while frame is not None and not frame.f_globals.get("__name__", "").startswith("sklearn.model_selection"):
        frame = frame.f_back  # type: ignore[assignment]
    return frame is not None


def warn_of_search(has_account: bool, rows_are_private: bool) -> None:
    """Before a private fit, whose guarantee is for the part of the data that it is given."""
    if not _is_searched():
        return
    if not has_account:
        warnings.warn("each of these fits costs its own epsilon: k private fits of the same data cost up to k times the epsilon of one, and the scores that "
                      "choose among them have no guarantee; name an account, and its ledger adds the fits up", UserWarning, stacklevel=2)
    if rows_are_private:
        warnings.warn("under add-remove, a split by numbers of rows moves rows of others when one is added, so that the epsilons of these fits bound nothing "
                      "for the whole data; split by what each row says of itself, such as a hash of its user", UserWarning, stacklevel=2)


class _Planned(Exception):
    """Ends a fit that is only planned."""

    def __init__(self, plan: dict[str, Any]) -> None:
        super().__init__("planned")
        self.plan = plan


class NotFittedError(ValueError, AttributeError):
    """The estimator has no model yet."""


def _not_fitted() -> type[NotFittedError]:
    """The error that scikit-learn knows too, where it is in use."""
    if "sklearn" not in sys.modules:
        return NotFittedError
    from sklearn.exceptions import NotFittedError as Theirs

    return type("NotFittedError", (NotFittedError, Theirs), {})


def verb(options: list[dict], hidden: set[str]) -> Callable[[type], type]:
    """Gives an estimator the keywords of a job."""
    keywords = _keywords.parameters(options, set(hidden) | PAGE)
    signature = _keywords.signature(keywords)

    def decorate(cls: Any) -> Any:
        def __init__(self, **values):
            unknown = [name for name in values if name not in keywords]
            if unknown:
                raise TypeError(f"{cls.__name__}() {_keywords.unexpected(unknown[0], keywords)}")
            bound = signature.bind(self, **values)
            bound.apply_defaults()
            for name in keywords:
                setattr(self, name, bound.arguments[name])

        __init__.__signature__ = signature  # type: ignore[attr-defined]
        __init__.__qualname__ = f"{cls.__qualname__}.__init__"
        cls.__init__ = __init__
        cls._keywords = keywords
        cls.__doc__ = f"{inspect.cleandoc(cls.__doc__)}\n\n{_keywords.described(keywords)}"
        return cls

    return decorate


class Estimator:
    """Parameters as scikit-learn has them, without needing it."""

    _keywords: ClassVar[dict[str, dict]] = {}
    owner_: dict[str, Any]
    _only_planned: bool = False  # this fit ends where it would be charged

    def __getattr__(self, name: str) -> Any:
        """Of what is not there: keywords and what a fit leaves are found without it."""
        if name == "partial_fit":
            raise AttributeError(f"{type(self).__name__} has no partial_fit: it learns from all data at once; fit all of them again, which costs "
                                 "another epsilon (from_model is a warm start)")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The keyword arguments, by name."""
        return {name: getattr(self, name) for name in self._keywords}

    def set_params(self, **values: Any) -> Estimator:
        """Changes keyword arguments; unknown ones are an error."""
        for name, value in values.items():
            if name not in self._keywords:
                raise ValueError(f"Invalid parameter '{name}' for {type(self).__name__}; see get_params()")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        given = [
            f"{name}={getattr(self, name)!r}"
            for name, option in self._keywords.items()
            if repr(getattr(self, name)) != repr(option["default"])
        ]
        return f"{type(self).__name__}({', '.join(given)})"

    def _repr_html_(self) -> str:
        """For notebooks: what was protected, before how."""
        guarantee = getattr(self, "guarantee_", None)
        state = "not fitted" if guarantee is None else "no privacy"
        return f"{guarantee._repr_html_() if guarantee else f'<p>{state}</p>'}<pre>{escape(repr(self))}</pre>"

    def _values(self, **changed: Any) -> dict[str, Any]:
        return _keywords.values({**self.get_params(), **changed}, self._keywords)

    def plan(self, *data: Any, **more: Any) -> dict[str, Any]:
        """What `fit` with these arguments would release and cost, as `tulle ... --dry-run --json` has it; nothing is charged or released.

        `guarantee` lists the releases and their noise; `owner_notes`, what is lost to public lists and ranges, is for the owner of the data alone.
        """
        rehearsal = type(self)(**self.get_params())
        rehearsal._only_planned = True
        try:
            rehearsal.fit(*data, **more)
        except _Planned as planned:
            return planned.plan
        raise UsageError(f"{type(self).__name__} has nothing to plan")

    def _run(self, function: Callable, values: dict[str, Any], kept: Any, *further: Any) -> Any:
        if self._only_planned:
            plan = json.loads(call(getattr(_core, f"plan_{function.__name__}"), values, kept, *further))
            raise _Planned({**plan, "guarantee": Guarantee(plan["guarantee"])})
        if self.epsilon is not None:
            warn_of_search(self.account is not None, self._rows_are_private())
        progress = _progress.bar(type(self).__name__)
        try:
            return call(function, values, kept, progress, *further)
        finally:
            if progress is not None:
                progress.close()

    def _rows_are_private(self) -> bool:
        """Whether neighbouring data sets have other numbers of rows, by the keywords."""
        return False

    def _take(self, report: str) -> None:
        """What may be published of a report, and what is for the owner of the data alone."""
        fields = json.loads(report)
        owners = set(fields.pop("owner_only", {}).get("fields", []))
        self.owner_ = {name: value for name, value in fields.items() if name in owners}
        self.report_ = {name: value for name, value in fields.items() if name not in owners}
        self.guarantee_ = Guarantee(fields.get("guarantee") or {})
        self.remarks_ = list(fields.get("remarks", []))

    def _expose(self) -> dict[str, Any]:
        """Attributes that are read off the model: views of its memory."""
        return {}

    def _accept(self, model: Any) -> Estimator:
        self._result = model
        self.__dict__.update(self._expose())
        return self

    def _restore(self, model: Any) -> Any:
        """What the file of a model tells; how it was fitted, it does not."""
        self._accept(model)
        self._take(model.report)
        return self

    def report(self, path: Any, *, owner: bool = False) -> None:
        """Writes a report (.html): what was protected, against whom and how well, every release, the model.

        It holds only public facts and releases. With `owner` it also has a part for the data owner with what is in
        `owner_`, which no guarantee covers.
        """
        model = self._fitted()
        if not os.fspath(path).endswith(".html"):
            raise UsageError(f"{os.fspath(path)}: give a name that ends in .html")
        fields = dict(self.report_)
        if owner:
            fields.update(self.owner_, owner_only={"fields": list(self.owner_)})
        call(model.write_page, os.fspath(path), f"Report of {type(self).__name__}", json.dumps(fields), owner)

    def __getstate__(self) -> dict[str, Any]:
        """What may be published: not the owner's part, and the model as the bytes of its file."""
        state = {name: value for name, value in self.__dict__.items() if name != "owner_"}
        if "_result" in state:
            for name in self._expose():
                del state[name]
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "model.npz"
                self._result.save(str(path))
                state["_result"] = path.read_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        content = state.pop("_result", None)
        self.__dict__.update(state)
        if content is not None:
            self.owner_ = {}
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "model.npz"
                path.write_bytes(content)
                self._accept(_core.load(str(path)))

    def _fitted(self) -> Any:
        if not hasattr(self, "_result"):
            raise _not_fitted()(f"this {type(self).__name__} is not fitted yet; call fit first")
        return self._result

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_result")

    def __sklearn_tags__(self):
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False), transformer_tags=None, regressor_tags=None,
                    classifier_tags=None, input_tags=InputTags(allow_nan=True, sparse=True))
