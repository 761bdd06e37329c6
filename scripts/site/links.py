"""Links of the repository's files as links of the site, which has docs/ and three pages from above it."""
import os
import re

PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}  # file: page


def place_of(path):
    """Where a file of the repository is on the site; None: it is not."""
    if path in PAGES:
        return PAGES[path]
    if path.startswith("docs/notebooks/") and path.endswith(".ipynb"):
        return path.removeprefix("docs/")[:-len(".ipynb")] + ".md"
    return path.removeprefix("docs/") if path.startswith("docs/") else None


def moved(text, source):
    """The text of a file with links as the site has them. What the site does not have keeps its name, without a link."""
    page = place_of(source)

    def link(found):
        shown, target = found[1], found[2]
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        path, mark, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(source), path))
        place = place_of(path)
        if place is None:
            return shown if shown.strip("`/") == path else f"{shown} (`{path}`)"
        return f"[{shown}]({os.path.relpath(place, os.path.dirname(page) or '.')}{mark}{anchor})"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)  # code has no links
    return "".join(part if part.startswith("```") else re.sub(r"\[([^\[\]]*)\]\(([^()\s]+)\)", link, part) for part in parts)
