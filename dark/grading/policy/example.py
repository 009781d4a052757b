"""An example of course.toml with every key, printed by `dark grade --example-course`."""

EXAMPLE = """\
# course.toml: who is graded, which attempt counts, until when, and what lateness costs.
# Every key is optional. Points never change by it: what it computes are further columns of the report.

[course]
name = "Deep learning from nothing"
timezone = "Europe/Vienna"              # of all dates here, and of times that name no zone
roster = "roster.csv"                   # columns id, name; optional: canvas, moodle, gradescope, email, login
attempt = "latest"                      # or "best": the highest mark after penalties (default: "latest")
time_from = ["times", "name", "file"]   # where the time of submission is looked for, in this order (default)
times = "times.csv"                     # columns student, submitted; optional: module, file
missing = "blank"                       # without a submission; or "zero", after the deadline (default: "blank")

[late]
free_days = 3                           # of each student, without penalty, in the whole course (default: 0)
free_days_per_module = 2                # the most of them for one module (default: all that are left)
percent_per_day = 10                    # of the points earned, for each further day begun (default: 0)
max_percent = 50                        # the largest penalty (default: 100)
max_days = 7                            # anything later has 0 points (default: no limit)
grace_minutes = 10                      # up to this late is still on time (default: 0)
earlier_reports = ["report-01"]         # reports whose free days are spent already (default: none)

[modules.01]
deadline = 2026-10-04T23:59:00

[modules.02]
deadline = 2026-10-18T23:59:00+02:00    # an offset is possible, too
attempt = "best"                        # this, and the keys of [late] but the first and last, may differ for a module
max_days = 0

[[extensions]]
student = "0042"                        # or: group = "owls"
module = "01"
days = 3                                # or: deadline = 2026-10-07T23:59:00
reason = "ill"

[[groups]]
name = "owls"                           # a submission by a member, or with this name, counts for each member
members = ["0042", "0043"]
modules = ["02"]                        # (default: all)
"""
