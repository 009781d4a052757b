"""Answers of module 02, trustworthy-gradients: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.
"""

from functools import partial

import dark
from dark.course.exams.answers import Answers

answers = Answers("02")

# the reference, where `dark` has another form: written on its nodes


@answers.reference
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along a parameter."""
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    slope = dark.slope(at, kept, nudge)
    p.value = kept
    return slope


@answers.reference
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient does not agree with the slope."""
    old = [p.grad for p in parameters]
    cleared = [_without_gradient(p) for p in parameters]
    f().backward()
    new = [p.grad or 0.0 for p in cleared]
    for p, grad in zip(parameters, old):
        p.grad = grad
    slopes = [slope_along(f, p, nudge) for p in parameters]
    pairs = zip(parameters, new, slopes)
    return [p for p, grad, slope in pairs if not abs(grad - slope) <= tolerance * max(1, abs(slope))]


def _without_gradient(p):
    p.grad = None
    return p


@answers.reference
def suspects(operations):
    """List the names of the operations whose rule is wrong somewhere."""

    def is_wrong(f, point):
        parameters = [dark.Parameter(x) for x in point]
        return bool(gradcheck(lambda: 3 * f(*parameters), parameters))

    return [name for name, (f, points) in operations.items() if any(map(partial(is_wrong, f), points))]


@answers.reference
def absolute(x):
    """Compute the absolute value."""
    return dark.abs(x)


# predictions


@answers.prediction("02.0a")
def three_uses(dark):
    """3 + 3 from the product, and 1 from the sum: gradients of all uses add up."""
    x = dark.Parameter(3)
    dark.add(dark.mul(x, x), x).backward()
    return x.grad


@answers.prediction("02.1a")
def exp_hands_down(dark):
    """3 · 5 = 15: what arrived, times the value. The rule does not even need x."""
    return 15


@answers.prediction("02.1b")
def slope_of_tanh(dark):
    """1 - 0.6 · 0.6 = 0.64. x is not needed."""
    return 1 - 0.6**2


@answers.prediction("02.1c")
def overflow(dark):
    """The number e to the 800 has 348 digits; the largest float has 309. Python raises an OverflowError."""
    return "error"


@answers.prediction("02.1d")
def slope_of_the_kink(dark):
    """It rises by the nudge on the right and not at all on the left: half a slope, whatever the nudge."""
    return dark.slope(lambda x: max(x, 0.0), 0.0)


@answers.prediction("02.2a")
def slope_of_a_difference(dark):
    """If x grows by 0.001, then 3 - x shrinks by 0.001."""
    x = dark.Parameter(5)
    (3 - x).backward()
    return x.grad


@answers.prediction("02.3a")
def calls_of_a_check(dark):
    """One for the backward pass, and two for each parameter: 1 + 2 · 33."""
    return 67


@answers.prediction("02.3b")
def dldy_that_hides(dark):
    """1 · 2x is 2x. With any other dldy the rule returns itself away."""
    return 1


@answers.prediction("02.4a")
def not_of_true(dark):
    """The sign ~ turns over the bits of a number, and ~1 is -2. For b it should be 0."""
    return -2


@answers.prediction("02.4b")
def line_that_lets_nan_pass(dark):
    """Every comparison with nan is false, so line 5 never finds it. Ask what is allowed, and refuse the rest."""
    return 5


# repairs of "Find the bug"; they earn no points


@answers.reference
class ShortMaximum(dark.Operation):
    """`~` flips every bit of an integer, so ~1 is -2 and ~0 is -1; `1 - first` or `not first` is the other one."""

    @staticmethod
    def _f(a, b):
        return max(a, b)

    @staticmethod
    def _df(dldy, y, a, b):
        return dldy * (a > b), dldy * (a <= b)
