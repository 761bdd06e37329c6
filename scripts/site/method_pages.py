"""A page per method: its descriptor (`tulle methods --json`), the contract at the head of its source, its entry in docs/methods.md, the papers
it comes from (docs/references.md), and what docs/methods/VERB/NAME.md says of when it fails."""
import re

from text import comment_of, escaped, paragraphs, table

SECTIONS = ("Idea", "Guarantee", "Cost", "When it fails", "Citation")  # of every page
OWN = "Tulle's own: no paper describes it. Name Tulle with the version that `tulle --version` prints."


def page_path(method):
    return f"methods/{method['verb']}/{method['name']}.md"


def front_matter(page):
    """The fields before a page (`key: value`, values of several words are lists), and the rest."""
    found = re.match(r"---\n(.*?)---\n", page, re.DOTALL)
    if not found:
        return {}, page
    fields = dict(line.split(":", 1) for line in found[1].splitlines())
    return {key.strip(): value.split() for key, value in fields.items()}, page[found.end():]


def contract_of(source):
    """The comment at the head of a source: its first paragraph, the fields (`Cost:  text`), and what follows."""
    lines = comment_of(re.match(r"((?://.*\n)+)", source)[1].splitlines())
    end = lines.index("") if "" in lines else len(lines)
    title, fields, rest = " ".join(lines[:end]), [], lines[end + 1:]
    while rest and rest[0]:
        line = rest.pop(0)
        field = re.match(r"([A-Z][\w ,]*):\s+(.*)", line)
        if field:
            fields.append([field[1], field[2]])
        else:
            fields[-1][1] += " " + line.strip()
    return title, fields, paragraphs(rest)


def references(page):
    """What docs/references.md lists, by key."""
    entries = re.findall(r"^- \*\*(.+?)\*\*: (.*(?:\n  .*)*)", page, re.MULTILINE)
    return {key: re.sub(r"\n\s*", " ", text) for key, text in entries}


def entries_of(page, heading):
    """The entries of docs/methods.md below a heading, by method: the fields of each (`- **Protects:** text`)."""
    section = re.split(r"^## ", page.split(f"## {heading}\n", 1)[1], flags=re.MULTILINE)[0]
    parts = re.split(r"^### (.*)\n", section, flags=re.MULTILINE)[1:]
    found = {}
    for title, text in zip(parts[::2], parts[1::2]):
        fields = dict(re.findall(r"^- \*\*(.+?):\*\* (.*(?:\n  .*)*)", text, re.MULTILINE))
        found.update({name: fields for name in re.findall(r"`(.+?)`", title)})
    return found


HEADINGS = {"complete": "Completion", "topics": "Topics", "count": "Counts", "classify": "Classifiers"}


def _relinked(text):
    """Links of docs/methods.md, from two folders below."""
    return re.sub(r"\]\((#|[\w/-]+\.md)", lambda link: f"](../../{'methods.md' if link[1] == '#' else ''}{link[1]}", text)


def _contract(path, contract):
    title, fields, rest = contract
    listed = "\n".join(f"- **{name}.** {escaped(text)}" for name, text in fields if name != "Cost")
    return f"{escaped(title)} From the head of `{path}`:\n\n{listed}\n\n{rest}\n"


def _cost(contracts):
    costs = [(path, text) for path, (_, fields, _) in contracts for name, text in fields if name == "Cost"]
    return "\n\n".join(escaped(text).replace("docs/methods.md", "[docs/methods.md](../../methods.md)")
                       + (f" (`{path}`)" if len(costs) > 1 else "") for path, text in costs)


def _sentence(text):
    return escaped(text[:1].upper() + text[1:]) + "."


def _settings(settings):
    rows = [(f"`--{each['name']}`", escaped(each["meaning"]), escaped(each["values"]), escaped(each["default"])) for each in settings]
    return table(["setting", "meaning", "values", "otherwise"], rows)


def _citation(method, contracts, papers):
    cited = method["source"] + " " + method["details"] + " " + " ".join(title for _, (title, _, _) in contracts)
    found = [f"- {text}" for key, text in papers.items() if key in cited]
    return "\n\n".join(([OWN] if "Tulle" in method["source"] else []) + (["\n".join(found)] if found else []))


def _sections(parts):
    return "".join(f"## {name}\n\n{text.strip()}\n\n" for name, text in parts)


def method_page(method, notes, sources, methods_page, papers):
    """The page of a method. notes: its file in docs/methods; sources: path -> text of what it names as its contract."""
    fields, written = front_matter(notes)
    entry = entries_of(methods_page, HEADINGS[method["verb"]]).get(method["name"], {})
    contracts = [(path, contract_of(sources(path))) for path in fields.get("contract", [])]
    protects = f"\n\nProtects: {_relinked(entry['Protects'])}" if "Protects" in entry else ""
    when = f"\n\nWhen to take it: {_relinked(entry['When'])}" if "When" in entry else ""
    delta = "\n\nIt needs a delta above 0." if method["needs_delta"] else ""
    parts = [("Idea", escaped(method["details"]) + when), ("Guarantee", _sentence(method["guarantee"]) + protects + delta)]
    if contracts:
        parts.append(("Contract", "\n".join(_contract(path, contract) for path, contract in contracts)))
    if _cost(contracts):
        parts.append(("Cost", _cost(contracts)))
    if method["settings"]:
        parts.append(("Settings", _settings(method["settings"])))
    after = []
    if "As published" in entry:
        after.append(("Published form, and where its claim fails", f"`--calibration published`: {_relinked(entry['As published'])}"))
    after.append(("Citation", _citation(method, contracts, papers)))
    return (f"# `{method['name']}`\n\n`tulle {method['verb']} --method {method['name']}`: {escaped(method['title'])} "
            f"({escaped(method['source'])}).\n\n{_sections(parts)}{written.strip()}\n\n{_sections(after)}")
