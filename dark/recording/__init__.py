"""Graphs that repeat: recorded once, replayed with the same bits.

Reading order: `recorded` (two calls are compared, later ones replayed), `tape` (what a call did), `program` (the same
with functions of NumPy, forward and backward), `source` (as Python), `guards` (what a recording depends on).
"""

from dark.recording.recorded import RecordingWarning, recorded

__all__ = ["RecordingWarning", "recorded"]
