"""Both places that a ledger can live in: a file, and a PostgreSQL server that the tests start."""
import glob
import json
import os
import shutil
import subprocess
import tempfile

import pytest


def as_server_user(command):
    """PostgreSQL refuses to run as root; its package has made a user for it."""
    return ["runuser", "-u", "postgres", "--", *command] if os.getuid() == 0 else command


@pytest.fixture(scope="session")
def server():
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    assert programs, "no PostgreSQL server: scripts/setup test installs it"
    folder = tempfile.mkdtemp(prefix="tulle-pg-")
    if os.getuid() == 0:
        shutil.chown(folder, "postgres", "postgres")

    def run(program, *args):
        subprocess.run(as_server_user([f"{programs[-1]}/{program}", *args]), check=True, cwd=folder,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    data = f"{folder}/data"
    run("initdb", "-D", data, "-A", "trust", "-U", "tulle")
    run("pg_ctl", "-D", data, "-w", "-l", f"{folder}/log", "-o", f"-k {folder} -c listen_addresses=''", "start")
    yield f"host={folder}&user=tulle", lambda name: run("createdb", "-h", folder, "-U", "tulle", name)
    run("pg_ctl", "-D", data, "-m", "immediate", "stop")
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def ledger(request, tmp_path):
    if request.param == "sqlite":
        return str(tmp_path / "ledger.db")
    where, create = request.getfixturevalue("server")
    name = "ledger" + os.urandom(4).hex()
    create(name)
    return f"postgresql:///{name}?{where}"


@pytest.fixture
def budget(ledger):
    """Runs `tulle budget ARGS` on the ledger; fails the test when the exit status is not the expected one."""

    def run(*args, status=0):
        done = subprocess.run([os.environ["TULLE_COMMAND"], "budget", *map(str, args), "--ledger", ledger, "--json"],
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == status, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return json.loads(done.stdout) if status == 0 else done.stderr

    return run
