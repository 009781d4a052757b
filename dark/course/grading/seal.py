"""Seals: a record that somebody else has written or changed is not taken over by a later run.

The key is a file in the grader's home folder, which a confined submission can neither read nor write.
"""

import hashlib
import hmac
import json
import os
import secrets
from pathlib import Path

KEY_BYTES = 32


def key_path(environ=os.environ):
    """Return the file of the key.

    Parameters
    ----------
    environ : mapping, optional
        The environment variables.

    Returns
    -------
    pathlib.Path

    Examples
    --------
    >>> key_path({"XDG_STATE_HOME": "/state"}).as_posix()
    '/state/dark/grading.key'
    """
    state = environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state, "dark", "grading.key")


def read_key(path=None):
    """Read the key; make one, readable by this user only, if there is none yet.

    Parameters
    ----------
    path : path, optional
        The file; by default `key_path()`.

    Returns
    -------
    bytes

    Raises
    ------
    OSError
        If the file can be neither read nor written.
    """
    path = Path(path or key_path())
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(secrets.token_bytes(KEY_BYTES))
    except FileExistsError:
        pass
    return path.read_bytes()


def seal(record, key):
    """Return the seal of a record: a keyed hash of all its other entries.

    Parameters
    ----------
    record : dict
        Plain data.
    key : bytes
        As `read_key` returns it.

    Returns
    -------
    str

    Examples
    --------
    >>> seal({"earned": 3}, b"key") == seal({"earned": 3, "seal": "old"}, b"key")
    True
    """
    content = json.dumps({name: value for name, value in record.items() if name != "seal"}, sort_keys=True)
    return hmac.new(key, content.encode(), hashlib.sha256).hexdigest()


def is_sealed(record, key):
    """Return whether a record has the seal of this key."""
    return hmac.compare_digest(str(record.get("seal", "")), seal(record, key))
