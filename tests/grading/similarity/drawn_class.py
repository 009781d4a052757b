"""A class that is drawn: students answer alone, each in his own way, and some copy and disguise what they copied."""

import ast
import random

from dark.course.judging.bank import MARKERS, load_bank
from dark.grading.similarity import Work

HABITS = ("result", "augmented", "swap", "compare", "square", "unless", "assertion", "length", "branches")


class Habits(ast.NodeTransformer):
    """Writes an answer in the way of a student: each habit is used at a place with a probability of his own."""

    def __init__(self, rng):
        self.rng = rng
        self.often = {habit: rng.random() ** 2 for habit in HABITS}

    def has(self, habit):
        return self.rng.random() < self.often[habit]

    def visit_Return(self, node):
        self.generic_visit(node)
        if node.value is None or isinstance(node.value, ast.Name | ast.Constant) or not self.has("result"):
            return node
        name = self.rng.choice(["result", "out", "answer"])
        return [ast.Assign([ast.Name(name, ast.Store())], node.value), ast.Return(ast.Name(name, ast.Load()))]

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Add | ast.Mult) and self.has("swap"):
            return ast.BinOp(node.right, node.op, node.left)
        if isinstance(node.op, ast.Pow) and ast.unparse(node.right) == "2" and self.has("square"):
            return ast.BinOp(node.left, ast.Mult(), node.left)
        return node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if not self.has("augmented") or not isinstance(node.target, ast.Name):
            return node
        read = ast.Name(node.target.id, ast.Load())
        return ast.Assign([node.target], ast.BinOp(read, node.op, node.value))

    def visit_Compare(self, node):
        self.generic_visit(node)
        flipped = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.Eq: ast.Eq, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
        if len(node.ops) > 1 or type(node.ops[0]) not in flipped or not self.has("compare"):
            return node
        return ast.Compare(node.comparators[0], [flipped[type(node.ops[0])]()], [node.left])

    def visit_If(self, node):
        self.generic_visit(node)
        if not self.has("unless"):
            return node
        return ast.If(ast.UnaryOp(ast.Not(), node.test), node.orelse or [ast.Pass()], node.body)

    def visit_IfExp(self, node):
        self.generic_visit(node)
        return ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.orelse, node.body) if self.has("branches") else node

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        arguments = [each.arg for each in node.args.args if each.arg != "self"]
        if arguments and self.has("assertion"):
            name = self.rng.choice(arguments)
            node.body.insert(0, ast.parse(f"assert {name} is not None").body[0])
        if self.has("length"):
            node.body.insert(0, ast.parse(f"{self.rng.choice('abcdefg')} = {self.rng.randint(0, 9)}").body[0])
        return node


def written(source, rng, habits):
    """Return a source in the way of a student."""
    return ast.unparse(ast.fix_missing_locations(habits.visit(ast.parse(MARKERS.sub("", source)))))


class Renamed(ast.NodeTransformer):
    """Renames what an answer binds itself."""

    def __init__(self, tree):
        stored = (node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        arguments = (node.arg for node in ast.walk(tree) if isinstance(node, ast.arg) and node.arg != "self")
        inner = {*stored, *arguments}
        self.names = {name: f"my_{name}_{k}" for k, name in enumerate(sorted(inner))}

    def visit_Name(self, node):
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node):
        return ast.arg(self.names.get(node.arg, node.arg))


def disguised(source, rng):
    """Return a copied answer with other names, a comment, and two independent statements swapped where there are."""
    tree = ast.parse(source)
    tree = Renamed(tree).visit(tree)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(node, ast.FunctionDef) and len(body) > 2:
            plain = [k for k in range(len(body) - 1) if all(isinstance(each, ast.Assign) for each in body[k : k + 2])]
            if plain:
                k = rng.choice(plain)
                body[k], body[k + 1] = body[k + 1], body[k]
    return "# my own work\n" + ast.unparse(ast.fix_missing_locations(tree))


def draw_class(module, students=200, copies=10, seed=0, exercises=None):
    """Draw the answers of a class.

    Returns
    -------
    (list of Work, set of (str, str))
        The answers, and who copied from whom.
    """
    rng, sources = random.Random(seed), {}
    known = {name: load_bank(module, name) for name in exercises or module.exercises}
    for k in range(students):
        habits, able, found = Habits(rng), rng.random(), {}
        for name, bank in known.items():
            right = [module.exercises[name].solution] * 3 + [each.source for each in bank.right]
            wrong = [each.source for each in (*bank.bug, *bank.wrong)]
            found[name] = written(rng.choice(right if rng.random() < 0.4 + able or not wrong else wrong), rng, habits)
        sources[f"student {k:03}"] = found
    names, planted = list(sources), set()
    drawn = rng.sample(names, 2 * copies)
    for one, other in zip(drawn[:copies], drawn[copies:]):
        sources[other] = {name: disguised(text, rng) for name, text in sources[one].items()}
        planted.add(tuple(sorted((one, other))))
    return [Work.of(name, found) for name, found in sources.items()], planted
