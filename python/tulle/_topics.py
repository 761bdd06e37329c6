"""Topics of documents, or the components of a mixture of Gaussians."""
from __future__ import annotations

import os
import sysconfig
from typing import Any

from . import _core, _data
from ._estimator import Estimator, verb
from ._files import Folder
from ._keywords import call


def _shipped(vocabulary: Any) -> Any:
    """The list that comes with the command: where pip puts it, which the interpreter knows."""
    if vocabulary != "english":
        return vocabulary
    path = os.path.join(sysconfig.get_path("data"), "share", "tulle", "vocabularies", "english.txt")
    return path if os.path.exists(path) else vocabulary


def _is_text(X: Any) -> bool:
    return isinstance(X, (list, tuple)) and bool(X) and all(isinstance(document, str) for document in X)


@verb(_core.topics_options(), {"WORDS", "truth", "output", "json", "format"})
class Topics(Estimator):
    """Topics: distributions over words, and how common each is; with `mixture`, means of spherical Gaussians.

    Examples
    --------
    >>> import numpy as np, tulle
    >>> documents = np.tile([[1, 2, 1], [3, 4, 4]], (50, 1))
    >>> model = tulle.Topics(topics=2, words=4, method="plain", seed=1).fit(documents)
    >>> model.topics_.shape
    (4, 2)
    """

    _load = staticmethod(_core.load_model)

    def fit(self, X: Any, y: Any = None) -> "Topics":
        """Finds topics in X.

        X: an array with a row of word numbers from 1 per document, a sparse matrix of counts (document x word), a list of
        texts (with `vocabulary`, a list of words or its file), with `mixture` an array of vectors, or the name of a file.
        y is ignored.
        """
        with Folder() as folder:
            if _is_text(X):
                given = _data.Given(folder.lines("documents.txt", (" ".join(document.split()) for document in X)))
            else:
                given = _data.give(X, "X", private=False)
            vocabulary = _shipped(self.vocabulary)
            if vocabulary is not None and not isinstance(vocabulary, (str, os.PathLike)):
                vocabulary = folder.lines("vocabulary.txt", vocabulary)
            words = self._words(vocabulary=vocabulary)
            self._accept(self._run(_core.topics, [given.path, *words], [given.held]))
        self._take(self._result.report)
        return self

    def _expose(self) -> dict[str, Any]:
        found = {f"{name}_": value for name, value in _core.parameters(self._result).items()}
        return {**found, "vocabulary_": _core.modes(self._result)[0][1]}

    def save(self, path: Any) -> None:
        """Writes the model file (.npz)."""
        call(self._fitted().save, str(path))
