"""The page where a teacher enters manual points and comments; it writes no file, but offers one to download."""

import base64
import hashlib
import json
from html import escape
from pathlib import Path

from dark.grading.gradebook.rubric import as_data

SCRIPT = Path(__file__).with_name("rubric_page.js")
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
details { border: 1px solid; margin: 0.5rem 0; padding: 0.4rem 0.8rem; }
summary { cursor: pointer; }
table { border-collapse: collapse; margin: 0.5rem 0; width: 100%; }
th, td { text-align: left; padding: 0.2rem 0.6rem 0.2rem 0; vertical-align: top; }
td:first-child { white-space: nowrap; }
td:last-child { width: 55%; }
input, textarea, button { font: inherit; box-sizing: border-box; }
input[type=number] { width: 6rem; }
textarea { width: 100%; min-height: 2.2rem; }
:invalid { outline: 2px solid #b00020; }
#bar { position: sticky; top: 0; background: Canvas; padding: 0.5rem 0; border-bottom: 1px solid; }
"""
INTRODUCTION = """
<p>! For teachers. Points that you write here replace the tests' points; an empty field keeps them. Nothing is saved
on this page: download the rubric, then run <code>dark grade … --rubric rubric.toml</code>. Later runs keep it.</p>
"""


def rubric_page(rows: list[dict], marks) -> str:
    """Return the page as HTML, with the marks that are in force; no other script runs, nothing is loaded or sent."""
    script = SCRIPT.read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    data = {"rows": [_row(row) for row in rows], "marks": as_data(marks)}
    text = json.dumps(data).replace("<", "\\u003c")  # inside of a script, only this could end it
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Points by hand</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<h1>Points and comments by hand</h1>\n{INTRODUCTION}"
        '<div id="bar"><button id="download">Download rubric.toml</button> <button id="add">Add a part that is marked '
        'by hand only</button> <output id="said"></output></div>\n<main id="class"></main>\n'
        f'<script type="application/json" id="data">{text}</script>\n<script>{script}</script>\n</body>\n</html>\n'
    )


def _row(row):
    return {
        "name": row["name"],
        "shown": row.get("shown", row["name"]),
        "id": (row.get("owner") or {}).get("id"),
        "page": row.get("page"),
        "failed": row.get("failed") or row["status"],
        "exercises": [
            {"name": each["exercise"], "status": each["status"], "points": each["points"], "earned": _tests(each)}
            for each in row.get("exercises", ())
        ],
    }


def _tests(exercise):
    found = exercise.get("by_hand", {}).get("tests")
    return exercise["earned"] if found is None else found
