"""A Sphinx extension that folds the code of figures, and answers: an exercise is shown blank, its solution below.

A module's page links to its notebook, in which the student writes it.
"""

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
HEADER = re.compile(r"^(Module \d\d · .*\n)(?:\nRun the cells .*\n)?", re.MULTILINE)
NOTEBOOK = """
This page is the completed module; its solutions are folded. You write it yourself in
{{download}}`its notebook <../modules/{name}.ipynb>`, which `make lab` opens.
"""
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


def link_notebook(text, name):
    r"""Replace how to run the cells, which cannot be done on a page, by a link to the notebook of a module.

    Examples
    --------
    >>> print(link_notebook("Module 01 · help\n\nRun the cells one by one.\n", "01-scalar-autodiff"))
    Module 01 · help
    <BLANKLINE>
    This page is the completed module; its solutions are folded. You write it yourself in
    {download}`its notebook <../modules/01-scalar-autodiff.ipynb>`, which `make lab` opens.
    <BLANKLINE>
    """
    return HEADER.sub(lambda header: header[1] + NOTEBOOK.format(name=name), text, count=1)


def _prepare(app, name, source):
    source[0] = link_notebook(fold_answers(source[0]), name)


def setup(app):
    """Prepare every page before it is parsed."""
    app.connect("source-read", _prepare)
    return {"parallel_read_safe": True}
