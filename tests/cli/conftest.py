"""The command under test, as a function that runs it and hands back what it printed."""
import json
import os
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


@pytest.fixture
def tulle(tmp_path):
    """Runs `tulle ARGS` in an empty folder; fails the test when the exit status is not the expected one."""

    def run(*args, status=0, stdin=None):
        done = subprocess.run(
            [os.environ["TULLE_COMMAND"], *map(str, args)],
            cwd=tmp_path, input=stdin, capture_output=True, text=True, timeout=120,
        )
        assert done.returncode == status, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return Result(done.returncode, done.stdout, done.stderr)

    run.folder = tmp_path
    return run


@pytest.fixture
def sample(tulle):
    """A small synthetic tensor: observed, noisy cells and the truth of the others."""
    tulle("generate", "cp", "--shape", "20x15x10", "--rank", 2, "--snr", 100, "--seed", 1,
          "-o", "train.tns", "--test", "test.tns", "--truth", "truth.npy")
    return tulle
