"""Contexts: everything that a run needs, in one object that losses, metrics and callbacks are given.

Reading order: `context`, then `classifier` and `gan`, files with AshPy's names; `field` with `field_checks` and
`metric_tuple` (what a context checks); `model_inputs` (what a model declares), `model_view` (a model as a context shows
it), and `step_cache` with `snapshot` (equal calls are computed once).
"""

from dark.contexts.classifier import ClassifierContext
from dark.contexts.context import Context
from dark.contexts.field import Field
from dark.contexts.gan import GANContext, GANEncoderContext
from dark.contexts.field_checks import LogEvalMode
from dark.contexts.metric_tuple import MetricTuple
from dark.contexts.model_view import ModelField
from dark.contexts.model_view import ModelView

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
