"""Contexts: everything that a run needs, in one object that losses, metrics and callbacks are given.

Reading order: `context`, then `classifier` and `gan`, files with AshPy's names; `field` (what a context
checks); `model_view` (a model as a context shows it, and the inputs that it declares), and `step_cache` (equal calls
are computed once).
"""

from dark.contexts.classifier import ClassifierContext
from dark.contexts.context import Context
from dark.contexts.field import Field, LogEvalMode, MetricTuple
from dark.contexts.gan import GANContext, GANEncoderContext
from dark.contexts.model_view import ModelField, ModelView

__all__ = [
    "ClassifierContext",
    "Context",
    "Field",
    "GANContext",
    "GANEncoderContext",
    "LogEvalMode",
    "MetricTuple",
    "ModelField",
    "ModelView",
]
