"""The capstone: a question of the student's own, answered with their own package, and what counts as an answer.

Reading order: `questions` (the five to choose from) and `start`, `project` (a folder and its package), `curves` (the
table and the picture of recorded runs), `claims` and `page` (its content), `processes` (a run without `dark`),
`static_checks` (what can be seen without a run), `run_checks` (what runs show), `checking` (all of it), each yields a
`finding`; `finished` (which projects are). The folder `skeletons` holds what a new project gets.
"""
