"""The page of formats lists those that the command knows, and no others."""
import os
import pathlib
import re
import subprocess

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/formats.md"


def test_the_page_lists_all_formats_of_tensors():
    refused = subprocess.run([os.environ["TULLE_COMMAND"], "info", "x.unknown"], capture_output=True, text=True)
    known = re.findall(r"\.(\w+)", refused.stderr.split("name it ")[1].split("say")[0])
    table = PAGE.read_text().split("## Tensors")[1].split("\n\n")[1]
    assert sorted(known) == sorted(name for row in re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE) for name in re.findall(r"\.(\w+)", row))
