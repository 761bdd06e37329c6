"""Writes what MkDocs makes the site of: docs/, and pages made from sources, descriptors, docstrings and notebooks.

usage: python scripts/site/pages.py FOLDER      with the package on PYTHONPATH and the command as TULLE_COMMAND
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

from cpp_pages import cpp_pages
from links import PAGES, moved
from method_pages import method_page, page_path, references

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOT_ON_THE_SITE = ("*.py", "requirements.txt")
NO_RESULTS = ("# Results\n\nThis copy was built without results: `docs/results.md` is written by `make reproduce`, which runs every experiment whose "
              "data are at hand (`make reproduce QUICK=--quick`: a small version of each, in a quarter of an hour). [benchmarks.md](benchmarks.md) has "
              "measurements of speed and accuracy.\n")


def methods():
    command = os.environ.get("TULLE_COMMAND", str(ROOT / "build/release/tulle"))
    return json.loads(subprocess.run([command, "methods", "--json"], capture_output=True, text=True, check=True).stdout)


def method_pages(found):
    """Pages of methods that have a file in docs/methods, by path."""
    methods_page = (ROOT / "docs/methods.md").read_text()
    papers = references((ROOT / "docs/references.md").read_text())
    source = lambda path: (ROOT / path).read_text()
    return {page_path(method): method_page(method, (ROOT / "docs" / page_path(method)).read_text(), source, methods_page, papers)
            for method in found}


def written_pages():
    """Pages that lie in the repository, by their path on the site."""
    pages = {page: moved((ROOT / name).read_text(), name) for name, page in PAGES.items()}
    for path in sorted((ROOT / "docs").rglob("*.md")):
        pages[str(path.relative_to(ROOT / "docs"))] = moved(path.read_text(), str(path.relative_to(ROOT)))
    pages.setdefault("results.md", NO_RESULTS)
    return pages


def generated_pages():
    from notebooks import notebook_page
    from python_page import python_page

    pages = {"python-reference.md": python_page()}
    for path in sorted((ROOT / "docs/notebooks").glob("*.ipynb")):
        pages[f"notebooks/{path.stem}.md"] = moved(notebook_page(path), f"docs/notebooks/{path.stem}.md")
    return pages


def main(folder):
    pages = {**written_pages(), **method_pages(methods()), **cpp_pages(lambda header: (ROOT / "include" / header).read_text()), **generated_pages()}
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder, ignore=shutil.ignore_patterns("*.md", *NOT_ON_THE_SITE))
    for path, text in pages.items():
        target = pathlib.Path(folder) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    print(f"{len(pages)} pages")


if __name__ == "__main__":
    main(sys.argv[1])
