"""Supervised training: an iteration is a forward pass, a backward pass and a step of the optimiser."""

from dark.engine import DeterministicEngine, Engine
from dark.engine.signatures import check_call
from dark.trainers import doors
from dark.trainers.batches import pair_of_constants, plain


def same(output):
    """Return what the model gave."""
    return output


def call(model, x):
    """Return what a model gives for an input."""
    return model(x)


def loss_alone(x, y, y_pred, loss):
    """Return the loss as a number."""
    return loss.item()


def supervised_training_step(
    model, optimizer, loss_fn, device=None, non_blocking=False, prepare_batch=pair_of_constants,
    model_transform=same, output_transform=loss_alone, gradient_accumulation_steps=1, model_fn=call,
):  # fmt: skip
    """Make the process function of a supervised training, see `create_supervised_trainer`.

    Returns
    -------
    callable
        Of the engine and the batch.

    Examples
    --------
    >>> from dark import nn, optim
    >>> from dark.engine import Engine
    >>> model = nn.Linear(1, 1, seed=0)
    >>> step = supervised_training_step(model, optim.SGD(model.parameters(), lr=0.1), nn.MSELoss())
    >>> trainer = Engine(step)
    """
    who = "supervised_training_step"
    doors.check_device(who, device)
    doors.check_steps(who, gradient_accumulation_steps)
    doors.check_batch_function(prepare_batch)
    check_call(output_transform, "output_transform", ("x", "y", "y_pred", "loss"))
    group = gradient_accumulation_steps

    def step(engine, batch):
        if (engine.state.iteration - 1) % group == 0:
            optimizer.zero_grad()
        model.train()
        x, y = prepare_batch(batch, device=device, non_blocking=non_blocking)
        y_pred = model_transform(model_fn(model, x))
        loss = doors.checked_loss(loss_fn(y_pred, y))
        (loss if group == 1 else loss / group).backward()
        if engine.state.iteration % group == 0:
            optimizer.step()
        return plain(output_transform(x, y, y_pred, loss))

    return step


def create_supervised_trainer(
    model, optimizer, loss_fn, device=None, non_blocking=False, prepare_batch=pair_of_constants,
    model_transform=same, output_transform=loss_alone, deterministic=False, amp_mode=None, scaler=False,
    gradient_accumulation_steps=1, model_fn=call,
):  # fmt: skip
    """Make an engine that trains a network: forward, backward, step, for each batch.

    Parameters
    ----------
    model : Module
        Put into the mode of training in each iteration.
    optimizer : Optimizer
    loss_fn : callable
        Of (y_pred, y); returns a node.
    device : None or "cpu"
    non_blocking : bool, default False
        Means nothing on a CPU, here as in PyTorch.
    prepare_batch : callable, optional
        Called as ``prepare_batch(batch, device=…, non_blocking=…)``; returns (x, y). The batch is a pair if not given,
        and its arrays become constants.
    model_transform : callable, optional
        Of what the model returned; returns y_pred.
    output_transform : callable, optional
        Of (x, y, y_pred, loss), nodes; returns the output of the iteration, in which nodes then become arrays and
        numbers, so that no graph is kept. The loss as a number, if not given.
    deterministic : bool, default False
        Make a `DeterministicEngine`.
    amp_mode : None
        There is no mixed precision.
    scaler : False
    gradient_accumulation_steps : int, default 1
        Iterations whose gradients are averaged into one step of the optimiser.
    model_fn : callable, optional
        Of (model, x), in place of ``model(x)``.

    Returns
    -------
    Engine

    Raises
    ------
    UsageError, ValueTypeError
        If an argument makes no sense, or asks for what there is not; and in the run, if the loss is no node.

    Notes
    -----
    The loss in the output is that of the batch, also where gradients are averaged. A group that the end of the run
    cuts makes no step. Gradients are not saved: save with groups at the last iteration of one
    (``ITERATION_COMPLETED(every=gradient_accumulation_steps)``), and a resumed training is exact.

    Examples
    --------
    >>> import numpy as np
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
    doors.check_device(who, device)
    doors.check_precision(who, amp_mode, scaler)
    doors.check_steps(who, gradient_accumulation_steps)
    step = supervised_training_step(
        model, optimizer, loss_fn, device, non_blocking, prepare_batch, model_transform, output_transform,
        gradient_accumulation_steps, model_fn,
    )  # fmt: skip
    return DeterministicEngine(step) if deterministic else Engine(step)
