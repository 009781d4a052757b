"""Mistakes of any exercise: something is kept from one call to the next, or shared by all objects of a class."""

import ast

STATE = (
    "Looks like something is kept from one call to the next: asked for the first time, this input is answered right.",
    "Look for a list or a dictionary that exists only once: a default argument, an attribute of a class, a global.",
)
IN_PLACE = ("append", "extend", "insert", "reverse", "sort", "remove", "clear")
CHANGING = (*IN_PLACE, "pop", "add", "update", "setdefault")
KINDS = {ast.List: "list", ast.Dict: "dictionary", ast.Set: "set"}


def kept_state(mistake):
    """Yield objects that outlive a call: a list of a class, which all objects share, a default, or anything else."""
    changed, assigned = set(), set()
    for node in mistake.nodes:
        match node:
            case ast.Call(func=ast.Attribute(ast.Attribute(ast.Name("self"), name), way)) if way in CHANGING:
                changed.add(name)
            case ast.Subscript(ast.Attribute(ast.Name("self"), name), ctx=ast.Store()):
                changed.add(name)
            case ast.AugAssign(target=ast.Attribute(ast.Name("self"), name)):
                changed.add(name)
            case ast.Assign(targets=[*targets]):
                assigned |= {each.attr for each in targets if isinstance(each, ast.Attribute)}
    classes = [node for node in mistake.nodes if isinstance(node, ast.ClassDef)]
    for owner, statement in [(node, each) for node in classes for each in node.body]:
        match statement:
            case ast.Assign([ast.Name(name)], ast.List() | ast.Dict() | ast.Set() as value):
                if name in changed - assigned:
                    kind, text = KINDS[type(value)], ast.unparse(statement)
                    says = f"`{text}` in line {statement.lineno} belongs to the class `{owner.name}`"
                    step = f"Give each object its own {kind}: `self.{text}` in `__init__`."
                    yield f"Looks like all objects share one {kind}: {says}.", step
    for statement, target in _assigned_in_functions(mistake):  # to a class, by its name or by the class of an object
        if ast.unparse(target.value) in {*(each.name for each in classes), "type(self)", "self.__class__"}:
            says = f"`{ast.unparse(statement)}` in line {statement.lineno} assigns to the class"
            yield f"Looks like all objects share something: {says}.", f"Assign to the object: `self.{target.attr}`."
    for says, step in (*_kept_collections(mistake), *_kept_by_nodes(mistake)):
        yield f"Looks like something is kept from one call to the next: {says}.", step
    if mistake.verdict.failing.keeps_state:
        yield STATE


def _kept_collections(mistake):
    """Yield objects that outlive the calls that change them: a default argument, or a name outside of a function."""
    functions = [node for node in mistake.nodes if isinstance(node, ast.FunctionDef)]
    for function in functions:
        given = function.args
        last = [*given.posonlyargs, *given.args][-len(given.defaults) :] if given.defaults else []
        for argument, value in [*zip(last, given.defaults), *zip(given.kwonlyargs, given.kw_defaults)]:
            if value is not None and _is_collection(value) and _changes(function, argument.arg):
                text = f"{argument.arg}={ast.unparse(value)}"
                says = f"the default `{text}` in line {argument.lineno} is made once, when `{function.name}` is defined"
                yield says, f"Use `{argument.arg}=None`, and make a new one in the function."
    for statement in mistake.tree.body:
        match statement:
            case ast.Assign([ast.Name(name)], value) if _is_collection(value):
                if any(_changes(function, name) for function in functions):
                    says = f"`{ast.unparse(statement)}` in line {statement.lineno} stands outside of the function"
                    yield says, "Move the line into the function, so that each call begins with a new one."


def _kept_by_nodes(mistake):
    """Yield the marks, such as `node.visited = True`, that stay on the arguments of the function."""
    known = {node.attr for node in ast.walk(mistake.solution or ast.Module([], [])) if isinstance(node, ast.Attribute)}
    for statement, target in _assigned_in_functions(mistake):
        match statement, target.value:
            case ast.Assign(value=ast.Constant(True)), ast.Name(name) if name != "self" and target.attr not in known:
                says = f"the mark `{ast.unparse(statement)}` in line {statement.lineno} stays there"
                yield says, "Note in a set, made in the function, which ones were met."


def _assigned_in_functions(mistake):
    """Yield each assignment to an attribute inside a function, and its target."""
    for function in [node for node in mistake.nodes if isinstance(node, ast.FunctionDef)]:
        for node in ast.walk(function):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            flat = [each for target in targets if target for each in ast.walk(target)]
            for target in flat if isinstance(node, ast.Assign | ast.AugAssign) else ():
                if isinstance(target, ast.Attribute) and isinstance(target.ctx, ast.Store):
                    yield node, target


def _is_collection(value):
    match value:
        case ast.Call(ast.Name(name), [], []):
            return name in ("list", "dict", "set")
    return isinstance(value, tuple(KINDS))


def _changes(function, name):
    """Return whether a function changes a list, dictionary or set that is not a name of its own."""
    found = False
    for node in ast.walk(function):
        match node:
            case ast.Assign([ast.Name(assigned)]) if assigned == name:
                return False
            case ast.Call(ast.Attribute(ast.Name(changed), way)) if changed == name and way in CHANGING:
                found = True
            case ast.Subscript(ast.Name(changed), ctx=ast.Store()) if changed == name:
                found = True
    return found
