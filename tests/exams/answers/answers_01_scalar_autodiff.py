"""Answers of module 01, scalar-autodiff: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.
"""

from math import isclose

from dark.course.exams.answers import Answers

answers = Answers("01")


@answers.judge(
    "inputs_before_users",
    "used_early_and_late",
    "equal_values_are_two_nodes",
    "long_and_short_paths",
    "one_input_and_three",
    "three_inputs_and_many_leaves",
    "leaf_alone",
    "listed_again",
)
def valid_order(answer, inputs, expected):
    """Say what is wrong with an order of named nodes, and with which of them, or None."""
    listed, needs = answer["listed"], expected["inputs"]
    if isinstance(listed, str):
        return f"The answer is {listed}."
    if any(name not in needs for name in listed):
        return "The list holds something that is not a node of the graph."
    if answer["changed"]:
        return "The graph is changed: a list of its nodes only reads it."
    twice = [name for name in needs if listed.count(name) > 1]
    if twice:
        return f"{_subject(twice[0])} is listed {listed.count(twice[0])} times.", twice[0]
    missing = [name for name in needs if name not in listed]
    if missing:
        return f"{_subject(missing[0])} is not in the list.", missing[0]
    for place, name in enumerate(listed):
        late = [n for n in needs[name] if n in listed[place:]]
        if late:
            return f"{_subject(name)} is listed before its input {late[0]}.", name
    values = dict(zip(expected["listed"], expected["values"], strict=True))
    is_same = all(isclose(values[name], value) for name, value in zip(listed, answer["values"], strict=True))
    return None if is_same else "The nodes of the list do not have the values of the graph."


def _subject(name):
    """Begin a sentence about a node; one without a name of its own is called "the constant 2"."""
    return f"T{name[1:]}" if name.startswith("the constant") else f"Node {name}"


# predictions


def parabola(dark, x):
    """Build y = 2x² + 5."""
    return dark.add(dark.mul(2, dark.pow(x, 2)), 5)


def late_use(dark, x, order):
    """Build y = a + 2a or y = 2a + a, with a = 1 · x."""
    a = dark.mul(1, x)
    return dark.add(a, dark.mul(2, a)) if order == "a + 2a" else dark.add(dark.mul(2, a), a)


def gradient_at(dark, x, passes=1):
    """Run backward on 2x² + 5."""
    p = dark.Parameter(x)
    y = parabola(dark, p)
    for _ in range(passes):
        y.backward()
    return p.grad


def first_attempt(node):
    """Walk back as the published tutorial does; return how many calls that took."""
    calls = 1
    if node.op is not None:
        for n, g in zip(node.inputs, node.op.differentiate(node)):
            kind = type(n).__name__
            if kind == "Parameter":
                n.grad = (n.grad or 0.0) + g
            elif kind == "Node":
                n.grad = g
    for n in node.inputs:
        calls += first_attempt(n)
    return calls


@answers.prediction("01.0a")
def slope_at_three(dark):
    """4 · 3 = 12. The graph finds the same number without knowing the rule for the whole curve."""
    return gradient_at(dark, 3)


@answers.prediction("01.1a")
def both_sides_of_three(dark):
    """(16 - 4) / 2 = 6, the true slope. On a parabola the errors of the two sides cancel exactly."""
    return dark.slope(lambda x: x**2, 3.0, 1.0)


@answers.prediction("01.1b")
def best_nudge(dark):
    """With 0.1 the curve is not straight enough; with 1e-15 only one digit of the difference is left."""
    return min((1e-1, 1e-5, 1e-15), key=lambda nudge: abs(dark.slope(lambda x: x**3, 3.0, nudge) - 27))


@answers.prediction("01.2a")
def three_steps_of_the_chain(dark):
    """3 · 2 · 4 = 24: ∂l/∂z = 3, ∂z/∂y = 2, and ∂y/∂a = b = 4. Multiply along the way."""
    a = dark.Parameter(3)
    dark.mul(3, dark.mul(2, dark.mul(a, 4))).backward()
    return a.grad


@answers.prediction("01.2b")
def power_hands_down(dark):
    """2 · (2 · 10) = 40: what arrived, times the slope of x² at 10."""
    x = dark.Parameter(10)
    dark.mul(2, dark.pow(x, 2)).backward()
    return x.grad


@answers.prediction("01.3a")
def boxes_of_the_parabola(dark):
    """Three results, the parameter x, and three constants: 2, 2 and 5. Each number you write is a box."""
    return len(dark.topological_order(parabola(dark, dark.Parameter(10))))


@answers.prediction("01.4a")
def slope_of_a_and_two_a(dark):
    """The sum a + 2a is 3x, so its slope is 3, however it is written."""
    x = dark.Parameter(1)
    late_use(dark, x, "a + 2a").backward()
    return x.grad


@answers.prediction("01.4b")
def attempt_on_two_a_and_a(dark):
    """The box a is visited twice, with gradient 2 both times: 2 + 2 = 4. The 1 was overwritten."""
    x = dark.Parameter(1)
    y = late_use(dark, x, "2a + a")
    y.grad = 1.0
    first_attempt(y)
    return x.grad


@answers.prediction("01.5a")
def second_pass(dark):
    """40 + 40 = 80: parameters add up over passes."""
    return gradient_at(dark, 10, passes=2)


@answers.prediction("01.5b")
def third_place(dark):
    """At 6 the slope is 24, and 6 - 0.1 · 24 = 3.6. Each step multiplies x by 0.6."""
    return dark.minimize(lambda x: parabola(dark, x), 10, steps=2)[-1]


@answers.prediction("01.6a")
def published_second_pass(dark):
    """The root keeps the 0 that zero_grad left. It sends 0 to everything below."""
    x = dark.Parameter(10)
    y = parabola(dark, x)
    y.grad = 1.0
    first_attempt(y)
    for node in dark.topological_order(y):
        if node.grad is not None:
            node.grad = 0.0
    first_attempt(y)
    return x.grad


@answers.prediction("01.6b")
def line_at_fault(dark):
    """Line 1 takes a 0 for the start. The root must get 1 at the beginning of every pass."""
    return 1


# repairs of "Find the bug"; they earn no points


@answers.reference
def first_backward(root):
    """The gradient of the root is 1 in every pass, whatever an earlier pass or zero_grad has left there."""
    root.backward()


@answers.reference
def first_zero_grad(box):
    """Set all gradients to 0."""
    box.zero_grad()
