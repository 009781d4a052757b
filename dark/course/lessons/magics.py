"""IPython's magics, shell escapes and help requests, replaced by `pass` so that Python can parse the rest."""

import re
from contextlib import suppress

from dark.course.lessons.magics_by_hand import replaced_by_hand, without_prompts_by_hand

# Cell magics whose body is not Python.
_OTHER_LANGUAGE = re.compile(r"\s*%%(bash|sh|html|HTML|javascript|js|latex|markdown|svg|script|writefile)\b")
# Lines that may be IPython's: a cell without one is returned at once, and IPython is not imported.
_CANDIDATE = re.compile(r"^\s*[%!?,;/]|\?\s*(#.*)?$|=\s*[%!]", re.MULTILINE)
# Prompts of Python or IPython in front of the first lines, or an indentation: pasted from elsewhere.
_PASTED = re.compile(r"\s*(?:[^\n]*\n)?[ \t]*(?:>>>|\.\.\.|In \[\d+\]:)(?:\s|$)|(?:\s*\n)?[ \t]+[^\s#]")
PASSES = 50  # a shell line such as `!ls (` hides the next one from the tokenizer until it is replaced


def plain_python(source):
    r"""Replace IPython's magics, shell escapes and help requests by `pass`, line by line, and remove pasted prompts.

    IPython's own input transformer decides what they are: a line inside brackets or inside a multi-line string is left
    as it is. Without IPython, rules of our own take its place.

    >>> plain_python("%matplotlib inline\nx = 1\n!ls")
    'pass\nx = 1\npass'
    >>> plain_python("x = (7\n% 3)")
    'x = (7\n% 3)'
    >>> plain_python(">>> if x:\n...     y = 1")
    'if x:\n    y = 1'
    """
    if _OTHER_LANGUAGE.match(source):
        return "\n".join("pass" for _ in source.split("\n"))
    source = _without_prompts(source) if _PASTED.match(source) else source
    for _ in range(PASSES):
        before, source = source, _replaced(source) if _CANDIDATE.search(source) else source
        if source == before:
            break
    return source


def _input_transformer():
    """Return IPython's module, or None: `dark check` in a terminal, or in a browser, does not need it."""
    try:
        import IPython.core.inputtransformer2 as transformers
    except ImportError:
        return None
    return transformers


def _without_prompts(source):
    """Remove what IPython removes in front of the lines of a cell: an indentation of all, and prompts."""
    if (ipython := _input_transformer()) is None:
        return without_prompts_by_hand(source)
    lines = source.splitlines(keepends=True)
    first = next((k for k, line in enumerate(lines) if line.strip()), 0)
    rest = lines[first:]  # IPython drops the empty lines before; here the numbers of the others stay
    for transform in (ipython.leading_indent, ipython.classic_prompt, ipython.ipython_prompt):
        rest = transform(rest)
    return "".join([*lines[:first], *rest])


def _replaced(source):
    """Replace every magic that one pass of the tokenizer finds."""
    if (ipython := _input_transformer()) is None:
        return replaced_by_hand(source)
    transformers = ipython.TransformerManager().token_transformers
    lines = [line + "\n" for line in source.split("\n")]
    with suppress(SyntaxError):  # the tokenizer refuses it, and so will the parser
        for tokens in ipython.make_tokens_by_line(lines):
            found = [magic for each in transformers if (magic := _magic_in(tokens, each))]
            if found:
                _replace_statement(lines, tokens, max(getattr(magic, "q_line", 0) for magic in found))
    return "".join(lines)[:-1]


def _magic_in(tokens, transformer):
    """Return the magic that a transformer finds in one logical line, or None."""
    try:
        return transformer.find([tokens])
    except IndexError:  # the source ends within an assignment
        return None


def _replace_statement(lines, tokens, help_row):
    """Replace a magic by `pass`, and the further lines that it takes by empty ones."""
    row, column = next(token.start for token in tokens if token.string.strip())
    first, last = row - 1, max(row - 1, help_row)  # the row of a closing question mark
    while lines[last].endswith("\\\n") and last + 1 < len(lines):
        last += 1
    lines[first : last + 1] = [lines[first][:column] + "pass\n"] + ["\n"] * (last - first)
