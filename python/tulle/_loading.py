"""Models from their files."""
from __future__ import annotations

import json
import os
from typing import Any

from . import _core
from ._classifier import Classifier
from ._completion import CP, Tubal, Tucker
from ._coupled import Coupled
from ._keywords import call
from ._topics import Topics

MODELS = {"cp": CP, "tucker": Tucker, "tubal": Tubal, "topics": Topics, "network": Classifier, "coupled": Coupled}


def load(path: Any) -> CP | Tucker | Tubal | Topics | Classifier | Coupled:
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
