"""`Exemplars`: outputs of modules for the exemplars of sample sets (`Kind.TYPE_II`)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dark.checks import describe
from dark.engine import Serializable
from dark.errors import DarkError, UsageError, near_misses
from dark.monitor.activations.forward_calls import ForwardCalls
from dark.monitor.activations.rules import Kind, Rules
from dark.monitor.activations.samples import SampleSet, checked_inputs, first_examples
from dark.monitor.budget import Budget
from dark.monitor.foreign.framework import Framework

TRAINING = "training"  # the sample set that is made from the first step, if no other is registered


class Exemplars(Serializable):
    """The sample sets of a monitor, and the records for them."""

    _state_dict_all_req_keys = ("kept", "chosen")

    def __init__(
        self,
        models: Mapping[str, Any],
        rules: Rules,
        sample_axis: int,
        sample_num: int,
        budget: Budget,
        framework: Framework,
    ) -> None:
        self.models, self.rules, self.sample_axis, self.sample_num = models, rules, sample_axis, sample_num
        self.budget, self.framework = budget, framework
        self.sets: dict[str, tuple[str, SampleSet]] = {}
        self._calls = ForwardCalls(models, rules, Kind.TYPE_II, framework, in_training=False)
        self._kept: dict[str, np.ndarray] = {}
        self._chosen: dict[str, float] = {}
        self._has_failed = False

    def register(self, name: str, inputs: Any, model: str | None, **options: Any) -> None:
        """Add a sample set, see `Monitor.register_samples`."""
        if not isinstance(name, str) or not name or "/" in name or name in self.sets:
            message = f"register_samples: the name must be new and without slashes, got {describe(name)}."
            raise UsageError(message, "a name without slashes.", "'validation'.")
        model = next(iter(self.models)) if model is None and len(self.models) == 1 else model
        if model is None or model not in self.models:
            message = f"register_samples: the model must be one of the monitor's, got {describe(model)}."
            wanted = f"one of {', '.join(self.models)}." if all(self.models) else "no name, since there is one model."
            raise UsageError(message, wanted, near_misses(str(model), self.models))
        made = self._made(model, checked_inputs(inputs), {}, **options)
        self.sets[name] = model, made

    def record(self, inputs: Mapping[str, tuple[Any, Any]]) -> None:
        """Record the outputs for all exemplars; `inputs` of training are the sample set if none is registered."""
        self._kept, self._chosen = {}, {}
        if not self._calls.has_outputs():
            return
        if not self.sets and not self._has_failed:
            self._take(inputs)
        if self.sets:
            with self.framework.evaluation(
                [self.models[model] for model in {model for model, _ in self.sets.values()}]
            ):
                for name, (_, samples) in self.sets.items():
                    self._record(name, samples)

    def _take(self, inputs):
        for model, (args, settings) in inputs.items():
            name = f"{TRAINING} {model}" if model else TRAINING
            try:
                first = first_examples(args, settings, self.sample_axis, self.sample_num)
                self.sets[name] = model, self._made(model, *first, num=self.sample_num)
            except DarkError as error:
                self._has_failed = True
                self.budget.drop(f"samples/{name}", str(error).splitlines()[0])

    def _made(self, model, inputs, settings, **options):
        return SampleSet(self.models[model], inputs, settings, self.sample_axis, self.framework.argument, **options)

    def _record(self, name, samples):
        for k, outputs in enumerate(samples.exemplars(self._calls)):
            for path, array in outputs.items():
                if self.budget.claim(f"samples/{name} {k}/{path}", array.nbytes):
                    self._kept[f"samples/{name} {k}/{path}"] = array
        if samples.criterion is not None:
            self._chosen |= {f"samples/{name} {k}/index": float(row) for k, row in enumerate(samples.chosen)}

    def tensors(self) -> dict[str, np.ndarray]:
        """Return copies of the outputs in the last record, by name."""
        return {name: array.copy() for name, array in self._kept.items()}

    def indices(self) -> dict[str, float]:
        """Return the rows of the exemplars that were chosen by a criterion, by name."""
        return dict(self._chosen)

    def state_dict(self) -> dict[str, Any]:
        """Return the outputs of the last record; sample sets are registered again by whoever resumes."""
        return {"kept": self.tensors(), "chosen": self.indices()}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Restore the state that `state_dict` returned."""
        super().load_state_dict(state_dict)
        self._kept = {name: np.array(array) for name, array in state_dict["kept"].items()}
        self._chosen = dict(state_dict["chosen"])
