"""Networks that classify examples."""
from __future__ import annotations

import operator
import os
import warnings
from typing import Any

import numpy as np

from . import _core
from ._arrays import numbers
from ._estimator import Estimator, verb
from ._files import text
from ._keywords import call
from ._listed import one_column
from ._tables import Table, is_table, label_text

HIDDEN = {"train", "test", "labels", "test-labels", "label-column", "header", "separator", "decimal", "category", "output"}
_TRUTH = {"True": 1.0, "False": 0.0}  # in an array of texts


def _rows(X: Any) -> np.ndarray:
    """Examples, a row or an image each."""
    if hasattr(X, "tocoo"):
        raise _core.Error("X: sparse input is not supported; give X.toarray()")
    values = numbers(X)
    if values.ndim < 2:
        raise _core.Error("X: Reshape your data to a row per example: X.reshape(-1, 1) of one value each")
    if values.shape[1] == 0:
        raise _core.Error(f"X: 0 feature(s) (shape={values.shape}) while a minimum of 1 is required.")
    return values


def _names_of(X: Any) -> np.ndarray | None:
    """Of the columns of a table, if all are texts, as scikit-learn has it."""
    names = Table(X, "X").labels if is_table(X) else []
    return np.array(names, dtype=object) if names and all(isinstance(name, str) for name in names) else None


def _check_names(fitted: np.ndarray | None, given: np.ndarray | None, name: str) -> None:
    """Columns in another order would be taken for each other."""
    if fitted is None:
        return
    if given is None:
        warnings.warn(f"{name} does not have valid feature names, but Classifier was fitted with feature names", UserWarning, stacklevel=4)
    elif sorted(given) != sorted(fitted):
        raise _core.Error(f"{name}: The feature names should match those that were passed during fit: {', '.join(fitted)}")
    elif list(given) != list(fitted):
        raise _core.Error(f"{name}: Feature names must be in the same order as they were in fit: {', '.join(fitted)}; give X[model.feature_names_in_]")


def _refuse_missing(values: np.ndarray, name: str) -> np.ndarray:
    if not np.isfinite(values).all():
        raise _core.Error(f"{name}: Input X contains NaN or infinity; a classifier needs a number for each feature")
    return values


def _several_types() -> _core.Error:
    return _core.Error("y: labels of several types; give texts or numbers alone")


def _labels(y: Any, refuses: bool) -> np.ndarray:
    """Labels in one row. Numbers that are no classes are refused where that tells of nobody."""
    # Of a list, each label stays what it is: NumPy would make texts of all of them where one is a text.
    labels = np.asarray(y, dtype=None if refuses or hasattr(y, "dtype") else object)
    if y is None or labels.ndim > 2 or (labels.ndim == 2 and labels.shape[1] != 1):
        raise _core.Error("y should be a 1d array of labels, one per example")
    labels = one_column(labels, stacklevel=4)
    if refuses and labels.dtype.kind == "U" and not all(isinstance(label, str) for label in y):
        raise _several_types()
    if refuses and labels.dtype.kind == "f" and not (np.isfinite(labels).all() and (labels == np.floor(labels)).all()):
        raise _core.Error("y: Unknown label type: continuous; Input contains NaN or infinity, or numbers that are no classes")
    return labels


def _number(label: Any) -> float:
    """A label by itself: for the sake of one, NumPy makes complex numbers or texts of all."""
    if isinstance(label, (complex, np.complexfloating)):
        label = None if label.imag else label.real
    try:
        return float(_TRUTH.get(label, label))
    except (TypeError, ValueError, OverflowError):
        return float("nan")  # the first class in a private run; refused otherwise


def _places(labels: list[Any], classes: list[Any]) -> list[float]:
    """Of each label the place of the class with its text, or else with its number. One that is none of the classes has no
    place: it becomes the first class and is counted."""
    of_texts = {label_text(label): float(place) for place, label in enumerate(classes)}
    of_numbers = {_number(label): float(place) for place, label in enumerate(classes)}
    return [of_texts.get(label_text(label), of_numbers.get(_number(label), float("nan"))) for label in labels]


def _found(labels: np.ndarray) -> np.ndarray:
    """The classes of a run without privacy."""
    try:
        found = np.unique(labels)
    except TypeError:
        raise _several_types() from None
    if len(found) < 2:
        raise _core.Error(f"y has {len(found)} class; there is nothing to tell apart")
    return found


def _named(classes: list[str]) -> np.ndarray:
    """Labels as a file calls them: whole numbers where all of them are."""
    try:
        numbered = [int(label) for label in classes]
    except ValueError:
        return np.array(classes)
    return np.array(numbered) if [str(label) for label in numbered] == classes else np.array(classes)


def _bounds(ranges: Any, names: Any, kept: list[Any]) -> Any:
    """Public bounds of columns, as the library reads them: a pair for each, or a dictionary of columns (places from 0, or names)."""
    if ranges is None or isinstance(ranges, (str, os.PathLike)):
        return ranges
    pairs = dict(ranges) if isinstance(ranges, dict) else dict(enumerate(ranges))
    lines = []
    for column, bounds in pairs.items():
        if isinstance(column, str) and (names is None or column not in list(names)):
            raise _core.UsageError(f"ranges: there is no column '{column}'; name a column of X, or its place from 0")
        place = list(names).index(column) if isinstance(column, str) else operator.index(column)
        if np.shape(bounds) != (2,):
            raise _core.UsageError("ranges: give a pair (low, high) for each column")
        low, high = (float(bound) for bound in bounds)
        lines.append(f"{place + 1},{low!r},{high!r}")
    kept.append(text("ranges", lines))
    return kept[-1].path


@verb(_core.classify_options(), HIDDEN)
class Classifier(Estimator):
    """A network that classifies; `hidden` are the units of its layers.

    In a private run `classes` is the public number of classes, for labels 0, 1, .., or the list of their labels. A label belongs to the
    class with its text, or with its number; a label that is not in the list becomes the first class. `ranges` are public bounds of
    columns, in place of one `range` for all: a pair for each, or a dictionary of names or places from 0.

    Examples
    --------
    >>> import numpy as np, tulle
    >>> X = np.array([[0.0, 1], [1, 0]] * 20); y = np.array(["up", "down"] * 20)
    >>> model = tulle.Classifier(method="plain", range=(0, 1), hidden=4, seed=1, threads=1).fit(X, y)
    >>> [str(label) for label in model.predict([[0.0, 1], [1, 0]])]
    ['up', 'down']
    """

    def _rows_are_private(self) -> bool:
        return self.relation in (None, "add-remove")

    def fit(self, X: Any, y: Any, *, test: Any = None) -> Classifier:
        """Trains on the rows of X, or images (example x height x width), with their labels y.

        `test` is a pair of further rows and labels, to measure the accuracy on.
        """
        values, names = _rows(X), _names_of(X)
        if self.method == "plain":
            _refuse_missing(values, "X")
        labels = _labels(y, self.method == "plain")
        classes = self._classes(labels)
        train = _core.hold_examples("X", values, self._places(labels, classes, "y"))
        kept = [train]
        changed = {"classes": classes if isinstance(classes, int) else len(classes), "ranges": _bounds(self.ranges, names, kept)}
        given = {**self._values(**changed), "train": train.path}
        if test is not None:
            _check_names(names, _names_of(test[0]), "test")
            tested = self._places(_labels(test[1], False), classes, "test")
            kept.append(_core.hold_examples("test", numbers(test[0], "test"), tested))
            given["test"] = kept[-1].path
        self._accept(self._run(_core.classify, given, kept))
        self.classes_ = np.arange(classes) if isinstance(classes, int) else classes
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = names
        self._result.classes = [str(label) for label in self.classes_]
        self._take(self._result.report)
        return self

    def _restore(self, model: Any) -> Classifier:
        super()._restore(model)
        self.classes_ = _named(model.classes)
        return self

    def _expose(self) -> dict[str, Any]:
        return {"layers_": _core.layers(self._result), "n_features_in_": self._result.inputs}

    def _classes(self, labels: np.ndarray) -> int | np.ndarray:
        """How many there are, of labels 0, 1, .., or the labels."""
        if self.classes is None and self.method == "plain":
            return _found(labels)
        if self.classes is None:
            raise _core.UsageError("give classes, the public number of classes or the list of their labels; "
                                   "it is never taken from the data")
        if np.ndim(self.classes) == 0:
            try:
                return operator.index(self.classes)
            except TypeError:
                raise _core.UsageError(f"classes is {self.classes!r}; it must be a whole number from 2, or the list of the labels") from None
        stated = np.asarray(self.classes)
        if stated.tolist() != list(self.classes) or len(set(stated.tolist())) < len(stated):
            raise _core.UsageError("classes: give each label once, and all as texts or all as numbers")
        return stated

    def _places(self, labels: np.ndarray, classes: int | np.ndarray, name: str) -> list[float]:
        """Labels as numbers from 0. In a private run each is read by itself, and none is refused, which would tell of it."""
        listed = labels.ravel().tolist()
        if isinstance(classes, int):
            return [_number(label) for label in listed]
        if self.method == "plain":
            kinds = {labels.dtype.kind, classes.dtype.kind}
            if "U" in kinds and kinds & set("biuf"):
                raise _core.UsageError(f"{name}: give labels as the classes are, texts or numbers")
            if not set(listed) <= set(classes.tolist()):
                raise _core.Error(f"{name}: there are labels that are none of the classes; correct them, or state all classes")
        return _places(listed, classes.tolist())

    def predict_proba(self, X: Any) -> np.ndarray:
        """Class probabilities, one row per row of X."""
        model = self._fitted()
        _check_names(getattr(self, "feature_names_in_", None), _names_of(X), "X")
        values = _refuse_missing(_rows(X), "X")
        rows = values.reshape(len(values), int(np.prod(values.shape[1:])))
        return call(_core.probabilities, model, np.ascontiguousarray(rows, dtype=np.float32))

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class of each row of X."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def score(self, X: Any, y: Any) -> float:
        """The share of right predictions."""
        predicted, labels = self.predict(X), _labels(y, False)
        if len(predicted) != len(labels):
            raise _core.Error(f"X: {len(predicted)} examples, but {len(labels)} labels; give one for each")
        return float(np.mean(predicted == labels))

    def save(self, path: Any) -> None:
        """Writes the model file that `tulle predict` reads."""
        call(self._fitted().save, os.fspath(path))

    def __sklearn_tags__(self):
        from sklearn.utils import ClassifierTags

        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.classifier_tags = "classifier", ClassifierTags()
        tags.target_tags.required, tags.input_tags.sparse, tags.input_tags.allow_nan = True, False, self.method != "plain"
        return tags
