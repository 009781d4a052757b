"""Tests of similar answers: the effect of disguises, the pairs of a drawn class, and the page."""

import json
import os
from contextlib import closing
from pathlib import Path

import pytest

from dark.course.judging.bank import MARKERS
from dark.course.lessons.library import load_module
from dark.grading.gradebook.store import Store
from dark.grading.similarity import Pair, Work, compare_class, fingerprints, read_works, similar_pairs, similarity_page
from dark.grading.similarity.fingerprints import RUN, WINDOW
from dark.grading.similarity.reading import Reader
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
@pytest.mark.parametrize(("name", "seeds", "least"), [("01", range(6), 39), ("05", range(3), 24), ("07", range(3), 24)])
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


SHORT = "def slope(f, x):\n    return 2"
TOO_MUCH = {
    "a long text": f"x = '{'1' * 60_000}'",
    "many statements": "\n".join(f"x = x * {k} + y[{k}]" for k in range(2500)),
}


def class_in(folder, **answers):
    """Write a notebook of module 01 for each student, with an answer to `slope`, and one to `minimize`."""
    for name, source in answers.items():
        notebook = json.loads(json.dumps(load_module("01").blank))
        for cell in notebook["cells"]:
            if cell["id"] in ("exercise-slope", "exercise-minimize"):
                cell["source"] = source if cell["id"].endswith("slope") else "def minimize(f, x):\n    return [x, f(x)]"
        (folder / f"{name}.ipynb").write_text(json.dumps(notebook))
    rows = [{"name": name, "module": "01", "digest": answers[name]} for name in answers]
    results = {"submissions": rows, "course": {"fingerprint": "c"}}
    return [Submission(name, folder / f"{name}.ipynb") for name in answers], results


@pytest.mark.parametrize("kind", TOO_MUCH)
def test_an_answer_that_is_too_much_is_named_and_the_others_are_read(tmp_path, kind):
    lines = TOO_MUCH[kind].replace("\n", "\n    ")
    submissions, results = class_in(tmp_path, ann=f"def slope(f, x, y=0):\n    {lines}", bob=SHORT)
    ann, bob = read_works(submissions, {"ann": "01", "bob": "01"})["01"]
    assert (ann.too_much, list(ann.sources)) == (("slope",), ["minimize"])
    assert (bob.too_much, list(bob.sources)) == ((), ["slope", "minimize"])
    assert "unusually long or take too much time: ann: slope.</p>" in similarity_page({"01": ([ann, bob], [])})
    assert results["submissions"][0]["name"] == "ann"


@pytest.mark.parametrize("end", ["os._exit(3)", "[0 for _ in itertools.count()]"])
def test_an_answer_that_ends_the_process_or_takes_too_long_is_left_out_alone(tmp_path, monkeypatch, end):
    submissions, _ = class_in(tmp_path, ann="def slope(f, x):\n    return 1", bob=SHORT)
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib, itertools, os\n"
        "module = importlib.import_module('dark.grading.similarity.fingerprints')\n"
        "before = module.fingerprints\n"
        f"module.fingerprints = lambda source: {end} if 'return 1' in source else before(source)\n"
    )
    paths = [str(tmp_path), os.environ.get("PYTHONPATH"), os.getcwd()]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    used = os.times()
    ann, bob = read_works(submissions, {"ann": "01", "bob": "01"})["01"]
    now = os.times()
    assert (ann.too_much, list(ann.sources)) == (("slope",), ["minimize"])
    assert (bob.too_much, list(bob.sources)) == ((), ["slope", "minimize"])
    assert now.children_user + now.children_system - used.children_user - used.children_system < 15


def test_what_was_read_is_kept_until_the_answer_or_the_course_changes(tmp_path, monkeypatch):
    submissions, results = class_in(tmp_path, ann="def slope(f, x):\n    return 1", bob=SHORT)
    seen, read = [], []
    own = Reader.read
    monkeypatch.setattr(Reader, "read", lambda self, each, module: read.append(each.name) or own(self, each, module))
    with closing(Store(tmp_path, b"key")) as store:
        first = compare_class(submissions, results, store, lambda *counts: seen.append(counts))
        assert compare_class(submissions, results, store, lambda *counts: seen.append(counts)) == first
        assert read == ["ann", "bob"] and seen == [(0, 0), (1, 0), (2, 0), (0, 0), (1, 1), (2, 2)]
        results["submissions"][0]["digest"] = "changed"
        compare_class(submissions, results, store)
        assert read == ["ann", "bob", "ann"]
        compare_class(submissions, results | {"course": {"fingerprint": "d"}}, store)
        assert read == ["ann", "bob", "ann", "ann", "bob"]
    with closing(Store(tmp_path, b"another key", lambda text: None)) as store:  # what someone else has written
        compare_class(submissions, results, store)
        assert len(read) == 7


def test_the_page_has_a_limit_and_says_what_is_left_out():
    sources = dict.fromkeys("abcd", ONE + "# &" * 300_000)
    pair = Pair(Work("ann", sources, {}), Work("bob", sources, {}), 9.0, 9.0, 1.0, dict.fromkeys("abcd", 2.0),
                {name: (set(), set()) for name in "abcd"})  # fmt: skip
    page = similarity_page({"01": (60, [pair] * 60)})
    assert len(page) <= 2_000_000 and "more characters)" in page
    assert "pairs are left out: the page would be larger than 2 MB." in page
