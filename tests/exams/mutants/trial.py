"""A trial of an exercise: the inputs that the judge draws for a right answer, asked of mutants until one differs."""

from collections import Counter

from dark.course.exams.questions import load_exam
from dark.course.judging.asking import expected_observation, observations_of
from dark.course.judging.implementation import arrange
from dark.course.judging.observe import LocalObserver
from dark.course.judging.outcome import compare_observations
from dark.course.judging.verdict import RIGHT

SECONDS = 0.15  # for one observation of a mutant


class Trial:
    """The questions of an exercise with the inputs that are drawn under a seed."""

    def __init__(self, module, exercise, seed=0):
        self.module, self.exercise, self.exam = module, exercise, load_exam(module.id)
        self.asked = asked = []  # as the judge asks: (question, inputs, the reference's observation)

        class Recorder(LocalObserver):
            def observe(self, question, inputs):
                known = self.exam.questions[question]
                asked.append((known, inputs, expected_observation(self.exam, known, inputs)))
                return super().observe(question, inputs)

        observations_of(arrange(module.parts, {}), exercise, self.exam, Recorder, seed)
        earlier, rounds = Counter(), []
        for question, *_ in asked:
            rounds.append(earlier[question.name])
            earlier[question.name] += 1
        order = sorted(range(len(rounds)), key=rounds.__getitem__)
        self.mixed = [asked[k] for k in order]  # the first inputs of every question first

    def survives(self, mutant, seconds=SECONDS):
        """Return whether a mutant answers all as the solution does; if it keeps state, in the order of the judge."""
        observer = LocalObserver(self.exam, seconds)
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
