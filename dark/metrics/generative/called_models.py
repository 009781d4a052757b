"""Call the networks that a metric is given: in evaluation mode, with the result as an array."""

from dark.descriptions import describe
from dark.errors import ShapeError, ValueTypeError
from dark.metrics.outputs import as_array


def checked_model(model, who, name):
    """Return a model if it can be called."""
    if not callable(model):
        problem = f"{who}: {name} must be callable, got {describe(model)}."
        raise ValueTypeError(problem, "a network, or a function of a batch.", f"{name}=network, or {name}=lambda x: …")
    return model


def call(model, x):
    """Return the output of a model for a batch as an array; a network is called in evaluation mode."""
    modules = list(model.modules()) if hasattr(model, "modules") and hasattr(model, "eval") else []
    modes = [module.training for module in modules]
    try:
        if modules:
            model.eval()
        return as_array(model(x))
    finally:
        for module, mode in zip(modules, modes):
            module.training = mode


def check_class_scores(who, scores, size):
    """Raise unless the output of a classifier for a batch of a size is an array (batch, classes)."""
    if scores.ndim != 2 or len(scores) != size or not scores.shape[1]:
        problem = f"{who}: the classifier must return a row for each of {size} samples, got shape {scores.shape}."
        raise ShapeError(problem, f"an array (batch, classes): {size} rows.", "print the shape of classifier(x).")
