"""The findings of `dark capstone check` about the parts of a project."""

from dataclasses import dataclass

PARTS = ("package", "claim", "curve", "ablation", "failure", "repeats", "resumes")


@dataclass(frozen=True)
class Finding:
    """A requirement of the capstone that a project does not meet.

    Parameters
    ----------
    part : str
        One of `PARTS`.
    what, expected, try_ : str
        What is wrong, with the values; what is expected; what to try.

    Examples
    --------
    >>> print(Finding("claim", "no claim is stated.", "a comparison.", "mean(whole) > 0.9"))
    ✗ claim: no claim is stated.
      Expected: a comparison.
      Try: mean(whole) > 0.9
    """

    part: str
    what: str
    expected: str
    try_: str

    def __str__(self):
        return f"✗ {self.part}: {self.what}\n  Expected: {self.expected}\n  Try: {self.try_}"
