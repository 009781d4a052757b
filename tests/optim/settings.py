"""Random settings of every optimizer, and the same steps with dark and with PyTorch."""

import numpy as np
from hypothesis import strategies as st

import dark

SHAPES = [(3, 2), (4,), (), (2, 1, 2)]
rates = st.sampled_from([1e-3, 0.01, 0.1])
decays = st.sampled_from([0, 1e-3, 0.1])
fractions = st.floats(0, 0.999)
memories = st.floats(0.1, 0.99)  # of squares; without any, a gradient near 0 divides, and rounding decides
small = st.sampled_from([1e-10, 1e-8, 1e-3])
truth = st.booleans()

SETTINGS = {
    "SGD": st.fixed_dictionaries(
        {},
        optional={
            "lr": rates, "momentum": fractions, "dampening": fractions, "weight_decay": decays, "maximize": truth,
        },
    ),
    "Adam": st.fixed_dictionaries(
        {},
        optional={
            "lr": rates, "betas": st.tuples(fractions, memories), "eps": small, "weight_decay": decays,
            "amsgrad": truth, "maximize": truth,
        },
    ),
    "RMSprop": st.fixed_dictionaries(
        {},
        optional={
            "lr": rates, "alpha": memories, "eps": small, "weight_decay": decays,
            "momentum": fractions, "centered": truth, "maximize": truth,
        },
    ),
    "Adagrad": st.fixed_dictionaries(
        {},
        optional={
            "lr": rates, "lr_decay": decays, "weight_decay": decays, "eps": small,
            "initial_accumulator_value": st.sampled_from([0, 0.1]), "maximize": truth,
        },
    ),
}  # fmt: skip
SETTINGS["AdamW"] = SETTINGS["Adam"]
of_adam = {
    "lr": rates, "betas": st.tuples(fractions, memories), "eps": small, "weight_decay": decays, "maximize": truth,
    "decoupled_weight_decay": truth,
}  # fmt: skip
SETTINGS["NAdam"] = st.fixed_dictionaries({}, optional={**of_adam, "momentum_decay": decays})
SETTINGS["RAdam"] = st.fixed_dictionaries({}, optional=of_adam)
every = st.sampled_from(sorted(SETTINGS)).flatmap(lambda name: st.tuples(st.just(name), SETTINGS[name]))


def parameters(seed=0, dtype=float, shapes=SHAPES):
    """Make parameters of a few shapes; the 0-d one is a Python float."""
    rng = np.random.default_rng(seed)
    return [dark.Parameter(rng.normal(size=shape).astype(dtype) if shape else float(rng.normal())) for shape in shapes]


def walk(optimizers, members, *, steps=60, seed=0, skip=0.2):
    """Give the parameters of each optimizer the same random gradients, some of them None, and step."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        for k in range(len(members[0])):
            is_skipped, g = rng.random() < skip, rng.normal(size=members[0][k].shape)
            for own in members:
                give(own[k], None if is_skipped else g)
        for optimizer in optimizers:
            optimizer.step()


def give(p, g):
    """Set a gradient, of a Parameter or a tensor: the drawn one plus half the value."""
    if g is None:
        p.grad = None
    elif isinstance(p, dark.Parameter):
        p.grad = g.astype(p.dtype) + 0.5 * p.value if p.ndim else float(g) + 0.5 * p.value
    else:
        p.grad = p.detach().new_tensor(g) + 0.5 * p.detach()


def values(members):
    """Return all values as one vector."""
    return np.concatenate([np.ravel(p.value) for p in members])
