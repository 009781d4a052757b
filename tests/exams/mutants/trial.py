"""A trial of an exercise: the inputs that the judge draws for a right answer, asked of mutants until one differs."""

from collections import Counter

from dark.course.exams.questions import load_exam
from dark.course.judging.implementation import arrange
from dark.course.judging.observe import LocalObserver
from dark.course.judging.outcome import compare_observations
from dark.course.judging.submission_runner import SubmissionRunner
from dark.course.judging.verdict import RIGHT

SECONDS = 0.4  # for one observation of a mutant


class Trial:
    """The questions of one exercise with the inputs that are drawn under a seed."""

    def __init__(self, module, exercise, seed=0):
        self.module, self.exercise, self.exam = module, exercise, load_exam(module.id)
        runner = SubmissionRunner(self.exam, LocalObserver(self.exam), exercise)
        runner.examine(self.exam.questions_of(exercise), arrange(module.parts, {}), seed)
        self.asked = [(self.exam.questions[name], answer[0], answer[1]) for (name, _), answer in runner.answers.items()]
        earlier = Counter()
        rounds = []
        for question, *_ in self.asked:
            rounds.append(earlier[question.name])
            earlier[question.name] += 1
        order = sorted(range(len(rounds)), key=rounds.__getitem__)
        self.mixed = [self.asked[k] for k in order]  # the first inputs of every question first

    def survives(self, mutant):
        """Return whether a mutant answers all as the solution does; if it keeps state, in the order of the judge."""
        observer = LocalObserver(self.exam, SECONDS)
        if observer.open(arrange(self.module.parts, {self.exercise: mutant.source})):
            return False
        for asked in list(self.asked if mutant.keeps_state else self.mixed):
            question, inputs, expected = asked
            seen = observer.observe(question.name, inputs)
            if compare_observations(question, inputs, seen, expected, self.exercise).status != RIGHT:
                self.mixed.remove(asked)
                self.mixed.insert(0, asked)  # what has found one mutant finds the next
                return False
        return True
