"""A line search for the strong Wolfe conditions: a step along a direction that decreases the loss enough."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

DECREASE, CURVATURE = 1e-4, 0.9  # c1 and c2 of the Wolfe conditions


@dataclass(frozen=True, eq=False)
class Trial:
    """A point on the line: its step, the loss and the gradient there, and the slope of the loss along the line."""

    step: Any
    loss: float
    gradient: np.ndarray
    slope: Any


def strong_wolfe(
    evaluate: Callable[[Any], Trial], start: Trial, step: Any, scale: Any, tolerance: float, most: int
) -> tuple[Trial, int]:
    """Search a step that satisfies the strong Wolfe conditions; return the best point, and the number of evaluations.

    The line begins with `start`, at step 0, and `step` is tried first; `most` evaluations may follow it. `scale` is the
    largest element of the direction: with it, an interval of steps is a change of the parameters, and one below
    `tolerance` is not worth a further evaluation.

    With the loss ``f`` along the line, a step ``t`` satisfies the conditions if ``f(t) ≤ f(0) + c₁ t f'(0)`` and
    ``|f'(t)| ≤ -c₂ f'(0)``. First the step is increased until an interval must contain such a step; then the interval
    is narrowed by cubic interpolation (J. Nocedal, S. J. Wright, "Numerical optimization", 2006, algorithms 3.5, 3.6).
    """
    previous, current, count = start, evaluate(step), 0
    while count < most:
        if not _decreases(current, start) or (count > 1 and current.loss >= previous.loss):
            return _zoom(evaluate, start, [previous, current], scale, tolerance, count, most)
        if _is_flat(current, start):
            return current, count + 1
        if current.slope >= 0:
            return _zoom(evaluate, start, [previous, current], scale, tolerance, count, most)
        bounds = current.step + 0.01 * (current.step - previous.step), 10 * current.step
        previous, current, count = current, evaluate(_cubic_minimum(previous, current, bounds)), count + 1
    return _zoom(evaluate, start, [start, current], scale, tolerance, count, most)


def _decreases(trial: Trial, start: Trial) -> bool:
    return bool(trial.loss <= start.loss + DECREASE * trial.step * start.slope)  # False for NaN


def _is_flat(trial: Trial, start: Trial) -> bool:
    return bool(abs(trial.slope) <= -CURVATURE * start.slope)


def _zoom(
    evaluate: Callable[[Any], Trial], start: Trial, bracket: list[Trial], scale: Any, tolerance: float, count: int,
    most: int,
) -> tuple[Trial, int]:  # fmt: skip
    """Narrow an interval until its lower end satisfies the conditions; return that end and all evaluations."""
    low, was_near = _lower(bracket), False
    while count < most and not abs(bracket[1].step - bracket[0].step) * scale < tolerance:
        left, right = sorted(trial.step for trial in bracket)
        step, was_near = _inside(_cubic_minimum(bracket[0], bracket[1], (left, right)), left, right, was_near)
        trial, count = evaluate(step), count + 1
        if not _decreases(trial, start) or trial.loss >= bracket[low].loss:
            bracket[1 - low] = trial
            low = _lower(bracket)
            continue
        if _is_flat(trial, start):
            return trial, count + 1
        if trial.slope * (bracket[1 - low].step - bracket[low].step) >= 0:
            bracket[1 - low] = bracket[low]
        bracket[low] = trial
    return bracket[low], count + 1


def _lower(bracket: list[Trial]) -> int:
    """Return the index of the end with the lower loss; NaN is not lower."""
    return 0 if bracket[0].loss <= bracket[1].loss or np.isnan(bracket[1].loss) else 1


def _inside(step: Any, left: Any, right: Any, was_near: bool) -> tuple[Any, bool]:
    """Move a step away from an end of the interval if it is there, or near it for the second time in sequence."""
    margin = 0.1 * (right - left)
    if not min(right - step, step - left) < margin:
        return step, False
    if not was_near and left < step < right:
        return step, True
    return (right - margin if abs(step - right) < abs(step - left) else left + margin), False


def _cubic_minimum(a: Trial, b: Trial, bounds: tuple[Any, Any]) -> Any:
    """Return the minimum of the cubic through two points with their slopes, within bounds; else their center."""
    left, right = (a, b) if a.step <= b.step else (b, a)
    low, high = bounds
    with np.errstate(all="ignore"):  # infinite losses, and cubics without a minimum
        mean = left.slope + right.slope - 3 * np.divide(left.loss - right.loss, left.step - right.step)
        root = np.sqrt(mean * mean - left.slope * right.slope)
        fraction = (right.slope + root - mean) / (right.slope - left.slope + 2 * root)
        minimum = right.step - (right.step - left.step) * fraction
    return min(max(minimum, low), high) if np.isfinite(minimum) else (low + high) / 2
