"""Small changes of Python code, as mistakes make them: each function yields replacements of a syntax node."""

import ast
from copy import deepcopy

EXCHANGES = """
    Lt: LtE Gt, LtE: Lt GtE, Gt: GtE Lt, GtE: Gt LtE, Eq: NotEq Is, NotEq: Eq IsNot, Is: IsNot Eq, IsNot: Is NotEq,
    In: NotIn, NotIn: In, Add: Sub Mult, Sub: Add Div, Mult: Div Add, Div: Mult FloorDiv, FloorDiv: Div Mult,
    Mod: FloorDiv, Pow: Mult, MatMult: Mult, BitOr: BitAnd, BitAnd: BitOr
"""
OTHERS = {
    getattr(ast, name.strip()): [getattr(ast, other) for other in others.split()]
    for name, others in (entry.split(":") for entry in EXCHANGES.split(","))
}
IDENTITY = (ast.Is, ast.IsNot)
FIELDS = ("value", "grad", "op", "inputs")
CLASSES = ("Node", "Constant", "Parameter")
METHODS = {"append": "insert", "extend": "append", "maximum": "minimum", "minimum": "maximum", "exp": "log"}
EMPTY = ("set", "dict", "list")


def comparisons(node):
    """Exchange a comparison; swap its sides."""
    if isinstance(node, ast.Compare):
        literal = isinstance(node.comparators[0], ast.Constant)
        for other in OTHERS[type(node.ops[0])]:
            if literal and other in (ast.Is, ast.IsNot) + (ast.Eq, ast.NotEq) * isinstance(node.ops[0], IDENTITY):
                continue  # `== None` is as good, and `is 0` depends on Python
            yield ast.Compare(node.left, [other(), *node.ops[1:]], node.comparators)
        if ast.unparse(node).endswith(" is not None"):
            yield node.left
        if ast.unparse(node).endswith(" is None"):
            yield ast.UnaryOp(ast.Not(), node.left)


def arithmetic(node):
    """Exchange an operator, swap its operands, or keep only one of them."""
    if isinstance(node, ast.BinOp):
        for other in OTHERS.get(type(node.op), ()):
            yield ast.BinOp(node.left, other(), node.right)
        if not isinstance(node.op, ast.Add | ast.Mult):
            yield ast.BinOp(node.right, node.op, node.left)
        yield from (node.left, node.right)


def signs(node):
    """Drop a minus or a `not`."""
    if isinstance(node, ast.UnaryOp):
        yield node.operand


def logic(node):
    """Exchange `and` and `or`; drop one of the operands."""
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        yield from node.values


def conditions(node):
    """Turn a condition round; take it as always true or always false."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        tests = [ast.UnaryOp(ast.Not(), node.test), ast.Constant(False)]
        tests += [] if isinstance(node, ast.While) else [ast.Constant(True)]
        yield from (_with(node, test=test) for test in tests)
    if isinstance(node, ast.comprehension) and node.ifs:
        yield _with(node, ifs=[])
        yield _with(node, ifs=[ast.UnaryOp(ast.Not(), node.ifs[0])])


def constants(node):
    """Change a constant."""
    if not isinstance(node, ast.Constant):
        return
    value = node.value
    if isinstance(value, bool):
        others = [not value]
    elif isinstance(value, int | float):
        others = [value + 1, value - 1, -value, 0, None]
    elif value is None:
        others = [0.0]
    else:
        others = [value + "x"] if isinstance(value, str) else []
    for other in dict.fromkeys(others):
        if other is None or other != value:
            yield ast.Constant(other)


def statements(node):
    """Delete a statement."""
    if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Pass | ast.Import):
        yield ast.Pass()


def calls(node):
    """Drop or swap arguments, drop a star, or take an argument in place of the result."""
    if not isinstance(node, ast.Call):
        return
    for k, argument in enumerate(node.args):
        yield _with(node, args=node.args[:k] + node.args[k + 1 :])
        if isinstance(argument, ast.Starred):
            yield _with(node, args=[*node.args[:k], argument.value, *node.args[k + 1 :]])
        if k:
            yield _with(node, args=[*node.args[: k - 1], argument, node.args[k - 1], *node.args[k + 1 :]])
    for k in range(len(node.keywords)):
        yield _with(node, keywords=node.keywords[:k] + node.keywords[k + 1 :])
    if node.args and ast.unparse(node.func) != "staticmethod":
        first = node.args[0]
        yield first.value if isinstance(first, ast.Starred) else first
    if isinstance(node.func, ast.Attribute):
        yield node.func.value
        if node.func.attr in METHODS:
            yield _with(node, func=_with(node.func, attr=METHODS[node.func.attr]))


def fields(node):
    """Take another field of a node, or the node itself; take another class of node."""
    if isinstance(node, ast.Attribute) and node.attr in FIELDS:
        yield from (_with(node, attr=other) for other in FIELDS if other != node.attr)
        if isinstance(node.ctx, ast.Load):
            yield node.value
    if isinstance(node, ast.Name) and node.id in CLASSES and isinstance(node.ctx, ast.Load):
        yield from (ast.Name(other, ast.Load()) for other in CLASSES if other != node.id)


def results(node):
    """Return nothing, the opposite, or some of the results in another order."""
    if isinstance(node, ast.Return) and not isinstance(node.value, ast.Compare | ast.BoolOp | ast.JoinedStr | None):
        yield ast.Return(ast.UnaryOp(ast.USub(), node.value))
    if isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load) and len(node.elts) > 1:
        yield _with(node, elts=node.elts[::-1])
        yield from (_with(node, elts=node.elts[:k] + node.elts[k + 1 :]) for k in range(len(node.elts)))
        yield _with(node, elts=[node.elts[0]] * len(node.elts))


def assignments(node):
    """Assign in place of adding, add in place of assigning, take the other sign; share one value."""
    if isinstance(node, ast.AugAssign):
        yield ast.Assign([node.target], node.value)
        for other in OTHERS.get(type(node.op), ())[:1]:
            yield ast.AugAssign(node.target, other(), node.value)
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
        yield ast.AugAssign(node.targets[0], ast.Add(), node.value)
        yield ast.AugAssign(node.targets[0], ast.Mult(), node.value)
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp):
        same = ast.unparse(node.targets[0]) == ast.unparse(node.value.left)
        if same:
            yield ast.AugAssign(node.targets[0], node.value.op, node.value.right)


def loops(node):
    """Leave a loop early, skip its first or last member or what is 0, or take the members the other way round."""
    if isinstance(node, ast.For | ast.While):
        yield _with(node, body=[*node.body, ast.Break()])
    if isinstance(node, ast.For):
        for each in _numbers(node):
            skip = ast.If(ast.UnaryOp(ast.Not(), ast.Name(each, ast.Load())), [ast.Continue()], [])
            yield _with(node, body=[skip, *node.body])
    if isinstance(node, ast.For | ast.comprehension):
        members = ast.Call(ast.Name("list", ast.Load()), [node.iter], [])
        parts = [(1, None, None), (None, -1, None), (None, 2, None)]
        for lower, upper, step in parts + [(None, None, -1)] * isinstance(node, ast.comprehension):
            part = ast.Slice(*(None if each is None else ast.Constant(each) for each in (lower, upper, step)))
            yield _with(node, iter=ast.Subscript(members, part, ast.Load()))
    if isinstance(node, ast.Break | ast.Continue):
        yield ast.Continue() if isinstance(node, ast.Break) else ast.Break()


def _numbers(loop):
    """Return the variables of a loop with which its body computes."""
    bound = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    sums = [node for each in loop.body for node in ast.walk(each) if isinstance(node, ast.BinOp | ast.AugAssign)]
    used = {part.id for node in sums for part in ast.iter_child_nodes(node) if isinstance(part, ast.Name)}
    return sorted(bound & used)


def indices(node):
    """Change a slice; take another member."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value
        if isinstance(node.slice, ast.Slice):
            for part in ("lower", "upper", "step"):
                if getattr(node.slice, part) is not None:
                    yield _with(node, slice=_with(node.slice, **{part: None}))


def exceptions(node):
    """Do what follows without its `try` or its condition; swap the branches."""
    if isinstance(node, ast.If) and node.orelse:
        yield _with(node, orelse=[])
        yield _with(node, body=node.orelse, orelse=node.body)
    if isinstance(node, ast.IfExp):
        yield _with(node, body=node.orelse, orelse=node.body)


CHANGES = (
    comparisons, arithmetic, signs, logic, conditions, constants, statements, calls, fields, results, assignments,
    loops, indices, exceptions,
)  # fmt: skip


def changed(node):
    """Yield replacements of a node by all changes, except changes of variables; see `other_names`, `kept`."""
    for change in CHANGES:
        yield from change(node)


def other_names(function):
    """Yield each use of a variable of a function together with another variable of it."""
    arguments = [each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)]
    bound = [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    names = list(dict.fromkeys([*arguments, *bound]))
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
            yield from ((node, ast.Name(other, ast.Load())) for other in names if other != node.id)


def kept(function):
    """Yield copies of a function in which an empty collection is made once and kept between calls."""
    for k, node in enumerate(ast.walk(function)):
        if not isinstance(node, ast.Name) and isinstance(node, ast.expr) and _is_fresh(node):
            copy = deepcopy(function)
            [fresh] = [each for number, each in enumerate(ast.walk(copy)) if number == k]
            _replace(copy, fresh, ast.Name("kept", ast.Load()))
            copy.args.kwonlyargs.append(ast.arg("kept"))
            copy.args.kw_defaults.append(fresh)
            yield copy


def _is_fresh(node):
    """Tell an empty collection that can be changed."""
    if isinstance(node, ast.List):
        return not node.elts and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Dict):
        return not node.keys
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in EMPTY and not node.args


def _replace(tree, old, new):
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if value is old:
                setattr(node, name, new)
            elif isinstance(value, list):
                value[:] = [new if each is old else each for each in value]


def _with(node, **fields):
    """Return a copy of a node with other fields; the children are shared."""
    copy = type(node)(**dict(ast.iter_fields(node)))
    for name, value in fields.items():
        setattr(copy, name, value)
    return copy
