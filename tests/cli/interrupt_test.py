"""Ctrl-C and progress: a person at the terminal knows what happens, and what was charged."""
import re
import signal
import subprocess
import time

import pytest
from conftest import environment, shown_on_a_terminal

ENDLESS = ("--method", "input", "--rank", "4", "--epsilon", "1", "--range", "-3:3", "--iterations", "1000000", "--tolerance", "0", "-o", "model.npz")


def start(tulle, *args):
    return subprocess.Popen([*tulle.command, *args], cwd=tulle.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=environment())


def wait_until(true):
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def end(run, sign):
    run.send_signal(sign)
    _, error = run.communicate(timeout=30)
    assert run.returncode == 128 + sign
    return error


def names(tulle):
    return {path.name for path in tulle.folder.iterdir()}


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_says_what_was_charged(sample, sign):
    sample("budget", "create", "sample")
    sample("budget", "grant", "sample", "--epsilon", 1)
    before = names(sample)
    run = start(sample, "complete", "train.tns", *ENDLESS, "--account", "sample")
    wait_until(lambda: sample("budget", "show", "sample", "--json").json["spent"] > 0)
    time.sleep(0.5)
    error = end(run, sign)
    assert error == "tulle: interrupted; nothing was written, but 'sample' was charged: releases had begun\n"
    assert names(sample) == before
    assert sample("budget", "show", "sample", "--json").json["charges"][0]["status"] == "charged, not delivered"


def test_without_a_ledger_nothing_is_charged(sample):
    run = start(sample, "complete", "train.tns", *ENDLESS)
    time.sleep(1)
    assert end(run, signal.SIGINT) == "tulle: interrupted; nothing was written\n"


def test_an_interruption_leaves_no_temporary_file(tulle):
    before = names(tulle)
    run = start(tulle, "generate", "sparse", "--shape", "100000x100000x10", "--cells", "3000000", "--seed", "1", "-o", "big.tns")
    wait_until(lambda: any(name.endswith(".tmp") for name in names(tulle)))
    end(run, signal.SIGINT)
    assert names(tulle) == before


def test_work_that_reports_no_steps_shows_how_long_it_takes(sample):
    """Reading from a slow pipe stands for any of it."""
    command = f"(sleep 3; cat train.tns) | {sample.command[0]} complete - --method plain --rank 1"
    assert "reading 2 s" in shown_on_a_terminal(["bash", "-c", command], sample.folder)


def test_work_that_reports_its_steps_shows_the_time_left(sample):
    words = [*sample.command, "complete", "train.tns", "--method", "plain", "--rank", 2, "--tolerance", 0, "--iterations", 2000]
    assert re.search(r"completing \[#*\.*\] \d+/2000 .*at most \d+ s left", shown_on_a_terminal(words, sample.folder))


def test_a_signal_while_the_command_ends(tulle):
    """Whenever it comes, what is said is whole: the message that was due, or that of an interruption, or both."""
    words = {"tulle: interrupted; nothing was written", "tulle: absent.tns: No such file or directory"}
    for delay in range(150):
        run = start(tulle, "info", "absent.tns")
        time.sleep(delay * 1e-4)
        run.terminate()
        _, error = run.communicate(timeout=30)
        assert set(error.splitlines()) <= words
