"""Tutorial notebooks, one per kind of reader, run, as a reader would run them, and hold no outputs: the site has those of the day it was built."""
import json
import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))
sys.path.insert(0, str(ROOT / "scripts/site"))

import notebooks


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_a_guarantee_and_a_baseline(path, monkeypatch):
    monkeypatch.setenv("PATH", f"{pathlib.Path(os.environ['TULLE_COMMAND']).parent}:{os.environ['PATH']}")
    shown = "".join(output for _, _, output in notebooks.run(path))
    assert "for any one " in shown
    assert "without privacy" in shown


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_whole_and_without_outputs(path):
    notebook = json.loads(path.read_text())
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None


def test_the_tutorials_are_these():
    assert [path.stem for path in NOTEBOOKS] == ["hospitals", "privacy-officer", "ratings", "scikit-learn", "topics", "traffic"]
