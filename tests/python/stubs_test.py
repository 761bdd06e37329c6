"""The type stubs say what the package has."""
import ast
import pathlib

import tulle

ROOT = pathlib.Path(__file__).resolve().parents[2]
STUBS = (ROOT / "python" / "tulle" / "__init__.pyi").read_text()


def test_the_stubs_are_those_that_the_declarations_give(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import stubs

    assert stubs.stubs() == STUBS, "run: python scripts/stubs.py > python/tulle/__init__.pyi"


def test_every_public_name_is_in_the_stubs():
    names = {node.name for node in ast.parse(STUBS).body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert set(tulle.__all__) <= names
    assert (ROOT / "python" / "tulle" / "py.typed").exists()


def test_attributes_of_fitted_estimators_are_in_the_stubs(ratings):
    classes = {node.name: node for node in ast.parse(STUBS).body if isinstance(node, ast.ClassDef)}
    for cls in (tulle.CP, tulle.Tucker):
        model = cls(rank=1, method="plain").fit(ratings)
        stated = {each.target.id for each in classes[cls.__name__].body if isinstance(each, ast.AnnAssign)}
        assert {name for name in vars(model) if name.endswith("_")} == stated
