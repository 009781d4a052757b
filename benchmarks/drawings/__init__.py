"""The contents of pictures of the same network by dark and its rivals, found by experiments on their files.

Reading order: `models` (what is drawn), `pictures` (one function for each rival), `netron_page`, `experiments`,
`table`; `results.json` is what they found.
`python -m benchmarks.draw --rivals FILE` runs them.
"""
