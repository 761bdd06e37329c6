"""The Python reference, from the docstrings of the package and the command's declarations of options."""
import inspect
import pathlib
import re
import sys

import tulle
from text import escaped, table
from tulle import _keywords

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import stubs


def described(docstring):
    """A docstring as Markdown, without the parameters, which have a table."""
    text = re.sub(r"Parameters\n-+\n(?:\S.*\n?(?:    .*\n?)*)*", "", inspect.cleandoc(docstring or ""))
    text = re.sub(r"^(\w[\w ]*)\n-{3,}$", r"**\1**", text, flags=re.MULTILINE)
    text = re.sub(r"((?:^>>> .*\n?(?:^(?!\s*$|>>> ).*\n?)*)+)", lambda code: f"```pycon\n{code[1].rstrip()}\n```\n", text, flags=re.MULTILINE)
    return text.strip() + "\n\n"


def keywords(options):
    rows = [(f"`{name}`", f"`{option['default']!r}`", escaped(_keywords._meaning(option))) for name, option in options.items()]
    return table(["keyword", "default", "meaning"], rows) + "\n"


def signature(function):
    text = str(inspect.signature(function))
    return re.sub(r"\(self(, )?", "(", text)


def methods(cls):
    found = [(name, each) for name, each in inspect.getmembers(cls, inspect.isfunction) if not name.startswith("_")]
    return "".join(f"#### `{cls.__name__}.{name}`\n\n```python\n{name}{signature(each)}\n```\n\n{described(each.__doc__)}" for name, each in found)


def estimator(cls):
    attributes = table(["attribute", "type"], [(f"`{name}`", f"`{kind}`") for name, kind in stubs.ATTRIBUTES[cls].items()])
    return (f"## `{cls.__name__}`\n\n{described(cls.__doc__)}Keywords:\n\n{keywords(cls._keywords)}Attributes after `fit`:\n\n{attributes}\n{methods(cls)}")


def function(name):
    each = getattr(tulle, name)
    return f"## `{name}`\n\n{described(each.__doc__)}{keywords(each.keywords)}"


def python_page():
    parts = ["# Python reference\n\nMade from the docstrings of the package, version " + tulle.__version__ + ". [python.md](python.md) describes what estimators have in common.\n\n"]
    parts += map(estimator, stubs.ATTRIBUTES)
    parts.append(f"## `Ledger`\n\n{described(tulle.Ledger.__doc__)}{methods(tulle.Ledger)}")
    parts.append(f"## `load`\n\n```python\nload{signature(tulle.load)}\n```\n\n{described(tulle.load.__doc__)}")
    parts += map(function, ("account", "audit"))
    for name in ("Guarantee", "Error", "UsageError", "NotFittedError"):
        parts.append(f"## `{name}`\n\n{described(getattr(tulle, name).__doc__)}")
    return "".join(parts)
