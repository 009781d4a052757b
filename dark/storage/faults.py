"""The errors of files that cannot be read."""

from contextlib import contextmanager

from dark.errors import StorageError

SHOWN = 5  # names in a message
INVALID = (KeyError, TypeError, ValueError, AttributeError, RecursionError)  # from reading what violates a format


@contextmanager
def invalid_is_corrupt(path, part):
    """Turn errors of code that reads an invalid part of a file, "header" or "content", into errors of corruption."""
    try:
        yield
    except StorageError:
        raise
    except INVALID as error:
        raise corrupt(path, f"its {part} is invalid ({type(error).__name__}: {error})") from None


def wrong_format(path):
    """Return the error for a file of another format."""
    return StorageError(
        f"{path} was not written by dark.save, or its header is corrupt.",
        "an intact file written by dark.save, or a safetensors file of another program.",
        "another copy of the file; load(path, foreign=True) reports the fault of a file of another program.",
    )


def corrupt(path, why):
    """Return the error for a corrupt file."""
    return StorageError(
        f"{path} is corrupt: {why}.",
        "an intact file, as dark.save or another program wrote it.",
        "another copy of the file.",
    )


def unsupported(path, types, others):
    """Return the error for arrays whose types NumPy does not have."""
    found = _listed([f"{name!r} ({kind})" for name, kind in types.items()])
    names = _listed([repr(name) for name in others])
    by_name = f"load(path, foreign=True, names=[{names}])" if others else ""
    return StorageError(
        f"{path}: the type of {found} is not supported.",
        "arrays of bools, integers, and floats of 16, 32 or 64 bits.",
        f"{by_name}, or dict(file) of dark.storage.open_file, for the others."
        if others
        else "convert the file to F32 with the program that wrote it.",
    )


def _listed(words):
    shown = ", ".join(words[:SHOWN])
    return shown if len(words) <= SHOWN else f"{shown}, … ({len(words) - SHOWN} more)"
