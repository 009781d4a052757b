"""The teacher's table of hidden questions: their inputs and values, which students never see."""

import json
from html import escape

from dark.course.exams.shortening import cut
from dark.course.judging.verdict import sign_of
from dark.grading.report.html_parts import page, table
from dark.grading.report.page_limits import MOST_PAGE, size_of

WARNING = "<p>! For teachers: this page shows the hidden questions. Do not give it to students.</p>"
MOST_TEXT = 300  # characters of the inputs, and of each thing that differs
MOST_LISTED = 3  # things that differ
HEAD = ["name", "exercise", "question", "category", "status", "points", "inputs", "what differs"]


def hidden_rows(records: list[dict]) -> list[dict]:
    """Return the hidden findings of all records, with the names of their submissions."""
    return [{"name": row["name"], **each} for row in records for each in row.get("hidden", ())]


def hidden_page(rows: list[dict]) -> str:
    """Return the page of hidden findings, HTML of at most 2 MB; rows that are left out are in hidden.json."""
    cells, left = [], MOST_PAGE * 9 // 10
    for row in rows:
        cells.append(_cells(row))
        left -= size_of("".join(cells[-1]))
        if left < 0:
            cells.pop()
            break
    more = len(rows) - len(cells)
    says = f"<p>! {more:,} more rows are left out here; hidden.json has all.</p>" if more else ""
    back = '<p><a href="../index.html">All submissions</a></p>'
    return page("Hidden questions", "\n".join([back, WARNING, says, table(HEAD, cells)]))


def _cells(row):
    inputs = json.dumps(row["inputs"], ensure_ascii=False) if row["inputs"] else ""
    return [
        escape(row["name"]),
        escape(row["exercise"]),
        f"{escape(row['question'])}: {escape(row['title'])}",
        escape(row["category"]),
        f"{sign_of(row['status'])} {escape(row['status'])}",
        f"{row['earned']} of {row['points']}",
        f"<code>{escape(cut(inputs, MOST_TEXT))}</code>" if inputs else "",
        _differs(row),
    ]


def _differs(row):
    error = row["error"]
    said = [f"{error['type']}: {error['message']}"] if error else []
    said += [row["remark"]] if row["remark"] else []
    said += [f"{each['path'] or 'answer'} is {each['yours']}, not {each['expected']}" for each in row["differences"]]
    shown = [cut(text, MOST_TEXT) for text in said[:MOST_LISTED]]
    more = len(said) - MOST_LISTED
    shown += [f"and {more} more"] if more > 0 else []
    shown += [f"Left out: {row['left_out']}."] if "left_out" in row else []
    return "<br>".join(map(escape, shown))
