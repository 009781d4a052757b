"""L-BFGS: a quasi-Newton method, which estimates the curvature from the last changes of the gradient."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dark.checks import describe, integer, one_of
from dark.errors import UsageError
from dark.nodes import Parameter, value_of
from dark.optim import state_dict as saved_state
from dark.optim.curvature import COUNTS, check_memory, direction, plain_memory, remember
from dark.optim.line_search import Trial, strong_wolfe
from dark.optim.optimizer import Optimizer
from dark.optim.parameter_groups import Params
from dark.optim.parameters import gradient_array
from dark.typing import Array, State


class LBFGS(Optimizer):
    """L-BFGS: several quasi-Newton steps, each along a direction for all parameters together.

    The parameters, in one group, are one vector: one without a gradient has gradient 0. `lr` is the factor of each
    step, or with the line search (`line_search_fn` "strong_wolfe") the first one that is tried. One `step` takes at
    most `max_iter` quasi-Newton steps and `max_eval` calls of the closure, by default ``max_iter * 5 // 4``; it ends
    when no element of the gradient is larger than `tolerance_grad`, no parameter changes more than `tolerance_change`,
    or the loss changes less. The last `history_size` changes are remembered, two vectors each.

    With gradient ``g``, the direction is ``-H g``, where ``H`` estimates the inverse of the Hessian from the changes
    ``s`` of the parameters and ``y`` of the gradient, by two loops over them. The closure must compute the same
    function each time, so no dropout, and the same batch.

    D. C. Liu, J. Nocedal, "On the limited memory BFGS method for large scale optimization", Mathematical
    Programming 45, 1989.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(np.array([-1.0, 2.0]))
    >>> optimizer = LBFGS([x], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
    ...     loss.backward()
    ...     return loss
    >>> for _ in range(3):
    ...     loss = optimizer.step(closure)
    >>> x.value.round(4)
    array([1., 1.])
    """

    not_negative = ("lr", "tolerance_grad", "tolerance_change")
    counts_steps = False

    def __init__(
        self, params: Params, lr: float = 1, max_iter: int = 20, max_eval: int | None = None,
        tolerance_grad: float = 1e-7, tolerance_change: float = 1e-9, history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:  # fmt: skip
        if max_eval is None:
            max_eval = integer(max_iter, "LBFGS", "max_iter", 1) * 5 // 4
        self._memory: State = {}
        super().__init__(params, {
            "lr": lr, "max_iter": max_iter, "max_eval": max_eval, "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change, "history_size": history_size, "line_search_fn": line_search_fn,
        })  # fmt: skip

    def check(self, group: dict[str, Any]) -> None:
        """Check the options of the group."""
        super().check(group)
        for name in ("max_iter", "max_eval", "history_size"):
            integer(group[name], "LBFGS", name, 1)
        one_of(group["line_search_fn"], "LBFGS", "line_search_fn", (None, "strong_wolfe"))
        for name, none in (("weight_decay", 0), ("maximize", False)):
            if group.get(name):
                problem = f"LBFGS: {name} must be {none}, got {group[name]}."
                raise UsageError(problem, f"no {name}.", "change the loss that the closure returns.")

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add the only group; a second one is refused."""
        if self.param_groups:
            raise UsageError(
                "LBFGS: all parameters must be in one group, got a second one.",
                "one group: all parameters take one step along one direction.",
                "one list of parameters, or an optimizer for each group.",
            )
        super().add_param_group(param_group)

    def make_update(self, group: dict[str, Any], step: int) -> Callable[..., Any]:
        """Return the update of a chunk: the values become those at a point of the line, given as `g`."""
        return lambda w, g, a: np.copyto(w, g)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Perform up to `max_iter` quasi-Newton steps; return the loss that `closure` returned first.

        The closure sets the gradients to None, computes the loss, calls its `backward`, and returns it. After any error
        in it, the parameters have the values that they had before.
        """
        if not callable(closure):
            raise UsageError(
                f"LBFGS: step must be called with a closure, got {describe(closure)}.",
                "a function that computes the loss and its gradients again, and returns the loss.",
                "optimizer.step(closure); in an Engine, call it in a process function of your own.",
            )
        before = self._values()
        try:
            return self._minimize(closure)
        except BaseException:
            self._move_to(before)
            raise

    def _minimize(self, closure: Callable[[], Any]) -> Any:
        options, memory = self.param_groups[0], {**COUNTS, **self._memory}
        result = closure()
        loss, gradient, evaluations = _loss(result), self._gradient(), 1
        small, change = options["tolerance_grad"], options["tolerance_change"]
        for n in range(1, options["max_iter"] + 1):
            if n == 1 and _largest(gradient) <= small:
                break
            memory["n_iter"] += 1
            remember(memory, gradient, options["history_size"])
            memory.update(d=direction(memory, gradient), prev_flat_grad=gradient, prev_loss=loss)
            memory["t"] = options["lr"] * (min(1.0, 1.0 / np.abs(gradient).sum()) if memory["n_iter"] == 1 else 1)
            start = Trial(0, loss, gradient, gradient @ memory["d"])
            if start.slope > -change:
                break
            end, count = self._along(closure, start, memory, n, options["max_eval"] - evaluations)
            loss, gradient, memory["t"], evaluations = end.loss, end.gradient, end.step, evaluations + count
            if (
                evaluations >= options["max_eval"]
                or _largest(gradient) <= small
                or _largest(memory["d"] * memory["t"]) <= change
                or abs(loss - memory["prev_loss"]) < change
            ):
                break
        memory["func_evals"] += evaluations
        self._memory = memory
        return result

    def _along(self, closure: Callable[[], Any], start: Trial, memory: State, n: int, most: int) -> tuple[Trial, int]:
        """Move along the direction; return the end of the step, and the number of evaluations."""
        origin, d, options = self._values(), memory["d"], self.param_groups[0]

        def evaluate(t: float) -> Trial:
            self._move_to(origin + t * d)
            loss, gradient = _loss(closure()), self._gradient()
            return Trial(t, loss, gradient, gradient @ d)

        if options["line_search_fn"]:
            tolerance = options["tolerance_change"]
            end, count = strong_wolfe(evaluate, start, memory["t"], _largest(d), tolerance, most)
            self._move_to(origin + end.step * d)
            return end, count
        if n < options["max_iter"]:
            return evaluate(memory["t"]), 1
        self._move_to(origin + memory["t"] * d)  # after the last step, nothing depends on the loss there
        return Trial(memory["t"], start.loss, start.gradient, start.slope), 0

    def _gradient(self) -> Array:
        """Return the gradients of all parameters as one vector."""
        members = self.param_groups[0]["params"]
        used = [p.grad if p.requires_grad and p.grad is not None else 0.0 for p in members]
        return np.concatenate([np.ravel(gradient_array(g, p, p.dtype)) for g, p in zip(used, members)])

    def _values(self) -> Array:
        """Return the values of all parameters as one vector."""
        return np.concatenate([np.ravel(value_of(p)) for p in self.param_groups[0]["params"]])

    def _move_to(self, vector: Array) -> None:
        """Set the values of the parameters that require grad, in place."""
        members = self.param_groups[0]["params"]
        parts = np.split(vector, np.cumsum([p.size for p in members[:-1]]))
        self._update({p: part.reshape(p.shape) for p, part in zip(members, parts)})

    @property
    def state(self) -> dict[Parameter, dict[str, Any]]:
        """A copy of the state of all parameters, under the first one, as in PyTorch."""
        return {self.param_groups[0]["params"][0]: plain_memory(self._memory)} if self._memory else {}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore options and state from a `state_dict`, also PyTorch's; after any error, nothing has changed."""
        loaded, states = saved_state.unpack(self, state_dict, check_memory)
        self.param_groups[:] = loaded
        self._memory = next(iter(states.values()), {})


def _loss(result: Any) -> float:
    """Return the result of a closure as a number."""
    value = value_of(result)
    try:
        return float(value if np.ndim(value) == 0 else np.reshape(value, ()))
    except (TypeError, ValueError):
        raise UsageError(
            f"LBFGS: closure must return a single number, got {describe(result)}.",
            "the loss, a node or a number.",
            "return loss at the end of the closure; loss.mean() if it has a shape.",
        ) from None


def _largest(vector: Array) -> Any:
    return np.abs(vector).max(initial=0)
