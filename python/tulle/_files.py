"""What jobs read from files besides the data, given as Python objects: lists of labels, text, studies."""
from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable
from typing import Any

from . import _core
from ._tables import label_texts


def toml(value: Any) -> str:
    """A value as TOML has it; texts are written as in JSON, whose escapes TOML knows."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(each) for each in value) + "]"
    if isinstance(value, os.PathLike):
        return json.dumps(os.fspath(value))
    if hasattr(value, "tolist"):  # of NumPy
        return toml(value.tolist())
    if isinstance(value, float):
        return repr(value)  # inf and nan as TOML has them
    if not isinstance(value, (str, int)):
        raise _core.Error(f"study: a value of type {type(value).__name__}; give a text, a number, a list or a dictionary")
    return json.dumps(value)


def _from_1(positions: Iterable[Any]) -> list[int]:
    try:
        return [operator.index(position) + 1 for position in positions]
    except TypeError:
        raise _core.UsageError("public: the data have no labels; list positions as integers from 0") from None


def text(name: str, lines: Iterable[Any]) -> Any:
    """A text in memory with one line each, which a job reads in place of a file."""
    texts = [str(line) for line in lines]
    broken = [line for line in texts if "\n" in line or "\r" in line]
    if broken:
        raise _core.Error(f"{name}: {broken[0]!r} has a line break; leave it out")
    return _core.hold_text(name, "".join(f"{line}\n" for line in texts).encode("utf-8", "replace").decode("utf-8"))


def lists(public: Any, numbered: bool, kept: list[Any]) -> Any:
    """Of a dictionary of modes: lists of positions as texts, which have numbers from 1 where positions are numbers. What must live
    during the fit is added to `kept`."""
    if not isinstance(public, dict):
        return public
    given = {}
    for mode, positions in public.items():
        if positions is not None and not isinstance(positions, (str, os.PathLike)):
            kept.append(text(f"public of {mode}", _from_1(positions) if numbered else label_texts(positions)))
            positions = kept[-1].path
        given[mode] = positions
    return given
