"""The five questions to choose from; any other is as good."""

from dataclasses import dataclass
from pathlib import Path

from dark.errors import UsageError, near_misses

SKELETONS = Path(__file__).parent / "skeletons"


@dataclass(frozen=True)
class Question:
    """A question for a project."""

    name: str  # what is typed
    title: str  # the question in words
    data: str  # where its data come from; nothing is downloaded
    metric: str  # what its program measures

    def program(self, package):
        """Return the source of its `run.py`, which imports the package."""
        text = (SKELETONS / f"{self.name}.py.txt").read_text(encoding="utf-8")
        return text.replace("PACKAGE", package).replace("METRIC", self.metric)

    def page(self):
        """Return the text of its `page.md`."""
        text = (SKELETONS / "page.md.txt").read_text(encoding="utf-8")
        return text.replace("TITLE", self.title).replace("DATA", self.data).replace("METRIC", self.metric)


QUESTIONS = (
    Question(
        "gpt",
        "a GPT on a text of one's own",
        "text.txt: at first a part of the source of Python's library; put your own text there",
        "bits per character on held-out text",
    ),
    Question(
        "generator",
        "a generator of something else",
        "waves of three kinds, generated from a seed: sine, square and sawtooth",
        "share of the rarest of three kinds in 500 samples",
    ),
    Question(
        "anomaly",
        "an anomaly found",
        "the breast cancer data of scikit-learn; the network sees benign cases only",
        "area under the ROC curve on held-out cases",
    ),
    Question(
        "faster",
        "a training twice as fast",
        "the digits of scikit-learn; compare steps or seconds to an accuracy",
        "accuracy on held-out digits",
    ),
    Question(
        "optimizer",
        "an optimizer of one's own",
        "the digits of scikit-learn, with 30 % of the training labels wrong",
        "accuracy on held-out digits",
    ),
)


def find_question(name):
    """Return a question by its name."""
    names = [question.name for question in QUESTIONS]
    if name not in names:
        expected = f"one of {', '.join(names)}."
        raise UsageError(f"capstone: {name!r} is not one of the questions.", expected, near_misses(name, names))
    return QUESTIONS[names.index(name)]
