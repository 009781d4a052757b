"""Engines that train and evaluate networks: the one place where `dark.engine` and `dark.nn` meet.

Reading order: `batches` (from arrays to constants and back), `supervised`, `tbptt`; then the trainers that
hold a context: `player`, `updates`, `trainer`, `classifier`, `adversarial_step` and `gan`, with `measuring`, `saving`,
`exceptions`, `context_checkpoint` (the `ckpt` of a context) and `trainer_checks`. Callbacks: `dark.compat.callbacks`.
"""

from typing import TYPE_CHECKING

from dark.compat.callbacks.callback import Callback
from dark.compat.callbacks.counting import CounterCallback
from dark.compat.callbacks.callback import Event
from dark.compat.callbacks.log_images import (
    LogClassifierCallback, LogImageGANCallback, LogImageGANEncoderCallback,
)  # fmt: skip
from dark.compat.callbacks.save_callback import SaveCallback
from dark.trainers.classifier import ClassifierTrainer
from dark.trainers.supervised import create_supervised_evaluator, supervised_evaluation_step
from dark.trainers.gan import AdversarialTrainer, EncoderTrainer
from dark.trainers.saving import RestoreReport
from dark.trainers.tbptt import Tbptt_Events, create_supervised_tbptt_trainer
from dark.trainers.trainer import Trainer
from dark.trainers.supervised import create_supervised_trainer, supervised_training_step
from dark.errors import module_getattr

__all__ = [
    "AdversarialTrainer", "Callback", "ClassifierTrainer", "CounterCallback", "EncoderTrainer", "Event",
    "LogClassifierCallback", "LogImageGANCallback", "LogImageGANEncoderCallback", "RestoreReport", "SaveCallback",
    "Tbptt_Events", "Trainer", "create_supervised_evaluator", "create_supervised_tbptt_trainer",
    "create_supervised_trainer", "supervised_evaluation_step", "supervised_training_step",
]  # fmt: skip

if not TYPE_CHECKING:  # a type checker reports a name that is not there
    __getattr__ = module_getattr(__name__)
