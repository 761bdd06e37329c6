#!python
"""The command: tulle/_command.py, found without loading the package."""
import importlib.util
import os
import runpy
import sys

package = importlib.util.find_spec("tulle")
if package is None or package.origin is None:
    sys.exit("tulle: its Python package is missing; install it again")
runpy.run_path(os.path.join(os.path.dirname(package.origin), "_command.py"), run_name="__main__")
