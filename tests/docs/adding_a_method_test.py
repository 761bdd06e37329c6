"""The code on the page about adding a method is the source of the example, which is built and run."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_blocks_of_the_page_are_the_text_of_the_example():
    """Blocks begin where the source has a blank line."""
    page = (ROOT / "docs/adding-a-method.md").read_text()
    blocks = re.findall(r"^```cpp\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert "\n".join(blocks) == (ROOT / "examples/own_method.cpp").read_text()
