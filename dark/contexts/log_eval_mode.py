"""`LogEvalMode`: the mode in which models are called to be measured and logged."""

from enum import Enum


class LogEvalMode(Enum):
    """Whether models run in training or in evaluation mode when they are measured and logged."""

    TRAIN = "train"
    TEST = "test"

    @property
    def is_training(self) -> bool:
        """The argument `training` for a call of a model in this mode."""
        return self is LogEvalMode.TRAIN
