"""Graphs that repeat: recorded once, replayed with the same bits.

Reading order: `recorded` (two calls are compared, later ones replayed), `tape` (what a call did, and how two differ),
`program` (the graph as a list of calls, forward and backward), `trace` (rules taken apart into functions of NumPy),
`source` (the list as Python), `guards` (what a recording depends on). A reader of all else can skip this package.
"""

from dark.recording.recorded import Recorded, RecordingWarning, recorded

__all__ = ["Recorded", "RecordingWarning", "recorded"]
