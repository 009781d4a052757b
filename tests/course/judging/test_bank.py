"""The bank: its format, edits of a solution, and what is refused."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest

from dark.course.judging import bank as banks
from dark.course.judging.bank import Bank, edited, load_bank, parse_bank
from dark.errors import CourseError

SOLUTION = """\
def mean(numbers):
    ### BEGIN SOLUTION
    total = 0.0
    for number in numbers:
        total = total + number
    return total / len(numbers)
    ### END SOLUTION
"""
BANK = """
[bug.sum]
says = 'The sum is returned.'
next = 'Divide it.'
change = { 'return total / len(numbers)' = 'return total' }

[wrong]
one_more.change = { 'len(numbers)' = '(len(numbers) + 1)' }

[wrong.first_only]
change = { 'total = total + number ... return total / len(numbers)' = '''
    total = total + number
    return total / len(numbers)''' }

[wrong.two_edits]
change.'total = 0.0' = 'total = 1.0'
change.'total = total + number' = '''
if number:
    total = total + number'''

[right.sum]
cell = '''
def mean(numbers):
    return sum(numbers) / len(numbers)'''
"""


def body(source):
    return ast.unparse(ast.parse(source).body[0].body).splitlines()


def test_answers_of_three_kinds_are_read_in_order():
    bank = parse_bank(BANK, SOLUTION)
    assert [(b.name, b.says, b.next) for b in bank.bug] == [("sum", "The sum is returned.", "Divide it.")]
    assert [answer.name for answer in bank.wrong] == ["one_more", "first_only", "two_edits"]
    assert bank.right[0].source == "def mean(numbers):\n    return sum(numbers) / len(numbers)\n"


def test_edits_change_the_solution_at_its_indentation():
    bank = parse_bank(BANK, SOLUTION)
    loop = ["for number in numbers:", "    total = total + number"]
    assert body(bank.bug[0].source) == ["total = 0.0", *loop, "return total"]
    one_more, first_only, two_edits = (body(answer.source) for answer in bank.wrong)
    assert one_more == ["total = 0.0", *loop, "return total / (len(numbers) + 1)"]
    assert first_only == ["total = 0.0", *loop, "    return total / len(numbers)"]
    assert two_edits[2:4] == ["    if number:", "        total = total + number"]


def test_an_empty_replacement_removes_the_line():
    assert edited("x = 1\ny = 2\n", {"x = 1": ""}) == "y = 2\n"
    assert edited("x = abs(1)\n", {"abs": ""}) == "x = (1)\n"


def test_several_lines_are_named_by_their_first_and_last():
    solution = "x = 1\nif x:\n    y = x\n    z = x\n    y = z\n"
    assert edited(solution, {"if x ... y": "pass"}) == "x = 1\npass\n    z = x\n    y = z\n"  # the next y, not the last
    assert edited(solution, {"z = x ... y = z": "y = 2\nz = 3"}) == "x = 1\nif x:\n    y = x\n    y = 2\n    z = 3\n"
    assert edited("x = y[..., 0]\n", {"..., 0": "0"}) == "x = y[0]\n"


def test_a_bank_is_read_from_its_file(tmp_path, monkeypatch):
    path = tmp_path / "mean.toml"
    path.write_text(BANK)
    monkeypatch.setattr(banks, "bank_path", lambda module, exercise: path)
    module = SimpleNamespace(id="98", exercises={"mean": SimpleNamespace(solution=SOLUTION)})
    assert load_bank(module, "mean") == parse_bank(BANK, SOLUTION)
    path.unlink()
    assert load_bank(module, "mean") == Bank()


@pytest.mark.parametrize(("modules", "lines"), [("01 02 03 04", 5000), ("05 06 07 08", 5500)])
def test_the_banks_of_four_modules_are_short(modules, lines):
    folder = Path(__file__).parents[2] / "exams" / "bank"
    files = [path for module in modules.split() for path in (folder / module).glob("*.toml")]
    assert files and sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= lines


BROKEN = {
    "bad.one = 1": "unknown key 'bad'.*one of",
    "[bug.one]\nsays = 'A.'\nchange = { 'total = 0.0' = '' }": "bank: bug.one has no next.",
    "[bug.one]\nsays = 'A.'\nnext = 'B.'": "bank: bug.one has no change.",
    "wrong.one.change = { 'numbers' = 'n' }": "bank: wrong.one: change 'numbers' occurs 3 times in the solution.",
    "wrong.one.change = { 'total' = 'n' }": "change 'total' occurs 4 times",
    "wrong.one.change = { 'product' = 'n' }": "change 'product' occurs 0 times.*Try: take more of the line",
    "wrong.one.change = { 'total ... return' = 'n' }": "change 'total ... return' occurs 3 times",
    "wrong.one.change = { 'return ... total' = 'n' }": "change 'return ... total' occurs 0 times.*first ... last",
    "wrong.one.change = 'total'": "change must be a table of strings, got 'total'.*a table: { 'old' = 'new' }",
    "wrong.one.change.total.count = 'n'": "change must be a table of strings, got {'total': .*quotes",
    "wrong.one.chnage = { 'total = 0.0' = '' }": "unknown key 'chnage'.*change",
    "wrong.one = { says = 'A.', cell = '' }": "unknown key 'says'",
    "[wrong.one]\n[wrong.one]": "bank: .*Expected: TOML",
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_bank_is_refused(text):
    with pytest.raises(CourseError, match="(?s)" + BROKEN[text]):
        parse_bank(text, SOLUTION)
