"""What there is beside the estimators: the command, and what notebooks show."""
import os
import signal
import subprocess
import sys

import pytest
import tulle


def run(*arguments, **options):
    """The extension is the command too, so that there need not be one on PATH."""
    return subprocess.run([sys.executable, "-m", "tulle", *arguments], capture_output=True, text=True, env={**os.environ, "PATH": "/nowhere"}, **options)


def test_the_command_is_run_as_a_module():
    assert tulle.__version__ in run("--version").stdout.splitlines()[0]
    wrong = run("complet")
    assert wrong.returncode == 2 and wrong.stderr.count("\n") == 1 and "did you mean 'complete'?" in wrong.stderr


def test_a_signal_ends_the_command_with_one_line():
    process = subprocess.Popen([sys.executable, "-m", "tulle", "complete", "-", "--method", "plain"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdin.write("1 1 1\n" * 100_000)  # more than a pipe holds: it has begun to read
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    assert process.communicate()[1] == "tulle: interrupted; nothing was written\n"
    assert process.returncode == 128 + signal.SIGINT


def test_the_command_finds_what_is_shipped_and_starts_itself(tmp_path):
    assert "wei2022" in run("reproduce", cwd=tmp_path).stdout
    (tmp_path / "sample.toml").write_text("""
title = "A sample"
source = "nobody"
x = "epsilon"
values = [2]
seeds = 1
[data]
generate = ["cp", "--shape", "8x7x6", "--rank", "1"]
[[curves]]
name = "plain"
arguments = ["--method", "plain", "--rank", "1"]
""")
    done = run("reproduce", "sample.toml", "--json", cwd=tmp_path)
    assert done.returncode == 0 and '"runs": 1' in done.stdout, done.stderr


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
