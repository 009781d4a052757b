"""A manuscript of two pages, printed for the tests of building, finding and merging."""

import copy
import textwrap

from dark.course.lessons.blank import blank_notebook
from dark.course.lessons.lesson import module_of
from dark.course.printing.manuscript import read_manuscript
from dark.course.printing.solved_notebook import solved_notebook

FRONT = """\
---
kernelspec:
  display_name: Python 3 (ipykernel)
  language: python
  name: python3
---

"""

HINTS = """\
hints:
- A nudge.
- text: A picture.
  draw: |
    3
- |
  pseudo
  code
- A sibling."""


def exercise(name, defines, code, **changes):
    """Write the cell of an exercise."""
    data = {"minutes": 5, "difficulty": 1, "why": "|\n  So.\n  Next.", **changes}
    lines = [f"exercise: {name}", f"defines: {defines}", HINTS]
    lines += [f"{key}: {value}" for key, value in data.items() if value is not None]
    return fence("---\n" + "\n".join(lines) + "\n---\n" + code)


def fence(code, tag=None):
    """Write a code cell."""
    tags = f":tags: [{tag}]\n\n" if tag else ""
    return f"```{{code-cell}} ipython3\n{tags}{textwrap.dedent(code).strip()}\n```\n"


TWICE = '''
def twice(x):
    """Return 2x."""
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
'''

BOX = '''
class Box:
    """A box."""

    def __init__(self, value):
        self.value = value
'''

DOUBLE = '''
def double(self):
    """Double what is in the box — for good."""
    ### BEGIN SOLUTION
    self.value = twice(self.value)
    ### END SOLUTION

Box.double = double
'''

PARTS = (
    "# Small numbers\n\nA text with an arrow → and a formula $x^2$.\n",
    fence("import math\n\ncheck = predict = print\nmath.sqrt(16)", "nbval-check-output"),
    fence('predict("07.1a", 42)', "predict"),
    fence(BOX, "given"),
    exercise("twice", "[twice]", TWICE),
    fence('check("twice")', "check"),
    "## Next\n\nMore text.\n",
    exercise("double", "[Box.double]", DOUBLE),
    fence('check("double")', "check"),
    fence("b = Box(3)\nb.double()\nb.value"),
)


def manuscript_text(parts=PARTS):
    """Put cells together."""
    return FRONT + "\n".join(parts)


def manuscript(folder, parts=PARTS, stem="07-small"):
    """Write a manuscript into `folder/book` and return its path."""
    path = folder / "book" / f"{stem}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(manuscript_text(parts), encoding="utf-8")
    return path


def solved(folder, parts=PARTS, points=None):
    """Print the sample, not executed."""
    return solved_notebook(read_manuscript(manuscript(folder, parts)), points or {})


def sample(folder):
    """Return the sample as (module, blank notebook, solved notebook)."""
    notebook = solved(folder)
    return module_of(notebook), blank_notebook(copy.deepcopy(notebook)), notebook
