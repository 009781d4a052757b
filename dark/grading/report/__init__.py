"""The report of a batch: a folder with the gradebook, pages and tables.

Reading order: `gradebook` with `record` and `row_names`; `identity` (when a result is used again); then
`report_files`: `results_file`, `grade_table`, `html_pages` with `html_parts` and `page_limits`, and `hidden_table`.
"""
