"""Files of PyTorch, which may run any program when they are read: an error says how to read one."""

from os import PathLike
from pathlib import Path

from dark.errors import DrawingError


def error_of_file(path: str | PathLike[str]) -> DrawingError:
    """Return the error for a file of PyTorch, by its contents: weights, a whole network, or nothing."""
    import torch

    path = Path(path)
    if not path.is_file():
        return DrawingError(
            f"draw: there is no file {path.name}.", "a network of PyTorch.", "dark.draw(network, x); check the path"
        )
    try:
        held = torch.load(path, map_location="cpu", weights_only=True)
    except Exception:  # a whole network, an archive of torch.jit, or no file of PyTorch
        load = "torch.export.load(path).module()" if path.suffix == ".pt2" else "torch.load(path, weights_only=False)"
        return DrawingError(
            f"draw: {path.name} is not read, as a file with a network may run any program.",
            "the network itself, with an example input.",
            f"if you trust the file: network = {load}, then dark.draw(network, x)",
        )
    count = len(held) if isinstance(held, dict) else 1
    return DrawingError(
        f"draw: {path.name} holds weights ({type(held).__name__} of {count}), and no network that computes with them.",
        "a network with an example input.",
        f'network.load_state_dict(torch.load("{path.name}")), then dark.draw(network, x)',
    )
