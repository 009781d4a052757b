"""The page of a class: for each module its distribution, its exercises, and the commonest wrong answers."""

from html import escape

from dark.grading.class_page.drawings import answers, distribution, legend
from dark.grading.class_page.statistics import statistics_of
from dark.grading.report.html_parts import page, table

MOST = 5  # wrong answers of an exercise that are listed
NAMED = 8  # students of a wrong answer that are linked
STYLE = """<style>
:root { color-scheme: light dark; }
.drawing { display: block; width: 100%; max-width: 26rem; margin: 1rem 0; }
.kind { white-space: nowrap; margin-right: 1rem; }
.wide { overflow-x: auto; }
</style>"""
HOW = (
    "<p><b>Difficulty</b> is the mean share of the points: 90 % is easy, 30 % is hard. <b>Discrimination</b> is the "
    "point-biserial correlation of a right answer with the points for all other exercises: above 0.3 an exercise "
    "separates those who know from those who do not, near 0 it does not, and below 0 look at its "
    "questions. With few students it is unreliable.</p>"
)


def class_page(results: dict) -> str:
    """Return the page of a class, HTML for teachers, from the content of results.json."""
    counting = [row for row in results["submissions"] if "page" in row and row.get("counts", True)]
    pages = {(row["module"], row["name"]): row["page"] for row in counting}
    modules = statistics_of(results["submissions"])
    back = '<p><a href="index.html">All submissions</a></p>'
    parts = [_module(module, pages) for module in modules] or ["<p>No submission is graded.</p>"]
    return page("The class", "\n".join([STYLE, back, *parts]))


def _module(module, pages):
    students = "1 student" if module.students == 1 else f"{module.students} students"
    head = ["exercise", "difficulty", "discrimination"]
    rows = [
        [
            f'<a href="#{_anchor(module, each)}">{escape(each.name)}</a>' if each.mistakes else escape(each.name),
            f"{100 * each.difficulty:.0f} %",
            _discrimination(each.discrimination),
        ]
        for each in module.exercises
    ]
    mistakes = [_mistakes(module, each, pages) for each in module.exercises if each.mistakes]
    return "\n".join(
        [
            f"<section>\n<h2>Module {escape(module.module)}</h2>",
            f"<p>{students}, {module.points} points. Mean {module.mean:.0f} %, median {module.median:.0f} %.</p>",
            distribution(module),
            "<h3>Exercises</h3>",
            legend(),
            answers(module),
            f'<div class="wide">{table(head, rows)}</div>',
            HOW,
            *(["<h3>Commonest wrong answers</h3>", *mistakes] if mistakes else []),
            "</section>",
        ]
    )


def _discrimination(value):
    if value is None:
        return "all alike"
    word = "separates" if value >= 0.3 else "says little" if value >= 0 else "look at it"
    return f"{value:+.2f}, {word}".replace("-", "−")


def _mistakes(module, exercise, pages):
    lines = [
        f"<li><b>{mistake.count}</b> × {escape(mistake.text)}<br>{_names(module.module, mistake.names, pages)}</li>"
        for mistake in exercise.mistakes[:MOST]
    ]
    rest = sum(mistake.count for mistake in exercise.mistakes[MOST:])
    more = f"<p>and {rest} others</p>" if rest else ""
    return f'<h4 id="{_anchor(module, exercise)}">{escape(exercise.name)}</h4>\n<ol>{"".join(lines)}</ol>{more}'


def _names(module, names, pages):
    linked = [(escape(name), pages.get((module, name))) for name in names]
    shown = [f'<a href="{escape(page)}">{name}</a>' if page else name for name, page in linked]
    rest = len(shown) - NAMED
    return ", ".join(shown[:NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _anchor(module, exercise):
    return escape(f"{module.module}-{exercise.name}")
