"""Topics of documents, or the components of a mixture of Gaussians."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _core, _data
from ._arrays import numbers
from ._estimator import Estimator, refuse_target, verb
from ._files import text
from ._keywords import call
from ._tables import is_missing, is_table, package_of


def _texts(X: Any) -> list[str] | None:
    """Documents of text, in a list, an array or a column: one line each. What is missing is a document without words, and so are
    all that are missing."""
    listed = _listed(X)
    if not isinstance(listed, (list, tuple)):
        return None
    if all(isinstance(document, str) or is_missing(document) for document in listed):
        return [" ".join(document.split()) if isinstance(document, str) else "" for document in listed]
    if any(isinstance(document, str) for document in listed):
        raise _core.Error("X: holds something other than texts; give a text for each document")
    return None


def _listed(X: Any) -> Any:
    """Arrays of texts and columns as lists; tables of numbers stay what they are."""
    if isinstance(X, np.ndarray):
        return X.tolist() if X.dtype.kind in "OU" or X.ndim == 1 else X
    package = "" if is_table(X) else package_of(X)
    if package == "pandas":
        return X.astype(object).where(X.notna(), None).to_list()
    return X.to_pylist() if package == "pyarrow" else X.to_list() if package == "polars" else X


@verb(_core.topics_options(), {"documents", "truth", "output", "format"})
class Topics(Estimator):
    """Topics: distributions over words, and their shares; with `mixture`, means of spherical Gaussians.

    Examples
    --------
    >>> import numpy as np, tulle
    >>> documents = np.tile([[1, 2, 1], [3, 4, 4]], (50, 1))
    >>> model = tulle.Topics(topics=2, words=4, method="plain", seed=1).fit(documents)
    >>> model.components_.shape
    (2, 4)
    >>> model.transform([[1, 2, 2], [4, 3, 4]]).round().sum(axis=0).tolist()
    [1.0, 1.0]
    """

    def fit(self, X: Any, y: Any = None) -> Topics:
        """Finds topics in X.

        X: an array with a row of word numbers from 1 per document, a sparse matrix of counts (document x word), a list or
        column of texts (with `vocabulary`, a list of words or its file), with `mixture` an array of vectors, or the name of a file.
        y must be None.
        """
        refuse_target(y, "documents have no values besides their words")
        given = self._give(X)
        kept, vocabulary = [given.held], self.vocabulary
        if vocabulary is not None and not isinstance(vocabulary, (str, os.PathLike)):
            kept.append(text("vocabulary", vocabulary))
            vocabulary = kept[-1].path
        self._accept(self._run(_core.topics, {**self._values(vocabulary=vocabulary), "documents": given.path}, kept))
        self._take(self._result.report)
        return self

    def _give(self, X: Any, known: bool | None = None) -> _data.Given:
        """`known`: whether there is a vocabulary; that of the model where X was not fitted."""
        if known is None:
            known = self.vocabulary is not None
        if isinstance(X, (str, os.PathLike)):
            return _data.Given(os.fspath(X))
        texts = _texts(X)
        if texts is None and known:
            raise _core.UsageError("vocabulary is for documents of text; give words, the size of the vocabulary, for numbers and counts")
        if texts is not None and not known:
            raise _core.UsageError("give vocabulary, the public list of words, for documents of text")
        if texts is not None:
            held = text("X", texts)
            return _data.Given(held.path, held)
        return _data.give(numbers(X) if is_table(X) else X, "X", private=False)

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Finds topics in X and returns those of its documents, which no guarantee covers."""
        return self.fit(X, y).transform(X)

    def transform(self, X: Any) -> np.ndarray:
        """The probability of every topic for each document of X, which `fit` would take: an array (documents x topics).

        It follows from the documents themselves, which no guarantee covers.
        """
        return self._of_documents(X)[0]

    def perplexity(self, X: Any) -> float:
        """How many equally likely words would be as hard to guess as those of the documents of X, each of one topic.

        It follows from the documents themselves, which no guarantee covers.
        """
        if self._fitted() and self.variance_ > 0:
            raise _core.UsageError("a mixture has no words to guess")
        return self._of_documents(X)[1]

    def _of_documents(self, X: Any) -> tuple[np.ndarray, float]:
        model = self._fitted()
        given = self._give(X, known=bool(self.vocabulary_))
        return call(_core.topics_of, model, given.path, [given.held])

    def _expose(self) -> dict[str, Any]:
        found = {f"{name}_": value for name, value in _core.parameters(self._result).items()}
        return {**found, "components_": found["topics_"].T, "vocabulary_": _core.modes(self._result)[0][1]}

    def save(self, path: Any) -> None:
        """Writes the model file (.npz)."""
        call(self._fitted().save, os.fspath(path))
