"""The HTML pages of a gradebook: one for each submission, and an index; self-contained."""

from html import escape

from dark.course.cards.verdict_card import Report
from dark.course.grading.confinement import Confinement
from dark.course.grading.report.grade_table import has_policy, policy_texts
from dark.course.grading.result import GRADED
from dark.course.judging.hidden import for_student
from dark.course.judging.verdict import sign_of

# HTML does not allow control characters, and a terminal executes them: Unicode's pictures of them instead.
VISIBLE = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"} | {127: 0x2421}
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border: 1px solid; padding: 0.2rem 0.6rem; text-align: left; vertical-align: top; }
pre { overflow-x: auto; padding: 0.4rem; border: 1px solid; }
svg { max-width: 100%; height: auto; }
section { margin: 2rem 0; }
"""


def page(title, body):
    """Return a complete HTML page.

    Parameters
    ----------
    title : str
        Plain text.
    body : str
        HTML.

    Returns
    -------
    str
    """
    text = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<h1>{escape(title)}</h1>\n{body}\n</body>\n</html>\n"
    )
    text = text.translate(VISIBLE)
    return text.encode("utf-8", "backslashreplace").decode()  # an error message may contain a lone surrogate


def submission_page(name, record, result):
    """Return the page of one submission.

    Parameters
    ----------
    name : str
        The name of the submission.
    record : dict
        As returned by `record_of`.
    result : Result
        The verdicts, for the reports.

    Returns
    -------
    str
        HTML.
    """
    back = '<p><a href="../index.html">All submissions</a></p>'
    if result.status != GRADED:
        return page(name, f"{back}\n<p>! {escape(result.status)}: {escape(result.message)}</p>")
    together = record["together"]
    head = ["exercise", "status", "points", "all yours"]
    verdicts = [for_student(verdict) for verdict in result.verdicts]
    rows = [
        [
            f'<a href="#{escape(verdict.exercise)}">{escape(verdict.exercise)}</a>',
            _word(verdict.status),
            f"{verdict.earned} of {verdict.points}",
            _word(together[verdict.exercise]) if verdict.exercise in together else "",
        ]
        for verdict in verdicts
    ]
    total = f"<p>Module {escape(result.module)}: {result.earned} of {result.points} points.</p>"
    note = (
        "<p>For the points, each exercise is tested with the reference code of the others. "
        "<em>All yours</em> tests all answers of the student together.</p>"
    )
    reports = [
        f'<section id="{escape(verdict.exercise)}">\n{Report.of(verdict).html}\n</section>' for verdict in verdicts
    ]
    return page(name, "\n".join([back, total, table(head, rows), note, *reports]))


def index_page(results):
    """Return the page that lists all submissions.

    Parameters
    ----------
    results : dict
        The content of results.json.

    Returns
    -------
    str
        HTML.
    """
    rows, with_policy = [], has_policy(results["submissions"])
    for record in results["submissions"]:
        name = escape(record["name"])
        link = f'<a href="{escape(record["page"])}">{name}</a>' if "page" in record else name
        points = f"{record['earned']}/{record['points']}" if record.get("points") else ""
        failed = record.get("failed") or ("" if record["status"] == GRADED else record["status"])
        signs = " ".join(sign_of(each["status"]) for each in record.get("exercises", ()))
        marks = [escape(text) for text in policy_texts(record)] if with_policy else []
        marks += [escape(record.get("note") or "")] if with_policy else []
        rows.append([link, escape(record["status"]), points, *marks, signs, escape(failed)])
    further = ["student", "late days", "final", "note"] if with_policy else []
    body = table(["name", "status", "points", *further, "exercises", "what failed"], rows)
    legend = "<p>✓ right | ✗ runs, wrong | ! error, or no answer | · not attempted</p>"
    unfinished = "" if results["complete"] else "<p>! This batch is not complete; run the command again.</p>"
    how = f"Course {results['course']['version']}, seed {results['seed']}."
    found = results.get("confinement")
    confined = f"<p>{escape(str(Confinement(**found)))}</p>\n" if found else ""
    return page("Grades", f"{confined}{unfinished}{body}\n{legend}\n<p>{escape(how)}</p>")


def table(head, rows):
    """Return an HTML table.

    Examples
    --------
    >>> table(["a"], [["1"]])
    '<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>'
    """
    cells = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>"


def _word(status):
    return f"{sign_of(status)} {escape(status)}"
