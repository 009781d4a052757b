"""The plain asserts that nbgrader and otter-grader run on module 01: about two hundred, some for each exercise."""

CLOSE = """\
def close(a, b):
    return abs(a - b) <= 1e-4 * (1 + abs(b))
"""
ASSERTS = {
    "slope": """\
for x in (-2.0, -1.0, 0.0, 0.5, 1.0, 3.0):
    assert close(slope(lambda t: t * t, x), 2 * x)
    assert close(slope(lambda t: t * t * t, x), 3 * x * x)
    assert close(slope(lambda t: 5 * t - 1, x), 5.0)
    assert close(slope(lambda t: abs(t), 2.0, 1e-3), 1.0)
""",
    "add_mul": """\
for a, b in ((1.0, 2.0), (-3.0, 0.5), (0.0, 4.0), (2.0, 2.0)):
    assert Add._f(a, b) == a + b
    assert Mul._f(a, b) == a * b
    assert tuple(Add._df(3.0, a + b, a, b)) == (3.0, 3.0)
    assert tuple(Mul._df(3.0, a * b, a, b)) == (3 * b, 3 * a)
    assert add(Parameter(a), b).value == a + b
    assert mul(Parameter(a), b).value == a * b
""",
    "pow": """\
for x, n in ((2.0, 3.0), (0.5, 2.0), (3.0, -1.0), (1.5, 0.5)):
    assert close(Pow._f(x, n), x**n)
    assert close(Pow._df(2.0, x**n, x, n)[0], 2 * n * x ** (n - 1))
    assert close(Pow._df(2.0, x**n, x, n)[1], 2 * x**n * math.log(x))
    assert close(pow(Parameter(x), n).value, x**n)
assert math.isnan(Pow._df(1.0, 4.0, -2.0, 2.0)[1])
""",
    "node": """\
for value in (0, 1, -2.5, 7):
    n = Node(value)
    assert type(n.value) is float and n.value == value
    assert n.grad is None
    assert n.op is None
    assert n.inputs == ()
    assert isinstance(Parameter(value), Node) and Parameter(value).value == value
""",
    "apply": """\
for a, b in ((1.0, 2.0), (-3.0, 0.5), (0.0, 4.0)):
    x, y = Parameter(a), Parameter(b)
    n = Add.apply(x, y)
    assert n.value == a + b
    assert n.op is Add
    assert n.inputs == (x, y)
    assert isinstance(Add.apply(x, b).inputs[1], Constant)
    assert isinstance(Mul.apply(a, b), Constant)
    assert Mul.apply(a, b).inputs == ()
""",
    "topological_order": """\
for depth in (1, 2, 5, 9):
    x = Parameter(2.0)
    y = x
    for _ in range(depth):
        y = mul(y, x)
    order = topological_order(y)
    assert order[-1] is y
    assert len(order) == depth + 1
    assert len(set(map(id, order))) == len(order)
    assert all(order.index(n) < order.index(m) for m in order for n in m.inputs)
assert len(topological_order(Parameter(1.0))) == 1
""",
    "backward": """\
for a, b in ((1.0, 2.0), (-3.0, 0.5), (0.0, 4.0), (2.0, 2.0)):
    x, y = Parameter(a), Parameter(b)
    z = add(mul(x, y), mul(x, x))
    z.backward()
    assert close(x.grad, b + 2 * a)
    assert close(y.grad, a)
    assert z.grad == 1.0
    z.backward()
    assert close(x.grad, 2 * (b + 2 * a))
    assert close(y.grad, 2 * a)
""",
    "zero_grad": """\
for a in (1.0, -2.0, 3.0, 0.5):
    x = Parameter(a)
    z = mul(x, x)
    z.backward()
    z.zero_grad()
    assert x.grad == 0.0
    assert z.grad == 0.0
    fresh = Parameter(a)
    add(fresh, 1.0).zero_grad()
    assert fresh.grad is None
    z.backward()
    assert close(x.grad, 2 * a)
""",
    "minimize": """\
for start in (-2.0, 0.0, 1.0, 5.0):
    path = minimize(lambda x: mul(x, x), start, 0.1, 50)
    assert len(path) == 51
    assert path[0] == start
    assert close(path[1], 0.8 * start)
    assert abs(path[-1]) < 1e-3
    assert minimize(lambda x: mul(x, x), start, 0.1, 0) == [start]
""",
}
