"""The command, run as a script: of the package it loads the extension alone, since NumPy's threads would take the signals that the
command waits for. `tulle` and `python -m tulle` start it."""
import importlib.machinery
import importlib.util
import os
import signal
import sys


def main() -> int:
    found = importlib.machinery.PathFinder.find_spec("_core", [os.path.dirname(os.path.abspath(__file__))])
    if found is None or found.loader is None:
        sys.exit("tulle: the extension of the package is missing; install the package again")
    core = importlib.util.module_from_spec(found)
    found.loader.exec_module(core)
    for name in ("SIGPIPE", "SIGXFSZ"):  # which Python ignores: `tulle .. | head` ends without a message
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    return core.run_command([sys.executable, os.path.abspath(__file__)], sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
