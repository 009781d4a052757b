"""The teacher's table of hidden questions: their inputs and values, which students never see."""

import json
from html import escape

from dark.course.judging.verdict import sign_of
from dark.grading.report.html_parts import page, table

WARNING = "<p>! For teachers: this page tells what the hidden questions ask. Do not give it to students.</p>"
HEAD = ["name", "exercise", "question", "category", "status", "points", "inputs", "what differs"]


def hidden_rows(records):
    """Return the hidden findings of all records, with the names of their submissions.

    Parameters
    ----------
    records : list of dict
        As `record_of` makes them.

    Returns
    -------
    list of dict
    """
    return [{"name": row["name"], **each} for row in records for each in row.get("hidden", ())]


def hidden_page(rows):
    """Return the page of hidden findings.

    Parameters
    ----------
    rows : list of dict
        As `hidden_rows` returns them.

    Returns
    -------
    str
        HTML.
    """
    cells = [
        [
            escape(row["name"]),
            escape(row["exercise"]),
            f"{escape(row['question'])}: {escape(row['title'])}",
            escape(row["category"]),
            f"{sign_of(row['status'])} {escape(row['status'])}",
            f"{row['earned']} of {row['points']}",
            f"<code>{escape(json.dumps(row['inputs'], ensure_ascii=False))}</code>" if row["inputs"] else "",
            _differs(row),
        ]
        for row in rows
    ]
    back = '<p><a href="../index.html">All submissions</a></p>'
    return page("Hidden questions", "\n".join([back, WARNING, table(HEAD, cells)]))


def _differs(row):
    error = row["error"]
    said = [f"{error['type']}: {error['message']}"] if error else []
    said += [row["remark"]] if row["remark"] else []
    said += [f"{each['path'] or 'answer'} is {each['yours']}, not {each['expected']}" for each in row["differences"]]
    return "<br>".join(escape(text) for text in said)
