"""Arrays and networks compared with other frameworks: time and memory.

Reading order: `data` (the workloads), `child` (how they are measured), `agreement` (what must agree first),
`__main__` (the command), then `report` and `plot`.
"""
