"""Answers of module 17, capstone: its predictions. What a project shows is checked by `dark capstone check`."""

from math import comb

from dark.course.exams.answers import Answers

answers = Answers("17")


@answers.prediction("17.0a")
def steps_computed_twice(dark):
    """The run is resumed at step 700, the last that was saved: steps 701 to 777 are computed again."""
    return sum(step > 100 * (777 // 100) for step in range(1, 778))


@answers.prediction("17.1a")
def orders_of_ten_runs(dark):
    """Ten places, of which five are chosen: 252 ways. Equal methods look like a clear win once in 252 times."""
    return comb(10, 5)


@answers.prediction("17.2a")
def runs_of_a_check(dark):
    """Three variants with five seeds are fifteen; one more is the repetition, and one is killed and continued."""
    return 3 * 5 + 2
