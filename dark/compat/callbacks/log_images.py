"""Callbacks that log images: the inputs of a classifier, and the samples of a generator."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Protocol

import numpy as np

from dark.checks import describe, integer
from dark.compat.callbacks.callback import Event
from dark.compat.callbacks.counting import CountingCallback
from dark.errors import ShapeError, ValueTypeError
from dark.nodes import no_grad, value_of
from dark.typing import Array


class ImageWriter(Protocol):
    """A destination of logged images: an object with these methods, as `dark.storage.SummaryWriter`."""

    def add_images(self, tag: str, images: Array, step: int) -> Any:
        """Log images (batch, channels, height, width), from 0 to 1."""

    def add_histogram(self, tag: str, values: Array, step: int) -> Any:
        """Log values of any shape."""


class LogCallback(CountingCallback):
    """The base class of callbacks that log arrays: images as images, other arrays as histograms.

    Subclasses define `arrays`. What there is not, such as the samples of the last step when a training is resumed at
    the end of an epoch, is not logged.
    """

    def __init__(
        self, writer: ImageWriter, event: Event = Event.ON_EPOCH_END, event_freq: int = 1, name: str | None = None,
        max_images: int = 16,
    ) -> None:  # fmt: skip
        who = type(self).__name__
        super().__init__(event, who if name is None else name, event_freq)
        if not (callable(getattr(writer, "add_images", None)) and callable(getattr(writer, "add_histogram", None))):
            raise ValueTypeError(
                f"{who}: writer must have add_images and add_histogram, got {describe(writer)}.",
                "an object with add_images(tag, images, step) and add_histogram(tag, values, step).",
                "dark.storage.SummaryWriter(folder), or the writer of a TensorBoardLogger.",
            )
        self.writer, self.max_images = writer, integer(max_images, who, "max_images", 1)

    @abstractmethod
    def arrays(self, context: Any) -> dict[str, Any]:
        """Return the arrays to log, by tag."""

    def act(self, context: Any) -> None:
        """Log the arrays."""
        with no_grad():
            arrays = {tag: array for tag, array in self.arrays(context).items() if array is not None}
            found = {tag: np.asarray(value_of(array)) for tag, array in arrays.items()}
        for tag, array in found.items():
            if array.ndim == 2:
                self.writer.add_histogram(tag, array, context.global_step)
            else:
                self.writer.add_images(tag, _images(array[: self.max_images], tag), context.global_step)


class LogClassifierCallback(LogCallback):
    """A callback that logs the inputs of the current batch, and the class scores of the classifier for them.

    Images are expected from -1 to 1, and logged from 0 to 1; features (batch, features) are logged as a histogram. See
    `LogImageGANCallback`.
    """

    def arrays(self, context: Any) -> dict[str, Any]:
        """Return inputs and class scores."""
        if context.current_batch is None:
            return {}
        features = context.current_batch[0]
        return {"features": features, "scores": context.classifier_model(features, training=_mode(context))}


class LogImageGANCallback(LogCallback):
    """A callback that logs at most `max_images` samples of the generator, by default at the end of each epoch.

    In `LogEvalMode.TRAIN` these are the samples of the last step, ``context.fake_samples``; in `LogEvalMode.TEST` the
    generator runs in evaluation mode, with the inputs of the last step.

    The writer is such as `dark.storage.SummaryWriter`: an object with ``add_images(tag, images, step)`` and
    ``add_histogram(tag, values, step)``. Images (batch, channels, height, width) or (batch, height, width), made from
    -1 to 1, are logged from 0 to 1; values (batch, features) are logged as a histogram.
    """

    def arrays(self, context: Any) -> dict[str, Any]:
        """Return the samples."""
        return {"generator": samples(context)}


class LogImageGANEncoderCallback(LogCallback):
    """A callback that logs samples of the generator, and its reconstructions of encoded examples.

    In `LogEvalMode.TRAIN` these are ``context.fake_samples`` and ``context.generator_of_encoder`` of the last step; in
    `LogEvalMode.TEST` generator and encoder run in evaluation mode, with the inputs of the last step. See
    `LogImageGANCallback`.
    """

    def arrays(self, context: Any) -> dict[str, Any]:
        """Return the samples, and the reconstructions of encoded examples."""
        again = context.generator_of_encoder
        if not _mode(context) and context.encoder_inputs is not None:
            code = context.encoder_model(context.encoder_inputs, training=False)
            again = context.generator_model(code, training=False)
        return {"generator": samples(context), "generator of encoder": again}


def samples(context):
    """Return the samples of the last step, or in `LogEvalMode.TEST` samples of the generator in evaluation mode."""
    if _mode(context) or context.generator_inputs is None:
        return context.fake_samples
    return context.generator_model(context.generator_inputs, training=False)


def _mode(context):
    return context.log_eval_mode.is_training


def _images(array, tag):
    if array.ndim == 3:
        array = array[:, None]
    if array.ndim != 4:
        raise ShapeError(
            f"{tag}: cannot log an array of shape {array.shape}.",
            "images (batch, channels, height, width) or (batch, height, width), or values (batch, features).",
            "reshape it in the generator, or log it with a CounterCallback of your own.",
        )
    return np.clip((array + 1) / 2, 0.0, 1.0)
