"""The exam of a notebook, one test for each question: `pytest tests/exams --student modules/01-....ipynb`."""

from dataclasses import replace

import pytest

from dark.course.cards.verdict_card import Report


def test_the_answer_is_right(asked, verdict_of):
    module, question = asked
    verdict = verdict_of(module, question.exercise)
    finding = next(each for each in verdict.findings if each.question == question.name)
    if finding.earned < finding.points:
        alone = replace(
            verdict,
            findings=(finding,),
            status=finding.status,
            earned=finding.earned,
            points=finding.points,
        )
        pytest.fail(Report.of(alone, terminal=True).text, pytrace=False)
