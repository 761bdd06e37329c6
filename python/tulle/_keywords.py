"""Options of the command as keyword arguments: the same names, meanings and defaults, from the command's own declarations."""
from __future__ import annotations

import inspect
import os
import re
from typing import Any, Iterable

from . import _core

# Words of Python, and the joints of values that are written with several parts; all others are joined by commas.
RENAMED = {"from": "from_model", "from-is-public": "from_model_is_public"}
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


def described(options: dict[str, dict]) -> str:
    """The section of a docstring."""
    lines = [f"{name}\n    {as_keywords(option['meaning'])}" for name, option in options.items()]
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


def _values(value: Any, option: dict) -> list[str]:
    """What the option is given, once for each: of a dictionary, ``MODE=FILE``."""
    if isinstance(value, dict):
        return [key if each is None else f"{key}={os.fspath(each)}" for key, each in value.items()]
    if option["repeats"] and isinstance(value, (tuple, list)):
        return [_text(each, ",") for each in value]
    return [_text(value, JOINTS.get(option["name"], ","))]


def words(values: dict[str, Any], options: dict[str, dict]) -> list[str]:
    """Keyword arguments as the command would be given them."""
    found = []
    for name, value in values.items():
        option = options[name]
        if value is None or value is False and option["flag"]:
            continue
        if option["flag"]:
            found.append(f"--{option['name']}")
        else:
            found += [f"--{option['name']}={text}" for text in _values(value, option)]
    return found


def as_keywords(message: str) -> str:
    """A message of the library, with keywords in place of options, and names in place of paths in memory."""
    message = re.sub(r" \(see: [^)]*--help\)", "", message)
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
