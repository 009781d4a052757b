"""The report of a batch: a folder of pages, tables and records.

Reading order: `gradebook` with `folders`, `record` and `seal`, then `grade_table` and `html_pages`.
"""
