"""Options of the command as keyword arguments: the same names, meanings and defaults, from the command's own declarations."""
from __future__ import annotations

import difflib
import inspect
import operator
import os
import re
from typing import Any, Iterable

from . import _core
from ._tables import chosen_columns, is_place

# Words of Python, and the joints of values that are written with several parts; all others are joined by commas.
RENAMED = {"from": "from_model", "from-is-public": "from_model_is_public"}
# What other packages call a keyword.
ELSEWHERE = {"random_state": ["seed"], "n_jobs": ["threads"], "max_iter": ["iterations"], "n_iter_max": ["iterations"],
             "tol": ["tolerance"], "n_components": ["rank", "topics"], "hidden_layer_sizes": ["hidden"]}
JOINTS = {"range": ":", "clamp": ":", "prior": ":", "crop": "x", "shape": "x"}


def keyword_of(option: str) -> str:
    """``user-mode`` is the keyword ``user_mode``."""
    return RENAMED.get(option, option.replace("-", "_"))


def default_of(option: dict) -> Any:
    if option["flag"]:
        return False
    text = option["default"].strip('"')
    if not text:
        return None
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return text


def parameters(options: Iterable[dict], hidden: Iterable[str]) -> dict[str, dict]:
    """The keywords of a verb, by name, without what only the command has."""
    return {keyword_of(option["name"]): option for option in options if option["name"] not in set(hidden)}


def signature(options: dict[str, dict]) -> inspect.Signature:
    kind = inspect.Parameter.KEYWORD_ONLY
    arguments = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    return inspect.Signature(
        arguments + [inspect.Parameter(name, kind, default=default_of(option)) for name, option in options.items()]
    )


def unexpected(name: str, options: Iterable[str]) -> str:
    """Why a name is no keyword, and which one may be meant."""
    meant = [known for known in ELSEWHERE.get(name, []) if known in options] or difflib.get_close_matches(name, options, 1)
    return f"got an unexpected keyword argument '{name}'" + (f"; did you mean '{meant[0]}'?" if meant else "")


def _meaning(option: dict) -> str:
    counted = " In Python integers count from 0." if option["name"] in COUNTED else ""
    return as_keywords(option["meaning"]) + counted


def described(options: dict[str, dict]) -> str:
    """The section of a docstring."""
    lines = [f"{name}\n    {_meaning(option)}" for name, option in options.items()]
    return "Parameters\n----------\n" + "\n".join(lines)


def _text(value: Any, joint: str) -> str:
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (tuple, list)) or hasattr(value, "__len__"):
        return joint.join(_text(part, joint) for part in value)
    try:
        as_integer = value.__index__()
    except AttributeError:
        return repr(float(value))
    return str(as_integer)


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


def _columns(name: str, value: Any) -> Any:
    """Columns of a file, whose places the command counts from 1."""
    if isinstance(value, str):
        return value
    choices = chosen_columns(value)
    if any(is_place(choice) and choice < 0 for choice in choices):
        raise _core.UsageError(f"{name}: places of columns count from 0")
    return [choice + 1 if is_place(choice) else choice for choice in choices]


# Options whose integers the command counts from 1, and Python from 0.
COUNTED = {"user-mode": _modes, "public": _modes, "hold": _modes, "columns": _columns}


def _values(value: Any, option: dict) -> list[str]:
    """What the option is given, once for each: of a dictionary, ``MODE=FILE``."""
    if isinstance(value, dict):
        return [key if each is None else f"{key}={os.fspath(each)}" for key, each in value.items()]
    if option["repeats"] and hasattr(value, "__iter__") and not isinstance(value, str):
        return [_text(each, ",") for each in value]
    return [_text(value, JOINTS.get(option["name"], ","))]


def _texts(name: str, value: Any, option: dict) -> list[str]:
    try:
        texts = _values(value, option)
    except (TypeError, ValueError):
        raise _core.UsageError(f"{name}: a value of type {type(value).__name__}; give a number, a text or a list of them") from None
    if "" in texts:  # for which the parser would take the next option
        raise _core.UsageError(f"{name} is empty; give a value, or None to leave it out")
    return texts


def _is_set(name: str, value: Any) -> bool:
    if isinstance(value, str) or value not in (False, True):
        raise _core.UsageError(f"{name} is {value!r}; it must be True or False")
    return bool(value)


def words(values: dict[str, Any], options: dict[str, dict]) -> list[str]:
    """Keyword arguments as the command would be given them; without defaults, since an option that plays no part is refused where
    it is given."""
    found = []
    for name, value in values.items():
        option = options[name]
        value = value.item() if getattr(value, "ndim", None) == 0 else value  # a number of NumPy
        if value is None or (not option["flag"] and repr(value) == repr(default_of(option))):
            continue
        if option["name"] in COUNTED:
            value = COUNTED[option["name"]](name, value)
        if not option["flag"]:
            found += [f"--{option['name']}={text}" for text in _texts(name, value, option)]
        elif _is_set(name, value):
            found.append(f"--{option['name']}")
    return found


def as_keywords(message: str) -> str:
    """A message of the library, with keywords in place of options, and names in place of paths in memory and of files that
    were made for the run (`Folder`), whose lines nobody knows."""
    message = re.sub(r" \(see: [^)]*--help\)", "", message)
    message = re.sub(r"\S*/tulle-fit-[^/]*/([a-zA-Z_]+)[^:\s]*(:\d+)?", r"\1", message)
    message = re.sub(r"memory:([^#]*)#\d+", r"\1", message)
    return re.sub(r"(?<![\w-])--([a-z][a-z0-9-]*)", lambda option: keyword_of(option[1]), message)


def call(function, *arguments, **keywords):
    """Calls the extension; its errors name keywords."""
    try:
        return function(*arguments, **keywords)
    except _core.Error as error:
        raise type(error)(as_keywords(str(error))) from None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; {_core.said_when_interrupted()}") from None
