"""The class page: its numbers against NumPy's, its drawings and texts, and what it does with odd classes."""

import re
from html import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.grading.class_page import class_page, statistics_of
from dark.grading.class_page.statistics import point_biserial
from dark.grading.report.html_pages import index_page

NAMES = ("slope", "add_mul", "backward", "topological_order")


def row(name, statuses, diagnosis=None, **others):
    """Make a row of results.json; each exercise has 2 points."""
    exercises = [
        {
            "exercise": exercise,
            "status": status,
            "earned": 2 * (status == "right"),
            "points": 2,
            "diagnosis": diagnosis if status == "wrong" else None,
        }
        for exercise, status in zip(NAMES, statuses)
    ]
    earned, points = sum(each["earned"] for each in exercises), 2 * len(exercises)
    found = {"name": name, "module": "01", "page": f"pages/{name}.html", "exercises": exercises, "status": "graded"}
    return found | {"earned": earned, "points": points, "counts": True} | others


def drawn_class(count=60, seed=1):
    """Draw a class in which the able solve more, and two wrong answers are common."""
    rng = np.random.default_rng(seed)
    rows = []
    for k in range(count):
        able, statuses = rng.normal(), []
        for hard in (-1.5, -0.3, 0.4, 1.2):
            is_right = able + 0.6 * rng.normal() > hard
            statuses.append("right" if is_right else rng.choice(["wrong", "wrong", "error", "not attempted"]))
        says = str(rng.choice(["The nudge is not divided by two.", "It replaces <the> gradient & does not add."]))
        rows.append(row(f"student {k:02}", statuses, says))
    return rows


def results(rows):
    return {"submissions": rows, "complete": True, "course": {"version": "1"}, "seed": 0}


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 20)), min_size=3, max_size=40))
def test_the_discrimination_is_the_correlation(pairs):
    right, others = [bool(a) for a, _ in pairs], [b for _, b in pairs]
    found = point_biserial(right, others)
    if len(set(right)) == 1 or len(set(others)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(np.corrcoef(right, others)[0, 1])


def test_the_numbers_of_a_small_class():
    rows = [
        row("ann", ["right"] * 4),
        row("bob", ["right", "wrong", "wrong", "not attempted"], "A."),
        row("cy", ["right", "wrong", "error", "partly written"], "A."),
        row("old", ["wrong"] * 4, counts=False),
        {"name": "di", "status": "not a notebook"},
    ]
    [module] = statistics_of(rows)
    assert (module.students, module.points, round(module.mean), module.median) == (3, 8, 50, 25)
    assert module.bins == (0, 0, 2, 0, 0, 0, 0, 0, 0, 1)
    slope, add_mul, backward, order = module.exercises
    assert (slope.right, slope.difficulty, slope.discrimination) == (3, 1.0, None)
    assert (add_mul.right, add_mul.wrong, add_mul.open) == (1, 2, 0) and add_mul.discrimination == pytest.approx(1)
    assert [(each.text, each.count, each.names) for each in add_mul.mistakes] == [("A.", 2, ("bob", "cy"))]
    assert [each.text for each in backward.mistakes] == ["A.", "error, without a diagnosis"]
    assert (order.right, order.wrong, order.open) == (1, 0, 2) and order.mistakes == ()


def test_each_drawing_tells_in_words_what_it_shows():
    page = class_page(results(drawn_class()))
    labels = [unescape(label) for label in re.findall(r'role="img" aria-label="([^"]*)"', page)]
    [module] = statistics_of(drawn_class())
    assert len(labels) == 2 and labels[0].startswith("Distribution of 60 students: ")
    assert sum(int(count) for count in re.findall(r"(\d+) with", labels[0])) == 60
    for each in module.exercises:
        assert f"{each.name}: {each.right} right, {each.wrong} not right, {each.open} open" in labels[1]
    assert not re.search(r"fill:(?!none|currentColor|url)|#[0-9a-f]{3,6};", page)  # no color carries a meaning


def test_texts_of_students_and_of_the_course_are_escaped():
    page = class_page(results([*drawn_class(), row("<script>", ["wrong"] * 4, "<script>alert(1)</script>")]))
    assert "<script>" not in page and "It replaces &lt;the&gt; gradient &amp; does not add." in page


@pytest.mark.parametrize("rows", [[], [{"name": "di", "status": "not a notebook"}]])
def test_a_class_without_a_graded_submission(rows):
    assert "No submission is graded." in class_page(results(rows))


def test_one_student_and_several_modules():
    page = class_page(results([row("ann", ["right"] * 4), row("bob", ["wrong"] * 4, module="02")]))
    assert page.count("<p>1 student, 8 points.") == 2 and page.index("Module 01") < page.index("Module 02")
    assert "all alike" in page and "1</b> × wrong, without a diagnosis" in page


def test_the_index_links_to_the_page():
    assert '<a href="class.html">The class</a>' in index_page(results([]), {"class.html": ("The class", class_page)})
    assert "class.html" not in index_page(results([]))


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_and_can_be_read(chromium, tmp_path, width, scheme):
    path = tmp_path / "class.html"
    path.write_text(class_page(results(drawn_class())))
    page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    sizes = page.evaluate("[...document.querySelectorAll('svg text')].map(each => each.getBoundingClientRect().height)")
    assert min(sizes) >= 10
    page.close()
