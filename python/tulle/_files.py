"""What the verbs read from files besides the data, given as Python objects: lists of labels, text, models."""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import Any, Iterable

from . import _core


def toml(value: Any) -> str:
    """A value as TOML has it; texts are written as in JSON, whose escapes TOML knows."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(each) for each in value) + "]"
    return json.dumps(os.fspath(value) if isinstance(value, os.PathLike) else value)


class Folder(tempfile.TemporaryDirectory):
    """A folder for the time of a fit; `with` gives the folder itself."""

    def __enter__(self) -> "Folder":
        return self

    def path(self, name: str) -> pathlib.Path:
        return pathlib.Path(self.name) / name

    def lines(self, name: str, lines: Iterable[Any]) -> str:
        """A file with one line each."""
        texts = [str(line) for line in lines]
        broken = [text for text in texts if "\n" in text or "\r" in text]
        if broken:
            raise _core.Error(f"{name}: {broken[0]!r} has a line break; leave it out")
        path = self.path(name)
        path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        return os.fspath(path)

    def lists(self, public: Any) -> Any:
        """Of a dictionary of modes: lists of positions as files."""
        if not isinstance(public, dict):
            return public
        given = {}
        for mode, positions in public.items():
            is_name = positions is None or isinstance(positions, (str, os.PathLike))
            given[mode] = positions if is_name else self.lines(f"public-{len(given)}.txt", positions)
        return given

    def model(self, model: Any) -> Any:
        """A fitted estimator as a file."""
        if model is None or not hasattr(model, "save"):
            return model
        path = self.path("from.npz")
        model.save(path)
        return path
