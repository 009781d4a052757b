"""How a checkpoint's file is named: a pattern of fields, and what stands in them."""

from collections.abc import Mapping
from numbers import Integral
from string import Formatter

from dark.errors import UsageError, near_misses

FIELDS = ("filename_prefix", "name", "global_step", "score_name", "score", "ext")


def setup_filename_pattern(with_prefix=True, with_score=True, with_score_name=True, with_global_step=True):
    """Make the pattern of a name out of what there is to tell.

    Raises
    ------
    UsageError
        If there is neither score nor step, or the name of a score without the score.

    Examples
    --------
    >>> setup_filename_pattern()
    '{filename_prefix}_{name}_{global_step}_{score_name}={score}.{ext}'
    >>> setup_filename_pattern(with_prefix=False, with_score=False, with_score_name=False)
    '{name}_{global_step}.{ext}'
    """
    if not (with_global_step or with_score):
        raise UsageError(
            "At least one of with_score and with_global_step should be True.",
            "something that differs from file to file.",
            "with_global_step=True",
        )
    if with_score_name and not with_score:
        raise UsageError(
            "If with_score_name is True, with_score should be also True.", "a score, or no name.", "with_score=True"
        )
    score = "{score_name}={score}" if with_score_name else "{score}"
    parts = {"{filename_prefix}": with_prefix, "{name}": True, "{global_step}": with_global_step, score: with_score}
    return "_".join(part for part, is_there in parts.items() if is_there) + ".{ext}"


def check_pattern(pattern):
    """Refuse a pattern with a field that is not known.

    Raises
    ------
    KeyError
        If there is one.
    """
    for _, field, _, _ in Formatter().parse(pattern or ""):
        name = (field or "").partition(".")[0].partition("[")[0]
        if field is not None and name not in FIELDS:
            error = KeyError(name)
            error.add_note(f"in filename_pattern {pattern!r}\n  Expected: fields {', '.join(FIELDS)}.")
            error.add_note(f"  Try: {near_misses(name, FIELDS)}")
            raise error


def score_text(score):
    """Write a score as it stands in a name: whole numbers as they are, others with four places.

    Examples
    --------
    >>> score_text(12), score_text(0.98765)
    ('12', '0.9877')
    """
    return f"{score}" if isinstance(score, Integral) else f"{score:.4f}"


def name_and_content(states):
    """Return the name of a checkpoint and what is written: one object's state stands alone, without its key.

    Parameters
    ----------
    states : dict of str to state

    Returns
    -------
    name : str
        The key of the one object, else "checkpoint".
    content : dict
    """
    if len(states) != 1:
        return "checkpoint", states
    ((name, content),) = states.items()
    return name, content if isinstance(content, Mapping) else states  # a list of states has to stay under a key
