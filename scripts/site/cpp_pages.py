"""The C++ reference: what the public headers declare, with their comments. Public are the headers that tulle.hpp includes; those that they
include are listed after them."""
import re

from text import comment_of, paragraphs

DROPPED = re.compile(r"#|namespace |}\s*// namespace|using namespace |extern template ")


def includes(text):
    return re.findall(r"^#include <(tulle/.+?)>", text, re.MULTILINE)


def groups_of(front):
    """The groups of tulle.hpp: what its comments say, and the headers below each."""
    found = re.findall(r"^// (.+)\n((?:#include <tulle/.+>\n)+)", front, re.MULTILINE)
    return [(comment.partition(":")[0], comment, includes(lines)) for comment, lines in found]


def included(headers, read):
    """Headers that these include, and those include, without these."""
    seen, rest = set(headers), list(headers)
    while rest:
        for header in includes(read(rest.pop())):
            if header not in seen:
                seen.add(header)
                rest.append(header)
    return sorted(seen - set(headers))


def blocks_of(text):
    """Lines of a header that stand together: blank lines divide them, except between braces."""
    blocks, depth = [[]], 0
    for line in text.splitlines():
        if depth == 0 and DROPPED.match(line):
            continue
        if depth == 0 and not line.strip():
            blocks.append([])
            continue
        blocks[-1].append(line)
        code = line.split("//")[0]
        depth += code.count("{") - code.count("}")
    return [block for block in blocks if block]


def names_of(code):
    """What a block declares."""
    names = []
    depth = 0
    for line in code:
        if depth == 0 and not line.startswith((" ", "//", "template", "}")):
            found = re.match(r"(?:inline |constexpr |static )*(?:struct|class|enum class|enum|concept|using) (\w+)(?!.*;$)", line) \
                or re.match(r"(?:using|concept) (\w+)", line) or re.search(r"(operator\S+|\w+)\(", line) or re.search(r"(\w+) = ", line)
            if found and found[1] not in names:
                names.append(found[1])
        stripped = line.split("//")[0]
        depth += stripped.count("{") + stripped.count("(") - stripped.count("}") - stripped.count(")")
    return names


def _declared(block):
    comments = 0
    while comments < len(block) and block[comments].startswith("//"):
        comments += 1
    said, code = comment_of(block[:comments]), block[comments:]
    code = [line for line in code if not re.match(r"(struct|class) \w+;$", line)]  # declared ahead
    if not code:
        return paragraphs(said) + "\n\n" if said else ""
    names = names_of(code)
    heading = f"### {', '.join(f'`{name}`' for name in names)}\n\n" if names else ""
    return heading + (paragraphs(said) + "\n\n" if said else "") + "```cpp\n" + "\n".join(code) + "\n```\n\n"


def header_section(header, text):
    head, _, body = text.partition("#pragma once\n")
    return f"## `{header}`\n\n{paragraphs(comment_of(head.splitlines()))}\n\n" + "".join(map(_declared, blocks_of(body)))


def cpp_pages(read):
    """Pages by path. read(header): its text."""
    front = read("tulle/tulle.hpp")
    groups = groups_of(front)
    public = [header for _, _, headers in groups for header in headers]
    pages = {}
    overview = ("# C++ reference\n\nPrograms include `<tulle/tulle.hpp>` and link `tulle::tulle` ([architecture.md](../architecture.md#public-headers)). "
                "These pages are made from the comments and declarations of the headers.\n\n")
    for name, comment, headers in groups:
        path = re.sub(r"\W+", "-", name.lower()).strip("-") + ".md"
        pages[f"cpp/{path}"] = f"# {name}\n\n{comment}\n\n" + "".join(header_section(each, read(each)) for each in headers)
        overview += f"- [{name}]({path}):{comment.partition(':')[2]}\n"
    behind = included(public, read)
    pages["cpp/included.md"] = ("# Headers behind them\n\nWhat public headers include, and so what programs see of types that public functions take "
                                "and return.\n\n" + "".join(header_section(each, read(each)) for each in behind))
    pages["cpp/index.md"] = overview + "- [Headers behind them](included.md): what public headers include\n"
    return pages
