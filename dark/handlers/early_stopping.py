"""Stop the run when a score has stopped improving."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from dark.checks import brief, check_engine, is_bool, is_integer, number
from dark.engine import Engine, Events, ResettableHandler
from dark.engine.resume.serializable import check_keys
from dark.errors import UsageError, ValueTypeError
from dark.handlers.score import checked_score


class EarlyStopping(ResettableHandler):
    """A handler that terminates the trainer when a score has not improved for `patience` calls.

    The first score is only stored. NaN is never an improvement and never stored: a training whose score is NaN from the
    start ends like one that does not improve. `counter` has the number of calls since the last improvement,
    `best_score` the score that the next one is compared with.

    Parameters
    ----------
    score_function : callable
        Of the engine that the handler is attached to; returns the score.
    threshold, threshold_mode : float, {"abs", "rel"}
        An improvement must be larger than this, or than this fraction of the absolute value of the compared score.
    cumulative : bool, default False
        Compare with the score of the last improvement. Otherwise gains below the threshold also raise the score that is
        compared with, so that several of them are never an improvement together.
    mode : {"max", "min"}
        Whether higher or lower scores are better.

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
        self, patience: int, score_function: Callable[[Engine], Any], trainer: Engine, threshold: float = 0.0,
        cumulative: bool = False, threshold_mode: str = "abs", mode: str = "max",
    ) -> None:  # fmt: skip
        _check(patience, score_function, trainer, threshold)
        _check_choice("threshold_mode", threshold_mode, ("abs", "rel"))
        _check_choice("mode", mode, ("min", "max"))
        self.patience, self.score_function, self.trainer = patience, score_function, trainer
        self.threshold, self.cumulative = threshold, cumulative
        self.threshold_mode, self.mode = threshold_mode, mode
        self.logger = logging.getLogger(f"{__name__}.{type(self).__name__}")
        self._is_loaded = False
        self.reset()

    def __call__(self, engine: Engine) -> None:
        """Compare the score."""
        score = checked_score(self.score_function(engine))
        if self._is_improvement(score):
            self.best_score, self.counter = score, 0
            return
        if not self.cumulative and self._is_better(score, by=0.0):
            self.best_score = score
        self.counter += 1
        self.logger.debug("EarlyStopping: %s / %s", self.counter, self.patience)
        if self.counter >= self.patience:
            self.logger.info("EarlyStopping: no improvement in %s calls. The run is terminated.", self.counter)
            self.trainer.terminate()

    def _is_improvement(self, score):
        if self.best_score is None:
            return score == score
        relative = self.threshold_mode == "rel"
        return self._is_better(score, by=self.threshold * abs(self.best_score) if relative else self.threshold)

    def _is_better(self, score, by):
        """Return whether a score is better than the best one by an amount; NaN never is."""
        if self.best_score is None:
            return False
        return score > self.best_score + by if self.mode == "max" else score < self.best_score - by

    def reset(self, engine: Engine | None = None) -> None:
        """Reset the counter and the best score.

        The first such call of an event after `load_state_dict` is ignored, so that a resumed run continues counting.
        """
        if engine is None or not self._is_loaded:
            self.counter, self.best_score = 0, None
        self._is_loaded = False

    def attach(  # type: ignore[override]
        self, engine: Engine, event: Any = Events.COMPLETED, reset_engine: Engine | None = None,
        reset_event: Any = Events.STARTED,
    ) -> None:  # fmt: skip
        """Compare the score at an event of the engine that has it, usually the evaluator, and reset at another event.

        That is an event of `reset_engine`, usually the trainer, so that each of its runs starts with a reset; of
        `engine` if not given.
        """
        check_engine(self, engine)
        check_engine(self, engine if reset_engine is None else reset_engine)
        engine.add_event_handler(event, self)
        (reset_engine or engine).add_event_handler(reset_event, self.reset)

    def state_dict(self) -> OrderedDict[str, Any]:
        """Return the counter, the best score and the threshold mode."""
        return OrderedDict((key, getattr(self, key)) for key in self._state_dict_all_req_keys)

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load a state from `state_dict`."""
        check_keys(self, state_dict)
        for key in self._state_dict_all_req_keys:
            setattr(self, key, state_dict[key])
        self._is_loaded = True


def _check(patience, score_function, trainer, threshold):
    if not callable(score_function):
        raise ValueTypeError(
            f"Argument score_function should be a function. Got {brief(score_function)}.",
            "a function of the engine that returns a number.",
            'lambda engine: engine.state.metrics["accuracy"]',
        )
    if not is_integer(patience, 1):
        raise UsageError(
            f"Argument patience should be positive integer. Got {brief(patience)}.",
            "1 or more.",
            "EarlyStopping(patience=3, …)",
        )
    if not isinstance(trainer, Engine):
        raise ValueTypeError(
            f"Argument trainer should be an instance of Engine. Got {type(trainer).__name__}.",
            "the engine whose run is to be terminated.",
            "trainer=trainer",
        )
    if is_bool(threshold) or number(threshold, "EarlyStopping", "threshold", finite=False) < 0.0:
        raise UsageError(
            f"Argument threshold should not be a negative number. Got {threshold}.",
            "0 or more, in every mode.",
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
