"""One submission: `result`, `judge_answers`, `grade`; the process that does this: `grader`.

`grader_process` is the side of the batch, `messages` what the two exchange.
"""
