"""The doctor: reads the note of a run, and reports its problems.

Reading order: `doctor` (`diagnose`, and which finding explains which), `diagnosis` (what it returns); `rules` (one
function for each fault) with `thresholds`; `evidence` (a note, sorted for the rules) with `curve`, `metric_names` and
`gradients`; `missing` (what is not in a note).
"""
