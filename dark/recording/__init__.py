"""Graphs that repeat: recorded once, replayed with the same bits.

Reading order: `recorded` (two calls are compared, later ones replayed), `replay` (the node of a replay), `calls` (the
arguments), `recorder` (what a call did, and how two differ), `program` (the graph as calls of the operations' own
functions), `rules` (these functions), `trace` (a rule taken apart into functions of NumPy), `source` and `compiled`
(the calls as Python, with buffers and blocks), `guards` (what a recording depends on). Only `dark.trainers` imports
this package; a reader of all else can skip it.
"""

from dark.recording.recorded import Recorded, RecordingWarning, recorded

__all__ = ["Recorded", "RecordingWarning", "recorded"]
