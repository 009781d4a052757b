"""Graphs that repeat: recorded once, replayed with the same bits.

Reading order: `recorded` (two calls are compared, later ones replayed, as long as what they depend on is the same),
`tape` (what a call did), `program` (the same with functions of NumPy, forward and backward), `source` (as Python).
"""

from dark.recording.recorded import RecordingWarning, recorded

__all__ = ["RecordingWarning", "recorded"]
