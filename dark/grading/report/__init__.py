"""The report of a batch: a folder with the gradebook, pages and tables.

Reading order: `gradebook` with `folders`, `record` and `row_names`, then `grade_table`, `html_pages` and `page_limits`.
"""
