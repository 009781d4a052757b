"""The HTML pages of a gradebook: one for each submission, and an index; self-contained."""

from html import escape

from dark.course.judging.verdict import sign_of
from dark.grading.gradebook.by_hand import BY_HAND
from dark.grading.grader.result import GRADED, NOT_JUDGED
from dark.grading.report.grade_table import has_policy, policy_texts
from dark.grading.report.html_parts import page, table
from dark.grading.report.page_limits import MOST_PAGE, MOST_REPORTS, size_of, within
from dark.grading.sandbox.confinement import Confinement

INDEX_STYLE = """<style>
body { max-width: 74rem; }
table { font-size: 0.9rem; }
th, td { padding: 0.2rem 0.4rem; }
td:first-child { overflow-wrap: anywhere; }
.remarks { max-height: 3em; max-width: 26rem; overflow: hidden; overflow-wrap: anywhere; display: -webkit-box;
  -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
</style>
"""


def submission_page(record: dict, reports: dict[str, str]) -> str:
    """Return the page of a submission, of at most 2 MB besides a teacher's words; pictures are left out first."""
    text = _submission_page(record, within(reports))
    if (more := size_of(text) - MOST_PAGE) > 0:
        text = _submission_page(record, within(reports, MOST_REPORTS - more))
    return text


def _submission_page(record, reports):
    name, back = record["name"], '<p><a href="../index.html">All submissions</a></p>'
    comment = _lines("Your teacher", record["comment"]) if record.get("comment") else ""
    if record["status"] != GRADED:
        parts = "".join(_by_hand(each) for each in record["exercises"])
        why = f"<p>! {escape(record['status'])}: {escape(record['message'])}</p>"
        return page(name, f"{back}\n{why}\n{_told(record)}{comment}{parts}")
    together = record["together"]
    head = ["exercise", "status", "points", "all yours"]
    rows = [
        [
            f'<a href="#{escape(each["exercise"])}">{escape(each["exercise"])}</a>',
            f"{_sign(each)} {escape(each['status'])}",
            f"{each['earned']} of {each['points']}",
            f"{sign_of(all_yours)} {escape(all_yours)}" if (all_yours := together.get(each["exercise"])) else "",
        ]
        for each in record["exercises"]
    ]
    total = f"<p>Module {escape(record['module'])}: {record['earned']} of {record['points']} points.</p>"
    note = (
        "<p>For the points, each exercise is tested with the reference code of the others. "
        "<em>All yours</em> tests all answers of the student together.</p>"
    )
    sections = [
        f'<section id="{escape(each["exercise"])}">\n{_by_hand(each)}{reports.get(each["exercise"], "")}\n</section>'
        for each in record["exercises"]
    ]
    return page(name, "\n".join([back, total, f"{_told(record)}{comment}{table(head, rows)}", note, *sections]))


def _told(record):
    """Return notices for a student besides the verdicts: notes on the notebook, and flaky answers."""
    return "".join(f"<p>! {escape(text)}</p>\n" for text in [*record.get("notes", ()), *flaky_texts(record)])


def flaky_texts(record):
    """Return a sentence for each exercise that has other points in a second run.

    >>> flaky_texts({"flaky": [{"exercise": "add", "first": {"earned": 2}, "second": {"earned": 0}}]})
    ['add is flaky: 2 points, and 0 points in a second run with the same inputs.']
    """
    return [
        f"{each['exercise']} is flaky: {each['first']['earned']} points, and {each['second']['earned']} points "
        "in a second run with the same inputs."
        for each in record.get("flaky", ())
    ]


def _by_hand(exercise):
    if not (found := exercise.get("by_hand")):
        return ""
    points = f"{exercise['earned']} of {exercise['points']} points"
    given = f"{points}; the tests gave {found['tests']}. " if found["tests"] is not None else ""
    given = f"{points}. " if exercise["status"] == BY_HAND else given
    head = f"<h2>{escape(exercise['exercise'])}</h2>\n" if not exercise["questions"] else ""
    return head + (_lines("Your teacher", given + found["comment"]) if given or found["comment"] else "")


def _lines(who, text):
    return f"<p>✎ <strong>{who}:</strong> {escape(text.strip()).replace(chr(10), '<br>')}</p>\n"


def index_page(results: dict, pages=()) -> str:
    """Return the page that lists all submissions, with links to further pages by their titles."""
    rows, with_policy = [], has_policy(results["submissions"])
    names = _common_exercises(results["submissions"])
    for record in results["submissions"]:
        name = escape(record["name"])
        link = f'<a href="{escape(record["page"])}">{name}</a>' if "page" in record else name
        points = f"{record['earned']}/{record['points']}" if record.get("points") else ""
        signs = [_named_sign(each) for each in record.get("exercises", ())]
        signs = (signs or [""] * len(names)) if names else [f'<span class="signs">{" ".join(signs)}</span>']
        marks = [escape(text) for text in policy_texts(record)] if with_policy else []
        rows.append([link, escape(record["status"]), points, *marks, *signs, _remarks(record)])
    further = ["student", "late days", "final"] if with_policy else []
    head = ["name", "status", "points", *further, *(map(escape, names) if names else ["exercises"]), "remarks"]
    body = table(head, rows)
    legend = "<p>✓ right | ✗ runs, wrong | ! error, or no answer | · not attempted | ✎ manual points</p>"
    unfinished = "" if results["complete"] else "<p>! This batch is not complete; run the command again.</p>"
    how = f"Course {results['course']['version']}, seed {results['seed']}."
    found = results.get("confinement")
    confined = f"<p>{escape(str(Confinement(**found)))}</p>\n" if found else ""
    links = "".join(f'<p><a href="{escape(name)}">{escape(text)}</a></p>\n' for name, (text, _) in dict(pages).items())
    upright = _upright(len(further) + 4, len(names)) if names else ""  # name, status and points stand in front
    return page("Grades", f"{confined}{links}{unfinished}{INDEX_STYLE}{upright}{body}\n{legend}\n<p>{escape(how)}</p>")


def _remarks(record):
    """Return notices besides the marks: why there are none, faults of the grader, and notes; two lines are seen."""
    if record["status"] != GRADED:
        said = [record.get("failed") or record["status"]]
    else:
        said = [f"{each['exercise']} not judged" for each in record["exercises"] if each["status"] == NOT_JUDGED]
    late = [record["note"]] if record.get("note") else []
    text = escape(" ".join([*said, *late, *record.get("notes", ()), *flaky_texts(record)]))
    return f'<div class="remarks" title="{text}">{text}</div>' if text else ""


def _upright(first, count):
    """Return the style that turns the heads of some columns, counted from 1, so that the table fits a window."""
    cells = f"th:nth-child(n + {first}):nth-child(-n + {first + count - 1})"
    return (
        f"<style>{cells} {{ writing-mode: vertical-rl; transform: rotate(180deg); padding: 0.6rem 0.2rem; }}</style>\n"
    )


def _common_exercises(submissions):
    """Return the exercises that all submissions have, a column each; none where they are of several modules."""
    found = {tuple(each["exercise"] for each in row["exercises"]) for row in submissions if row.get("exercises")}
    return found.pop() if len(found) == 1 else ()


def _named_sign(exercise):
    """Return the sign of an exercise, with its name and status for a pointer and a screen reader."""
    says = escape(f"{exercise['exercise']}: {exercise['status']}")
    return f'<span role="img" title="{says}" aria-label="{says}">{_sign(exercise)}</span>'


def _sign(exercise):
    """Return the sign of an exercise, also if it has manual points."""
    is_by_hand = exercise["status"] == BY_HAND or exercise.get("by_hand", {}).get("tests") is not None
    return "✎" if is_by_hand else sign_of(exercise["status"])
