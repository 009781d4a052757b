"""IPython's magics and shell lines, taken out of a cell in one pass so that Python can read the rest."""

import re

__all__ = ["plain_python"]

_ELSEWHERE = re.compile(r"\s*%%(bash|sh|html|HTML|javascript|js|latex|markdown|svg|script|writefile)\b")
_MAGIC = re.compile(r"\s*([%!?].*|[\w.*\[\]]+\?\??\s*|\w[\w, ]*=\s*[%!].*)", re.DOTALL)
# A text that is not closed ends with its line; each alternative matches, so that no line is read twice.
_TOKEN = re.compile(
    r"(?P<comment>#)|(?P<triple>'''|\"\"\")|(?P<bracket>[()\[\]{}])"
    r"|'(?:\\.|[^'\\])*(?:'|\\?$)|\"(?:\\.|[^\"\\])*(?:\"|\\?$)"
)
_ENDS = {marks: re.compile(rf"(?:\\.|(?!{marks}).)*?{marks}", re.DOTALL) for marks in ("'''", '"""')}


def plain_python(source):
    r"""Replace IPython's magics and shell lines by `pass`, so that the rest can be read.

    Only the beginning of a statement can be a magic: a line inside brackets or inside a long text
    stays as it is.

    Parameters
    ----------
    source : str
        A cell as it was typed.

    Returns
    -------
    str
        Plain Python, if the rest is Python, with as many lines.

    Examples
    --------
    >>> plain_python("%matplotlib inline\nx = 1\n!ls")
    'pass\nx = 1\npass'
    >>> plain_python("x = (7\n% 3)")
    'x = (7\n% 3)'
    """
    lines = source.split("\n")
    if _ELSEWHERE.match(source):
        return "\n".join("pass" for _ in lines)
    if not {"%", "!", "?"}.intersection(source):
        return source
    marks, depth, is_magic, goes_on = "", 0, False, False
    for number, line in enumerate(lines):
        starts = not (marks or depth or goes_on)
        is_magic = _MAGIC.fullmatch(line) is not None if starts else is_magic and goes_on
        if is_magic:
            lines[number] = line[: len(line) - len(line.lstrip())] + "pass" if starts else ""
        else:
            marks, depth = _after(line, marks, depth)
        goes_on = line.endswith("\\")
    return "\n".join(lines)


def _after(line, marks, depth):
    """Say in which long text, and in how many brackets, a line ends."""
    place = 0
    while True:
        found = (_ENDS[marks].match if marks else _TOKEN.search)(line, place)
        if found is None or found.lastgroup == "comment":
            return marks, depth
        place = found.end()
        if marks:
            marks = ""
        elif found.lastgroup == "triple":
            marks = found["triple"]
        elif found.lastgroup == "bracket":
            depth = depth + 1 if found["bracket"] in "([{" else max(0, depth - 1)
