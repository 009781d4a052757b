"""Networks beside other frameworks: time and memory, for each workload all in one process, in turn.

Read `data` (what is measured), `child` (how), `check` (what has to be equal first), `__main__` (the
command), then `report` and `plot`.
"""
