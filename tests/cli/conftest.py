"""The command under test, as a function that runs it and hands back what it printed."""
import json
import os
import pty
import subprocess
from dataclasses import dataclass

import pytest


@dataclass
class Result:
    status: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


def environment(**more):
    """That of the tests, without what a person may have set for themselves."""
    kept = {name: value for name, value in os.environ.items() if name not in ("TULLE_LEDGER", "TULLE_DATA")}
    return kept | {name: str(value) for name, value in more.items()}


def command_in(folder):
    """Runs `tulle ARGS` in a folder; fails the test when the exit status is not the expected one (None: any)."""

    command = [os.environ["TULLE_COMMAND"]]

    def run(*args, status=0, stdin=None, **variables):
        done = subprocess.run(
            [*command, *map(str, args)],
            cwd=folder, input=stdin, capture_output=True, text=True, timeout=120, env=environment(**variables),
        )
        assert status in (done.returncode, None), f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return Result(done.returncode, done.stdout, done.stderr)

    run.folder = folder
    run.command = command
    return run


def shown_on_a_terminal(words, folder):
    """What a person sees who types a command there."""
    shown = []

    def read(descriptor):
        data = os.read(descriptor, 4096)
        shown.append(data)
        return data

    here = os.getcwd()
    os.chdir(folder)
    try:
        pty.spawn([str(word) for word in words], read)
    finally:
        os.chdir(here)
    return b"".join(shown).decode()


@pytest.fixture
def tulle(tmp_path):
    """The command in an empty folder."""
    return command_in(tmp_path)


@pytest.fixture(scope="module")
def shared_tulle(tmp_path_factory):
    """The command in a folder that all tests of a file share."""
    return command_in(tmp_path_factory.mktemp("shared"))


@pytest.fixture
def sample(tulle):
    """A small synthetic tensor: observed, noisy cells and the truth of the others."""
    tulle("generate", "cp", "--shape", "20x15x10", "--rank", 2, "--snr", 100, "--seed", 1,
          "-o", "train.tns", "--test", "test.tns", "--truth", "truth.npy")
    return tulle
