"""The student's side of the table: the notebook extension, checks, hints, predictions, the log.

Reading order: `kernel` (the four functions), `notebook` (the extension), `examination`, `cards`.
"""
