"""Questions and predictions of module 01, scalar-autodiff.

Where a rule is asked for, no input is 0 or 1 and no two are equal: then different mistakes give
different answers, also on the smallest counterexample.
"""

from dark.course.exams import Choice, Exam, Expression, Float, Integer, build, trace

exam = Exam("01")
DEEP = 3000  # more levels than Python allows calls inside each other


def parabola(dark, x):
    """Build 2x² + 5."""
    return dark.add(dark.mul(2, dark.pow(x, 2)), 5)


def late_use(dark, x, order):
    """Build a + 2a or 2a + a, with a = 1 · x."""
    a = dark.mul(1, x)
    return dark.add(a, dark.mul(2, a)) if order == "a + 2a" else dark.add(dark.mul(2, a), a)


def chain(dark, x):
    """Build a chain of DEEP additions of 0."""
    y = x
    for _ in range(DEEP):
        y = dark.add(y, 0)
    return y


def below(root):
    """List the nodes at and below a root, as they are met."""
    nodes = [root]
    for node in nodes:
        for n in node.inputs:
            if all(n is not known for known in nodes):
                nodes.append(n)
    return nodes


def results_of(root):
    """Give the gradients of the results below a root, from the root down."""
    return [node.grad for node in below(root) if node.op is not None]


# slope


@exam.question("slope", points=2, tolerance=1e-6)
def slope_of_a_parabola(dark, x: Float(1, 10)):
    """The slope of 2x² + 5 at x is close to 4x."""
    return dark.slope(lambda v: 2 * v**2 + 5, x)


@exam.question("slope", points=2)
def nudge_to_both_sides(dark, x: Float(2, 5), nudge: Choice(0.5, 0.25, 0.75)):
    """The slope compares one nudge to the right with one to the left, of the size asked for."""
    return dark.slope(lambda v: v**3, x, nudge)


# add, mul, pow: the value, the rule, the rule in a graph


@exam.question("add")
def value_of_a_sum(dark, a: Float(2, 4), b: Float(5, 9)):
    """`_f` gives the sum."""
    return dark.Add._f(a, b)


@exam.question("add", points=2)
def rule_of_a_sum(dark, dldy: Float(11, 19), a: Float(2, 4), b: Float(5, 9)):
    """The rule gives one gradient for each input, by the chain rule."""
    return dark.Add._df(dldy, a + b, a, b)


@exam.question("add")
def sum_in_a_graph(dark, factor: Float(-5, -2), a: Float(2, 4), b: Float(5, 9)):
    """In a graph, both inputs of a sum receive the right gradient."""
    a, b = dark.Parameter(a), dark.Parameter(b)
    y = dark.mul(factor, dark.add(a, b))
    y.backward()
    return {"value": y.value, "gradient a": a.grad, "gradient b": b.grad, "graph": trace(y)}


@exam.question("mul")
def value_of_a_product(dark, a: Float(3, 4), b: Float(5, 9)):
    """`_f` gives the product."""
    return dark.Mul._f(a, b)


@exam.question("mul", points=2)
def rule_of_a_product(dark, dldy: Float(11, 19), a: Float(3, 4), b: Float(5, 9)):
    """The rule gives one gradient for each input, by the chain rule."""
    return dark.Mul._df(dldy, a * b, a, b)


@exam.question("mul")
def product_in_a_graph(dark, factor: Float(-5, -2), a: Float(3, 4), b: Float(5, 9)):
    """In a graph, both inputs of a product receive the right gradient."""
    a, b = dark.Parameter(a), dark.Parameter(b)
    y = dark.add(dark.mul(dark.mul(a, b), factor), a)
    y.backward()
    return {"value": y.value, "gradient a": a.grad, "gradient b": b.grad, "graph": trace(y)}


@exam.question("pow")
def value_of_a_power(dark, x: Float(2, 4), n: Choice(3.0, 2.5, -1.0)):
    """`_f` gives the power."""
    return dark.Pow._f(x, n)


@exam.question("pow", points=2)
def rule_of_a_power(dark, dldy: Float(11, 19), x: Float(3, 4), n: Float(1.5, 2.5)):
    """The rule gives a gradient for the base and one for the exponent, by the chain rule."""
    return dark.Pow._df(dldy, x**n, x, n)


@exam.question("pow")
def power_of_a_negative_number(dark, x: Choice(-3.0, -0.5, 0.0), n: Choice(2, 3)):
    """A base of 0 or below gets its gradient when the exponent is a fixed number."""
    x = dark.Parameter(x)
    y = dark.pow(x, n)
    y.backward()
    return {"value": y.value, "gradient": x.grad}


@exam.question("pow")
def x_to_the_x(dark, x: Float(2, 3)):
    """In x to the x, the base and the exponent both add to the gradient of x."""
    x = dark.Parameter(x)
    y = dark.pow(x, x)
    y.backward()
    return {"value": y.value, "gradient": x.grad, "graph": trace(y)}


# node


@exam.question("node", points=2)
def fields_of_a_leaf(dark, kind: Choice("Parameter", "Constant"), value: Float(2, 9)):
    """A new leaf has its value, no gradient, no operation and no inputs."""
    leaf = getattr(dark, kind)(value)
    return {"value": leaf.value, "grad": leaf.grad, "op": leaf.op, "inputs": leaf.inputs}


@exam.question("node")
def whole_numbers_become_floats(dark, value: Integer(2, 9)):
    """The value of a leaf is a float, also when a whole number is given."""
    return type(dark.Parameter(value).value).__name__


@exam.question("node")
def leaves_share_nothing(dark, first: Float(2, 4), second: Float(5, 9)):
    """What happens to one leaf does not show in another."""
    one, two = dark.Parameter(first), dark.Parameter(second)
    two.grad = 7.0
    if isinstance(two.inputs, list):
        two.inputs.append(one)
    return {"values": [one.value, two.value], "grad": one.grad, "inputs": len(one.inputs)}


# apply


@exam.question("apply")
def result_remembers(dark, a: Float(2, 4), b: Float(5, 9)):
    """A result knows its value, its operation, and the very nodes that went in."""
    a, b = dark.Parameter(a), dark.Parameter(b)
    y = dark.Mul.apply(a, b)
    same = [n is given for n, given in zip(y.inputs, (a, b))]
    return {"value": y.value, "the operation is Mul": y.op is dark.Mul, "same nodes": same, "graph": trace(y)}


@exam.question("apply")
def numbers_become_constants(dark, number: Float(2, 4), x: Float(5, 9)):
    """A plain number becomes a Constant; the result stays a result."""
    y = dark.Add.apply(number, dark.Parameter(x))
    inputs = [{"kind": type(n).__name__, "value": n.value} for n in y.inputs]
    return {"kind": type(y).__name__, "inputs": inputs, "graph": trace(y)}


@exam.question("apply")
def constants_make_a_constant(dark, a: Float(2, 4), b: Float(5, 9)):
    """A result of constants alone is a Constant that remembers nothing."""
    y = dark.Mul.apply(a, b)
    return {"kind": type(y).__name__, "value": y.value, "op": y.op is not None, "inputs": len(y.inputs)}


@exam.question("apply")
def any_number_of_inputs(dark, a: Float(2, 4), b: Float(5, 9)):
    """An operation of your own may have one input, or three."""

    class Negative(dark.Operation):
        _f = staticmethod(lambda x: -x)

    class Line(dark.Operation):
        _f = staticmethod(lambda x, y, z: x * y + z)

    a, b = dark.Parameter(a), dark.Parameter(b)
    negative, line = Negative.apply(a), Line.apply(a, b, 1)
    return {"values": [negative.value, line.value], "inputs": [len(negative.inputs), len(line.inputs)]}


# differentiate


@exam.question("differentiate", points=2)
def product_hands_down(dark, dldy: Float(11, 19), a: Float(2, 4), b: Float(5, 9)):
    """A product that has received dldy sends dldy · b and dldy · a."""
    y = dark.mul(dark.Parameter(a), dark.Parameter(b))
    y.grad = dldy
    return list(dark.Mul.differentiate(y))


@exam.question("differentiate", points=2)
def rule_gets_its_arguments(dark, dldy: Float(11, 19), a: Float(2, 4), b: Float(5, 9), c: Float(20, 30)):
    """The rule gets dldy, then y, then the value of each input in its order."""

    class Echo(dark.Operation):
        _f = staticmethod(lambda a, b, c: a + 2 * b + 3 * c)
        _df = staticmethod(lambda dldy, y, a, b, c: (1000 * dldy + y, a - b, b - c))

    y = Echo.apply(dark.Parameter(a), dark.Parameter(b), dark.Parameter(c))
    y.grad = dldy
    return list(Echo.differentiate(y))


# topological order


def valid_order(answer, inputs):
    """Say what is wrong with an order of named nodes, or None."""
    listed, needs = answer["listed"], answer["inputs"]
    if "?" in listed:
        return "The list holds something that is not a node of the graph."
    twice = [name for name in needs if listed.count(name) > 1]
    if twice:
        return f"Node {twice[0]} is listed {listed.count(twice[0])} times."
    missing = [name for name in needs if name not in listed]
    if missing:
        return f"Node {missing[0]} is not in the list."
    for place, name in enumerate(listed):
        late = [n for n in needs[name] if n in listed[place:]]
        if late:
            return f"Node {name} is listed before its input {late[0]}."
    return None


def listed(dark, root):
    """Observe an order: the nodes below a root by letters, and which inputs each of them has."""
    names = {id(node): name for node, name in zip(below(root), "abcdefghijklmnopqrstuvwxyz")}
    for node in below(root):
        node.name = names[id(node)]
    order = [names.get(id(node), "?") for node in dark.topological_order(root)]
    needs = {names[id(node)]: [names[id(n)] for n in node.inputs] for node in below(root)}
    return {"listed": order, "inputs": needs, "graph": trace(root)}


@exam.question("topological_order", points=2, judge=valid_order)
def inputs_before_users(dark, expression: Expression(("x", "z"), ("add", "mul"), 6)):
    """Every node is listed once, after all its inputs."""
    x, z = dark.Parameter(2), dark.Parameter(3)
    return listed(dark, dark.add(build(dark, expression, {"x": x, "z": z}), x))


@exam.question("topological_order", judge=valid_order)
def used_early_and_late(dark, order: Choice("a + 2a", "2a + a")):
    """A node that is used twice is listed before both of its users."""
    return listed(dark, late_use(dark, dark.Parameter(3), order))


@exam.question("topological_order", judge=valid_order)
def equal_values_are_two_nodes(dark, value: Float(2, 9)):
    """Two nodes with the same value are two nodes."""
    return listed(dark, dark.mul(dark.Parameter(value), dark.Parameter(value)))


@exam.question("topological_order")
def deep_graph_in_order(dark):
    """A chain of 3,000 operations is no problem."""
    x = dark.Parameter(2)
    y = chain(dark, x)
    order = dark.topological_order(y)
    return {"nodes": len(order), "root is last": order[-1] is y, "x comes after": len(order) - order.index(x) > DEEP}


# backward


@exam.question("backward")
def every_gradient_of_the_parabola(dark, x: Float(2, 9)):
    """For 2x² + 5 the gradients are 1, 1, 2 at the results and 4x at x."""
    p = dark.Parameter(x)
    y = parabola(dark, p)
    y.backward()
    return {"value": y.value, "gradient": p.grad, "results": results_of(y), "graph": trace(y)}


@exam.question("backward", points=2)
def shared_node(dark, x: Float(2, 5), order: Choice("a + 2a", "2a + a")):
    """A node that is used twice receives both gradients, in either order."""
    p = dark.Parameter(x)
    y = late_use(dark, p, order)
    y.backward()
    return {"value": y.value, "gradient": p.grad, "results": results_of(y), "graph": trace(y)}


@exam.question("backward", points=2)
def any_graph(dark, x: Float(-3, 3), z: Float(-3, 3), expression: Expression(("x", "z"), ("add", "mul"), 6)):
    """Every parameter of any graph of sums and products gets its gradient."""
    leaves = {"x": dark.Parameter(x), "z": dark.Parameter(z)}
    y = dark.add(build(dark, expression, leaves), dark.mul(leaves["x"], leaves["z"]))
    y.backward()
    return {"value": y.value, "gradients": [leaves["x"].grad, leaves["z"].grad], "graph": trace(y)}


@exam.question("backward")
def three_passes(dark, x: Choice(10.0, 3.0)):
    """Parameters add up over passes (40, 80, 120 at 10); results show the last pass."""
    p = dark.Parameter(x)
    y = parabola(dark, p)
    seen = []
    for _ in range(3):
        y.backward()
        seen.append(p.grad)
    return {"gradients": seen, "results": results_of(y), "graph": trace(y)}


@exam.question("backward")
def fresh_start(dark, x: Choice(10.0, 3.0)):
    """After zero_grad, a pass brings the full gradient again."""
    p = dark.Parameter(x)
    y = parabola(dark, p)
    y.backward()
    y.zero_grad()
    y.backward()
    return {"gradient": p.grad, "graph": trace(y)}


@exam.question("backward")
def constants_take_nothing(dark, x: Float(2, 9)):
    """The gradient of a Constant stays None."""
    y = parabola(dark, dark.Parameter(x))
    y.backward()
    constants = [node.grad for node in below(y) if type(node).__name__ == "Constant"]
    return {"constants": constants, "graph": trace(y)}


@exam.question("backward")
def deep_graph_backward(dark):
    """A gradient arrives through a chain of 3,000 operations."""
    x = dark.Parameter(2)
    chain(dark, x).backward()
    return x.grad


# zero_grad


@exam.question("zero_grad")
def every_gradient_is_cleared(dark, x: Float(2, 9)):
    """Every gradient at and below the node is 0.0, and the values stay."""
    p = dark.Parameter(x)
    y = parabola(dark, p)
    y.backward()
    y.zero_grad()
    return {"parameter": p.grad, "results": results_of(y), "values": [n.value for n in below(y)], "graph": trace(y)}


@exam.question("zero_grad")
def none_stays_none(dark, x: Float(2, 9)):
    """A gradient that is None stays None."""
    p = dark.Parameter(x)
    y = parabola(dark, p)
    y.zero_grad()
    return {"gradients": [node.grad for node in below(y)], "graph": trace(y)}


@exam.question("zero_grad")
def deep_graph_cleared(dark):
    """A chain of 3,000 operations is no problem."""
    x = dark.Parameter(2)
    y = chain(dark, x)
    y.backward()
    y.zero_grad()
    return x.grad


# minimise


@exam.question("minimise", points=2)
def path_down_the_parabola(dark, start: Choice(10, 5, -8), steps: Choice(3, 2, 5)):
    """The path of 2x² + 5 from 10 is 10, 6, 3.6, 2.16: the start, then one value a step."""
    return dark.minimise(lambda x: parabola(dark, x), start, steps=steps)


@exam.question("minimise")
def hundred_steps(dark):
    """Without further wishes, 100 steps are taken; the path has 101 values."""
    path = dark.minimise(lambda x: parabola(dark, x), 10)
    return {"values": len(path), "end": path[-1]}


@exam.question("minimise")
def rate_as_asked(dark, start: Float(2, 9), learning_rate: Choice(0.05, 0.2)):
    """Each step goes the learning rate times the gradient."""
    return dark.minimise(lambda x: dark.pow(dark.add(x, -1), 2), start, learning_rate=learning_rate, steps=3)


@exam.question("minimise")
def graph_of_today(dark, start: Choice(2.0, -1.5)):
    """Every step uses the slope at the present x."""
    return dark.minimise(lambda x: dark.mul(dark.pow(x, 2), dark.pow(x, 2)), start, learning_rate=0.01, steps=4)


# predictions


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


@exam.prediction("01.0a")
def slope_at_three(dark):
    """4 · 3 = 12. The graph finds the same number without knowing the rule for the whole curve."""
    return gradient_at(dark, 3)


@exam.prediction("01.1a")
def both_sides_of_three(dark):
    """(16 - 4) / 2 = 6, the true slope. On a parabola the errors of the two sides cancel exactly."""
    return dark.slope(lambda x: x**2, 3.0, 1.0)


@exam.prediction("01.1b")
def best_nudge(dark):
    """With 0.1 the curve bends too far; with 1e-15 only one or two digits of the difference are left."""
    return min((1e-1, 1e-5, 1e-15), key=lambda nudge: abs(dark.slope(lambda x: x**3, 2.0, nudge) - 12))


@exam.prediction("01.2a")
def slope_of_a_factor(dark):
    """3.001 · 4 = 12.004: a nudge of the 3 arrives four times over. The other factor is the slope."""
    a = dark.Parameter(3)
    dark.mul(a, 4).backward()
    return a.grad


@exam.prediction("01.2b")
def power_hands_down(dark):
    """2 · (2 · 10) = 40: what arrived, times the slope of x² at 10."""
    x = dark.Parameter(10)
    dark.mul(2, dark.pow(x, 2)).backward()
    return x.grad


@exam.prediction("01.3a")
def boxes_of_the_parabola(dark):
    """Three results, the parameter x, and three constants: 2, 2 and 5. Each number you write is a box."""
    return len(dark.topological_order(parabola(dark, dark.Parameter(10))))


@exam.prediction("01.4a")
def slope_of_a_and_two_a(dark):
    """The sum a + 2a is 3x, so its slope is 3, however it is written."""
    x = dark.Parameter(1)
    late_use(dark, x, "a + 2a").backward()
    return x.grad


@exam.prediction("01.4b")
def attempt_on_two_a_and_a(dark):
    """The box a is visited twice, with gradient 2 both times: 2 + 2 = 4. The 1 was overwritten."""
    x = dark.Parameter(1)
    y = late_use(dark, x, "2a + a")
    y.grad = 1.0
    first_attempt(y)
    return x.grad


@exam.prediction("01.5a")
def second_pass(dark):
    """40 + 40 = 80: parameters add up over passes."""
    return gradient_at(dark, 10, passes=2)


@exam.prediction("01.5b")
def third_place(dark):
    """At 6 the slope is 24, and 6 - 0.1 · 24 = 3.6. Each step multiplies x by 0.6."""
    return dark.minimise(lambda x: parabola(dark, x), 10, steps=2)[-1]


@exam.prediction("01.5c")
def too_large_a_step(dark):
    """10 - 0.5 · 40 = -10, and from there back to 10: it jumps to and fro for ever."""
    return dark.minimise(lambda x: parabola(dark, x), 10, learning_rate=0.5, steps=2)[-1]


@exam.prediction("01.6a")
def published_second_pass(dark):
    """The root keeps the 0 that zero_grad left. It sends 0 to everything below."""
    x = dark.Parameter(10)
    y = parabola(dark, x)
    y.grad = 1.0
    first_attempt(y)
    for node in below(y):
        if node.grad is not None:
            node.grad = 0.0
    first_attempt(y)
    return x.grad


@exam.prediction("01.6b")
def line_at_fault(dark):
    """Line 1 takes a 0 for a start. The root must get 1 at the beginning of every pass."""
    return 1


@exam.prediction("01.6c")
def calls_for_ten_doublings(dark):
    """A shared box is visited once for each path: twice as many with every doubling, 4,095 for 13 boxes."""
    y = dark.mul(1, dark.Parameter(1))
    for _ in range(10):
        y = dark.add(y, y)
    y.grad = 1.0
    return first_attempt(y)
