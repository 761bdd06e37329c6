"""Networks that tell the class of an example."""
from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

from . import _core, _data
from ._estimator import Estimator, verb
from ._keywords import call

HIDDEN = {"TRAIN", "test", "labels", "test-labels", "label-column", "header", "output", "json"}


def _rows(X: Any) -> np.ndarray:
    """Examples, a row or an image each."""
    if hasattr(X, "tocoo"):
        raise _core.Error("X: sparse input is not supported; give X.toarray()")
    values = _data.numbers(X, "X")
    if values.ndim < 2:
        raise _core.Error("X: Reshape your data to a row per example: X.reshape(-1, 1) of one value each")
    if values.shape[1] == 0:
        raise _core.Error(f"X: 0 feature(s) (shape={values.shape}) while a minimum of 1 is required.")
    return values


def _labels(y: Any, refuses: bool) -> np.ndarray:
    """Labels in one row. Numbers that are no classes are refused where that tells of nobody."""
    labels = np.asarray(y)
    if y is None or labels.ndim > 2 or (labels.ndim == 2 and labels.shape[1] != 1):
        raise _core.Error("y should be a 1d array of labels, one per example")
    if labels.ndim == 2:
        warnings.warn("A column-vector y was passed when a 1d array was expected", _conversion_warning(), stacklevel=3)
        labels = labels.ravel()
    if refuses and labels.dtype.kind == "f" and not (np.isfinite(labels).all() and (labels == np.floor(labels)).all()):
        raise _core.Error("y: Unknown label type: continuous; Input contains NaN or infinity, or numbers that are no classes")
    return labels


def _number(label: Any) -> float:
    try:
        return float(label)
    except (TypeError, ValueError):
        return float("nan")  # the first class in a private run; refused otherwise


def _conversion_warning() -> type[Warning]:
    if "sklearn" not in sys.modules:
        return UserWarning
    from sklearn.exceptions import DataConversionWarning

    return DataConversionWarning


@verb(_core.classify_options(), HIDDEN)
class Classifier(Estimator):
    """A network that classifies; `hidden` are the units of its layers.

    In a private run `classes` is the public number of classes, of labels 0, 1, .., or the list of their labels.

    Examples
    --------
    >>> import numpy as np, tulle
    >>> X = np.array([[0.0, 1], [1, 0]] * 20); y = np.array(["up", "down"] * 20)
    >>> model = tulle.Classifier(method="plain", range=(0, 1), hidden=4, seed=1, threads=1).fit(X, y)
    >>> [str(label) for label in model.predict([[0.0, 1], [1, 0]])]
    ['up', 'down']
    """

    _load = staticmethod(_core.load_network)

    def fit(self, X: Any, y: Any, *, test: Any = None) -> "Classifier":
        """Trains on the rows of X, or images (example x height x width), with their labels y.

        `test` is a pair of further rows and labels, to measure the accuracy on.
        """
        values = _rows(X)
        labels = _labels(y, self.method == "plain")
        self.classes_ = self._classes(labels)
        train = _core.hold_examples("X", values, self._places(labels))
        words = [train.path, *self._words(classes=len(self.classes_))]
        kept = [train]
        if test is not None:
            kept.append(_core.hold_examples("test", _data.numbers(test[0], "test"), self._places(np.asarray(test[1]))))
            words.append(f"--test={kept[-1].path}")
        self._accept(self._run(_core.classify, words, kept))
        self._take(self._result.report)
        return self

    def _expose(self) -> dict[str, Any]:
        return {"layers_": _core.layers(self._result), "n_features_in_": self._result.inputs}

    def _classes(self, labels: np.ndarray) -> np.ndarray:
        if self.classes is None and self.method == "plain":
            found = np.unique(labels)
            if len(found) < 2:
                raise _core.Error(f"y has {len(found)} class; there is nothing to tell apart")
            return found
        if self.classes is None:
            raise _core.UsageError("give classes, the public number of classes or the list of their labels; "
                                   "it is never taken from the data")
        return np.arange(self.classes) if np.ndim(self.classes) == 0 else np.asarray(self.classes)

    def _places(self, labels: np.ndarray) -> list[float]:
        """Labels as numbers from 0. Those that are none of a stated list become the first class: in a private run to
        refuse one would tell of it."""
        if self.classes is not None and np.ndim(self.classes) == 0:
            return [_number(label) for label in labels.ravel()]
        places = {label: place for place, label in enumerate(self.classes_.tolist())}
        return [float(places.get(label, 0)) for label in labels.ravel().tolist()]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Class probabilities, a row for each row of X."""
        model = self._fitted()
        values = _rows(X)
        rows = values.reshape(len(values), -1)
        return call(_core.probabilities, model, np.ascontiguousarray(rows, dtype=np.float32))

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class of each row of X."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def score(self, X: Any, y: Any) -> float:
        """The share of right predictions."""
        return float(np.mean(self.predict(X) == np.asarray(y)))

    def save(self, path: Any) -> None:
        """Writes the model file that `tulle predict` reads."""
        call(self._fitted().save, str(path))

    def __sklearn_tags__(self):
        from sklearn.utils import ClassifierTags

        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.classifier_tags = "classifier", ClassifierTags()
        tags.target_tags.required, tags.input_tags.sparse = True, False
        return tags
