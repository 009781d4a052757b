"""Implementations and observers: code cells become a namespace, errors become messages."""

import gc
import json
import signal
import sys
import threading
import time
import weakref
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from dark.course.judging.implementation import arrange, assemble, reference
from dark.course.judging.observe import LocalObserver, watch
from dark.course.judging.reference_use import ReferenceUsed
from dark.course.judging.timing import AGAIN, TimeIsUp, alarm
from dark.course.judging.unfinished import is_attempted
from tests.course import arithmetic

OPEN = [("given 1", arithmetic.GIVEN)]


def observe(source, question="doubles", seconds=5, **inputs):
    """Open `twice` written so, and ask."""
    observer = LocalObserver(arithmetic.exam, seconds)
    return observer.open([*OPEN, ("exercise twice", source)]) or observer.observe(question, inputs or {"x": 1.0})


def body(line):
    return f"def twice(x):\n    {line}"


def test_the_reference_is_dark():
    assert reference().__name__ == "dark"


def test_parts_are_labeled_by_whose_they_are():
    labels = [label for label, _ in arrange(arithmetic.PARTS, {"twice": "pass"})]
    assert labels == ["given 1", "exercise twice", "reference total"]
    assert arrange(arithmetic.PARTS, {"twice": "pass"}, whose="bug")[1] == ("bug twice", "pass")


def test_parts_are_executed_in_order_in_a_fresh_namespace():
    parts = [("given 1", "items = []"), ("exercise a", "items.append(1)"), ("reference b", "items.append(2)")]
    assert assemble(parts, extra=[("given 4", "items.append(3)")]).items == [1, 2, 3]
    assert assemble(parts).items == [1, 2]


@pytest.mark.parametrize("source", [None, "", "  \n", arithmetic.STUB_OF_TWICE, arithmetic.STUB_OF_TWICE + "\n# hm"])
def test_missing_blank_and_stub_are_not_attempted(source):
    assert not is_attempted(source, arithmetic.STUB_OF_TWICE)


@pytest.mark.parametrize("source", [arithmetic.TWICE, "def twice(x): return (", "1"])
def test_anything_else_is_attempted_even_if_it_is_not_python(source):
    assert is_attempted(source, arithmetic.STUB_OF_TWICE)


BORROWING = [
    "from dark import add", "from dark.nodes import Node", "import dark as d",
    "import dark\ndef f(x): return dark.mul(2, x)", "def f(): import dark; return dark.add",
    "mul = __import__('dark').mul", "import importlib\nmul = importlib.import_module('dark.operations').mul",
    "import importlib\nmul = importlib.import_module(name='dark').mul", "import sys\nmul = sys.modules['dark'].mul",
    "from importlib import import_module as f\ndef mul(a, b): return f('da' 'rk').mul(a, b)",
    "def f(x):\n    exec('x = 1; from dark import mul', globals())\n    return mul(2, x)",
    "y = dark.Parameter(3)\ndef f(x):\n    return y", "f = dark.mul", "Node.f = dark.mul(2, 3)",
]  # fmt: skip


@pytest.mark.parametrize("source", BORROWING)
def test_an_exercise_may_not_use_the_reference(source):
    with pytest.raises(ReferenceUsed, match="uses the reference `dark` itself"):
        assemble([("exercise e", source)])
    assert observe(source)["stopped"] == "uses the reference"


HARMLESS = [
    "def f():\n    'dark'\n    return 1", "'from dark import mul'", "f = 'darker than dark'",
    "exec('from dark import mul')", "import dark.draw", "import dark\ndark.draw(1)",
    "def f(dark): return dark", "darker = 1",
]  # fmt: skip


DOUBLE = "def twice(x):\n    return Leaf(2 * x.value, (x,))\n"
NOTEBOOKS = {
    "display": "def twice(x):\n    display(x)\n    return Leaf(2 * x.value, (x,))",
    "get_ipython": "def twice(x):\n    get_ipython().run_line_magic('time', '')\n    return Leaf(2 * x.value, (x,))",
    "main": 'if __name__ == "__main__":\n    def twice(x):\n        return Leaf(2 * x.value, (x,))',
    "future": "from __future__ import annotations\ndef twice(x: Nowhere):\n    return Leaf(2 * x.value, (x,))",
    "draw": "import dark\ndef twice(x):\n    dark.draw(x)\n    return Leaf(2 * x.value, (x,))",
    "from draw": "from dark import draw\ndef twice(x):\n    return Leaf(2 * x.value, (x,))",
    "draw, imported in it": "def twice(x):\n    import dark\n    dark.draw(x)\n    return Leaf(2 * x.value, (x,))",
    "a picture of dark": f"from dark.draw import hierarchy\n{DOUBLE}hierarchy()",
    "an example": f"{DOUBLE}x = dark.Parameter(3)\ny = twice(x)\nprint(y.value)",
    "pictures": (
        "import matplotlib.pyplot as plt\nfrom IPython.display import display as show\ndef twice(x):\n"
        "    figure, axes = plt.subplots()\n    axes.plot([1, 2]).set(color=3)\n    show(figure)\n"
        "    return Leaf(2 * x.value, (x,))\nfigure, axes = plt.subplots()\naxes.plot()"
    ),
    "unused imports": f"import os, torch, pandas as pd\nfrom scipy.special import expit\n{DOUBLE}",
    "much output": "def twice(x):\n    print('x' * 2_000_000)\n    return Leaf(2 * x.value, (x,))",
}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_what_works_in_a_notebook_works_in_a_check(name):
    assert observe(NOTEBOOKS[name])["returned"]["dict"]["value"] == 2.0


@pytest.mark.parametrize(
    "source",
    [
        "from scipy.special import expit\ndef twice(x):\n    return expit(x)",
        "import torch\ndef twice(x):\n    return torch.tensor(x)",
        "import sklearn as s\nclass Twice(s.Model):\n    pass",
        "def twice(x):\n    import torch\n    return x",
        "def twice(x):\n    return __import__('da' + 'rk').mul(2, x)",
    ],
)
def test_only_python_and_numpy_can_be_used_in_a_notebook_too(source):
    seen = observe(source)
    assert seen["raised"] == "ModuleNotFoundError"
    assert "cannot be imported here. An answer may import Python's standard library and NumPy" in seen["message"]


def test_the_course_and_the_judge_import_as_ever():
    assert observe("import json, numpy.linalg\n" + body("return Leaf(2 * x.value, (x,))"))["returned"]
    assert assemble([("given 1", "import sklearn")]).sklearn.__name__ == "sklearn"


def test_the_earlier_code_is_there_as_mine():
    made = assemble([("earlier 1", "two = 2"), ("exercise four", "def four(): return mine.two * two")])
    assert made.four() == 4


@pytest.mark.parametrize("source", HARMLESS)
def test_a_trial_may_use_the_reference(source):
    assemble([("exercise e", source)])


def test_a_given_cell_may_use_the_reference():
    assert assemble([("given 1", "import dark")]).dark is reference()


def test_magics_and_trials_do_not_hurt():
    source = "%time\n" + arithmetic.TWICE + "\n!ls\nprint(nowhere)\ny = nowhere + 1\nfor k in nowhere:\n    pass\n"
    assert observe(source)["returned"]["dict"]["value"] == 2.0


def test_a_definition_that_fails_is_an_error_with_its_line():
    seen = observe("x = 3\nclass Add(Nowhere):\n    pass\n")
    assert (seen["raised"], seen["message"]) == ("NameError", "name 'Nowhere' is not defined")
    assert seen["lines"] == [{"where": "exercise twice", "line": 2, "source": "class Add(Nowhere):"}]


def test_text_that_is_not_python_is_an_error_with_its_line():
    seen = observe("def twice(x):\n    return (\n")
    assert seen["raised"] == "SyntaxError" and seen["message"] == "'(' was never closed"
    assert seen["lines"][0]["line"] == 2 and seen["lines"][0]["source"] == "return ("


def test_a_traceback_is_cut_to_the_question_and_the_students_lines():
    seen = observe("import json\ndef twice(x):\n    return json.loads('{')")
    assert [line["where"] for line in seen["lines"]] == ["check", "exercise twice"]
    assert seen["lines"][1] == {"where": "exercise twice", "line": 3, "source": "return json.loads('{')"}


def test_a_missing_name_is_said_in_plain_words():
    assert observe("def twise(x): return x")["message"] == "Your code defines no `twice`."


def test_endless_recursion_is_explained_and_shown_once():
    seen = observe(body("return twice(x)"))
    assert seen["message"].startswith("It calls itself more often") and len(seen["lines"]) == 2


def test_recursion_ends_at_the_same_depth_wherever_it_is_asked():
    deep = "def count(n):\n    return 0 if n == 0 else 1 + count(n - 1)\ndef twice(x):\n    return Leaf(count({}))"

    def at_depth(n):
        return observe(deep.format(980)) if n == 0 else at_depth(n - 1)

    assert at_depth(0) == at_depth(600) and "returned" in at_depth(0)
    assert observe(deep.format(1100))["raised"] == "RecursionError"


def test_the_stub_of_an_exercise_is_told_by_its_name():
    assert observe(arithmetic.STUB_OF_TWICE) == {"not attempted": "twice"}


def test_another_not_implemented_error_is_an_error():
    assert observe("import abc\ndef twice(x): raise NotImplementedError if 0 else ValueError('no')")["raised"]
    seen = observe("error = NotImplementedError('later')\n" + body("raise error"))
    assert seen["raised"] == "NotImplementedError"


STOPS = {
    "import sys\ndef twice(x): sys.exit(0)": ("exited", "SystemExit"),
    "def twice(x): raise SystemExit": ("exited", "SystemExit"),
    "def twice(x): raise KeyboardInterrupt": ("exited", "KeyboardInterrupt"),
    "import sys\nsys.exit()": ("exited", "SystemExit"),
    "def twice(x): return bytearray(10**16)": ("out of memory", "memory"),
}


@pytest.mark.parametrize("source", STOPS)
def test_ending_the_program_is_a_stop_and_the_observer_continues(source):
    status, says = STOPS[source]
    observer = LocalObserver(arithmetic.exam)
    seen = observer.open([*OPEN, ("exercise twice", source)]) or observer.observe("doubles", {"x": 1.0})
    assert seen["stopped"] == status and says in seen["message"]
    assert observer.observe("doubles", {"x": 1.0})["stopped"] == status
    assert observer.open([*OPEN, ("exercise twice", arithmetic.TWICE)]) is None
    assert "returned" in observer.observe("doubles", {"x": 1.0})
    observer.close()


def test_an_interrupt_from_the_keyboard_is_not_swallowed():
    def pressed():
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        watch(pressed, 5)


ENDLESS = ["while True: pass", "while True:\n        try:\n            x = 1\n        except:\n            pass"]


@pytest.mark.parametrize("line", ENDLESS)
def test_an_endless_loop_is_interrupted_even_if_it_catches_everything(line):
    assert observe(body(line), seconds=0.05)["stopped"] == "timed out"
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_endless_loop_is_interrupted_in_another_thread_too():
    seen = []
    thread = threading.Thread(target=lambda: seen.append(observe(body("while True: pass"), seconds=0.05)))
    thread.start()
    thread.join(20)
    assert seen[0]["stopped"] == "timed out"


@contextmanager
def time_limit(seconds):
    """Limit the time of a block, as the observation of an answer does."""
    with alarm() as clock:
        clock.start(seconds)
        try:
            yield
        finally:
            clock.stop()


def test_the_handler_of_before_is_back_after_a_time_limit():
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(TimeIsUp), time_limit(0.01):
        while True:
            time.monotonic()
    assert signal.getsignal(signal.SIGALRM) is before


def test_the_timers_end_although_the_limit_is_reached_while_they_are_stopped():
    def strike(frame, event, argument):
        if event == "call" and frame.f_code.co_name == "stop":
            sys.setprofile(None)
            signal.raise_signal(signal.SIGPROF)

    sys.setprofile(strike)
    try:
        seen = watch(lambda: 3, 0)  # which the first signal finds exceeded
    finally:
        sys.setprofile(None)
    assert seen["stopped"] == "timed out"
    assert [signal.getitimer(timer) for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL)] == [(0.0, 0.0)] * 2


def test_two_signals_at_once_are_one_limit():
    with alarm() as clock, pytest.raises(TimeIsUp):
        clock.start(0)  # which the first signal finds exceeded
        try:
            signal.raise_signal(signal.SIGPROF)
        finally:
            signal.raise_signal(signal.SIGALRM)
            clock.stop()


def test_a_signal_within_the_limit_does_nothing():
    with alarm() as clock:
        clock.start(60)
        for _ in range(3):
            signal.raise_signal(signal.SIGPROF)
            signal.raise_signal(signal.SIGALRM)
        clock.stop()


def test_the_timers_of_before_run_on_after_a_time_limit():
    signal.setitimer(signal.ITIMER_REAL, 1000, 2)
    try:
        with time_limit(60):
            assert signal.getitimer(signal.ITIMER_REAL)[1] == AGAIN
        left, interval = signal.getitimer(signal.ITIMER_REAL)
        assert 990 < left <= 1000 and interval == 2
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def test_a_time_limit_is_not_lost_in_a_callback(capfd):
    thing = {1}
    weakref.finalize(thing, sum, range(10**7))  # its frame is the one on top when the limit is reached
    with pytest.raises(TimeIsUp), time_limit(0.01):
        del thing
        while True:
            time.monotonic()
    assert capfd.readouterr().err == ""  # no "Exception ignored"


def test_a_time_limit_is_not_lost_during_a_collection_either(capfd):
    def work(number):
        sum(range(number))

    def callback(phase, info):
        for _ in range(1000):
            work(10**4)

    gc.callbacks.append(callback)
    try:
        with pytest.raises(TimeIsUp), time_limit(0.01):
            gc.collect()
            while True:
                time.monotonic()
    finally:
        gc.callbacks.remove(callback)
    assert capfd.readouterr().err == ""


def test_the_handler_of_one_timer_does_not_raise_the_limit_within_that_of_the_other():
    signals = {signal.SIGALRM, signal.SIGPROF}
    with alarm() as clock:
        signal.pthread_sigmask(signal.SIG_BLOCK, signals)  # only the strikes below
        try:
            strike = signal.getsignal(signal.SIGALRM)
            clock.start(0)
            strike(signal.SIGALRM, SimpleNamespace(f_code=strike.__code__))
            with pytest.raises(TimeIsUp):
                strike(signal.SIGALRM, sys._getframe())
            clock.stop()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)


def test_input_is_not_available_during_a_check():
    seen = observe(body("return Leaf(input('how much? '))"))
    assert seen["raised"] == "EOFError" and "not available during a check" in seen["message"]
    assert input.__name__ == "input"


PRINTED = {
    "print('a'); print('b', end='')": "a\nb",
    "for k in range(9): print(k)": "0\n1\n2\n3\n4\n…",
    "print('x' * 900)": "x" * 500 + "\n…",
    "import sys; sys.stderr.write('bad \\ud800')": "bad \\ud800",
}


@pytest.mark.parametrize("line", PRINTED)
def test_the_beginning_of_what_is_printed_is_kept(line):
    assert observe(f"def twice(x):\n    {line}\n    return Leaf(1)")["printed"] == PRINTED[line]
    assert observe(f"def twice(x):\n    {line}\n    return 1 / 0")["printed"] == PRINTED[line]


def test_what_the_code_prints_or_warns_of_goes_nowhere_else(capsys):
    source = "import warnings\ndef twice(x):\n    print('!')\n    warnings.warn('?')\n    return Leaf(1)"
    assert "returned" in observe(source)
    assert capsys.readouterr() == ("", "")


def test_the_body_gets_a_copy_of_the_inputs():
    numbers = [1.0, 2.0]
    observer = LocalObserver(arithmetic.exam)
    assert observer.open([("exercise total", "def total(n):\n    n.clear()\n    return 0.0")]) is None
    observer.observe("adds_all", {"numbers": numbers})
    assert numbers == [1.0, 2.0]


HOSTILE = [
    "class E(Exception):\n    def __str__(self): raise ValueError\ndef twice(x): raise E",
    "class E(Exception):\n    def __str__(self): return 3\ndef twice(x): raise E",
    "def twice(x): raise ValueError('x' * 10**6)",
    arithmetic.ALWAYS_EQUAL,
]


@pytest.mark.parametrize("source", HOSTILE)
def test_every_observation_is_short_plain_json(source):
    assert len(json.dumps(observe(source), allow_nan=False)) < 3000
