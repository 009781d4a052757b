"""The recording methods of a note: scalars and arrays, settings, results, lines, and values at events."""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any

from dark.checks import describe, number
from dark.errors import ValueTypeError
from dark.hooks import Handle
from dark.monitor.notes import attaching, taken
from dark.monitor.notes.json_lines import json_number
from dark.storage.packing import pack as as_json


class Misc(MutableMapping[str, Any]):
    """Further data of a run, by name; an assignment is written at once, as everything that a note records."""

    def __init__(self, note: Any) -> None:
        self._note = note

    def __getitem__(self, name: str) -> Any:
        return self._note._read.misc()[name]

    def __setitem__(self, name: str, value: Any) -> None:
        if not isinstance(name, str):
            raise ValueTypeError(f"misc: {describe(name)} is not a name.", "a str.", 'note.misc["commit"] = "a1b2c3"')
        self._note._writing("misc").write({"misc": as_json(taken.plain({name: value}, "misc", ""))[0]})

    def __delitem__(self, name: str) -> None:
        del self._note._read.misc()[name]  # raises for an unknown name
        self._note._writing("misc").write({"misc_removed": name})

    def __iter__(self) -> Iterator[str]:
        return iter(self._note._read.misc())

    def __len__(self) -> int:
        return len(self._note._read.misc())

    def __repr__(self) -> str:
        return repr(self._note._read.misc())


def take_down_scalars_and_tensors(
    note: Any, step: int | float, scalars: Mapping[str, Any] | None = None, tensors: Mapping[str, Any] | None = None,
    epoch: float | None = None,
) -> None:  # fmt: skip
    """Record scalars and arrays of a step; the arrays are copied.

    Each name is a series of its own: it may begin late, have gaps, and end early. The time is recorded, too.

    If anything else is given, an error is raised, and nothing has been taken.

    The step is the iteration; a float for a part of an epoch. Of equal steps the last one counts. Scalars are numbers,
    and nodes and arrays that hold one; NaN and infinity are allowed. Tensors are nodes, or arrays of bools, integers,
    or floats of 16, 32 or 64 bits, whose dtype is kept; the names of nested mappings are joined by slashes. The epoch
    of the step is a float, 1 at the end of the first one; `attach` records it.
    """
    writer = note._writing("take_down_scalars_and_tensors")
    step, numbers, arrays = taken.checked_step(step), taken.checked_scalars(scalars), taken.checked_tensors(tensors)
    moment = writer.moment(epoch if epoch is None else number(epoch, "take_down_scalars_and_tensors", "epoch"))
    if numbers:
        writer.write_scalars(step, moment, numbers)
    if arrays:
        writer.write_tensors(step, moment, arrays)


def put_down_configs(note: Any, configs: Mapping[str, Any]) -> None:
    """Record the settings of the run; later ones replace earlier ones of the same name.

    Settings are numbers, strings, bools, None, and lists, tuples and mappings of them.
    """
    writer = note._writing("put_down_configs")
    found = taken.plain(configs, "put_down_configs", "")
    if not isinstance(found, dict):
        message = f"put_down_configs: settings must be a mapping, got {describe(configs)}."
        raise ValueTypeError(message, "a mapping.", '{"lr": 0.1}')
    writer.write({"configs": as_json(found)[0]})


def put_down_framework(note: Any, name: str) -> None:
    """Record in which framework the network is written, for advice in its words: "torch", or "arrays" of any other."""
    if name and note.framework != name:
        note._writing("put_down_framework").write({"framework": name})


def put_down_criterion(note: Any, name: str, value: float, unit: str | None = None, better: str | None = None) -> None:
    """Record a result of the run; a later one replaces an earlier one of the same name.

    The value may be NaN or infinite; `better` says which values are: "higher" (or "max"), or "lower" (or "min").
    """
    writer = note._writing("put_down_criterion")
    number = taken.checked_criterion(name, value)
    if unit is not None and not isinstance(unit, str):
        raise ValueTypeError(f"put_down_criterion: unit must be a str, got {describe(unit)}.", "a str.", 'unit="s"')
    direction = taken.direction_of(better, "put_down_criterion")
    writer.write({"criterion": {"name": name, "value": json_number(number), "unit": unit, "better": direction}})


def write_line(note: Any, line: str) -> None:
    """Write a line of text."""
    writer = note._writing("write_line")
    if not isinstance(line, str):
        raise ValueTypeError(f"write_line: the line must be a str, got {describe(line)}.", "a str.", "str(value)")
    writer.write({"line": line})


def attach(
    note: Any, engine: Any, event: Any, source: Any = None, *, every: int | Mapping[str, int] = 1,
    when_nan: bool | Callable[[], bool] = False, on_best: str | Callable[[], float | None] | None = None,
    better: str = "higher", step: str | Callable[[], float] = "iteration",
) -> Handle:  # fmt: skip
    """Take notes at an event of an engine.

    `remove` of the result detaches the note. A warning is given once if a monitor leaves out a step to keep to its
    `budget_ms`; the note has nothing of this step then.

    Parameters
    ----------
    engine : Engine or Trainer
    event : event
        With or without filters, or several, such as ``Events.ITERATION_COMPLETED(every=20) | Events.COMPLETED``.
        A `Monitor` is asked for a record of the step, if it has none: a note has nothing of another step.
    source : object or callable, optional
        An object with ``scalars()`` and ``tensors()``, such as a `Monitor`, or a function without arguments that
        returns both; if not given, the numbers of the engine's output and metrics, and of a trainer's validation.
    every : int or mapping of str to int, default 1
        Take each series every n-th time only, by patterns of names: ``{"weights/*": 5, "samples/*": 0}``. The
        first match counts; 0 is never.
    when_nan : bool or callable, default False
        Take all series, too, when a number of the output becomes NaN or infinite, or when the function returns
        True; again after it was finite. With a `Monitor` as the source, also when a weight or a gradient does; each
        step is observed for that.
    on_best : str or callable, optional
        Take all series, too, when this number of the output, metrics or validation, or what the function returns,
        is better than ever before. A monitor observes each step for that.
    better : {"higher", "lower"}
        As in `put_down_criterion`.
    step : {"iteration", "epoch"} or callable
        The iteration of the engine, or epochs as a float, or what the function returns.

    Examples
    --------
    >>> import tempfile
    >>> from dark.engine import Engine, Events
    >>> from dark.monitor import Note
    >>> trainer = Engine(lambda engine, batch: batch / 2)
    >>> with tempfile.TemporaryDirectory() as folder, Note(folder) as note:
    ...     handle = note.attach(trainer, Events.ITERATION_COMPLETED(every=2), on_best="loss", better="lower")
    ...     state = trainer.run([5, 6, 2, 7, 8, 9])
    ...     print(note.scalar_dict["loss"].steps, note.scalar_dict["loss"].values)
    [1 2 3 4 6] [2.5 3.  1.  3.5 4.5]
    """
    return attaching.attach(note, engine, event, source, every, when_nan, on_best, better, step)
