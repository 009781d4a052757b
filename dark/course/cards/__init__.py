"""Cards: what the functions of the course display, and first of all the card of a verdict.

Reading order: `card` (the value and its colors), `blocks` (what the card of a verdict says, in order),
`verdict_card` (as text, HTML and data), `graph` and `comparison` (the student's graph in it).
"""
