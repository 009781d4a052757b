"""Segments of a `ParameterVector`: adjacent parameters that are updated by the same calls."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Segment:
    """Adjacent parameters of the vector that are updated together: they have taken the same steps."""

    span: slice  # in the vector
    gradients: slice  # in the list of collected gradients
    first: int  # the index of its first parameter
    numbers: dict  # what the optimizer keeps for each parameter besides arrays, equal for all of them
    gradient_buffers: list = field(default_factory=list)  # views of a joint vector, in the shapes of the parameters
    chunks: dict = field(default_factory=dict)  # of tuples of state names to what `ParameterVector.chunks` returns


def join_segments(active, slices, steps, numbers, chunk):
    """Join adjacent parameters to segments of at most one chunk of elements; a larger parameter has its own.

    Parameters
    ----------
    active : list of int
        The indices of the parameters to update.
    slices : list of slice
        The position of each parameter in the vector.
    steps : list of int
        The number of steps each parameter has taken.
    numbers : list of dict
        The numbers that the optimizer keeps for each parameter; those of a segment share one copy afterwards.
    chunk : int
        The number of elements of a chunk.

    Returns
    -------
    list of Segment
    """
    segments: list[Segment] = []
    for i, k in enumerate(active):
        where, segment = slices[k], segments[-1] if segments else None
        if (
            segment is None
            or segment.span.stop != where.start
            or steps[segment.first] != steps[k]
            or segment.numbers != numbers[k]
            or where.stop - segment.span.start > chunk
        ):
            segments.append(Segment(where, slice(i, i + 1), k, dict(numbers[k])))
        else:
            segment.span = slice(segment.span.start, where.stop)
            segment.gradients = slice(segment.gradients.start, i + 1)
        numbers[k] = segments[-1].numbers
    return segments
