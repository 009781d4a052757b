"""Notes: the records of runs, written to disk and read on request; imports neither nodes nor modules.

Reading order: `note` with `entries`, and its base class `run` (for users); `taken` (checks of recorded values),
`sources`, and `attaching` (at the events of an engine); `json_lines`, `segment`, `run_files` and `writer`
(how it is written); `recorded_values`, `series` and `reader` (how it is read); `packing` (a run in one file),
`finding` (runs in folders); `comparing` and `expression` (several runs); `exporting` (for other programs). The
files are described in ``book/notes.md``.
"""
