"""Observe a network while it learns: statistics of weights, gradients and activations, and notes of runs.

Reading order: `statistic` with `sums` (averages of recorded values, in constant memory);
`activations` (which outputs of modules are kept, and how they are obtained) and `records` (what is recorded in a step);
`monitor`, with `choices` (what is kept, by the size of a network), `recording`, `registration`, `exports`, `summary`
(histograms instead of arrays) and `results`; `watch` (a monitor on an engine), and `budget`; then `notes` (records of
runs, on disk), `viewer` (runs in the notebook, in the browser, and as one file), `doctor` (problems of a run).
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what type checkers and editors see; `_HOME` is the same list for the interpreter
    from dark.monitor.activations.rules import Kind as Kind
    from dark.monitor.doctor.diagnosis import Diagnosis as Diagnosis, Finding as Finding
    from dark.monitor.doctor.doctor import diagnose as diagnose
    from dark.monitor.sums import Exponential as Exponential
    from dark.monitor.monitor import Monitor as Monitor
    from dark.monitor.notes.expression import select as select
    from dark.monitor.notes.note import Note as Note
    from dark.monitor.notes.comparing import summarize as summarize
    from dark.monitor.records.weight_records import WeightStats as WeightStats
    from dark.monitor.statistic import Statistic as Statistic
    from dark.monitor.viewer.views import page as page, view as view
    from dark.pages.page_file import Page as Page

_HOME = {  # public name: the file that holds it, loaded when the name is first used
    "Diagnosis": "doctor.diagnosis", "Exponential": "sums", "Finding": "doctor.diagnosis",
    "Kind": "activations.rules", "Monitor": "monitor", "Note": "notes.note", "Page": "viewer.exported",
    "Statistic": "statistic", "WeightStats": "records.weight_records", "diagnose": "doctor.doctor",
    "page": "viewer.views", "select": "notes.expression", "summarize": "notes.comparing",
    "view": "viewer.views",
}  # fmt: skip

__all__ = sorted(_HOME)

if not TYPE_CHECKING:

    def __getattr__(name):
        """Load a public name on first use."""
        if name not in _HOME:
            raise AttributeError(f"module 'dark.monitor' has no attribute {name!r}", name=name)
        globals()[name] = found = getattr(import_module(f"dark.monitor.{_HOME[name]}"), name)
        return found


def __dir__():
    return sorted({*globals(), *__all__})
