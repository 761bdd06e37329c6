"""Writes the type stubs of the Python package, whose keywords are the command's options.

usage: python scripts/stubs.py > python/tulle/__init__.pyi
"""
import inspect

import tulle

HEADER = '''"""Type stubs, written by scripts/stubs.py."""
import os
from typing import Any, Literal, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

_Value = Union[str, int, float, os.PathLike[str], Sequence[str], Sequence[int], Sequence[float], Mapping[str, Any],
               npt.NDArray[Any]]
_Array = npt.NDArray[np.float64]

__version__: str

class Error(ValueError): ...
class UsageError(Error): ...
class NotFittedError(ValueError, AttributeError): ...
class Guarantee(dict[str, Any]): ...
'''
# Attributes of fitted estimators.
FITTED = {"guarantee_": "Guarantee", "report_": "dict[str, Any]", "owner_": "dict[str, Any]", "remarks_": "list[str]"}
COMPLETED = {**FITTED, "mode_names_": "list[str]", "labels_": "list[list[Any]]", "level_": "float", "offsets_": "list[_Array]"}
ATTRIBUTES = {
    tulle.CP: {**COMPLETED, "weights_": "_Array", "factors_": "list[_Array]"},
    tulle.Tucker: {**COMPLETED, "core_": "_Array", "factors_": "list[_Array]"},
    tulle.Tubal: {**COMPLETED, "u_": "_Array", "s_": "_Array", "v_": "_Array"},
    tulle.Topics: {**FITTED, "topics_": "_Array", "components_": "_Array", "weights_": "_Array", "variance_": "float",
                   "stands_out_": "Optional[list[bool]]", "vocabulary_": "list[str]"},
    tulle.Counts: {**FITTED, "mode_names_": "list[str]", "labels_": "list[list[Any]]", "counts_": "_Array"},
    tulle.Classifier: {**FITTED, "classes_": "npt.NDArray[Any]", "n_features_in_": "int", "feature_names_in_": "npt.NDArray[Any]",
                       "layers_": "list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]"},
    tulle.Coupled: {**FITTED, "factors_": "dict[str, _Array]"},
}
# Than the command's: a list of labels, a fitted estimator.
WIDER = {"classes": "Union[int, Sequence[Any], npt.NDArray[Any]]", "from": "Any"}
TYPES = {"FLOAT": "float", "INT": "int", "UINT": "int"}
ARRAYS = {"np.ndarray": "npt.NDArray[Any]", "tuple[np.ndarray, list[np.ndarray]]": "tuple[_Array, list[_Array]]"}


def type_of(option):
    """The type of a keyword, from what the library says of the option."""
    if option["flag"]:
        return "bool"
    if option["choices"]:
        found = f"Literal[{', '.join(map(repr, option['choices']))}]"
    else:
        found = WIDER.get(option["name"]) or TYPES.get(option["type"], "_Value")
    return found if option["default"] else f"Optional[{found}]"


def keywords_of(options):
    return "".join(f"        {name}: {type_of(option)} = {option['default']!r},\n" for name, option in options.items())


def argument(parameter):
    text = ("**" if parameter.kind is parameter.VAR_KEYWORD else "") + parameter.name
    if parameter.annotation is not parameter.empty:
        text += f": {parameter.annotation}"
    return text if parameter.default is parameter.empty else f"{text} = {parameter.default!r}"


def method(name, function, returns=None):
    signature = inspect.signature(function)
    arguments = []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in arguments:
            arguments.append("*")
        arguments.append(argument(parameter))
    answer = returns or signature.return_annotation
    return f"    def {name}({', '.join(arguments)}) -> {ARRAYS.get(answer, answer)}: ...\n"


def estimator(cls):
    lines = [f"\nclass {cls.__name__}:\n"]
    lines += [f"    {name}: {kind}\n" for name, kind in ATTRIBUTES[cls].items()]
    lines.append(f"    def __init__(\n        self,\n        *,\n{keywords_of(cls._keywords)}    ) -> None: ...\n")
    for name, function in inspect.getmembers(cls, inspect.isfunction):
        if not name.startswith("_"):
            lines.append(method(name, function, cls.__name__ if name in ("fit", "set_params") else None))
    for name, function in inspect.getmembers(cls, inspect.ismethod):
        if not name.startswith("_"):
            lines.append("    @classmethod\n" + method(name, function.__func__))
    return "".join(lines)


def function(name, returned="dict[str, Any]"):
    each = getattr(tulle, name)
    first = next(iter(inspect.signature(each).parameters.values()))
    keywords = keywords_of(each.keywords).replace("        ", "    ")
    return f"\ndef {name}(\n    {argument(first)},\n    *,\n{keywords}) -> {returned}: ...\n"


def ledger():
    lines = ["\nclass Ledger:\n    path: str\n    def __init__(self, path: Any = None) -> None: ...\n"]
    for name, each in inspect.getmembers(tulle.Ledger, inspect.isfunction):
        if not name.startswith("_") or name == "__fspath__":
            lines.append(method(name, each))
    return "".join(lines)


def load():
    return f"\n{method('load', tulle.load).removeprefix('    ')}"


def stubs():
    return HEADER + "".join(map(estimator, ATTRIBUTES)) + ledger() + function("account") + function("audit") + load() + function("refit", "CP | Tucker | Tubal | Topics | Counts")


if __name__ == "__main__":
    print(stubs(), end="")
