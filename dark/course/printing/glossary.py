"""The glossary of the book as plain Markdown, which lies next to the notebooks and opens beside them."""

import re

NAME = "glossary.md"
BLOCK = re.compile(r"^```\{glossary\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROLE = re.compile(r"\{term\}`([^`<]+?)(?:\s*<[^`]*>)?`")
OTHER_ROLE = re.compile(r"\{\w+\}(?=`)")


def plain_glossary(text):
    r"""Convert the glossary from MyST, whose entries are a directive of Sphinx, to Markdown that every viewer shows.

    Examples
    --------
    >>> print(plain_glossary("```{glossary}\ndldy\nupstream gradient\n    The {term}`gradient` of `y`.\n```"))
    **dldy**, **upstream gradient**: The *gradient* of `y`.
    """
    text = BLOCK.sub(lambda block: _entries(block[1]), text)
    return OTHER_ROLE.sub("", ROLE.sub(r"*\1*", text))


def _entries(block):
    shown = []
    for entry in re.split(r"\n\s*\n", block.strip()):
        lines = entry.split("\n")
        names = [f"**{line.strip()}**" for line in lines if not line.startswith(" ")]
        body = " ".join(line.strip() for line in lines if line.startswith(" "))
        shown.append(f"{', '.join(names)}: {body}")
    return "\n\n".join(shown)
