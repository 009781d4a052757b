"""Mistakes that the source of an answer shows: valid Python that does something else than it looks like."""

import ast
from typing import Any

from dark.course.judging.kept_state import IN_PLACE

COPIES = {"reverse": "reversed", "sort": "sorted"}
CHANGING = ("np.add.at", "np.copyto", "np.fill_diagonal", "np.put", "np.random.", "np.seterr")
NEW = (".astype", ".copy", ".reshape", ".transpose", ".flatten")  # methods that leave their array as it is
LOOPS = ast.For | ast.While
FUNCTIONS = ast.FunctionDef | ast.Lambda | ast.ClassDef
NEVER_ENDS = (ast.While, ast.Try, ast.With, ast.Match)  # whether they let a function go on is not worked out


def in_source(mistake):
    """Yield a power, a comparison, a comma, an error and a change in place that are not what they look like."""
    for node in mistake.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor):
            yield f"`^` in line {node.lineno} is bitwise XOR in Python, not a power.", "Write `x**n`."
    for node in mistake.nodes:
        match node:
            case ast.Expr(ast.Compare(ops=[ast.Eq(), *_]) as value):
                says = f"`{ast.unparse(value)}` in line {node.lineno} only compares, and assigns nothing."
                yield says, "Use a single `=` to assign."
            case ast.Assign([target], value) if _is_swapped(target, value):
                says = f"`=-` in line {node.lineno} assigns a negative number to `{ast.unparse(target)}`."
                yield says, "`-=` subtracts."
            case ast.Assign([ast.Name() | ast.Attribute()], ast.Tuple([only]) as value) if _is_bare(value):
                yield _comma(node, only)
            case ast.Return(ast.Tuple([ast.Tuple() as only]) as value) if _is_bare(value):
                yield _comma(node, only)
            case ast.Call(ast.Name("list" | "tuple"), [ast.Call(ast.Name("set")) | ast.Set() | ast.SetComp()]):
                says = f"`{ast.unparse(node)}` in line {node.lineno} has no certain order, because a set has none."
                yield says, "`dict.fromkeys(items)` keeps each item once, in order."
            case ast.Return(ast.Call(ast.Name(name))) if name.endswith("Error"):
                yield f"Line {node.lineno} returns a {name} instead of raising it.", f"Write `raise {name}(...)`."
    alone = {id(node.value) for node in mistake.nodes if isinstance(node, ast.Expr)}
    for node in mistake.nodes if mistake.met_none else ():
        match node:
            case ast.Call(func=ast.Attribute(ast.Attribute(attr="add"), "at")) if id(node) not in alone:
                says = f"`np.add.at` changes the array in place and returns None; line {node.lineno} uses that None."
                yield says, "Call it on a separate line, then use the array."
            case ast.Call(func=ast.Attribute(attr=name)) if name in (*IN_PLACE, "shuffle") and id(node) not in alone:
                call = ast.unparse(node)
                says = f"`{call}` changes the list in place and returns None; line {node.lineno} uses that None."
                other = f", or use `{COPIES[name]}(...)`" if name in COPIES else ""
                yield says, f"Call it on a separate line{other}."


def _is_bare(value):
    """Return whether a tuple is written without parentheses."""
    return (value.lineno, value.col_offset) == (value.elts[0].lineno, value.elts[0].col_offset)


def _is_swapped(target, value):
    """Return whether an assignment is written with `=-`, and a space behind it."""
    while isinstance(value, ast.BinOp):
        value = value.left
    if not (isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub)):
        return False
    return value.operand.col_offset > value.col_offset + 1 and value.col_offset <= target.end_col_offset + 2


def _comma(node, only):
    says = f"The comma behind `{ast.unparse(only)}` in line {node.lineno} makes a tuple of it."
    return says, "Remove that comma."


def no_return(mistake):
    """Yield a function without a `return` where the solution has one, or with a way through that ends without it."""
    wanted = {name for name, function in _functions(mistake.solution) if any(map(_is_return, _own(function)))}
    for name, function in _functions(mistake.tree):
        nodes = list(_own(function))
        if name not in wanted:
            continue
        if not any(_is_return(node) or isinstance(node, ast.Raise) for node in nodes):
            if any(isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print" for node in nodes):
                says = f"`{name}` prints, but returns nothing: printed output is only displayed."
                yield says, "Return the value that you print."
            yield f"`{name}` returns nothing: a `return` is missing.", "Write `return` in front of the result."
        elif mistake.met_none and any(map(_is_return, nodes)) and _goes_on(function.body):
            says = f"`{name}` can end without a `return`: it then returns None."
            yield says, "Follow every `if` to its end: each way through the function must reach a `return`."


def _functions(tree):
    """Yield the functions and methods of a cell: the name, such as `Class.method`, and the node of each."""
    for node in tree.body if tree else ():
        prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for function in node.body if prefix else [node]:
            if isinstance(function, ast.FunctionDef):
                yield f"{prefix}{function.name}", function


def _own(node):
    """Walk a function without its nested functions."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, FUNCTIONS):
            yield child
            yield from _own(child)


def _is_return(node):
    return isinstance(node, ast.Return) and bool(node.value) or isinstance(node, ast.Yield | ast.YieldFrom)


def _goes_on(body):
    """Return whether a function surely has a way through these statements without a `return` or an error."""
    match body[-1] if body else None:
        case ast.Return() | ast.Raise():
            return False
        case ast.If(_, then, otherwise):
            return _goes_on(then) or _goes_on(otherwise)
        case last:
            return not isinstance(last, NEVER_ENDS)


def in_finally(mistake):
    """Yield a `return` in a `finally` block, which takes the place of an exception."""
    blocks = [ast.Module(node.finalbody, []) for node in mistake.nodes if isinstance(node, ast.Try)]
    for node in [each for block in blocks for each in _own(block)]:
        if isinstance(node, ast.Return):
            says = f"The `return` in line {node.lineno} stands inside `finally`: exceptions of its `try` are lost."
            yield says, "Return after the finally block, or inside `try`."


def in_loop(mistake):
    """Yield a `return` that ends a loop in its first iteration, and a value that each iteration overwrites."""
    if mistake.line:  # which raises an error: the loop has not come to its end
        return
    known = {ast.unparse(each) for loop, _, _ in _loops(mistake.solution) for each in loop.body}
    for loop, before, after in _loops(mistake.tree):
        may_go_on = any(isinstance(node, ast.Continue) for node in ast.walk(loop))
        for statement in [each for each in loop.body if ast.unparse(each) not in known]:
            text = f"`{ast.unparse(statement)}` in line {statement.lineno}"
            match statement:
                case ast.Return() if not may_go_on:
                    says = f"Looks like the loop ends too early: {text} is inside it, and ends it with the first item."
                    yield says, "Indent it less, so that it comes after the loop."
                case ast.Assign([ast.Name(name)], value) if name in _names(after, ast.Load) - _names([value], ast.Load):
                    is_read = name in _names(loop.body, ast.Load)  # `yield waiting`, before the next one is waited for
                    sums = [node.target for node in ast.walk(loop) if isinstance(node, ast.AugAssign)]
                    if not is_read and name in _names([*before, *sums], ast.Store):
                        step = f"Set `{name}` once, before the loop, and add to it inside: `{name} += ...`."
                        yield f"Looks like only the last iteration counts: {text} overwrites `{name}`.", step


def _loops(tree):
    """Yield each loop, with the statements of its block before and after it."""
    for node in ast.walk(tree) if tree else ():
        for name in ("body", "orelse"):
            block: Any = getattr(node, name, None)
            for k, each in enumerate(block if isinstance(block, list) else ()):
                if isinstance(each, LOOPS):
                    yield each, block[:k], block[k + 1 :]


def _names(statements, context):
    nodes = [node for each in statements for node in ast.walk(each)]
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, context)}


def dropped_result(mistake):
    """Yield a call that changes nothing, whose result is dropped, in a function that returns something."""
    alone, used = (_calls(mistake.solution, is_alone) for is_alone in (True, False))
    functions = [list(_own(function)) for _, function in _functions(mistake.tree)]
    for node in [node for nodes in functions if any(map(_is_return, nodes)) for node in nodes]:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            name = ast.unparse(node.value.func)
            is_of_numpy = name.startswith("np.") and not name.startswith(CHANGING)
            if is_of_numpy or name.isidentifier() and name in used - alone or name.endswith(NEW):
                says = f"`{ast.unparse(node)}` in line {node.lineno} changes nothing by itself: its result is dropped."
                yield says, "Assign the result to a name, or return it."


def _calls(tree, is_alone):
    """Return the names of called functions, as a statement alone or with a result that is used."""
    nodes = list(ast.walk(tree)) if tree else []
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return {ast.unparse(each.func) for each in nodes if isinstance(each, ast.Call) and (id(each) in alone) == is_alone}
