"""The self-test of grading: a catalogue of hostile and damaged answers, graded on this machine.

Reading order: `cases.toml` (the catalogue), `course` (the module they answer, with `questions.py`), `traces`,
`catalogue`.
"""
