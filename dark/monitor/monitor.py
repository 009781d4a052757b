"""`Monitor`: records weights, gradients and activations of a network while it is trained."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dark.checks import integer, number
from dark.engine import Events, Serializable
from dark.monitor import exports, recording, registration
from dark.monitor.activations.exemplars import Exemplars
from dark.monitor.activations.forward_calls import ForwardCalls, weights_of
from dark.monitor.activations.rules import Kind, Rules
from dark.monitor.budget import Budget
from dark.monitor.choices import Choices, chosen_weights
from dark.monitor.foreign import lightning, plain_loop
from dark.monitor.foreign.networks import framework_of
from dark.monitor.foreign.optimizer_steps import OptimizerSteps, is_optimizer
from dark.monitor.records.activation_records import ActivationRecords
from dark.monitor.records.gradient_records import GradientRecords
from dark.monitor.records.registered import Registered
from dark.monitor.records.weight_records import WeightRecords
from dark.monitor.statistic import Statistic
from dark.monitor.watch import Attachment, Step, Watch


class Monitor(Serializable):
    """Statistics of the weights, gradients and activations of a network, recorded while it is trained.

    ``monitor.attach(trainer)`` records from then on; `scalars` and `tensors` return what was recorded, by names such as
    ``update_ratio/0.weight`` and ``gradients/0.weight``. What the training computes is the same, bit for bit.
    `records` counts the records so far, and `recorded` is the step of the last one: None before it, and if it was made
    outside the steps of an engine.

    Parameters
    ----------
    model : Module, or dict of str to Module, optional
        The network, of `dark` or of PyTorch; or several, such as ``{"generator": g, "discriminator": d}``, whose names
        precede the paths. Their modules and parameters are those that they have now. If not given, `record` gets the
        arrays.
    export_weight_grads : bool, rule, or list of rules and pairs (rule, kind), default True
        Whether to record gradients, or of which weights: running averages, signed and absolute, norms, and noise.
    monitor_activations : bool, rule, or list of rules and pairs (rule, kind), default True
        Which outputs of modules to record, see `register_activation_filter`. True: outputs of all modules
        without submodules but dropout, flatten and identity, as `Kind.TYPE_I`.
    sample_num : int, default 1
        The number of exemplars for outputs of `Kind.TYPE_II` if no sample set is registered: the first examples of the
        first step that is observed, as the sample set "training".
    export_weights : bool, rule, or list of rules and pairs (rule, kind), default True
        Whether to record weights, or which: values, flips of sign, and the size of updates. Rules are as in
        `register_activation_filter`, of the name of a weight, its module, and the weight: ``"conv*"``.
    stats_max_length : int or None, default 20
        The number of records over which running averages are computed; None for all.
    sample_axis : int, default 0
        The axis that counts examples, in the inputs and outputs of modules; 1 for sequences (time, batch, features).
    flip_alpha, flip_beta : float, default 0.99, 1
        In each record, the count of flips of sign is multiplied by `flip_beta`, and a flip adds `flip_alpha`.
    budget_ms : float, optional
        The milliseconds per step of training that the monitor may take on average; it skips observations to keep to
        that.
    budget_mb : float, optional
        The megabytes of statistics that it may keep; it leaves out series to keep to it.
    detail : {"full", "summary"}, optional
        What `tensors` returns: all arrays; or histograms of weights, gradients and activations instead of them, which
        is the default above a million parameters. Scalars are the same.
    averages : {"window", "exponential"}, optional
        The kind of running averages: means over a window, whose records are kept; or exponential ones, corrected for
        their start, in constant memory, whose records are as old, on average, as those of the window. That is the
        default above a million parameters; there, a monitor takes at most 24 bytes for each parameter.

    Examples
    --------
    >>> import numpy as np
    >>> from dark import nn, optim
    >>> from dark.engine import Events
    >>> from dark.trainers import create_supervised_trainer
    >>> net = nn.Sequential(nn.Linear(2, 3, seed=0), nn.ReLU(), nn.Linear(3, 1, seed=1))
    >>> trainer = create_supervised_trainer(net, optim.SGD(net.parameters(), lr=0.1), nn.MSELoss())
    >>> monitor = Monitor(net)
    >>> handle = monitor.attach(trainer, Events.ITERATION_COMPLETED(every=2))
    >>> state = trainer.run([(np.ones((4, 2)), np.ones((4, 1)))] * 4)
    >>> sorted(monitor.tensors())[:3]
    ['activations/0', 'activations/1', 'activations/2']
    >>> sorted(monitor.scalars())[:3]
    ['dead/1', 'gradient_noise/0.bias', 'gradient_noise/0.weight']
    """

    begin = recording.begin
    end = recording.end
    evaluate = recording.evaluate
    step = plain_loop.step
    callback = lightning.callback
    record = recording.record
    record_tensors = recording.record_tensors
    record_weights = recording.record_weights
    record_grads = recording.record_grads
    register_activation_filter = registration.register_activation_filter
    register_samples = registration.register_samples
    register_tensor = registration.register_tensor
    register_stats = registration.register_stats
    register_metrics = registration.register_metrics
    register_weights = registration.register_weights
    register_loss = registration.register_loss
    register_grad_researcher = registration.register_grad_researcher
    scalars = exports.scalars
    tensors = exports.tensors
    get_weight_stats = exports.get_weight_stats
    get_weight_flip_count = exports.get_weight_flip_count
    _state_dict_all_req_keys = ("weights", "gradients", "activations", "statistics", "exemplars", "scalars")

    def __init__(
        self, model: Any = ..., export_weight_grads: Any = True, monitor_activations: Any = True, sample_num: int = 1,
        *, export_weights: Any = True, stats_max_length: int | None = 20, sample_axis: int = 0,
        flip_alpha: float = 0.99, flip_beta: float = 1, budget_ms: float | None = None, budget_mb: float | None = None,
        detail: str | None = None, averages: str | None = None,
    ) -> None:  # fmt: skip
        who = "Monitor"
        self._framework = framework_of(model)
        self.models = registration.models_of(model, self._framework)
        self.budget = Budget(budget_ms, budget_mb)
        self._length = None if stats_max_length is None else integer(stats_max_length, who, "stats_max_length", 1)
        self._exports_weights, self._exports_grads = export_weights is not False, export_weight_grads is not False
        self._choices = Choices(detail, averages)
        self._flip_options = number(flip_alpha, who, "flip_alpha"), number(flip_beta, who, "flip_beta")
        axis = integer(sample_axis, who, "sample_axis", 0)
        self._rules = Rules(self._framework.repeating)
        self._calls = ForwardCalls(self.models, self._rules, Kind.TYPE_I, self._framework)
        self._activations = ActivationRecords(self._length, axis, self.budget, self._choices)
        num = integer(sample_num, who, "sample_num", 1)
        self._exemplars = Exemplars(self.models, self._rules, axis, num, self.budget, self._framework)
        self._tensors, self._stats = Registered(), Registered()
        self._researchers: list[Callable[..., Any]] = []
        self._loss: Any = None
        self._metrics: dict[str, Any] = {}
        self._scalars: dict[str, float] = {}
        self._weights: WeightRecords
        self._gradients: GradientRecords
        self._attachments: list[Attachment] = []
        self._watches: list[Watch] = []
        self._begun: Step | None = None  # the step that is being observed
        self._has_gradients = False  # in this step, by a call of `record_grads`
        self._may_have_sums = False  # gradients that an optimizer may not have used: it has moved nothing yet
        self._loop: plain_loop.PlainLoop | None = None
        self.recorded: Step | None = None
        self.records = 0
        self._rules.add_all(monitor_activations)
        weights, rules = weights_of(self.models), (export_weights, export_weight_grads)
        chosen = [
            chosen_weights(weights, rule, self.models, name)
            for rule, name in zip(rules, ("export_weights", "export_weight_grads"))
        ]
        registration.keep_weights(self, *(registration.named_weights(one, self._framework) for one in chosen))

    @property
    def dropped(self) -> dict[str, str]:
        """The series that were left out to keep to the budget, or could not be recorded, each with the reason."""
        self.evaluate()
        return dict(self.budget.dropped)

    @property
    def loop(self) -> plain_loop.PlainLoop:
        """The training loop of your own: an owner of an engine, to which notes and handlers are attached."""
        self._loop = self._loop or plain_loop.PlainLoop(self)
        return self._loop

    def attach(
        self, trainer: Any = None, event: Any = Events.ITERATION_COMPLETED(every=50), *, note: Any = None,
        loss: Any = None,
    ) -> Attachment:  # fmt: skip
        """Record at each occurrence of an event from now on.

        `remove` of the `Attachment` that is returned detaches the monitor, as does the end of a ``with`` block.

        Parameters
        ----------
        trainer : Engine, Trainer or optimizer, optional
            Any engine, also of Ignite, or an object with an attribute `engine`, such as the trainers of contexts; an
            optimizer of PyTorch, whose steps are the iterations; if not given, the loop whose steps are `step`.
        event : event, default ``Events.ITERATION_COMPLETED(every=50)``
            With or without filters; attach functions that read the records to the same event afterwards. A note may
            be attached before or after.
        note : Note, optional
            Where to write each record.
        loss : module or callable, optional
            With an optimizer, what computes the loss: a module, or a function without arguments that returns it.
        """
        note = plain_loop.checked_note(note)
        is_plain = trainer is None or is_optimizer(trainer)
        steps = OptimizerSteps(self.loop, trainer, loss) if is_optimizer(trainer) else None
        attachment = Attachment(self, self.loop if is_plain else trainer, event)
        self._attachments.append(attachment)
        if steps is not None:
            attachment.add(steps)
        if note is not None:
            attachment.add(self.loop.add_note(note) if is_plain else note.attach(trainer, event, self))
        if is_plain:
            self.loop.observe()
        return attachment

    def detach(self) -> None:
        """Detach the monitor from all engines; the records are kept."""
        for attachment in self._attachments:
            attachment.remove()
        self._attachments = []

    @property
    def tensor_fetches(self) -> tuple[Any, ...]:
        """The registered tensors, in the order in which `record_tensors` takes their values."""
        return tuple(self._tensors.sources.values())

    @property
    def stats_dict(self) -> dict[str, Statistic]:
        """The statistics: registered tensors by name, ``stats/…``, ``activations/…`` and ``activations_abs/…``.

        Of exponential averages, those of activations have `count`, `shape` and `running_average` only.
        """
        self.evaluate()
        signed, absolute, stats = self._activations.signed, self._activations.absolute, self._stats.statistics
        found = exports.named("activations", signed) | exports.named("activations_abs", absolute)
        return {**self._tensors.statistics, **exports.named("stats", stats), **found}

    @property
    def grad_dict(self) -> dict[str, np.ndarray]:
        """The running averages ``gradients/…`` and ``gradients_abs/…``, after all gradient researchers."""
        return exports.grad_dict(self)

    def state_dict(self) -> dict[str, Any]:
        """Return the records, as plain data and copies of arrays, for a checkpoint.

        Sample sets, rules, sources and researchers do not belong to it: register them again.
        """
        registered = {"tensors": self._tensors, "stats": self._stats}
        state = {name: part.state_dict() for name, part in self._parts().items()}
        statistics = {kind: {n: s.state_dict() for n, s in r.statistics.items()} for kind, r in registered.items()}
        return {**state, "statistics": statistics, "scalars": dict(self._scalars)}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Restore a state that `state_dict` returned, in a monitor of the same network with the same settings.

        Statistics of registered tensors are restored if these are registered under the same names.
        """
        super().load_state_dict(state_dict)
        for name, part in self._parts().items():
            part.load_state_dict(state_dict[name])
        for kind, registered in {"tensors": self._tensors, "stats": self._stats}.items():
            for name, state in state_dict["statistics"][kind].items():
                if name in registered.statistics:
                    registered.statistics[name].load_state_dict(state)
        self._scalars, self.recorded = dict(state_dict["scalars"]), None

    def _parts(self) -> dict[str, Any]:
        return {name: getattr(self, f"_{name}") for name in ("weights", "gradients", "activations", "exemplars")}

    def __repr__(self) -> str:
        return f"Monitor({', '.join(type(model).__name__ for model in self.models.values())})"
