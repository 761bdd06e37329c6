"""Text of sources as Markdown."""
import re


def escaped(text):
    """Plain text whose special characters Markdown shows as they are; `code` stays code."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_<>\[\]#|])", r"\\\1", part) for part in parts)


def table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(str(cell).replace("\n", " ") for cell in line) + " |\n" for line in lines)


def comment_of(lines):
    """The text of lines of a // comment, without the slashes."""
    return [re.sub(r"^\s*// ?", "", line) for line in lines]


def paragraphs(lines):
    """Lines as Markdown: lines of a paragraph joined, lists and indented code kept as they are."""
    blocks = [[]]
    for line in lines:
        if not line.strip():
            blocks.append([])
        elif re.match(r"\s*- |   \S", line) and blocks[-1] and not re.match(r"\s*- |   ", blocks[-1][0]):
            blocks.append([line])
        else:
            blocks[-1].append(line)
    return "\n\n".join(_block(block) for block in blocks if block)


def _block(lines):
    if lines[0].startswith("   "):  # an example
        return "```cpp\n" + "\n".join(line.removeprefix("  ") for line in lines) + "\n```"
    if re.match(r"\s*- ", lines[0]):
        return "\n".join(("- " + escaped(line.strip()[2:])) if line.strip().startswith("- ") else "  " + escaped(line.strip())
                         for line in lines)
    return escaped(" ".join(line.strip() for line in lines))
