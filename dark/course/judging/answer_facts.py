"""Describe a wrong answer that no known mistake explains, from the evidence alone.

The facts are read off the values, the error and the graph that the card shows, so they are true of every such answer.
A conclusion from several tests begins with "Looks like"; the last sentence, `UNKNOWN`, claims nothing.
"""

import ast
import math
import re
from dataclasses import replace

from dark.course.exams.plain import MISSING, compare, is_number, show
from dark.course.judging.error_mistakes import named_by
from dark.course.judging.outcome import answer_of, wrong_field
from dark.course.judging.python_errors import OF_PYTHON
from dark.course.judging.verdict import STOPS

UNKNOWN = (
    "No known mistake gives this answer.",
    "Follow the smallest input through your code, and print each step: which is the first that you did not expect?",
)
BY_HAND = "Compute the smallest input by hand, and compare each step with your code."
IN_PLACE = "Change nothing that your function gets: `x = x - 1` makes a new array, `x -= 1` changes the old one."
CONDITION = "Compare the condition with the docstring: for which inputs is an error asked for?"
READ = "Read in the docstring which input is refused, and test for it before anything else."
PRINT = "Print the values that this line uses, in a line above it."
ROUNDED = "Look for what rounds: `round`, a dtype such as float32, a difference of two numbers that are nearly equal."
CLOSE, NEARLY = 1e-6, 1e-4  # relative
LARGEST = 100  # factor that is named
WORDS = {2: "twice", 0.5: "half", -2: "minus twice", -0.5: "minus half"}
KINDS = {bool: "True or False", int: "a number", float: "a number", str: "a string", list: "a list or tuple"}
TAGS = {"number": "a number", "dict": "a dict", "array": "an array", "too large": "too large"}

ITSELF = {"the input `{}` itself": lambda expected, value: value}
OF_INPUTS = {
    "twice the input `{}`": lambda expected, value: 2 * value,
    "the square of the input `{}`": lambda expected, value: value**2,
    "multiplied by the input `{}`, which does not belong there": lambda expected, value: expected * value,
    "divided by the input `{}`, or lacks it as a factor": lambda expected, value: expected / (value or math.nan),
    "too large by the input `{}`": lambda expected, value: expected + value,
    "too small by the input `{}`": lambda expected, value: expected - value,
}


def fact_of(mistake, observations):
    """Return a sentence about the evidence of a `Mistake` in whose verdict a question fails, and a next step."""
    shown = mistake.verdict.failing
    trials = [trial for asked in observations for trial in asked.trials if trial.question.name == shown.question]
    if shown.status in STOPS or shown.remark or not trials:
        return UNKNOWN
    if kind := trials[0].expected.get("raised"):
        raised = f"{trials[0].seen['raised']} is raised" if "raised" in trials[0].seen else "No error is raised"
        return f"{raised} where a {kind} must be.", READ
    if shown.error:
        return next(named_by(OF_PYTHON, mistake), None) or _error(shown.error, mistake)
    if shown.rows and shown.rows.holds(shown.differences[0].path):
        return shown.rows.says, "Which of your lines makes it, or should make it?"
    marked, is_root = _node(shown)
    return marked if marked and not is_root else next(_values(shown.differences[0], trials), marked or UNKNOWN)


def unreadable(error):
    """Return the next step for a cell that is not Python, from its `Fault`; None without a line."""
    if error is None or not error.lines:
        return None
    says = f"Python cannot read line {error.lines[-1]['line']}: {error.message}."
    return says, "Is a bracket, a quote or a colon missing, there or in the line above, or is it indented otherwise?"


def _error(error, mistake):
    if not (own := [line for line in error.lines if line["where"].startswith("exercise ")]):
        return UNKNOWN
    line = own[-1]["line"]
    if own[-1]["source"].startswith(("raise ", "assert ")):
        return _raised_by_hand(line, error.type, mistake)
    return f"Line {line} raises the error below, {_with_article(error.type)}.", PRINT


def _raised_by_hand(line, kind, mistake):
    """Return the fault of an error that a line raises: its class, where another one is expected, or itself."""
    walked = list(ast.walk(mistake.solution)) if mistake.solution else []
    nodes = [node for node in walked if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    around = [node for node in mistake.nodes if isinstance(node, ast.FunctionDef)]
    own = [node.name for node in around if node.lineno <= line <= (node.end_lineno or line)]
    nodes = [node for node in nodes if node.name in own and "Error" in (ast.get_docstring(node) or "")] or nodes
    texts = " ".join(ast.get_docstring(node) or "" for node in nodes)
    raised = {node.exc.id for node in walked if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Name)}
    named = dict.fromkeys(re.findall(r"\b[A-Z]\w+\b", texts))
    asked = [name for name in named if name in raised or name.endswith("Error")]
    if asked and kind not in asked:
        names = " or ".join(map(_with_article, asked))
        return f"The docstring asks for {names}; line {line} raises {_with_article(kind)}.", CONDITION
    if not asked and re.search("raise|[Ee]xception", texts):
        return f"Line {line} raises {_with_article(kind)}, which the docstring does not ask for.", CONDITION
    return f"Line {line} raises {_with_article(kind)} for an input that must be accepted.", CONDITION


def _with_article(name):
    return f"an {name}" if name[0] in "AEIOU" else f"a {name}"


def _node(shown):
    """Return where the graph goes wrong, and whether that is the value of the root; None if no node is marked."""
    if (k := shown.wrong_node) is None:
        return None, False
    mine = shown.yours_graph["nodes"]
    name = f"`{mine[k]['name']}`" if mine[k].get("name") else f"node {k}"
    field = wrong_field(mine[k], shown.expected_graph["nodes"][k])
    if field == "value" and not mine[k]["inputs"] and mine[k].get("name"):
        return (f"The value of the leaf {name} has changed, and nothing computes it.", IN_PLACE), False
    if field not in ("grad", "no grad"):
        says = f"The first wrong node is {name}: everything that it is computed from is right."
        return (says, "Compute this one node by hand, from its inputs."), k == len(mine) - 1
    users = " and ".join(dict.fromkeys(f"`{node['op']}`" for node in mine if k in node["inputs"] and node.get("op")))
    if not users:
        step = "Which line of yours sets it, and which changes it afterwards?"
        return (f"The gradient of the root, {name}, is wrong already.", step), False
    says = f"The first wrong gradient is that of {name}: all gradients nearer to the root are right."
    return (says, f"Compute by hand what {users} sends to it, and follow it on its way."), False


def _values(first, trials):
    """Yield sentences about the first difference, the most certain first."""
    yours, expected, what = first.yours, first.expected, first.subject
    subject = what[0].upper() + what[1:]
    if MISSING in (yours, expected):
        yield f"{subject} is {'missing' if yours == MISSING else 'not asked for'}.", BY_HAND
    if isinstance(yours, list) and isinstance(expected, dict) and "dict" in expected:
        size, names = f"{len(yours)} item{'s' * (len(yours) != 1)}", ", ".join(expected["dict"])
        yield f"{subject} has {size}; it must have {len(expected['dict'])}: {names}.", BY_HAND
    kinds = _kind(yours), _kind(expected)
    if isinstance(yours, str) and kinds[0] == kinds[1] and re.search(r"(^|\.)kind$", first.path):  # written down
        whole = replace(first, path=first.path.removesuffix("kind").rstrip(".")).subject
        yield f"{whole[0].upper()}{whole[1:]} is {yours}; it must be {expected}.", "Look at the line that makes it."
    if kinds[0] != kinds[1] and isinstance(expected, str):
        yield f"{subject} is {kinds[0]}; it must be {show(expected)}.", "Read in the docstring when that is asked for."
    if kinds[0] != kinds[1]:
        if isinstance(yours, str) and re.search(", not in a |, which is not a ", yours):  # said by the question itself
            yield f"{subject} is {yours}.", "Look at the line that returns it."
        shown = show(yours)[:60] if isinstance(yours, str) else kinds[0]
        wanted = f"be {kinds[1]}"
        if isinstance(expected, dict) and "dict" in expected:  # a question may describe an object by its parts
            parts = ", ".join(map(str, expected["dict"]))
            wanted = f"have {'the part ' * (len(expected['dict']) == 1)}{parts}" if parts else "be an empty dict"
        yield f"{subject} is {shown}; it must {wanted}.", "Look where it is made, and print its type there."
    if isinstance(expected, bool):
        yield f"{subject} must be {expected}, and is not.", BY_HAND
    if isinstance(expected, list):
        size = f"{len(yours)} item{'s' * (len(yours) != 1)}"
        yield f"{subject} has {size}; it must have {len(expected)}.", BY_HAND
    if isinstance(expected, dict) and "array" in expected:
        key, noun = ("shape", "shape") if yours["shape"] != expected["shape"] else ("array", "dtype")
        values = [tuple(data[key]) if key == "shape" else data[key] for data in (yours, expected)]
        yield f"{subject} has the {noun} {values[0]}; it must have {values[1]}.", f"Print the {noun}s, line by line."
    answered = [trial for trial in trials if "returned" in trial.seen and "returned" in trial.expected]
    compared = [(t, answer_of(t.seen), answer_of(t.expected), t.question.tolerance) for t in answered]
    found = [(trial.inputs, each) for trial, *sides in compared for each in compare(*sides)]
    if all(is_number(value) for _, each in found for value in (each.yours, each.expected)):
        if all(_same(_number(each.yours), _number(each.expected), NEARLY) for _, each in found):
            yield "Looks like every wrong number is right to a few digits only.", ROUNDED
        same = _visible([(inputs, each) for inputs, each in found if each.path == first.path])
        found = _visible(found)
        if len({each.path for _, each in found}) > 1 and (says := _relation(found)):
            yield f"Looks like every wrong number is {says}.", BY_HAND
        if says := _constant(same) or _input(same, ITSELF) or _relation(same) or _input(same, OF_INPUTS):
            yield f"Looks like {what} is {says}.", BY_HAND


def _visible(found):
    """Return the differences that are easy to see, if there are any; the others may be of rounding only."""
    return [(inputs, each) for inputs, each in found if each.is_visible] or found


def _kind(data):
    if isinstance(data, dict):
        return TAGS.get(next(iter(data))) or show(data)
    return KINDS.get(type(data), "None")


def _number(data):
    return float(data["number"] if isinstance(data, dict) else data)


def _input(found, rules):
    """Return how a number depends on one of the inputs in every trial, or None."""
    for name in found[0][0]:
        values = [inputs[name] for inputs, _ in found]
        if not all(type(value) in (int, float) for value in values) or len(set(values)) < 2:
            continue
        triples = [(_number(each.yours), _number(each.expected), value) for value, (_, each) in zip(values, found)]
        for says, rule in rules.items():
            if all(_same(yours, rule(expected, value)) for yours, expected, value in triples):
                return says.format(name)
    return None


def _constant(found):
    """Return which number it always is, though others are expected, or None."""
    if len({show(each.yours) for _, each in found}) > 1 or len({show(each.expected) for _, each in found}) == 1:
        return None
    return f"always {show(found[0][1].yours)} where it is wrong"


def _relation(found):
    """Return how several numbers depend on the expected ones, or None."""
    pairs = [(_number(each.yours), _number(each.expected)) for _, each in found]
    is_finite = all(math.isfinite(value) for pair in pairs for value in pair)
    if not is_finite or len({expected for _, expected in pairs} - {0}) < 3:
        return None
    is_large = any(abs(expected) > 2 for _, expected in pairs)  # 0 and 1 may have other reasons
    gap, factors = pairs[0][0] - pairs[0][1], [yours / expected for yours, expected in pairs if expected]
    rules = {
        "0, and should not be": lambda e: 0.0,
        "the negative of what it should be": lambda e: -e,
        "without its minus sign": abs,
        "rounded down": lambda e: math.floor(e) if is_large else math.nan,
        "rounded": lambda e: round(e) if is_large else math.nan,
        f"{_times(factors[0])} as large as it should be": lambda e: factors[0] * e,
        f"{abs(gap):.4g} too {'large' if gap > 0 else 'small'}": lambda e: e + gap,
        "one over what it should be": lambda e: 1 / e if e else math.nan,
    }
    return next((says for says, rule in rules.items() if all(_same(y, rule(e), NEARLY) for y, e in pairs)), None)


def _same(one, other, close=CLOSE):
    return math.isclose(one, other, rel_tol=close, abs_tol=1e-9)


def _times(factor):
    if abs(factor) > LARGEST or abs(factor) < 1 / LARGEST:
        return f"{factor:.1e} times"
    return WORDS.get(round(factor, 4)) or f"{factor:.4g} times"
