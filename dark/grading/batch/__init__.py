"""A folder of submissions: `batch` gives them to graders, `folder` stores the results.

Before the first, `preflight` tests the course with `module_check`, and `locked_folders`
holds the folders of a batch, among them the copy of a private exam.
"""
