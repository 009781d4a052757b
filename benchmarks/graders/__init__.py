"""Graders beside each other: `dark grade`, nbgrader and otter-grader on the same notebooks of module 01."""
