"""Tests of what the process of a student's code holds: no framework, no solution, no question but the one asked."""

import base64
import json
import marshal
import subprocess
import sys
from dataclasses import replace

import graphviz
import pytest

import dark
from dark.course.exams.bodies import body_code
from dark.course.exams.exam import Exam
from dark.course.exams.inputs import inputs_of
from dark.course.exams.plain import decode
from dark.course.exams.questions import load_exam, question_files
from dark.course.exams.reading import read_exam
from dark.course.judging.asking import observations_of
from dark.course.judging.implementation import arrange, reference
from dark.course.judging.observe import observe
from dark.course.lessons.library import load_module, repository_root
from dark.errors import CourseError
from dark.grading.sandbox import exercise_process, worker_observer
from dark.grading.sandbox.worker_observer import Worker, WorkerObserver
from tests.course import tiny
from tests.grading.sandbox.test_confinement import LIMITS, needs_full, run

OBSERVING_HALF = {
    "dark", "dark.checks", "dark.course", "dark.course.exams", "dark.course.exams.differences",
    "dark.course.exams.draws",
    "dark.course.exams.exam", "dark.course.exams.plain", "dark.course.exams.trace",
    "dark.grading", "dark.grading.sandbox",
    "dark.grading.sandbox.confinement", "dark.grading.sandbox.confinement.access_times",
    "dark.grading.sandbox.confinement.landlock", "dark.grading.sandbox.confinement.levels",
    "dark.grading.sandbox.confinement.namespaces",
    "dark.grading.sandbox.confinement.process", "dark.grading.sandbox.confinement.python_files",
    "dark.grading.sandbox.confinement.seccomp", "dark.grading.sandbox.confinement.system_calls",
    "dark.grading.sandbox.exercise_process", "dark.grading.sandbox.limits",
    "dark.grading.sandbox.worker", "dark.course.judging", "dark.course.judging.error_text",
    "dark.course.lessons.imports", "dark.course.judging.namespace", "dark.course.judging.observe",
    "dark.course.judging.reference_use",
    "dark.course.judging.timing", "dark.course.lessons", "dark.course.lessons.magics",
    "dark.course.lessons.magics_by_hand", "dark.course.lessons.redefined",
    "dark.descriptions", "dark.errors",
}  # fmt: skip
KEPT_VARIABLES = {"HOME", "LANG", "PATH", "TMPDIR", "LC_CTYPE"}
# A student's code that collects the text of all it can reach: frames, and objects known to the collector.
SEARCH = """
import gc, sys, types
frame, found = sys._getframe(), []
while frame is not None:
    found += [v for v in frame.f_locals.values() if type(v) in (str, bytes, dict)] + list(frame.f_locals)
    frame = frame.f_back
for thing in gc.get_objects():
    if type(thing) is dict:
        found += [v for v in thing.values() if type(v) is str]
    elif isinstance(thing, types.FunctionType):
        found += [v for v in thing.__code__.co_consts if type(v) is str] + [thing.__module__ or ""]
    elif type(thing) in (list, tuple):
        found += [v for v in thing if type(v) is str]
for name, module in list(sys.modules.items()):
    found.append(name)
import linecache
found += [line for _, _, lines, _ in (e for e in linecache.cache.values() if len(e) == 4) for line in lines]
import os
found += os.environ
return [word in " ".join(map(str, found)) for word in WORDS]
"""


def value(seen):
    return seen["returned"]["dict"]["value"]


def test_the_worker_starts_with_python_numpy_and_the_observing_half_of_judging():
    code = (
        "import sys, json; before = set(sys.modules); import dark.grading.sandbox.worker\n"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = json.loads(printed)
    assert {name for name in loaded if name.split(".")[0] == "dark"} <= OBSERVING_HALF
    packages = {name.split(".")[0] for name in loaded} - set(sys.stdlib_module_names) - {"cython_runtime"}
    assert {name for name in packages if not name.startswith("_")} == {"dark", "numpy"}


@pytest.mark.parametrize(
    "attempt",
    [
        '__import__("da" + "rk").add',
        'import importlib\nimportlib.import_module("krad"[::-1])',
        'import importlib\nimportlib.import_module("snoitarepo.krad"[::-1])',
        'exec("import da" + "rk.nn")',
        "import torch",
    ],
)
@pytest.mark.parametrize("level", ["limits", pytest.param("full", marks=needs_full)])
def test_an_import_of_the_framework_says_what_is_allowed(exam, worker, attempt, level):
    seen = run(exam, worker, f"{attempt}\nreturn 4.0", level)
    assert seen["raised"] == "ModuleNotFoundError"
    assert "cannot be imported here. An answer may import Python's standard library and NumPy" in seen["message"]


@needs_full
def test_the_files_of_the_package_and_of_installed_packages_cannot_be_read(exam, worker):
    for path in (dark.__file__, dark.course.__file__, graphviz.__file__):
        raised = run(exam, worker, f"return open({path!r}).read()", "full")["raised"]
        assert raised in ("PermissionError", "FileNotFoundError")  # below /tmp, which is the worker's own, it is hidden
    assert "4.0" in str(run(exam, worker, f"import json\nreturn 4.0 if open({json.__file__!r}).read() else 0", "full"))


def sent_to_the_child(monkeypatch, module, exercise, answer):
    """Return the requests that a child gets for the first question of an exercise, and what it replied."""
    requests = []
    ask = worker_observer.converse

    def recorded(connection, request, *rest):
        requests.append(json.loads(request))
        return ask(connection, request, *rest)

    monkeypatch.setattr(worker_observer, "converse", recorded)
    exam = load_exam(module.id)
    question = exam.questions_of(exercise)[0]
    inputs = inputs_of(question, 0)[0]
    with Worker() as worker:
        observer = WorkerObserver(exam, worker, LIMITS)
        failure = observer.open(arrange(module.parts, {exercise: answer}))
        seen = failure or observer.observe(question.name, inputs)
        observer.close()
    return requests, seen, question, inputs


@pytest.mark.parametrize("exercise", ["slope", "backward"])
def test_the_solution_of_an_exercise_is_never_sent_and_others_only_compiled(monkeypatch, exercise):
    module = load_module("01")
    solution = module.exercises[exercise].solution
    requests, _, question, _ = sent_to_the_child(monkeypatch, module, exercise, module.exercises[exercise].stub)
    assert [set(request) for request in requests] == [{"open"}, {"ask", "seconds", "graphs", "at_once"}]
    parts = requests[0]["open"]
    assert [label for label, content in parts if "source" in content] == [f"exercise {exercise}"]
    assert f"reference {exercise}" not in dict(parts)
    compiled = set(codes(compile(solution, "", "exec")))
    for label, content in parts:
        if "code" in content:
            assert not compiled & set(codes(marshal.loads(base64.b64decode(content["code"])))), label
    ((text, inputs),) = requests[1]["ask"]
    assert len(inputs) == 1
    body = marshal.loads(base64.b64decode(text))
    assert not set(load_exam("01").questions) & set(all_names(body))
    assert question.body.__doc__ not in json.dumps(list(all_names(body)))


def all_names(code):
    """Yield the names and texts in a code object and those inside."""
    yield from (code.co_name, code.co_qualname, *code.co_names, *code.co_varnames)
    for inner in code.co_consts:
        if hasattr(inner, "co_code"):
            yield from all_names(inner)
        elif isinstance(inner, str):
            yield inner


def codes(code):
    """Yield the bytes of all functions of a code object that are longer than a stub."""
    for inner in code.co_consts:
        if hasattr(inner, "co_code"):
            if len(inner.co_code) > 60:
                yield inner.co_code
            yield from codes(inner)


def test_a_search_through_frames_and_memory_finds_nothing_of_the_judge(exam, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_TEACHER", "s")
    words = ["### BEGIN SOLUTION", "JudgedExam", "expected_observation", "judge_exercise", "one_after_the_other"]
    words += ["dark.operations.elementwise", "submissions.py", "SECRET_OF_THE_TEACHER", "import gc, sys"]
    code = SEARCH.replace("WORDS", "[w[::-1] for w in " + repr([word[::-1] for word in words]) + "]")
    with Worker() as worker:
        found = value(run(exam, worker, code, "limits"))
        assert set(value(run(exam, worker, "import os\nreturn sorted(os.environ)", "limits"))) <= KEPT_VARIABLES
    assert [word for word, is_there in zip(words, found, strict=True) if is_there] == words[-1:]  # its own source


@pytest.mark.parametrize("path", question_files(), ids=lambda path: path.stem)
def test_the_code_of_a_body_does_what_the_body_does(path):
    module = load_exam(path.stem[5:7])
    implementation = module.reference or reference()
    for question in module.questions.values():
        inputs = inputs_of(question, 0)[0]
        namespace = {"__name__": "question", **exercise_process.BUILDING_BLOCKS}
        exec(marshal.loads(body_code(question)), namespace)
        sent = namespace[exercise_process.NAME]
        one, other = (observe(body, implementation, inputs) for body in (question.body, sent))
        for line in [*one.get("lines", ()), *other.get("lines", ())]:
            del line["source"]  # which the child does not have
        assert json.dumps(one) == json.dumps(other)


def test_a_question_inside_a_function_cannot_be_sent():
    inner = Exam("97")

    @inner.question("e")
    def q(dark):
        """It is so."""

    with pytest.raises(CourseError, match="the question q is not at the top level of a file"):
        body_code(inner.questions["q"])


def test_magics_of_a_cell_are_replaced_before_it_is_sent(exam, worker):
    observer = WorkerObserver(exam, worker, LIMITS)
    assert observer.open([("exercise double", "%matplotlib inline\ndef double(x):\n    return x + x")]) is None
    assert value(observer.observe("twice", {"x": 2.0})) == 4.0
    observer.close()


def test_the_line_of_a_question_stands_in_a_traceback(exam, worker):
    seen = run(exam, worker, "return 1 / 0", "limits")
    assert [line["source"] for line in seen["lines"]] == ['return {"value": dark.double(x)}', "return 1 / 0"]


HIDDEN = '''

@exam.question("double", points=1)
def once_more(dark, x: Float(10, 90)):
    """Twice the number, once more."""
    return {"value": dark.double(x)}


@exam.question("double", points=1, hidden=True, category="hundreds")
def of_hundreds(dark, x: Float(100, 900)):
    """A sentence that nobody sees."""
    return {"value": dark.double(x)}


@exam.question("double", points=1, hidden=True, category="thousands")
def of_thousands(dark, x: Float(1000, 9000)):
    """Another one that nobody sees."""
    return {"value": dark.double(x)}
'''
# A student's code that returns all that it sees, or has seen before, besides its argument.
SNOOP = """
import gc, sys
seen = []

def plain(thing, depth=0):
    if type(thing) in (float, str, bytes):
        yield thing
    elif depth < 4 and type(thing) is dict:
        for pair in list(thing.items()):
            yield from plain(pair, depth + 1)
    elif depth < 4 and type(thing) in (list, tuple, set):
        for each in list(thing):
            yield from plain(each, depth + 1)

def double(x):
    frame, found = sys._getframe(), []
    while frame := frame.f_back:
        code = frame.f_code
        found += [code.co_name, code.co_qualname, *code.co_names]
        found += plain(list(frame.f_locals.items())) if code.co_name != "double" else ()
        found += plain(code.co_consts)
    for thing in gc.get_objects():
        if thing is not found and thing is not seen:
            found += plain(thing, 3)
            found += [thing.__name__, str(thing.__doc__)] if type(thing).__name__ == "function" else ()
    before = list(seen)
    seen.append(x)
    words = [each.decode("latin-1") if type(each) is bytes else each for each in found if type(each) is not float]
    told = " ".join(words)
    names = [word for word in WORDS if word[::-1] in told]
    numbers = sorted({each for each in found if type(each) is float and 10 <= each <= 9000 and each % 1} - {x, *before})
    return [names, before, numbers]
"""


@pytest.mark.parametrize("level", ["limits", pytest.param("full", marks=needs_full)])
def test_the_process_of_an_exercise_knows_no_input_to_come_no_name_and_nothing_of_what_is_hidden(
    tmp_path, worker, monkeypatch, level
):
    path = tmp_path / "exam_77_tiny.py"
    path.write_text(tiny.QUESTIONS + HIDDEN)
    exam = tiny.join(read_exam(path), None, tiny.REFERENCE)
    replies, ask = [], worker_observer.converse

    def recorded(connection, request, *rest):
        for reply in ask(connection, request, *rest):
            replies.append((json.loads(request), reply))
            yield reply

    monkeypatch.setattr(worker_observer, "converse", recorded)
    words = ["twice", "once_more", "of_hundreds", "of_thousands", "nobody sees", "Twice the number", "return 2 * x"]
    source = SNOOP.replace("WORDS", repr([word[::-1] for word in words]))
    parts = arrange(tiny.MODULE.parts, {"double": source})
    limits = replace(LIMITS, confinement=level)
    observations_of(parts, "double", exam, lambda exam: WorkerObserver(exam, worker, limits), seed=0)
    asked = [(request["ask"][0][1][0]["x"], reply) for request, reply in replies if "ask" in request]
    ranges = [(1000, 9000), (100, 900), (10, 90), (-3, 3)]
    for x, reply in asked:
        assert "returned" in reply[0], reply
        value = decode(reply[0]["returned"])["value"]
        names, before, numbers = value
        assert names == [] and numbers == [], (x, value)
        hidden = next(((low, high) for low, high in ranges[:2] if low <= abs(x) <= high), None)
        for other in before:
            assert abs(other) < 100 if hidden is None else hidden[0] <= other <= hidden[1], (x, other)
    assert {next(k for k, (low, high) in enumerate(ranges) if low <= abs(x) <= high or k == 3) for x, _ in asked} == {
        0, 1, 2, 3
    }  # fmt: skip


THIEF = """
asked = []
def slope(f, x, h=1e-5):
    import sys
    frame, names = sys._getframe(1), []
    while frame:
        names.append(frame.f_code.co_name)
        frame = frame.f_back
    asked.append((names, x))
    with open("told", "a") as file:
        file.write(repr(asked))
    return (f(x + h) - f(x - h)) / (2 * h)
"""
READER = """
def zero_grad(node):
    import os
    told = [open(name).read() for name in os.listdir(".")]
    raise RuntimeError(f"LEAK:{told}, {globals().get('asked')}")


Node.zero_grad = zero_grad
"""


@needs_full
def test_no_input_of_a_hidden_question_reaches_the_page_of_the_student(tmp_path):
    (tmp_path / "exam" / "questions").mkdir(parents=True)
    (tmp_path / "exam" / "questions" / "exam_01_ours.py").write_text(
        "from dark.course.exams import Choice, Exam\n\nexam = Exam('01')\n\n\n"
        "@exam.question('slope', points=2, tolerance=1e-4)\n"
        "def slope_of_a_cubic(dark, x: Choice(123.456, -98.765)):\n"
        '    """A cubic."""\n'
        '    return {"value": dark.slope(lambda z: z**3 / 1e4, x)}\n'
    )
    notebook = json.loads((repository_root() / "solutions" / "01-scalar-autodiff.ipynb").read_text())
    for cell in notebook["cells"]:
        exercise = cell["metadata"].get("dark", {}).get("exercise")
        if exercise in ("slope", "zero_grad"):
            cell["source"] = THIEF if exercise == "slope" else READER
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "thief.ipynb").write_text(json.dumps(notebook))
    command = [sys.executable, "-m", "dark", "grade", "class", "--module", "01", "--exam", "exam", "--out", "r"]
    done = subprocess.run([*command, "--require-confinement", "full"], cwd=tmp_path, capture_output=True, text=True)
    assert "thief" in done.stdout, done.stderr
    (page,) = (tmp_path / "r" / "pages").glob("thief*.html")
    shown = page.read_text()
    assert "LEAK:" in shown and "Hidden tests" in shown
    for told in ("slope_of_a_cubic", "123.456", "98.765"):
        assert told not in shown
