"""A Sphinx extension that folds the code of figures, and answers: an exercise is shown blank, its solution below."""

import re

from dark.course.lessons.blank import BEGIN, END, blank

CELL = re.compile(
    r"^```\{code-cell\} ipython3\n"
    r"(?:---\n(?P<metadata>.*?)^---\n|(?P<options>(?::[^\n]*\n)+)\n?)?"
    r"(?P<source>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
FIGURE = re.compile(r"\bFigure\(")  # of matplotlib
MARKER = re.compile(rf"^[ \t]*(?:{BEGIN}|{END})[ \t]*\n", re.MULTILINE)
BOTH = """\
```python
{blank}```

```{{code-cell}} ipython3
---
tags: [hide-cell]
mystnb:
  code_prompt_show: "Show {answer}"
  code_prompt_hide: "Hide {answer}"
---
{filled}```"""


def fold_answers(text):
    r"""Show each exercise and each prediction of a manuscript blank, and fold its solution.

    Parameters
    ----------
    text : str
        A manuscript.

    Returns
    -------
    str
        The manuscript as shown in the book; the executed code is the same.

    Examples
    --------
    >>> print(fold_answers('```{code-cell} ipython3\n:tags: [predict]\n\npredict("01.1a", 6)\n```'))
    ```python
    predict("01.1a", ...)
    ```
    <BLANKLINE>
    ```{code-cell} ipython3
    ---
    tags: [hide-cell]
    mystnb:
      code_prompt_show: "Show the answer"
      code_prompt_hide: "Hide the answer"
    ---
    predict("01.1a", 6)
    ```
    """
    return CELL.sub(_folded, text)


def _folded(cell):
    source = cell["source"]
    if blank(source) == source:
        return _folded_figure(cell) if FIGURE.search(source) else cell[0]
    answer = "a solution" if BEGIN in source else "the answer"
    return BOTH.format(blank=blank(source), answer=answer, filled=MARKER.sub("", source))


def _folded_figure(cell):
    """Fold the source of a cell that draws a figure; its output stays."""
    options = cell["options"] or cell["metadata"] or ""
    if re.search(r"\b(hide|remove)-", options):
        return cell[0]
    if "tags: [" in options:
        return cell[0].replace("tags: [", "tags: [hide-input, ", 1)
    head, rest = cell[0].split("\n", 1)
    if cell["metadata"]:
        return f"{head}\n---\ntags: [hide-input]\n{rest.removeprefix('---').lstrip()}"
    return f"{head}\n:tags: [hide-input]\n" + ("" if cell["options"] else "\n") + rest


def setup(app):
    """Fold the answers of every page before it is parsed."""
    app.connect("source-read", lambda app, name, source: source.__setitem__(0, fold_answers(source[0])))
    return {"parallel_read_safe": True}
