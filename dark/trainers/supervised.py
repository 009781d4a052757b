"""Supervised training and evaluation: a forward pass, for training also a backward pass and an optimizer step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from dark import recording
from dark.checks import boolean
from dark.compat.arguments import with_ignite_arguments
from dark.engine import DeterministicEngine, Engine
from dark.engine.events.signatures import check_call
from dark.errors import ValueTypeError
from dark.nodes import no_grad
from dark.trainers import trainer_checks
from dark.trainers.batches import pair_of_constants, plain

if TYPE_CHECKING:
    from dark.metrics import Metric
    from dark.nn import Module
    from dark.optim import Optimizer


def same(output):
    """Return the output of the model unchanged."""
    return output


def call(model, x):
    """Return the output of a model for an input."""
    return model(x)


def loss_alone(x, y, y_pred, loss):
    """Return the loss as a number."""
    return loss.item()


@with_ignite_arguments(device=3, non_blocking=4)
def supervised_training_step(
    model: Module, optimizer: Optimizer, loss_fn: Callable[[Any, Any], Any],
    prepare_batch: Callable[..., Any] | None = None,
    model_transform: Callable[[Any], Any] = same, output_transform: Callable[..., Any] = loss_alone,
    gradient_accumulation_steps: int = 1, model_fn: Callable[[Any, Any], Any] = call, recorded: bool = False,
) -> Callable[[Engine, Any], Any]:  # fmt: skip
    """Return the process function of a supervised training, see `create_supervised_trainer`."""
    who = "supervised_training_step"
    trainer_checks.check_accumulation_steps(who, gradient_accumulation_steps)
    check_call(output_transform, "output_transform", ("x", "y", "y_pred", "loss"))
    prepare = pair_of_constants if prepare_batch is None else prepare_batch
    group, replayed = gradient_accumulation_steps, None
    if boolean(recorded, who, "recorded"):
        trainer_checks.check_recorded(who, output_transform is loss_alone)
        replayed = recording.recorded(lambda x, y: loss_fn(model_transform(model_fn(model, x)), y))

    def step(engine, batch):
        if (engine.state.iteration - 1) % group == 0:
            optimizer.zero_grad()
        model.train()
        x, y = prepare(batch)
        y_pred = model_transform(model_fn(model, x)) if replayed is None else None
        loss = trainer_checks.checked_loss(loss_fn(y_pred, y) if replayed is None else replayed(x, y))
        (loss if group == 1 else loss / group).backward()
        if engine.state.iteration % group == 0:
            optimizer.step()
        return plain(output_transform(x, y, y_pred, loss))

    return step


@with_ignite_arguments(device=3, non_blocking=4, amp_mode=9, scaler=10)
def create_supervised_trainer(
    model: Module, optimizer: Optimizer, loss_fn: Callable[[Any, Any], Any],
    prepare_batch: Callable[..., Any] | None = None, model_transform: Callable[[Any], Any] = same,
    output_transform: Callable[..., Any] = loss_alone, deterministic: bool = False,
    gradient_accumulation_steps: int = 1, model_fn: Callable[[Any, Any], Any] = call, recorded: bool = False,
) -> Engine:  # fmt: skip
    """Return an engine that trains a network: forward pass, backward pass and optimizer step for each batch.

    The output contains the loss of the batch, also if gradients are accumulated. An incomplete accumulation at the end
    of a run takes no step. Accumulated gradients are not saved: save after a step
    (``ITERATION_COMPLETED(every=gradient_accumulation_steps)``), and a resumed training is exact.

    Parameters
    ----------
    model, model_fn : Module, callable
        The network, set to training mode in each iteration; and what calls it, instead of ``model(x)``: of (model, x).
    loss_fn : callable
        Of (y_pred, y); returns a node.
    prepare_batch : callable, optional
        Called as ``prepare_batch(batch, device=…, non_blocking=…)``, as in Ignite, whose arguments are accepted, too,
        see `dark.compat.arguments`; returns (x, y). If not given, the batch is a pair, and its arrays become constants.
    model_transform : callable, optional
        Of the output of the model; returns y_pred.
    output_transform : callable, optional
        Of (x, y, y_pred, loss), nodes; returns the output of the iteration, in which nodes are replaced by their
        values, so that no graph is kept. If not given, the loss as a number.
    deterministic : bool, default False
        Return a `DeterministicEngine`.
    gradient_accumulation_steps : int, default 1
        The number of iterations whose gradients are averaged into one optimizer step.
    recorded : bool, default False
        Record the graph of model and loss once, and replay it with the same bits, see `dark.recorded`. Not together
        with `output_transform`: a replay computes no `y_pred`.

    Examples
    --------
    >>> from dark import nn, optim
    >>> from dark.data import DataLoader, TensorDataset
    >>> x = np.linspace(-1, 1, 20)[:, None]
    >>> model = nn.Linear(1, 1, seed=0)
    >>> trainer = create_supervised_trainer(model, optim.SGD(model.parameters(), lr=0.3), nn.MSELoss())
    >>> state = trainer.run(DataLoader(TensorDataset(x, 2 * x + 1), batch_size=5), max_epochs=30)
    >>> round(model.weight.value.item(), 3), round(model.bias.value.item(), 3), state.output < 1e-6
    (2.0, 1.0, True)
    """
    who = "create_supervised_trainer"
    trainer_checks.check_accumulation_steps(who, gradient_accumulation_steps)
    step = supervised_training_step(
        model, optimizer, loss_fn, prepare_batch=prepare_batch, model_transform=model_transform,
        output_transform=output_transform, gradient_accumulation_steps=gradient_accumulation_steps, model_fn=model_fn,
        recorded=recorded,
    )  # fmt: skip
    return DeterministicEngine(step) if deterministic else Engine(step)


def prediction_and_target(x, y, y_pred):
    """Return the output that metrics expect: (y_pred, y)."""
    return y_pred, y


@with_ignite_arguments(device=1, non_blocking=2)
def supervised_evaluation_step(
    model: Module, prepare_batch: Callable[..., Any] | None = None, model_transform: Callable[[Any], Any] = same,
    output_transform: Callable[..., Any] = prediction_and_target, model_fn: Callable[[Any, Any], Any] = call,
) -> Callable[[Engine, Any], Any]:  # fmt: skip
    """Return the process function of a supervised evaluation, see `create_supervised_evaluator`."""
    check_call(output_transform, "output_transform", ("x", "y", "y_pred"))

    prepare = pair_of_constants if prepare_batch is None else prepare_batch

    def step(engine, batch):
        model.eval()
        with no_grad():
            x, y = prepare(batch)
            y_pred = model_transform(model_fn(model, x))
            return plain(output_transform(x, y, y_pred))

    return step


@with_ignite_arguments(device=2, non_blocking=3, amp_mode=7)
def create_supervised_evaluator(
    model: Module, metrics: Mapping[str, Metric] | None = None, prepare_batch: Callable[..., Any] | None = None,
    model_transform: Callable[[Any], Any] = same, output_transform: Callable[..., Any] = prediction_and_target,
    model_fn: Callable[[Any, Any], Any] = call,
) -> Engine:  # fmt: skip
    """Return an engine that applies a network to batches and computes metrics.

    Parameters
    ----------
    model : Module
        Set to evaluation mode in each iteration, and left there; the trainers of this package set training mode again.
    metrics : mapping of str to Metric, optional
        Attached under these names.
    output_transform : callable, optional
        Of (x, y, y_pred), nodes; nodes in its result are replaced by their values. If not given, (y_pred, y).
    prepare_batch, model_transform, model_fn
        As in `create_supervised_trainer`.

    Examples
    --------
    >>> from dark import nn
    >>> from dark.metrics import Accuracy
    >>> evaluator = create_supervised_evaluator(nn.Identity(), {"accuracy": Accuracy()})
    >>> scores, classes = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]), np.array([0, 1, 1])
    >>> round(evaluator.run([(scores, classes)]).metrics["accuracy"], 3)
    0.667
    """
    who = "create_supervised_evaluator"
    if not isinstance(metrics, (Mapping, type(None))):
        raise ValueTypeError(
            f"{who}: metrics must be a mapping, got a {type(metrics).__name__}.",
            "a mapping from names to metrics.",
            '{"loss": metric}',
        )
    step = supervised_evaluation_step(
        model, prepare_batch=prepare_batch, model_transform=model_transform, output_transform=output_transform,
        model_fn=model_fn,
    )  # fmt: skip
    evaluator = Engine(step)
    for name, metric in (metrics or {}).items():
        metric.attach(evaluator, name)
    return evaluator
