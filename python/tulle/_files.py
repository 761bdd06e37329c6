"""What the verbs read from files besides the data, given as Python objects: lists of labels, text, models."""
from __future__ import annotations

import json
import operator
import os
import pathlib
import tempfile
from typing import Any, Iterable

from . import _core
from ._tables import label_text


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


class Folder(tempfile.TemporaryDirectory):
    """A folder for the time of a fit; `with` gives the folder itself. Messages name its files without it: `as_keywords`."""

    def __init__(self) -> None:
        super().__init__(prefix="tulle-fit-")

    def __enter__(self) -> "Folder":
        return self

    def path(self, name: str) -> pathlib.Path:
        return pathlib.Path(self.name) / name

    def lines(self, name: str, lines: Iterable[Any]) -> str:
        """A file with one line each."""
        texts = [str(line) for line in lines]
        broken = [text for text in texts if "\n" in text or "\r" in text]
        if broken:
            raise _core.Error(f"{pathlib.Path(name).stem}: {broken[0]!r} has a line break; leave it out")
        path = self.path(name)
        path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8", errors="replace")
        return os.fspath(path)

    def lists(self, public: Any, numbered: bool) -> Any:
        """Of a dictionary of modes: lists of positions as files, which have numbers from 1 where positions are numbers."""
        if not isinstance(public, dict):
            return public
        given = {}
        for mode, positions in public.items():
            is_name = positions is None or isinstance(positions, (str, os.PathLike))
            if not is_name:
                positions = self.lines(f"public-{len(given)}.txt", _from_1(positions) if numbered else map(label_text, positions))
            given[mode] = positions
        return given

    def model(self, model: Any) -> Any:
        """A fitted estimator as a file."""
        if model is None or not hasattr(model, "save"):
            return model
        path = self.path("from_model.npz")
        model.save(path)
        return path
