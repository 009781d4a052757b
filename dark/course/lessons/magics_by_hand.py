"""The magics of a cell where IPython is not installed: its rules for a line that begins a statement.

Standard: IPython 9, https://ipython.readthedocs.io/en/stable/interactive/python-ipython-diff.html.
"""

import re
import tokenize
from textwrap import dedent

_ESCAPES = "%!?,;/"  # a line magic, a shell line, a request for help or an automatic call
_PROMPT = re.compile(r"(?:\[(?:nav|ins)\] )?In \[\d+\]: |\s*(?:\.{3,}: ?|(?:>>>|\.\.\.)[ \t]?)")
_BETWEEN = {tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.NL}  # they belong to no statement
_DEPTHS = dict.fromkeys("([{", 1) | dict.fromkeys(")]}", -1)


def replaced_by_hand(source):
    r"""Replace each magic by `pass`, unless it stands inside brackets or a string of more than one line.

    >>> replaced_by_hand("%time f()\nfiles = !ls *.py\nf?\nx = (7\n% 3)")
    'pass\npass\npass\nx = (7\n% 3)'
    """
    lines, first = source.split("\n"), 0
    while first < len(lines):
        is_magic, end = _statement(lines, first)
        if is_magic:
            indentation = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
            lines[first:end] = [indentation + "pass"] + [""] * (end - first - 1)
        first = end
    return "\n".join(lines)


def without_prompts_by_hand(source):
    r"""Remove the indentation of all lines, and the prompts of Python or IPython.

    >>> without_prompts_by_hand("In [1]: if x:\n   ...:     y = 1")
    'if x:\n    y = 1'
    """
    lines = dedent(source).split("\n")
    first = next((k for k, line in enumerate(lines) if line.strip()), 0)
    if any(_PROMPT.match(line) for line in lines[first : first + 2]):
        lines = [_PROMPT.sub("", line, count=1) for line in lines]
    return "\n".join(lines)


def _statement(lines, first):
    """Return whether the statement that begins in a line is a magic, and where the next one begins."""
    if lines[first].lstrip().startswith(tuple(_ESCAPES)):
        return True, _continued(lines, first)
    before, depth = "", 0
    try:
        for token in tokenize.generate_tokens((line + "\n" for line in lines[first:]).__next__):
            if token.type == tokenize.NEWLINE or token.type == tokenize.NL and not before:
                return before == "?", first + token.start[0]
            if token.type in _BETWEEN or token.string.isspace():  # Python 3.11: the space before an unknown sign
                continue
            if before == "=" and depth == 0 and token.string in ("%", "!"):
                return True, _continued(lines, first + token.start[0] - 1)
            before, depth = token.string, depth + _DEPTHS.get(token.string, 0)
    except tokenize.TokenError as error:
        is_open = "EOF" in str(error) or "triple-quoted" in str(error)
        return False, len(lines) if is_open else first + 1
    except SyntaxError:  # of the indentation
        return False, first + 1
    return False, len(lines)


def _continued(lines, first):
    """Return the line after those that end with a backslash."""
    end = first + 1
    while end < len(lines) and lines[end - 1].endswith("\\"):
        end += 1
    return end
