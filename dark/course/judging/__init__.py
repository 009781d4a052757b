"""Judging: run a student's code, compare it with the reference, and find the fault.

Reading order: `namespace` (built from cells) with `reference_use`, `observe` with `timing` and `error_text`,
`implementation`, `outcome`, `asking` (every question of an exercise), `judge` with `dependencies` and `unfinished`,
`verdict`; then the diagnosis: `bank`, `diagnosis`, `common_mistakes`, `source_mistakes`, `kept_state`,
`error_mistakes`, `answer_facts`, `python_errors`.
"""
