"""python -m tulle: the command."""
import os
import sys

from . import _command

if __name__ == "__main__":
    os.execv(sys.executable, [sys.executable, _command.__file__, *sys.argv[1:]])
