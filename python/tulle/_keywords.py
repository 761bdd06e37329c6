"""Options of jobs as keyword arguments: the same names, meanings and defaults, from the library's own declarations."""
from __future__ import annotations

import difflib
import inspect
import operator
import os
from collections.abc import Iterable
from typing import Any

from . import _core
from ._tables import chosen_columns, is_place

# What other packages call a keyword.
ELSEWHERE = {"random_state": ["seed"], "n_jobs": ["threads"], "max_iter": ["iterations"], "n_iter_max": ["iterations"],
             "tol": ["tolerance"], "n_components": ["rank", "topics"], "hidden_layer_sizes": ["hidden"]}


def parameters(options: Iterable[dict], hidden: Iterable[str]) -> dict[str, dict]:
    """The keywords of a job, by name, without what only the command has."""
    return {option["keyword"]: option for option in options if option["name"] not in set(hidden)}


def signature(options: dict[str, dict]) -> inspect.Signature:
    kind = inspect.Parameter.KEYWORD_ONLY
    arguments = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    return inspect.Signature(
        arguments + [inspect.Parameter(name, kind, default=option["default"]) for name, option in options.items()]
    )


def unexpected(name: str, options: Iterable[str]) -> str:
    """Why a name is no keyword, and which one may be meant."""
    meant = [known for known in ELSEWHERE.get(name, []) if known in options] or difflib.get_close_matches(name, options, 1)
    return f"got an unexpected keyword argument '{name}'" + (f"; did you mean '{meant[0]}'?" if meant else "")


def _meaning(option: dict) -> str:
    counted = " In Python integers count from 0." if option["name"] in COUNTED else ""
    return option["meaning"] + counted


def described(options: dict[str, dict]) -> str:
    """The section of a docstring."""
    lines = [f"{name}\n    {_meaning(option)}" for name, option in options.items()]
    return "Parameters\n----------\n" + "\n".join(lines)


def mode_text(name: str, mode: Any) -> str:
    """What the library calls a mode: its name, or the axis that an integer counts from 0."""
    if isinstance(mode, str):
        if mode.strip().isdigit():
            raise _core.UsageError(f"{name}: {mode!r} is a text; give the integer {int(mode)} for an axis, which counts from 0, or the name of a mode")
        return mode
    try:
        axis = operator.index(mode)
    except TypeError:
        axis = -1
    if axis < 0 or isinstance(mode, bool):
        raise _core.UsageError(f"{name} is {mode!r}; give the name of a mode, or its axis as an integer from 0")
    return _core.axis_name(axis)


def _stated(name: str, mode: Any) -> str:
    """One mode; as a text also several with commas, or MODE=FILE."""
    if not isinstance(mode, str):
        return mode_text(name, mode)
    modes, equals, file = mode.partition("=")
    return ",".join(mode_text(name, each) for each in modes.split(",")) + equals + file


def _modes(name: str, value: Any) -> Any:
    """Modes in any form that a keyword takes: one, a list, or a dictionary of modes and their positions."""
    if isinstance(value, dict):
        return {mode_text(name, mode): each for mode, each in value.items()}
    is_one = isinstance(value, str) or not hasattr(value, "__iter__")
    return _stated(name, value) if is_one else [_stated(name, mode) for mode in value]


def _ordered(name: str, value: Any) -> Any:
    """Modes, some with a period: hour%24, axis 1%24."""
    for each in [value] if isinstance(value, str) else value if hasattr(value, "__iter__") else []:
        if isinstance(each, str) and each.partition("%")[0].strip().isdigit() and "%" in each:
            raise _core.UsageError(f"{name}: {each!r} is a text; give 'axis {each}' for an axis, which counts from 0, or the name of a mode")
    return _modes(name, value)


def _columns(name: str, value: Any) -> Any:
    """Columns of a file, whose places the command counts from 1."""
    if isinstance(value, str):
        return value
    choices = chosen_columns(value)
    if any(is_place(choice) and choice < 0 for choice in choices):
        raise _core.UsageError(f"{name}: places of columns count from 0")
    return [choice + 1 if is_place(choice) else choice for choice in choices]


# Options whose integers the command counts from 1, and Python from 0.
COUNTED = {"user-mode": _modes, "public": _modes, "hold": _modes, "private-keys": _modes, "ordered": _ordered, "columns": _columns}


def _plain(name: str, value: Any) -> Any:
    """A value as the library takes it: a number, a text, or a list of them; of a dictionary, ``MODE=FILE``."""
    value = value.item() if getattr(value, "ndim", None) == 0 else value  # a number of NumPy
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str) and not value:
        raise _core.UsageError(f"{name} is empty; give a value, or None to leave it out")
    if isinstance(value, int) and abs(value) >= 2**64:
        raise _core.UsageError(f"{name} is a number of {value.bit_length()} bits; give one below 2^64")
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, dict) and value:
        try:
            return [key if each is None else f"{key}={os.fspath(each)}" for key, each in value.items()]
        except TypeError:
            raise _core.UsageError(f"{name}: a value of type dict; give a number, a text or a list of them") from None
    if hasattr(value, "__iter__") and not hasattr(value, "__next__") and not isinstance(value, (bytes, bytearray)):
        parts = [_plain(name, each) for each in value]
        if not parts:
            raise _core.UsageError(f"{name} is empty; give a value, or None to leave it out")
        return parts
    try:
        return operator.index(value)
    except TypeError:
        pass
    try:
        return float(value)
    except (TypeError, ValueError):
        raise _core.UsageError(f"{name}: a value of type {type(value).__name__}; give a number, a text or a list of them") from None


def _is_set(name: str, value: Any) -> bool:
    if isinstance(value, str) or value not in (False, True):
        raise _core.UsageError(f"{name} is {value!r}; it must be True or False")
    return bool(value)


def _is_default(value: Any, option: dict) -> bool:
    """Whether the option is left out: 0 is the default 0.0 too."""
    same = repr(value) == repr(option["default"])
    return same or (type(value) in (int, float) and type(option["default"]) in (int, float) and value == option["default"])


def values(given: dict[str, Any], options: dict[str, dict]) -> dict[str, Any]:
    """Keyword arguments by the ids of options; without defaults, since an option that plays no part is refused where it is given."""
    found = {}
    for name, value in given.items():
        option = options[name]
        value = value.item() if getattr(value, "ndim", None) == 0 else value  # a number of NumPy
        if value is None or (not option["flag"] and _is_default(value, option)):
            continue
        if option["name"] in COUNTED:
            value = COUNTED[option["name"]](name, value)
        if not option["flag"]:
            found[option["name"]] = _plain(name, value)
        elif _is_set(name, value):
            found[option["name"]] = True
    return found


def call(function, *arguments, **keywords):
    """Calls the extension; an interruption says what it left behind."""
    try:
        return function(*arguments, **keywords)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; {_core.said_when_interrupted()}") from None
