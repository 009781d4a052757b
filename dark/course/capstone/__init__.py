"""The capstone: a question of the student's own, answered with their own package, and what counts as an answer.

Reading order: `given` (files that every project has), `questions` (the five to choose from), `project` (a folder and its
package), `claims` and `page` (what the page says), `processes` (a run without `dark`), `static_checks` (what can be
seen without a run), `run_checks` (what runs show), `checking` (all of it).
"""
