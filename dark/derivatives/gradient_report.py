"""`GradientReport`: the result of a gradient check."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class GradientReport:
    """The result of `gradcheck`; true if the gradients agree with finite differences.

    Attributes
    ----------
    ok : bool
        Whether every error is within the tolerance.
    worst : int
        The index of the input with the largest error.
    at : float
        The value of the element with the largest error; NaN along a direction.
    gradient, slope : float
        The derivative there by `backward`, and by finite differences.
    error : float
        Their absolute difference, relative to the slope where that is larger than 1.
    index : tuple of int
        The index of the element in its input; empty for a scalar, and along a direction.
    direction : int or None
        The number of the random direction with the largest error, from 1, if no single element is
        wrong.
    subject : str
        What was compared: "gradients" or "second derivatives".
    notes : tuple of str
        Conversions of the inputs, and possible causes of a difference.
    """

    ok: bool
    worst: int
    at: float
    gradient: float
    slope: float
    error: float
    index: tuple = ()
    direction: int | None = None
    subject: str = "gradients"
    notes: tuple = ()

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        if math.isnan(self.at) and self.direction is None and self.ok:
            return "\n".join([f"{self.subject} agree; the inputs are empty", *self.notes])
        where = f", index {list(self.index)}" if self.index else ""
        where += f" (value {self.at:.6g})" if self.direction is None else f", along random direction {self.direction}"
        found = (
            f"{self.subject} {'agree' if self.ok else 'differ'}; worst at input {self.worst}{where}: "
            f"backward gave {self.gradient:.9g}, finite differences {self.slope:.9g}, error {self.error:.2g}"
        )
        return "\n".join([found, *self.notes])
