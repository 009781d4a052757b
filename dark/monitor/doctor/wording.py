"""Advice in the words of the framework in which a network is written: `dark`, PyTorch, or any other."""

WORDS = (  # of the rules; for PyTorch; where only arrays were given
    ("dark.optim.clip_grad_norm(parameters, 1.0)", "torch.nn.utils.clip_grad_norm_(parameters, 1.0)", "to a norm of 1"),
    ("dark.anomaly()", "torch.autograd.detect_anomaly()", "a check for NaN"),
    (
        "dark.handlers.EarlyStopping",
        "keep the state_dict() of the best validation",
        "keep the weights of the best validation",
    ),
    ("dark.data.Standardize", "(x - mean) / std, of the training set", "(x - mean) / std, of the training set"),
    ("dark.nn.init", "torch.nn.init", "the usual scale"),
    ("the layers of dark.nn", "the layers of torch.nn", "layers usually"),
    ("detach(), no_grad() and .value", "detach(), torch.no_grad(), .data and .item()", "what stops gradients"),
    ("Optimizer(network.parameters())", "torch.optim.Adam(network.parameters())", "all of the network"),
    (
        "note.attach(trainer, Events.ITERATION_COMPLETED(every=20), monitor)",
        "Monitor(network).attach(optimizer, note=note)",
        "monitor.record(step, weights=…, gradients=…, updates=…)",
    ),
)  # fmt: skip
COLUMNS = {"torch": 1, "arrays": 2}


def worded(text: str, framework: str) -> str:
    """Return a sentence in the words of a framework, "" for `dark`.

    >>> worded("clip the gradients: dark.optim.clip_grad_norm(parameters, 1.0)", "torch")
    'clip the gradients: torch.nn.utils.clip_grad_norm_(parameters, 1.0)'
    """
    column = COLUMNS.get(framework)
    if column is not None:
        for words in WORDS:
            text = text.replace(words[0], words[column])
    return text
