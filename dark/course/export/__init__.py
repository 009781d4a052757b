"""Write a student's answers as a package of their own, which does not need the course.

Reading order: `chosen` (whose code each exercise is), `together` (the choice runs as a whole), `cell_text`,
`given_again` and `module_file` (one file for each module), `public_files` (the names that a user imports),
`question_files` and `asking` (the exams as tests), `project` (pyproject.toml and README.md), `writing` (the folder),
`package` (all).
"""

from dark.course.export.package import Exported, export_course

__all__ = ["Exported", "export_course"]
