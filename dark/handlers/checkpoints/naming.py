"""File names of checkpoints: patterns of fields, and the values of the fields."""

from collections.abc import Mapping
from numbers import Integral
from string import Formatter

from dark.checks import describe
from dark.errors import UsageError, ValueTypeError, near_misses

FIELDS = ("filename_prefix", "name", "global_step", "score_name", "score", "ext")
SEPARATORS = ("/", "\\", "\0")  # on any system: a checkpoint may be loaded on another one


def setup_filename_pattern(
    with_prefix: bool = True, with_score: bool = True, with_score_name: bool = True, with_global_step: bool = True
) -> str:
    """Return a file name pattern with the chosen fields.

    >>> setup_filename_pattern()
    '{filename_prefix}_{name}_{global_step}_{score_name}={score}.{ext}'
    >>> setup_filename_pattern(with_prefix=False, with_score=False, with_score_name=False)
    '{name}_{global_step}.{ext}'
    """
    if not (with_global_step or with_score):
        raise UsageError(
            "At least one of with_score and with_global_step should be True.",
            "a field that differs from file to file.",
            "with_global_step=True",
        )
    if with_score_name and not with_score:
        raise UsageError(
            "If with_score_name is True, with_score should be also True.",
            "a score, or no score name.",
            "with_score=True",
        )
    score = "{score_name}={score}" if with_score_name else "{score}"
    parts = {"{filename_prefix}": with_prefix, "{name}": True, "{global_step}": with_global_step, score: with_score}
    return "_".join(part for part, is_used in parts.items() if is_used) + ".{ext}"


def check_pattern(pattern):
    """Check that a pattern has only known fields."""
    for _, field, _, _ in Formatter().parse(pattern or ""):
        name = (field or "").partition(".")[0].partition("[")[0]
        if field is not None and name not in FIELDS:
            error = KeyError(name)
            error.add_note(f"in filename_pattern {pattern!r}\n  Expected: fields {', '.join(FIELDS)}.")
            error.add_note(f"  Try: {near_misses(name, FIELDS)}")
            raise error


def check_name(name, who, what):
    """Check that a file name, or a part of a file name, stays in its folder."""
    if not isinstance(name, str):
        raise ValueTypeError(f"{who}: {what} must be a string, got {describe(name)}.", "a string.", "str(name)")
    if name in (".", "..") or any(sign in name for sign in SEPARATORS):
        is_path = "\0" not in name
        raise UsageError(
            f"{who}: {what} is {name!r}, which {'leads out of the folder' if is_path else 'contains a NUL'}.",
            "a name without '/', '\\' and NUL.",
            "another folder for other files; filename_pattern, to leave a part out.",
        )


def format_score(score):
    """Return a score as it is written in a file name: integers unchanged, other numbers with four decimals."""
    return f"{score}" if isinstance(score, Integral) else f"{score:.4f}"


def name_and_content(states):
    """Return the name, the key of a single object or "checkpoint", and the content: a single state has no key."""
    if len(states) != 1:
        return "checkpoint", states
    ((name, content),) = states.items()
    return name, content if isinstance(content, Mapping) else states  # a list of states needs its key
