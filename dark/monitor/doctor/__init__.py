"""The doctor: reads the note of a run, and reports its problems.

Reading order: `doctor` (`diagnose`, and which finding explains which), `diagnosis` (its result); `rules` (a function
for each fault) with `thresholds`; `evidence` (a note, sorted for the rules) with `names` (which series is the loss),
`curve` and `histograms`; `remarks` (what is missing, or good to know); `wording` (advice in the words of
PyTorch).
"""
