"""Engines that train and evaluate networks: the one place where `dark.engine` and `dark.nn` meet.

Reading order: `batches` (from arrays to constants and back), `step_checks`, `training`, `evaluation`, `tbptt`.
"""

from dark.trainers.evaluation import create_supervised_evaluator, supervised_evaluation_step
from dark.trainers.tbptt import Tbptt_Events, create_supervised_tbptt_trainer
from dark.trainers.training import create_supervised_trainer, supervised_training_step

__all__ = [
    "Tbptt_Events",
    "create_supervised_evaluator",
    "create_supervised_tbptt_trainer",
    "create_supervised_trainer",
    "supervised_evaluation_step",
    "supervised_training_step",
]
