"""Claims: comparisons of runs, such as `mean(whole) > mean(plain) + 0.1`, that are computed from recorded results."""

import ast
import operator
from collections.abc import Callable
from statistics import fmean, median

from dark.course.capstone.curves import last_values, variants_of
from dark.errors import UsageError, near_misses

EXAMPLE = "mean(whole) > mean(without_it) + 0.05"
COMPARISONS = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge}
ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def steps_to(results, variant, level):
    """Return the mean first step over the seeds at which a curve, rising or falling, reaches a level, or infinity."""
    curves = [run["curve"] for run in results["runs"] if run["variant"] == variant]
    sign = 1 if fmean(curve[-1][1] - curve[0][1] for curve in curves) >= 0 else -1
    reached = [[step for step, value in curve if sign * value >= sign * level] for curve in curves]
    return fmean(steps[0] if steps else float("inf") for steps in reached)


def _last(results, variant):
    """Return the last value of each run; a value that is not a number counts as infinity: the run has diverged."""
    return [float("inf") if value != value else value for value in last_values(results, variant)]


MEASURES: dict[str, Callable[..., float]] = {
    "mean": lambda results, variant: fmean(_last(results, variant)),
    "lowest": lambda results, variant: min(_last(results, variant)),
    "highest": lambda results, variant: max(_last(results, variant)),
    "steps_to": steps_to,
    "seconds": lambda results, name: median(run["seconds"] for run in results["runs"] if run["variant"] == name),
}


class Claim:
    """A comparison of recorded runs, such as `EXAMPLE`."""

    def __init__(self, text):
        self.text = " ".join(text.split())
        try:
            tree = ast.parse(self.text, mode="eval").body
        except (SyntaxError, ValueError, RecursionError) as error:
            raise self._error(f"{self.text!r} is not a comparison ({error})") from None
        if not isinstance(tree, ast.Compare) or not all(type(each) in COMPARISONS for each in tree.ops):
            raise self._error(f"{self.text!r} is not a comparison")
        self.tree = tree
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        names = [node.args[0].id for node in calls if node.args and isinstance(node.args[0], ast.Name)]
        self.variants = list(dict.fromkeys(names))
        if not self.variants:
            raise self._error(f"{self.text!r} contains no measure of a variant")

    def _error(self, what):
        known = ", ".join(MEASURES)
        return UsageError(f"{what}.", f"<, <=, > or >= between numbers and {known} of variants.", EXAMPLE)

    def evaluate(self, results):
        """Compute both sides; return whether the claim is true, and the comparison with its numbers."""
        values = [self._value(node, results) for node in (self.tree.left, *self.tree.comparators)]
        signs = [COMPARISONS[type(each)] for each in self.tree.ops]
        holds = all(sign(a, b) for sign, a, b in zip(signs, values, values[1:]))
        written = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
        shown = f"{values[0]:.4g}"
        for sign, value in zip(signs, values[1:]):
            shown += f" {written[sign.__name__]} {value:.4g}"
        return holds, shown

    def _value(self, node, results):
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return number
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -self._value(inner, results)
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in ARITHMETIC:
                a, b = self._value(left, results), self._value(right, results)
                if isinstance(sign, ast.Div) and b == 0:
                    raise self._error(f"{self.text!r} divides by 0")
                return ARITHMETIC[type(sign)](a, b)
            case ast.Call(func=ast.Name(id=measure), args=[ast.Name(id=variant), *others], keywords=[]):
                return self._measure(measure, variant, [self._value(each, results) for each in others], results)
        raise self._error(f"{ast.unparse(node)!r} is not a number and not a measure of a variant")

    def _measure(self, measure, variant, others, results):
        if measure not in MEASURES:
            expected = f"one of {', '.join(MEASURES)}."
            raise UsageError(f"{measure!r} is not a measure.", expected, near_misses(measure, MEASURES))
        known = variants_of(results)
        if variant not in known:
            advice = near_misses(variant, known) if known else "python run.py"
            raise UsageError(f"no run of the variant {variant!r} is recorded.", "a recorded variant.", advice)
        if len(others) != (measure == "steps_to"):
            raise self._error(f"{measure} has {1 + len(others)} arguments")
        return MEASURES[measure](results, variant, *others)
