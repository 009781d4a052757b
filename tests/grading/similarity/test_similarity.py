"""Similar answers: what disguises change, what a drawn class finds, and what the page says."""

import json
from pathlib import Path

import pytest

from dark.course.judging.bank import MARKERS
from dark.course.lessons.library import load_module
from dark.grading.similarity import Work, compare_class, fingerprints, read_works, similar_pairs, similarity_page
from dark.grading.similarity.fingerprints import RUN, WINDOW
from dark.grading.uploads import Submission
from dark.grading.uploads.owners import Owner
from tests.grading.similarity.drawn_class import draw_class

ONE = '''\
def step(model, rate=0.1):
    """Go downhill."""
    total = 0.0
    count = len(model.parameters)
    for parameter in model.parameters:
        if parameter.grad is None:
            continue
        change = rate * parameter.grad
        parameter.value = parameter.value - change
        total = total + abs(change)
    return total / count
'''
DISGUISED = """\
# entirely my own
def step(network, how_far=0.1):
    number = len(network.parameters)  # moved up
    everything = 0.0
    for p in network.parameters:
        if p.grad is None: continue
        delta = how_far * p.grad
        p.value = p.value - delta
        everything += abs(delta)
    return everything / number
"""


def test_names_comments_and_layout_change_nothing():
    source = ONE.replace("total", "t").replace("# ", "#").replace('    """Go downhill."""\n', "    # down\n\n")
    assert fingerprints(source).keys() == fingerprints(ONE).keys()


def test_most_of_a_disguised_answer_is_found():
    one, two = fingerprints(ONE).keys(), fingerprints(DISGUISED).keys()
    assert len(one & two) > 0.5 * len(one)


def test_other_attributes_and_functions_are_other_answers():
    other = ONE.replace("abs", "max").replace(".grad", ".slope").replace(".value", ".data")
    assert len(fingerprints(ONE).keys() & fingerprints(other).keys()) < 0.5 * len(fingerprints(ONE))


@pytest.mark.parametrize("source", ["", "def f(:", "# nothing", '"text"'])
def test_what_is_no_answer_has_few_fingerprints(source):
    assert len(fingerprints(source)) <= 1


def test_a_long_shared_run_is_always_found():
    shared = "\n".join(f"    a.x{k}(b.y{k})" for k in range(RUN + WINDOW))
    for before in range(8):
        other = "\n".join(f"    c.z{k}" for k in range(before))
        found = fingerprints(f"def f(a, b):\n{shared}"), fingerprints(f"def g(c, a, b):\n{other}\n{shared}")
        assert found[0].keys() & found[1].keys()


def known(module):
    return {name: [each.stub, each.solution] for name, each in module.exercises.items()}


def found_pairs(works, module):
    return {tuple(sorted((pair.one.name, pair.other.name))) for pair in similar_pairs(works, known(module))}


@pytest.mark.long
@pytest.mark.parametrize(("name", "seeds", "least"), [("01", (0, 1), 14), ("05", (0,), 8), ("07", (0,), 8)])
def test_a_class_of_200_with_ten_copies(name, seeds, least):
    """The answers of module 01 are short, and many students write the same."""
    module, count = load_module(name), 0
    for seed in seeds:
        works, planted = draw_class(module, seed=seed)
        found = found_pairs(works, module)
        assert not found - planted
        count += len(found)
    assert count >= least


@pytest.mark.long
def test_exercises_with_one_right_answer_alarm_nobody():
    module = load_module("01")
    for exercises in (["slope"], ["slope", "add_mul"]):
        works, _ = draw_class(module, copies=0, seed=5, exercises=exercises)
        assert not found_pairs(works, module)


def test_a_class_that_agrees_is_not_listed():
    module = load_module("01")
    sources = {name: MARKERS.sub("", each.solution) for name, each in module.exercises.items()}
    works = [Work.of(f"student {k}", sources) for k in range(40)]
    assert similar_pairs(works, known(module)) == [] and similar_pairs(works) == []


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_a_class_too_small_to_compare(count):
    assert similar_pairs([Work.of(str(k), {"slope": ONE}) for k in range(count)]) == []


def small_class():
    """Return ten who write alike, and two of them who share what no other student has written."""
    plain = "def step(model):\n    return [each.value for each in model.parameters if each.grad is not None]\n"
    works = [Work.of(f"student {k}", dict.fromkeys("abcd", plain)) for k in range(8)]
    pair = [Work.of("ann <b>", dict.fromkeys("abcd", ONE)), Work.of("bob", dict.fromkeys("abcd", DISGUISED))]
    return [*works, *pair]


def test_a_pair_shows_both_answers_side_by_side_and_what_is_alike():
    [pair] = similar_pairs(small_class(), least=10)
    assert {pair.one.name, pair.other.name} == {"ann <b>", "bob"} and pair.evidence <= pair.bits
    page = similarity_page({"01": (10, [pair])})
    assert "ann &lt;b&gt; and bob" in page and "ann <b>" not in page
    assert "<mark>=         change = rate * parameter.grad</mark>" in page
    assert "1 of 45 pairs of students have similar answers." in page and "Nothing here changes a mark." in page
    assert "No two of 3 students have similar answers." in similarity_page({"02": (3, [])})


def test_a_class_is_read_in_another_process(tmp_path):
    module = load_module("01")
    notebook = json.loads(json.dumps(module.blank))
    for cell in notebook["cells"]:
        if cell["metadata"].get("dark", {}).get("exercise") == "slope" and cell["id"] == "exercise-slope":
            cell["source"] = "def slope(f, x, nudge=1e-6):\n    return (f(x + nudge) - f(x)) / nudge"
    files = {"ann": json.dumps(notebook), "bob": "no notebook", "cy": json.dumps(module.blank)}
    for name, text in files.items():
        (tmp_path / f"{name}.ipynb").write_text(text)
    submissions = [Submission(name, Path(tmp_path, f"{name}.ipynb")) for name in (*files, "di")]
    works = read_works(submissions, dict.fromkeys([*files, "di"], "01"))["01"]
    assert {work.name: list(work.sources) for work in works} == {"ann": ["slope"], "bob": [], "cy": [], "di": []}
    assert works[0].prints["slope"] == fingerprints(works[0].sources["slope"])
    owned = Submission("\udce9 Ann", Path(tmp_path, "ann.ipynb"), owner=Owner("canvas", "0042", "Ann"))
    assert read_works([owned], {owned.name: "01"})["01"][0].sources == works[0].sources
    rows = [{"name": "ann", "module": "01"}, {"name": "bob", "module": None}]
    assert "No two of 1 students" in compare_class(submissions, {"submissions": rows})
