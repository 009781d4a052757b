"""Calls that mean one thing in PyTorch and another in NumPy: where recognizable, they are refused or warned of.

A result that is unpacked into two names, ``values, indices = max(x, 1)``, is recognized by the instruction that follows
the call.
"""

import dis
import sys
import warnings
from types import FrameType

from dark.errors import KeywordError, ShapeError

CALLS = ("CALL", "CALL_FUNCTION_EX", "CALL_KW", "PRECALL")
INDEX = ("BINARY_SUBSCR", "BINARY_OP")  # of a constant index, before and from Python 3.14 on


def _instructions_after(frame):
    """Return the instructions that follow the one a frame executes, without the caches between them."""
    all_ = dis.get_instructions(frame.f_code)
    return [i for i in all_ if i.offset > frame.f_lasti and i.opname not in (*CALLS, "CACHE", "NOP")][:2]


def unpacks_two(frame):
    """Return whether the result of the call that a frame executes is unpacked into two names."""
    after = _instructions_after(frame)
    return bool(after) and after[0].opname == "UNPACK_SEQUENCE" and after[0].arg == 2


def is_used_as_pair(frame):
    """Return whether the result is unpacked into two names, or indexed by 0 or 1."""
    after = _instructions_after(frame)
    is_indexed = len(after) == 2 and after[0].opname.startswith("LOAD") and after[0].argval in (0, 1)
    return unpacks_two(frame) or (is_indexed and type(after[0].argval) is int and after[1].opname in INDEX)


def outside():
    """Return the frame that called into `dark`, and its distance from the caller of this function, from 1."""
    frame, depth = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("dark."):
        frame, depth = frame.f_back, depth + 1
    return frame, depth


def check_pair(who, shape, is_pytorch):
    """Look at how the result of a reduction along an axis is used, which PyTorch returns together with indices.

    If the axis was given by `dim`, a use as a pair is an error; if a result of two rows is unpacked, it is warned of.
    """
    frame, depth = outside()
    if is_pytorch and is_used_as_pair(frame):
        raise KeywordError(
            f"{who}: with dim, PyTorch returns a pair of values and indices; {who} returns the values alone.",
            "one array.",
            f"x.{who}(axis=1) for the values, np.arg{who}(x.value, axis=1) for the indices.",
        )
    if shape[:1] == (2,) and unpacks_two(frame):
        warnings.warn(
            f"{who}: the two rows of the result are unpacked into two names.\n"
            f"  Expected: a name for the result: PyTorch's {who} returns values and indices, this one values alone.\n"
            f"  Try: np.arg{who}(x.value, axis=1) for the indices; a, b = [*y], if rows are meant.",
            stacklevel=depth,
        )


def check_rows(frame: FrameType, rows: int) -> None:
    """Raise if a node is unpacked into two names, and has another number of rows; called by `iter`."""
    if frame.f_code.co_code[frame.f_lasti] != dis.opmap["UNPACK_SEQUENCE"]:
        return
    names = frame.f_code.co_code[frame.f_lasti + 1]
    if names != rows:
        raise ShapeError(
            f"a node of {rows} rows is unpacked into {names} names.",
            f"{rows} names: unpacking takes the rows along the first axis.",
            "np.argmax(x.value, axis=1) for the indices, which max, min and sort do not return.",
        )


def other_meaning(who, given, meaning, advice):
    """Return the error for keyword arguments of PyTorch's function, which means something else."""
    return KeywordError(f"{who}: {', '.join(given)} as in PyTorch, where {who} means something else.", meaning, advice)


def identity_error(axes, shape):
    """Return the error for ``x.transpose(0, 1)`` of a matrix."""
    return ShapeError(
        f"transpose: axes {axes} of shape {shape} in this order: NumPy leaves the matrix as it is, PyTorch swaps them.",
        "axes that change places, or none.",
        "x.T, or x.swapaxes(0, 1); x.transpose((0, 1)), if nothing is to change.",
    )


def repeat_error(counts: tuple[object, ...], shape: tuple[int, ...]) -> ShapeError:
    """Return the error for ``x.repeat(2, 1, 1)``, which PyTorch would tile."""
    return ShapeError(
        f"repeat: {counts} for shape {shape}: repeat takes a number of repetitions of each element, and an axis.",
        "repeat(repeats, axis), as in NumPy.",
        f"np.tile(x, {counts}), which repeats the whole array along each axis, as PyTorch's repeat does.",
    )
