"""Models from their files."""
from __future__ import annotations

import json
import os
from typing import Any

from . import _core, _progress
from ._accounting import of_options, values_of
from ._classifier import Classifier
from ._completion import CP, Tubal, Tucker
from ._counts import Counts
from ._coupled import Coupled
from ._estimator import Estimator
from ._keywords import call
from ._topics import Topics

MODELS = {"cp": CP, "tucker": Tucker, "tubal": Tubal, "topics": Topics, "counts": Counts, "network": Classifier, "coupled": Coupled}


def load(path: Any) -> CP | Tucker | Tubal | Topics | Counts | Classifier | Coupled:
    """A fitted estimator from the file of a model, which `save` or the command wrote.

    It predicts as the saved estimator and has its `guarantee_`. The file does not hold the keyword arguments of the fit: they have
    their defaults.

    Examples
    --------
    >>> import numpy as np, os, tempfile, tulle
    >>> path = os.path.join(tempfile.mkdtemp(), "model.npz")
    >>> tulle.CP(rank=1, method="plain", seed=1).fit(np.outer([1.0, 2, 3], [1.0, 2])).save(path)
    >>> round(float(tulle.load(path).predict([(2, 1)])[0]), 2)
    6.0
    """
    model = call(_core.load, os.fspath(path))
    return MODELS[json.loads(model.report)["model"]]()._restore(model)


@of_options(_core.refit_options(), {"from", "output"})
def refit(fitted: Any, **values: Any) -> CP | Tucker | Tubal | Topics | Counts:
    """Another model from the releases of a private one: an estimator or the file of a model. It costs nothing, and has the same
    guarantee.

    Examples
    --------
    >>> import numpy as np, tulle
    >>> model = tulle.CP(rank=2, epsilon=20, range=(0, 9), method="one-shot").fit(np.outer([1.0, 2, 3], [1.0, 2, 3]))
    >>> str(tulle.refit(model, rank=1).guarantee_) == str(model.guarantee_)
    True
    """
    start = fitted._fitted() if isinstance(fitted, Estimator) else None
    given = {**values_of(refit, values), "from": "the model" if start is not None else os.fspath(fitted)}
    model = call(_core.refit, given, [fitted], _progress.bar("refit"), start)
    return MODELS[json.loads(model.report)["model"]]()._restore(model)
