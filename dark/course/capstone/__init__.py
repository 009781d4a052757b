"""The capstone: a question of the student's own, answered with their own package, and the requirements of an answer.

Reading order: `questions` (the five to choose from) and `start`, `project` (a folder and its package), `curves` (the
table and the picture of recorded runs), `claims` and `page` (its content), `processes` (a run without `dark`),
`static_checks` (without a run; each yields a finding), `run_checks` (with runs), `checking` (all of it); `finished`
(which projects are). The folder `skeletons` holds the files of a new project.
"""
