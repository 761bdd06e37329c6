"""Tulle: low-rank structure from multiway data, without leaking the people in it.

Estimators take the options of the command as keyword arguments; docs/python.md describes them.
"""
import atexit

from . import _core
from ._accounting import Ledger, account, audit
from ._classifier import Classifier
from ._completion import CP, Tubal, Tucker
from ._core import Error, UsageError
from ._counts import Counts
from ._coupled import Coupled
from ._estimator import Guarantee, NotFittedError
from ._loading import load, refit
from ._topics import Topics

__version__ = _core.version
__all__ = ["CP", "Classifier", "Counts", "Coupled", "Error", "Guarantee", "Ledger", "NotFittedError", "Topics", "Tubal", "Tucker",
           "UsageError", "account", "audit", "load", "refit"]

Error.__doc__ = "Bad input, or something that went wrong outside the program: one line that says what to do."
UsageError.__doc__ = "A request that cannot be met whatever the data: an unknown name, keywords that exclude each other."

atexit.register(_core.wait_for_abandoned)
