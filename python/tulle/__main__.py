"""python -m tulle: the command, which pip installs beside the interpreter."""
import os
import shutil
import sys
import sysconfig


def main() -> None:
    command = shutil.which("tulle", path=os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")]))
    if command is None:
        sys.exit("tulle: the command is neither beside this Python nor on PATH; pip install of a wheel, or of a clone, puts it there")
    os.execv(command, ["tulle", *sys.argv[1:]])


if __name__ == "__main__":
    main()
