"""Cards: the display of the functions of the course, first of all the card of a verdict.

Reading order: `card` (the value and its colors), `verdict_card` (what the card of a verdict says,
in order), `blocks` (each kind of block as text and as HTML), `graph` (the student's graph in it).
"""
