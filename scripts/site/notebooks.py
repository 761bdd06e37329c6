"""Runs notebooks without Jupyter: their code cells one after the other in one namespace, and what each shows."""
import ast
import contextlib
import io
import json
import os
import pathlib
import tempfile


def cells_of(path):
    """Kind (markdown or code) and text of every cell."""
    notebook = json.loads(pathlib.Path(path).read_text())
    return [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]


def _shown(code, space, name):
    """Runs a cell: what it prints, and the value of its last expression."""
    tree = ast.parse(code, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), space)
        value = eval(compile(ast.Expression(last.value), name, "eval"), space) if last else None
    return printed.getvalue() + ("" if value is None else f"{value!r}\n")


@contextlib.contextmanager
def _inside(folder):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run(path):
    """Kind, text and output of every cell, run in a folder of its own."""
    space, done = {"__name__": "__main__"}, []
    with tempfile.TemporaryDirectory() as folder, _inside(folder):
        for kind, text in cells_of(path):
            done.append((kind, text, _shown(text, space, str(path)) if kind == "code" else ""))
    return done


def notebook_page(path):
    """The page of a notebook, with the outputs of a run."""
    name = pathlib.Path(path).name
    parts = []
    for kind, text, output in run(path):
        parts.append(text if kind == "markdown" else f"```python\n{text}\n```" + (f"\n\n```text\n{output}```" if output else ""))
    note = f"*This page is a notebook, run when the page was made: [{name}]({name}) opens in Jupyter.*"
    return "\n\n".join([parts[0], note, *parts[1:]]) + "\n"
