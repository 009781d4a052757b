"""Loops that train and evaluate networks: the one place where `dark.engine` and `dark.nn` meet.

Reading order: `batches` (from arrays to constants and back), `doors` (what is refused), `training`, `evaluation`,
`tbptt`. The names are also found in `dark.engine`, where users of Ignite look for them.
"""

from dark.trainers.training import create_supervised_trainer, supervised_training_step
from dark.trainers.evaluation import create_supervised_evaluator, supervised_evaluation_step
from dark.trainers.tbptt import Tbptt_Events, create_supervised_tbptt_trainer

__all__ = [
    "Tbptt_Events", "create_supervised_evaluator", "create_supervised_tbptt_trainer", "create_supervised_trainer",
    "supervised_evaluation_step", "supervised_training_step",
]  # fmt: skip
