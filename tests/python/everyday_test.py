"""What there is beside the estimators: the command, and what notebooks show."""
import os
import pathlib
import subprocess
import sys

import pytest
import tulle


def test_the_command_is_run_as_a_module():
    command = os.environ["TULLE_COMMAND"]
    run = [sys.executable, "-m", "tulle", "--version"]
    beside = {**os.environ, "PATH": str(pathlib.Path(command).parent)}
    assert tulle.__version__ in subprocess.run(run, capture_output=True, text=True, env=beside).stdout.splitlines()[0]
    missing = subprocess.run(run, capture_output=True, text=True, env={**os.environ, "PATH": "/nowhere"})
    assert missing.returncode == 1 and "neither beside this Python nor on PATH" in missing.stderr


def test_notebooks_show_the_sentence_first_and_no_markup_of_data():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"<b>user": ["a", "a", "b"], "film": ["x", "y", "x"], "rating": [1.0, 2, 3]})
    fresh = tulle.CP(epsilon=1, range=(1, 5))
    assert fresh._repr_html_().startswith("<p>not fitted</p>")
    model = fresh.fit(table)
    assert model.guarantee_._repr_html_().startswith("<p><strong>epsilon 1") and "<details>" in model.guarantee_._repr_html_()
    assert model._repr_html_().startswith(model.guarantee_._repr_html_()) and "CP(epsilon=1" in model._repr_html_()
    assert "<b>" not in tulle.CP(method="plain", columns=["<b>user", "film", "rating"]).fit(table)._repr_html_()


def test_partial_fit_is_absent_and_says_why():
    assert not hasattr(tulle.CP(), "partial_fit")
    with pytest.raises(AttributeError, match="CP has no partial_fit: it learns from all data at once; fit all of them again"):
        tulle.CP().partial_fit([[1.0]])
    with pytest.raises(AttributeError, match="'CP' object has no attribute 'factor_'"):
        _ = tulle.CP().factor_
