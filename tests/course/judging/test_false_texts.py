"""A diagnosis is true of the answer: classes of errors, calls in the source, loops; and it comes soon."""

import re

import pytest

from dark.course.judging import diagnosis
from dark.course.judging.bank import Answer, edited
from dark.course.judging.judge import judge_exercise
from dark.course.judging.observe import AFTER_A_STOP, LocalObserver
from dark.course.lessons.library import find_exercise, load_module
from tests.course.arithmetic import MODULE, TWICE, exam


def diagnosed(exercise, change, bank=None):
    """Return what is said of the solution after an edit."""
    module = load_module(find_exercise(exercise).module)
    source = edited(module.exercises[exercise].solution, change)
    return judge_exercise(module, exercise, {exercise: source}, bank=bank).diagnosis[0]


OTHER_CLASS = {
    "dataset": ("raise ValueError(", "raise AssertionError(", "The docstring asks for a ValueError; line 8 raises"),
    "event_filters": (
        'raise ValueError("give',
        'raise TypeError("give',
        "The docstring asks for a ValueError; line 13 raises",
    ),
    "accuracy": ("raise RuntimeError(", "raise ValueError(", "The docstring asks for a RuntimeError; line "),
}


@pytest.mark.parametrize("exercise", OTHER_CLASS)
def test_an_error_of_another_class_is_no_refusal_of_a_good_input(exercise):
    old, new, says = OTHER_CLASS[exercise]
    assert diagnosed(exercise, {old: new}).startswith(says)


def test_two_strings_joined_like_a_path_are_told_to_be_no_path():
    source = {"Path(folder)": "folder"}
    module = load_module("08")
    answer = edited(module.exercises["checkpoint"].solution, source)
    says, step = judge_exercise(module, "checkpoint", {"checkpoint": answer}, bank=()).diagnosis
    assert "two strings stand on the sides of `/`" in says
    assert step == "A folder may be a string: `Path(folder) / name`."


RETURNS_IN_FINALLY = """
result = function(*args, **kwargs)
finally:
    random.setstate(python)
    np.random.set_state(numpy)
    {}return result"""


@pytest.mark.parametrize("before", ["", "if kwargs is not None:\n        "])
def test_a_return_in_finally_is_told_to_go_behind_it(before):
    new = "    " + RETURNS_IN_FINALLY.strip().format(before)
    module = load_module("08")
    change = {"return function(*args, **kwargs) ... np.random.set_state(numpy)": new}
    answer = edited(module.exercises["keep_random_state"].solution, change)
    says, step = judge_exercise(module, "keep_random_state", {"keep_random_state": answer}, bank=()).diagnosis
    assert "stands inside `finally`" in says and step == "Return after the finally block, or inside `try`."


def test_an_error_that_the_docstring_does_not_ask_for_is_told_as_such():
    change = {"if not self.handlers[Events.EXCEPTION_RAISED]: ... raise": "raise RuntimeError(str(error)) from error"}
    said = diagnosed("exceptions", change, bank=())
    assert "raises a RuntimeError, which the docstring does not ask for" in said


def test_a_call_that_is_not_in_the_source_is_not_named():
    assert "np.roll" not in diagnosed("compose", {"np.pad(image, 1)": 'np.pad(image, 1, mode="edge")'})


def test_a_bug_that_names_its_call_is_known_by_it():
    source = "def twice(x):\n    return Leaf(abs(x.value) ** 2, (x,), 'twice')"
    bank = [Answer("one", source.replace("abs(x.value) ** 2", "pow(x.value, 2)"), "`pow` squares.", "Do.")]
    said = judge_exercise(MODULE, "twice", {"twice": source}, exam=exam, bank=bank).diagnosis
    assert "pow" not in said[0]
    source = source.replace("abs(x.value) ** 2", "pow(x.value, 2)")
    assert "pow" in judge_exercise(MODULE, "twice", {"twice": source}, exam=exam, bank=bank).diagnosis[0]


def test_none_in_place_of_an_empty_dict_is_told_in_a_whole_sentence():
    said = diagnosed("state", {"self.metrics = {}": "self.metrics = None"})
    assert "`metrics` is None; it must be an empty dict." in said


def test_a_loop_that_reads_what_the_last_iteration_kept_is_not_said_to_overwrite_it():
    change = {
        "for k in range(len(self)): ... yield read": """
waiting = None
for k in range(len(self)):
    batch = read(self.dataset, order[k * self.batch_size : (k + 1) * self.batch_size])
    if waiting is not None:
        yield waiting
    waiting = batch
if waiting is not None:
    yield waiting"""
    }
    assert "overwrites" not in diagnosed("data_loader", change)


def failing(exercise, change):
    """Return the finding that a card shows of the solution after an edit."""
    module = load_module(find_exercise(exercise).module)
    source = edited(module.exercises[exercise].solution, change)
    return judge_exercise(module, exercise, {exercise: source}, bank=()).failing


@pytest.mark.parametrize("new", ["int(fraction * len(members))", "max(1, round(fraction * len(members)))"])
def test_a_number_that_is_not_rounded_is_not_said_to_swap_the_parts(new):
    assert re.fullmatch(
        r"Of a class of \d, \d are in the test set. The fraction is [\d.]+, rounded \d\.",
        failing("split", {"round(fraction * len(members))": new}).remark,
    )


def test_a_list_in_place_of_a_tuple_differs_in_its_kind():
    change = {"return self[np.array(indices)]": "return list(self[np.array(indices)])"}
    [first, *_] = failing("dataset", change).differences
    assert (first.subject, first.yours, first.expected) == ("`batch.kind`", "a list of 3", "a tuple of 3")


@pytest.mark.parametrize(
    ("new", "says"),
    [
        ('np.pad(image, 1, mode="edge")', "The gaps of a result have other numbers than 0."),
        ("np.pad(image, 1)[::-1]", "A result is not the image, moved by at most one."),
        ("np.pad(image, ((0, 2), (0, 2)))", "A result is moved by two rows or columns."),
    ],
)
def test_a_shift_is_told_what_is_wrong_with_its_numbers(new, says):
    assert failing("compose", {"np.pad(image, 1)": new}).remark == says


def test_bugs_that_do_not_end_are_waited_for_two_seconds_at_most(monkeypatch):
    waited = []

    class Recorded(LocalObserver):
        def observe(self, question, inputs):
            limit = self.seconds
            seen = super().observe(question, inputs)
            waited.extend([limit] if "stopped" in seen else [])
            return seen

    monkeypatch.setattr(diagnosis, "LocalObserver", Recorded)
    monkeypatch.setattr(diagnosis, "LONGEST", 0.1)
    monkeypatch.setattr(diagnosis, "AFTER_A_STOP", 0.05)
    bank = [Answer(f"endless {k}", "def twice(x):\n    while True:\n        pass", "It ends.", "Do.") for k in range(3)]
    judge_exercise(MODULE, "twice", {"twice": TWICE.replace("2", "3")}, exam=exam, bank=bank)
    assert 0 < sum(waited) < 0.3 and AFTER_A_STOP > 0.05


def test_an_exception_of_the_course_is_asked_for_by_its_name():
    change = {"raise EpochTerminated": "raise StopIteration"}
    said = diagnosed("terminate", change, bank=())
    assert said.startswith("The docstring asks for a Terminated or an EpochTerminated; line ")


def test_an_error_of_another_class_is_shown_with_its_message():
    module = load_module("07")
    change = {'if event not in self.handlers: ... raise ValueError("there is no such event")': ""}
    source = edited(module.exercises["add_event_handler"].solution, change)
    verdict = judge_exercise(module, "add_event_handler", {"add_event_handler": source}, bank=())
    assert verdict.diagnosis[0] == "1st entry of attached: yours KeyError: 'completed', expected ValueError."


def test_a_function_that_takes_too_little_is_not_told_to_look_at_what_it_returns():
    module = load_module("07")
    source = edited(module.exercises["supervised_trainer"].solution, {"def step(engine, batch):": "def step(batch):"})
    says, step = judge_exercise(module, "supervised_trainer", {"supervised_trainer": source}, bank=()).diagnosis
    assert "`step` is called with other arguments" in says and "how many arguments" in step
