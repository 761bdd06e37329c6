"""Sites as processes of MPI: mpi_parties.cpp adds up round after round."""
import os
import subprocess

import pytest

PROGRAM = os.environ.get("TULLE_MPI_PARTIES", "")
pytestmark = pytest.mark.skipif(not os.environ.get("TULLE_MPI"), reason="built without MPI")
# 20 rounds of (rank + round) over ranks 0 .. 3: 20 (0 + 1 + 2 + 3) + 4 (1 + .. + 20).
ALL, LINE = 960, "site 3 stopped: 3 of 4 sites are left, and 4 are needed for a sum; the run ends"
FROM_HUB = f"site 1 ended the run: {LINE}"


def run(threshold, *stops):
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return subprocess.run(["mpirun", "--enable-recovery", "--oversubscribe", "-n", "4", PROGRAM, str(threshold), "20", *stops],
                          capture_output=True, text=True, timeout=60, env=environment)


def test_all_processes_have_the_sum():
    result = run(4)
    assert result.returncode == 0, result.stderr
    assert sorted(result.stdout.splitlines()) == [f"site {site} of 4: {ALL} from 4" for site in (1, 2, 3, 4)]


# Rank 2 is in the first 10 sums alone: 10 x 2 + (11 + .. + 20) are missing.
@pytest.mark.parametrize("how", ["throw", "kill"])
def test_the_others_finish_without_one_that_stops(how):
    result = run(3, "2", how)
    assert sorted(result.stdout.splitlines()) == [f"site {site} of 4: {ALL - 175} from 3" for site in (1, 2, 4)], result.stderr


def test_all_end_with_one_line_when_all_are_needed():
    result = run(4, "2", "kill")
    assert result.stdout == ""
    assert result.stderr.count(f"mpi_parties: {LINE}\n") == 1, result.stderr
    assert result.stderr.count(f"mpi_parties: {FROM_HUB}\n") == 2, result.stderr


# Of a sum of 10000 numbers among 4: one byte of kind, 42 of a head, 2 of how many sites, 81 for each of them and the numbers.
def test_all_end_when_one_sends_a_message_that_is_too_long():
    result = run(3, "2", "long")
    line = "site 3 sends a message of 80000001 bytes, where at most 80369 are expected; give all sites the same study and options"
    assert result.stdout == ""
    assert result.stderr.count(f"mpi_parties: {line}\n") == 1, result.stderr
    assert result.stderr.count(f"mpi_parties: site 1 ended the run: {line}\n") == 3, result.stderr


def test_all_end_when_one_never_starts_mpi():
    """Such as a site whose options are refused: MPI waits for it, and mpirun goes on without it."""
    result = run(3, "2", "absent")
    assert result.stdout == "" and result.stderr.count("mpi_parties: told not to start\n") == 1, result.stderr
    assert result.stderr.count("mpi_parties: MPI did not start within 5 s") == 3, result.stderr
