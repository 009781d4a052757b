"""Exports: the results of a batch in the formats of other systems; ids stay as they were, byte for byte.

Each function makes from the content of results.json the files to write, by name.
"""

from dark.grading.exports.grade_files import canvas_files, moodle_files
from dark.grading.exports.gradescope import gradescope_files
from dark.grading.exports.junit import junit_files

EXPORTS = {"canvas": canvas_files, "gradescope": gradescope_files, "junit": junit_files, "moodle": moodle_files}

__all__ = ["EXPORTS", "canvas_files", "gradescope_files", "junit_files", "moodle_files"]
