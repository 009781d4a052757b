"""Notes on the answers in a notebook, for its author and its grader: facts that the verdicts do not show."""

import re

from dark.course.lessons.blank import printed_hash

MOST_LISTED = 4  # exercises in a sentence


def notes_on(notebook, module, answers, blank) -> tuple[str, ...]:
    """Return a sentence on answers in text cells, of exercises that are `blank`, and one on answers given twice."""
    return tuple(filter(None, (_in_text(notebook, module, blank), _copied(answers))))


def _in_text(notebook, module, blank):
    cells = list(_text_cells(notebook, module))
    found = {}
    for name in blank:
        exercise = module.exercises[name]
        names = "|".join({re.escape(name.split(".")[-1]) for name in exercise.defines})
        defines = re.compile(rf"^[ \t>.]*(?:async[ \t]+def|def|class)[ \t]+(?:{names})\b", re.MULTILINE)
        numbers = [k for k, text in cells if defines.search(text) and exercise.stub.strip() not in text]
        if numbers:
            found[name] = numbers[-1]
    if not found:
        return ""
    which = _listed([f"`{name}` (cell {number})" for name, number in found.items()])
    answer, stand = ("The answer to", "stands") if len(found) == 1 else ("Answers to", "stand")
    says = f"{answer} {which} {stand} in a text cell, which is not run: not attempted."
    return f"{says} Change the type of the cell to Code, and run it."


def _text_cells(notebook, module):
    """Yield the number and the source of each text cell that is not the course's own."""
    printed = {cell["source"] for cell in module.blank["cells"] if cell["cell_type"] != "code"}
    for number, cell in enumerate(notebook["cells"], 1):
        source, course = cell["source"], cell.get("metadata", {}).get("dark", {})
        is_printed = course.get("kind") != "exercise" and course.get("printed") == printed_hash(source)
        if cell["cell_type"] != "code" and source not in printed and not is_printed:
            yield number, source


def _copied(answers):
    if not answers.copies:
        return ""
    which = [
        f"`{name}` in the cells {', '.join(str(k + 1) for k in indexes[-MOST_LISTED:])} (cell {indexes[-1] + 1} counts)"
        for name, indexes in answers.copies.items()
    ]
    return f"Answered more than once: {_listed(which)}. The last answer counts, as when the notebook is run from top."


def _listed(texts):
    more = len(texts) - MOST_LISTED
    return ", ".join(texts[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
