"""Posterior collapse: the code of a variational autoencoder is the prior for every input, without information."""

import numpy as np

from dark.monitor.doctor.diagnosis import Evidence, Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.names import is_loss, is_validation, words
from dark.monitor.doctor.thresholds import confidence, limit

DIVERGENCES, ERRORS = {"kl", "kld", "divergence"}, {"recon", "reconstruction", "rec", "reconst", "elbo", "nelbo"}


def code_collapse(run: NotedRun) -> Finding | None:
    """Find codes whose divergence from the prior is almost 0, by the noted term of the loss, or by the activations."""
    found = _of_term(run) or _of_layers(run)
    if found is None:
        return None
    divergence, seen, where = found
    summary = (
        f"posterior collapse: the divergence of the code from its prior is {divergence:.2g} nats, so that it has no "
        "information about the input, and the decoder gives the same output for every input."
    )
    return Finding(
        "collapse", summary, seen,
        ("a smaller weight of the divergence in the loss, or one that grows from 0 over the first epochs",
         "see that the error is summed over the inputs as the divergence is over the code: means weigh it less",
         "free bits: count the divergence of a dimension only above a minimum such as 0.1"),
        where, confidence(divergence, "no information"),
    )  # fmt: skip


def _of_term(run):
    """Return the divergence by a noted term beside an error of reconstruction: alone, it may be of distillation."""
    names = [name for name in run.scalars if is_loss(name) or set(words(name)) & DIVERGENCES]
    curves = {name: curve for name in names if len(curve := run.curve(name)) >= limit("notes")}
    terms = [curve for name, curve in curves.items() if set(words(name)) & DIVERGENCES and not is_validation(name)]
    has_error = any(set(words(name)) & ERRORS for name in curves)
    if not has_error or not terms or any(abs(curve.end) >= limit("no information") for curve in terms):
        return None
    curve = terms[0]
    return max(curve.end, 0.0), (curve.first(), curve.last()), ()


def _of_layers(run):
    """Return the divergence by the outputs of two layers, the mean and the logarithm of the variance of a code.

    They are two layers of the same shape after each other, of fewer or more units than inputs, so that none feeds the
    other; the next layer has as many inputs as they have units.
    """
    weights = list(run.weights.items())
    for (path, a), (other, b), (_, after) in zip(weights, weights[1:], weights[2:]):
        is_pair = tuple(a.shape) == tuple(b.shape) and len(a.shape) == 2 and a.shape[0] != a.shape[1]
        if not is_pair or len(after.shape) != 2 or after.shape[1] != a.shape[0]:
            continue
        layers = [weight.rpartition(".")[0] for weight in (path, other)]
        series = [run.tensor_family("activations_abs").get(layer) for layer in layers]
        ends = [found[-1] for s in series if s is not None and (found := run.arrays(s)[-1:])]
        if len(ends) < 2 or len(series[0]) < limit("notes"):
            continue
        mean, spread = (array.astype(float) for array in ends)
        divergence = float(0.5 * np.sum(mean**2 + 0.5 * spread**2))  # near the prior, to second order
        if divergence < limit("no information"):
            seen = [_evidence(layer, s, end) for layer, s, end in zip(layers, series, ends)]
            return divergence, tuple(seen), tuple(layers)
    return None


def _evidence(layer, series, array):
    size = float(np.abs(array).max())
    return Evidence(f"activations_abs/{layer}", int(series.steps[-1]), size, f"at most {size:.2g} in the mean: near 0")
