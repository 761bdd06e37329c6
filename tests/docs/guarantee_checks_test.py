"""Every check that a guarantee rests on has a test through C++, Python and the command, and every such test a row in the docs."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def checks():
    return re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "guarantee-checks.md").read_text(), re.MULTILINE)


def camel(name):
    return "".join(part.capitalize() for part in name.split("_"))


def names_of_tests():
    """The tests of each face: one name per test, without what they all begin with."""
    def read(path):
        return (ROOT / "tests" / path).read_text()
    return {
        "C++": (camel, re.findall(r"^TEST_F\(Doors, (\w+)\)", read("job/doors_test.cpp"), re.MULTILINE)),
        "Python": (str, re.findall(r"^def test_(\w+)\(", read("python/doors_test.py"), re.MULTILINE)),
        "command": (str, re.findall(r"^def test_(\w+)\(", read("cli/doors_test.py"), re.MULTILINE)),
    }


def test_each_check_has_a_test_through_every_face():
    assert len(checks()) == len(set(checks())) >= 20
    for face, (spelled, names) in names_of_tests().items():
        for check in checks():
            found = [name for name in names if name.startswith(spelled(check))]
            assert len(found) == 1, f"check {check} has {len(found)} tests through {face}: {found}"


def test_each_test_has_a_check():
    for face, (spelled, names) in names_of_tests().items():
        for name in names:
            assert any(name.startswith(spelled(check)) for check in checks()), f"{face}: {name} is of no row of the table"
