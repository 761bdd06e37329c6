"""Every Python example of the README, of the pages on first steps and on Python, and of docstrings is run."""
import doctest
import importlib
import pathlib
import re
import sys

import numpy as np
import pytest
import tulle

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = sorted(path.stem for path in (ROOT / "python" / "tulle").glob("_*.py"))


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/first-steps.md", "docs/python.md"])
def test_pages(page, table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table.to_csv("ratings.csv", index=False)
    assert blocks(page)
    for block in blocks(page):
        exec(compile(block, page, "exec"), {})


def test_the_first_example_is_short_and_needs_nothing_but_the_package(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for module in ("pandas", "polars", "pyarrow", "scipy", "sklearn"):
        monkeypatch.setitem(sys.modules, module, None)  # cannot be imported
    (block,) = blocks("README.md")
    assert len([line for line in block.splitlines() if line.strip()]) <= 8
    exec(compile(block, "README.md", "exec"), {})
    assert re.search(r"error \d\.\d+.*\nepsilon 1, delta 1e-06 for any one user of mode axis 0", capsys.readouterr().out)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module("tulle" if name == "__init__" else f"tulle.{name}")
    failed, _ = doctest.testmod(module, extraglobs={"np": np, "tulle": tulle})
    assert failed == 0


def test_every_public_name_has_an_example_or_a_docstring():
    for name in tulle.__all__:
        assert getattr(tulle, name).__doc__, name
        if name in ("CP", "Tucker", "Tubal", "Topics", "Classifier", "Coupled", "Ledger", "account", "audit"):
            assert ">>> " in getattr(tulle, name).__doc__, name
