"""The documentation site has every page of docs/, and a page for every method. `make docs` builds it and checks all links."""
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/site"))

import cpp_pages
import links
import method_pages
import navigation
import pages

METHODS = json.loads(subprocess.run([os.environ["TULLE_COMMAND"], "methods", "--json"], capture_output=True, check=True).stdout)

NAMED = re.findall(r"^ +- (?:.*: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
NAVIGATION = [page for named in NAMED for page in navigation.pages_of(named, METHODS)]


def header(path):
    return (ROOT / "include" / path).read_text()


def test_the_navigation_has_every_page_once():
    notebooks = [f"notebooks/{path.stem}.md" for path in (ROOT / "docs/notebooks").glob("*.ipynb")]
    made = [*pages.written_pages(), *cpp_pages.cpp_pages(header), *notebooks, "python-reference.md"]
    assert sorted(NAVIGATION) == sorted(made)


def test_every_method_has_a_page_and_no_page_is_of_another():
    written = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs/methods").rglob("*.md")}
    assert written == {method_pages.page_path(method) for method in METHODS}


def test_every_method_is_in_the_guide():
    """With whom it protects; methods of counts share a table."""
    guide = (ROOT / "docs/methods.md").read_text()
    for method in METHODS:
        if method["verb"] == "count":
            assert f"\n| `{method['name']}`" in guide, method["name"]
        else:
            assert "Protects" in method_pages.entries_of(guide, method_pages.HEADINGS[method["verb"]]).get(method["name"], {}) or method["name"] == "plain"


@pytest.fixture(scope="module")
def made():
    return pages.method_pages(METHODS)


def test_pages_of_methods_have_every_section_with_text(made):
    for path, page in made.items():
        sections = dict(re.findall(r"^## (.+)\n+(\S.*)$", page, re.MULTILINE))
        assert set(method_pages.SECTIONS) <= set(sections), path


def test_every_contract_is_on_a_page(made):
    """A private method with a sound form states its contract; files that state one are named by some page."""
    contracts = [str(path.relative_to(ROOT)) for path in (ROOT / "src/method").rglob("*.cpp") if "\n// Unit, relation:" in path.read_text()]
    text = "".join(made.values())
    assert len(contracts) > 15 and [path for path in contracts if f"`{path}`" not in text] == []
    for method in METHODS:
        if "sound" in method["forms"] and method["name"] != "auto":
            assert "\n- **Unit, relation.** " in made[method_pages.page_path(method)], method["name"]


def test_papers_are_cited_in_full(made):
    assert "Applying Differential Privacy to Tensor Completion" in made["methods/complete/input.md"]
    assert "A Tensor Completion Algorithm" in made["methods/complete/input.md"] and "A Tensor Completion" not in made["methods/complete/output.md"]


def test_the_reference_has_every_public_header_and_what_it_declares():
    made = cpp_pages.cpp_pages(header)
    for name in cpp_pages.includes(header("tulle/tulle.hpp")):
        assert sum(f"\n## `{name}`\n" in page for page in made.values()) == 1, name
    assert "### `CompletionJob`" in made["cpp/jobs.md"] and "find_method(std::string_view name" in made["cpp/methods-of-one-s-own.md"]


def test_links_lead_to_where_the_site_has_the_page():
    assert links.moved("[a](docs/methods.md#topics) [b](LICENSE)", "README.md") == "[a](methods.md#topics) b (`LICENSE`)"
    assert links.moved("[c](../CHANGELOG.md) [n](notebooks/ratings.ipynb)", "docs/x.md") == "[c](changelog.md) [n](notebooks/ratings.md)"
    assert links.moved("```\n[a](docs/x.md)\n```", "README.md") == "```\n[a](docs/x.md)\n```"


def test_links_between_files_of_the_repository_are_true():
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^()\s#]+)", prose):
            assert re.match(r"[a-z]+:", target) or (path.parent / target).exists(), f"{path}: {target}"


@pytest.mark.parametrize("words", ["GridSearchCV", "train_test_split", "new user", "cold start", "public list", "add-remove", "interval"])
def test_a_search_for_these_words_leads_to_a_page_for_readers(words):
    """The pages before those of results, of formats of files and of development."""
    found = [name for name, page in pages.written_pages().items() if words.lower() in page.lower()]
    assert {"python.md", "privacy.md", "counts.md", "methods.md", "practitioners.md", "glossary.md"} & set(found), found
