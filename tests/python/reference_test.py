"""The page of the Python reference on the documentation site."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/site"))

import python_page
import tulle


def test_the_reference_lists_keywords_with_their_defaults_and_meanings():
    rows = python_page.keywords(tulle.CP._keywords).splitlines()
    assert any(row.startswith("| `method` | `'auto'` | ") for row in rows)
    assert any(row.startswith("| `user_mode` | `None` | ") and "integers count from 0" in row for row in rows)
