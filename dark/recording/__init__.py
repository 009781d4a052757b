"""Graphs that repeat: recorded once, replayed with the same bits.

Reading order: `recorded` (two calls are compared, later ones replayed), `recorder` (what a call did, and how two
differ), `program` (the graph as calls of the operations' own functions), `source` (the calls as Python), `guards` (what
a recording depends on). No other package imports this one; nothing else has to be read to understand the rest.
"""

from dark.recording.recorded import Recorded, RecordingWarning, recorded

__all__ = ["Recorded", "RecordingWarning", "recorded"]
