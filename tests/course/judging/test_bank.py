"""The bank: its format, edits of a solution, and what is refused."""

import ast
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
change = 'return total / len(numbers)'
to = 'return total'

[wrong]
one_more = { change = 'len(numbers)', to = '(len(numbers) + 1)' }

[wrong.first_only]
change = '''
    total = total + number
return total / len(numbers)'''
to = '''
    total = total + number
    return total / len(numbers)'''

[wrong.two_edits]
change = ['total = 0.0', 'total = total + number']
to = ['total = 1.0', '''
if number:
    total = total + number''']

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
    assert edited("x = 1\ny = 2\n", "x = 1", "") == "y = 2\n"
    assert edited("x = abs(1)\n", "abs", "") == "x = (1)\n"


def test_a_bank_is_read_from_its_file(tmp_path, monkeypatch):
    path = tmp_path / "mean.toml"
    path.write_text(BANK)
    monkeypatch.setattr(banks, "bank_path", lambda module, exercise: path)
    module = SimpleNamespace(id="98", exercises={"mean": SimpleNamespace(solution=SOLUTION)})
    assert load_bank(module, "mean") == parse_bank(BANK, SOLUTION)
    path.unlink()
    assert load_bank(module, "mean") == Bank()


BROKEN = {
    "bad.one = 1": "unknown key 'bad'.*one of",
    "[bug.one]\nsays = 'A.'\nchange = 'total = 0.0'\nto = ''": "bank: bug.one has no next.",
    "[bug.one]\nsays = 'A.'\nnext = 'B.'": "bank: bug.one has no change and no to.",
    "wrong.one = { change = 'numbers', to = 'n' }": "bank: wrong.one: change 'numbers' occurs 3 times in the solution.",
    "wrong.one = { change = 'total', to = 'n' }": "change 'total' occurs 4 times",
    "wrong.one = { change = 'product', to = 'n' }": "change 'product' occurs 0 times.*Try: take more of the line",
    "wrong.one = { change = ['total = 0.0'], to = [] }": "1 changes, 0 replacements",
    "wrong.one = { chnage = 'total = 0.0', to = '' }": "unknown key 'chnage'.*change",
    "wrong.one = { says = 'A.', cell = '' }": "unknown key 'says'",
    "[wrong.one]\n[wrong.one]": "bank: .*Expected: TOML",
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_bank_is_refused(text):
    with pytest.raises(CourseError, match="(?s)" + BROKEN[text]):
        parse_bank(text, SOLUTION)
