"""What make install puts under a prefix works from there, and needs nothing of the build."""
import os
import pathlib
import random
import shutil
import subprocess

import pytest

COMMAND = pathlib.Path(os.environ["TULLE_COMMAND"])
PREFIX = COMMAND.parents[1]


def run(*args, **options):
    return subprocess.run(args, capture_output=True, text=True, check=True, env={"PATH": "/usr/bin:/bin"}, **options).stdout


def test_the_command_needs_no_other_file(tmp_path):
    """It holds the library, so it may be copied to any place."""
    moved = tmp_path / "tulle"
    shutil.copy(COMMAND, moved)
    assert run(str(moved), "--version").startswith("tulle ")
    loaded = run("ldd", str(moved))
    assert "libtulle" not in loaded and "not found" not in loaded


@pytest.mark.parametrize("file", ["bin/tulle", "lib/libtulle.so"])
def test_libraries_that_few_need_are_not_loaded(file):
    """A file or an address asks for them: MPI, PostgreSQL and HDF5, with all that they bring."""
    loaded = run("ldd", str(PREFIX / file))
    assert "libopenblas" in loaded
    assert not [name for name in ("mpi", "pq", "hdf5", "curl", "ldap") if f"lib{name}" in loaded]


def test_licence_documentation_and_flags_are_installed():
    documents = PREFIX / "share/doc/tulle"
    assert "Apache License" in (documents / "copyright").read_text()
    assert (documents / "docs/privacy.md").exists() and (PREFIX / "lib/pkgconfig/tulle.pc").exists()


def test_public_headers_are_installed_and_no_others():
    """Kernels and accountants' parts are internal; what tulle.hpp includes is there, which the programs of tests/package compile with."""
    headers = {str(path.relative_to(PREFIX / "include")) for path in (PREFIX / "include").rglob("*.hpp")}
    assert {"tulle/tulle.hpp", "tulle/privacy/curator.hpp", "tulle/job/jobs.hpp"} <= headers
    assert not [name for name in headers if "/kernels/" in name or name.startswith("tulle/report/")]


def test_experiments_are_found_from_anywhere(tmp_path):
    assert "wei2022" in run(str(COMMAND), "reproduce", cwd=tmp_path)


def test_the_list_of_common_words_is_found_from_anywhere(tmp_path):
    chosen = random.Random(1)
    topics = [["goal", "team", "match"], ["vote", "party", "law"]]
    (tmp_path / "letters.txt").write_text("".join(" ".join(chosen.choices(topics[i % 2], k=5)) + "\n" for i in range(200)))
    assert "goal" in run(str(COMMAND), "topics", "letters.txt", "--vocabulary", "english", "--topics", "2", "--method", "plain", cwd=tmp_path)


@pytest.mark.skipif(not shutil.which("man"), reason="there is no man")
def test_the_man_page_is_shown():
    page = run("man", "-l", str(PREFIX / "share/man/man1/tulle.1"))
    assert "TULLE(1)" in page and "complete" in page


def test_bash_completes_from_the_installed_script():
    script = PREFIX / "share/bash-completion/completions/tulle"
    shown = run("bash", "-c", f'source {script}; COMP_WORDS=(tulle pre); COMP_CWORD=1; _tulle; echo "${{COMPREPLY[@]}}"')
    assert shown.split() == ["predict"]
