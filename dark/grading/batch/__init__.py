"""A folder of submissions: `batch` gives them to graders, `folder` stores the results.

Before the first, `preflight` tests the course with `module_check`, and `exam_copy` copies a private exam;
`locked_folders` holds the folders of a batch.
"""
