"""What a comparison of gradients found."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class GradientReport:
    """What `gradcheck` found; true if every gradient agrees.

    Attributes
    ----------
    ok : bool
        Whether every entry is within the tolerance.
    worst : int
        Which input disagrees most, counted from 0.
    at : float
        The value there; NaN along a direction.
    gradient, slope : float
        What `backward` gave there, and what nudging measured.
    error : float
        Their distance, relative where the slope is larger than 1.
    index : tuple of int
        The place in that input; empty for a number, and along a direction.
    direction : int or None
        The number of the random direction that disagrees most, counted from 1, where no single entry
        is to blame or all agree.
    subject : str
        What was compared: gradients, or second derivatives.
    notes : tuple of str
        What was done to the inputs, and what may explain a difference.
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

    def __bool__(self):
        return self.ok

    def __str__(self):
        if math.isnan(self.at) and self.direction is None and self.ok:
            return "\n".join([f"{self.subject} agree; the inputs hold no number", *self.notes])
        place = f", index {list(self.index)}" if self.index else ""
        place += f" (value {self.at:.6g})" if self.direction is None else f", along random direction {self.direction}"
        found = (
            f"{self.subject} {'agree' if self.ok else 'differ'}; worst at input {self.worst}{place}: "
            f"backward gave {self.gradient:.9g}, nudging measured {self.slope:.9g}, error {self.error:.2g}"
        )
        return "\n".join([found, *self.notes])
