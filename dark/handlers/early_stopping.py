"""Ending a training that does not get better any more."""

import logging
from collections import OrderedDict
from numbers import Integral

from dark.engine import Engine, Events, ResettableHandler, Serializable
from dark.errors import UsageError, ValueTypeError
from dark.handlers.score import checked_score


class EarlyStopping(Serializable, ResettableHandler):
    """A handler that terminates the trainer when a score has not improved for some calls.

    Parameters
    ----------
    patience : int
        How many calls in a row without improvement end the run; 1 or more.
    score_function : callable
        Of the engine that it is attached to; returns the score.
    trainer : Engine
        Whose run is ended.
    threshold : float, default 0.0
        An improvement is strictly more than this.
    cumulative : bool, default False
        Compare with the score of the last improvement. Otherwise many gains that are each too small move the score
        that is compared with, too, and are never an improvement together.
    threshold_mode : {"abs", "rel"}
        Whether `threshold` is a difference, or a part of the (absolute) score that is compared with.
    mode : {"max", "min"}
        Whether higher or lower scores are better.

    Attributes
    ----------
    counter : int
        Calls since the last improvement.
    best_score : float or None
        What the next score is compared with.

    Raises
    ------
    UsageError, ValueTypeError
        If an argument makes no sense; from a call, if the score is no number.

    Notes
    -----
    The first score is only kept. A NaN is never an improvement and is never kept: a training whose score is NaN from
    the beginning is ended like one that stands still. In the mode "rel" a score below 0 has to get better, too,
    by that part of its absolute value.

    Examples
    --------
    >>> from dark.engine import Engine
    >>> losses = iter([3.0, 2.0, 2.5, 2.2, 2.1, 1.0])
    >>> trainer, evaluator = Engine(lambda engine, batch: None), Engine(lambda engine, batch: None)
    >>> handler = EarlyStopping(patience=3, score_function=lambda engine: next(losses), trainer=trainer, mode="min")
    >>> handler.attach(evaluator, reset_engine=trainer)
    >>> handle = trainer.add_event_handler(Events.EPOCH_COMPLETED, lambda: evaluator.run([0]))
    >>> trainer.run([0], max_epochs=100).epoch, handler.best_score
    (5, 2.0)
    """

    _state_dict_all_req_keys = ("counter", "best_score", "threshold_mode")

    def __init__(
        self, patience, score_function, trainer, threshold=0.0, cumulative=False, threshold_mode="abs", mode="max"
    ):
        _check(patience, score_function, trainer, threshold)
        _check_choice("threshold_mode", threshold_mode, ("abs", "rel"))
        _check_choice("mode", mode, ("min", "max"))
        self.patience, self.score_function, self.trainer = patience, score_function, trainer
        self.threshold, self.cumulative = threshold, cumulative
        self.threshold_mode, self.mode = threshold_mode, mode
        self.logger = logging.getLogger(f"{__name__}.{type(self).__name__}")
        self.reset()

    def __call__(self, engine):
        """Look at the score."""
        score = checked_score(self.score_function(engine))
        if self._is_improvement(score):
            self.best_score, self.counter = score, 0
            return
        if not self.cumulative and self._is_better(score, by=0.0):
            self.best_score = score
        self.counter += 1
        self.logger.debug("EarlyStopping: %s / %s", self.counter, self.patience)
        if self.counter >= self.patience:
            self.logger.info("EarlyStopping: no improvement in %s calls. The run ends.", self.counter)
            self.trainer.terminate()

    def _is_improvement(self, score):
        if self.best_score is None:
            return score == score
        relative = self.threshold_mode == "rel"
        return self._is_better(score, by=self.threshold * abs(self.best_score) if relative else self.threshold)

    def _is_better(self, score, by):
        """Say whether a score is beyond the best one; a NaN never is."""
        if self.best_score is None:
            return False
        return score > self.best_score + by if self.mode == "max" else score < self.best_score - by

    def reset(self, engine=None):
        """Forget all scores.

        Parameters
        ----------
        engine : Engine, optional
            Who calls it, when an event does: the first such call after `load_state_dict` is passed over, so that a
            resumed run goes on counting.
        """
        if engine is None or not self._is_loaded:
            self.counter, self.best_score = 0, None
        self._is_loaded = False

    def attach(self, engine, event=Events.COMPLETED, reset_engine=None, reset_event=Events.STARTED):
        """Look at the score at an event, and forget all scores at another.

        Parameters
        ----------
        engine : Engine
            Whose score it is; most often the evaluator.
        event : event, default COMPLETED
        reset_engine : Engine, optional
            Most often the trainer, so that each run of it starts anew; `engine` if not given.
        reset_event : event, default STARTED
            See `reset`.
        """
        engine.add_event_handler(event, self)
        (reset_engine or engine).add_event_handler(reset_event, self.reset)

    def state_dict(self):
        """Return the counter, the best score and the mode of the threshold."""
        return OrderedDict((key, getattr(self, key)) for key in self._state_dict_all_req_keys)

    def load_state_dict(self, state_dict):
        """Go on from a state that `state_dict` returned.

        Raises
        ------
        ValueTypeError, UsageError
            If it is no mapping, or lacks a key.
        """
        super().load_state_dict(state_dict)
        for key in self._state_dict_all_req_keys:
            setattr(self, key, state_dict[key])
        self._is_loaded = True


def _check(patience, score_function, trainer, threshold):
    if not callable(score_function):
        raise ValueTypeError(
            f"Argument score_function should be a function. Got {score_function!r}.",
            "a function of the engine that returns a number.",
            'lambda engine: engine.state.metrics["accuracy"]',
        )
    if not isinstance(patience, Integral) or patience < 1:
        raise UsageError(
            f"Argument patience should be positive integer. Got {patience}.",
            "1 or more.",
            "EarlyStopping(patience=3, …)",
        )
    if not isinstance(trainer, Engine):
        raise ValueTypeError(
            f"Argument trainer should be an instance of Engine. Got {type(trainer).__name__}.",
            "the engine whose run is to be ended.",
            "trainer=trainer",
        )
    if threshold < 0.0:
        raise UsageError(
            f"Argument threshold should not be a negative number. Got {threshold}.",
            "0 or more, whatever the mode.",
            "threshold=0.01",
        )


def _check_choice(name, value, choices):
    if value not in choices:
        either = "' or '".join(choices)
        raise UsageError(
            f"Argument {name} should be either '{either}'. Got {value!r}.",
            f"one of {', '.join(choices)}.",
            f'{name}="{choices[0]}"',
        )
