"""Random settings of the schedulers that follow a formula, and optimizers for them, in dark and in PyTorch."""

import pytest
from hypothesis import strategies as st

import dark

factors = st.floats(0.1, 1)
counts = st.integers(1, 12)
share = st.floats(0.15, 0.85)


class Decay:
    """A callable object, whose attributes are part of a saved state."""

    def __init__(self, rate=0.9):
        self.rate = rate

    def __call__(self, epoch):
        return self.rate**epoch


functions = st.sampled_from([lambda epoch: 0.95**epoch, lambda epoch: 1 / (1 + epoch), Decay()])
of_epoch = st.fixed_dictionaries({"lr_lambda": functions | st.tuples(functions, functions).map(list)})
SETTINGS = {
    "StepLR": st.fixed_dictionaries({"step_size": counts}, optional={"gamma": factors}),
    "MultiStepLR": st.fixed_dictionaries({"milestones": st.lists(st.integers(0, 50))}, optional={"gamma": factors}),
    "ExponentialLR": st.fixed_dictionaries({"gamma": factors}),
    "LinearLR": st.fixed_dictionaries(
        {}, optional={"start_factor": factors, "end_factor": factors, "total_iters": counts}
    ),
    "CosineAnnealingLR": st.fixed_dictionaries({"T_max": counts}, optional={"eta_min": st.floats(0, 0.005)}),
    "ConstantLR": st.fixed_dictionaries({}, optional={"factor": factors, "total_iters": counts}),
    "PolynomialLR": st.fixed_dictionaries({}, optional={"total_iters": counts, "power": st.floats(0, 3)}),
    "LambdaLR": of_epoch,
    "MultiplicativeLR": of_epoch,
    "CosineAnnealingWarmRestarts": st.fixed_dictionaries(
        {"T_0": counts}, optional={"T_mult": st.integers(1, 3), "eta_min": st.floats(0, 0.005)}
    ),
    "CyclicLR": st.fixed_dictionaries(
        {"base_lr": st.sampled_from([0.01, [0.01, 0.02]]), "max_lr": st.sampled_from([0.1, [0.1, 0.5]])},
        optional={
            "step_size_up": counts, "step_size_down": counts, "gamma": st.floats(0.9, 1),
            "mode": st.sampled_from(["triangular", "triangular2", "exp_range"]),
            "scale_fn": functions, "scale_mode": st.sampled_from(["cycle", "iterations"]),
            "cycle_momentum": st.booleans(), "base_momentum": share,
            "max_momentum": st.lists(share, min_size=2, max_size=2),
        },
    ),
    "OneCycleLR": st.fixed_dictionaries(
        {"max_lr": st.sampled_from([0.1, [0.1, 0.5]]), "total_steps": st.just(60)},
        optional={
            "pct_start": share, "anneal_strategy": st.sampled_from(["cos", "linear"]), "three_phase": st.booleans(),
            "cycle_momentum": st.booleans(), "base_momentum": share, "max_momentum": share,
            "div_factor": st.floats(1, 30), "final_div_factor": st.floats(1, 1e4),
        },
    ),
}  # fmt: skip
every = st.sampled_from(sorted(SETTINGS)).flatmap(lambda name: st.tuples(st.just(name), SETTINGS[name]))


def optimizer(kind="SGD", optim=dark.optim, make=dark.Parameter):
    """Make an optimizer of two groups, with rates 0.1 and 0.01."""
    options = {"momentum": 0.9} if kind == "SGD" else {}
    return getattr(optim, kind)([{"params": [make(1.0)]}, {"params": [make(2.0)], "lr": 0.01}], lr=0.1, **options)


def theirs(kind="SGD"):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    made = optimizer(kind, torch.optim, lambda x: torch.nn.Parameter(torch.tensor(x)))
    return torch.optim.lr_scheduler, made


def options(made):
    return [v for g in made.param_groups for name in ("lr", "betas", "momentum") for v in _list(g.get(name, 0))]


def _list(x):
    return list(x) if isinstance(x, tuple) else [x]
