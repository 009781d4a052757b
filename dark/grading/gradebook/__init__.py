"""The gradebook: a SQLite database in the folder of a report, the one place where results are stored.

Reading order: `database_schema`, `seal`, `database`, `store`; then the manual marks: `rubric`, `by_hand`,
`rubric_page`.
"""
