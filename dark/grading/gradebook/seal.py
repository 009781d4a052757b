"""Seals: a record that someone else has written or changed is not taken over by a later run.

The key is a file in the grader's home folder, which a confined submission can neither read nor write.
"""

import hashlib
import hmac
import json
import os
import secrets
from functools import partial
from pathlib import Path

from dark.atomic_write import replace_file
from dark.errors import CourseError, StorageError

KEY_BYTES = 32


def state_folder(environ=os.environ) -> Path:
    """Return the folder of the files that grading keeps between batches."""
    return Path(environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state", "dark")


def read_key(path=None) -> bytes:
    """Read the key in a file; make one, readable by this user only, if it is missing or damaged."""
    path = Path(path or state_folder() / "grading.key")
    try:
        if not path.is_file() or path.stat().st_size != KEY_BYTES:
            _make_key(path)
        return path.read_bytes()
    except (OSError, StorageError) as error:
        raise CourseError(
            f"{path}: the key that seals the records cannot be read or written ({error}).",
            "a file that this user can read, in a folder where this user can write.",
            "check the mode of the file and its folder, or set XDG_STATE_HOME to another folder.",
        ) from error


def _make_key(path):
    private = partial(os.open, mode=0o600)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replace_file(path) as part, open(part, "xb", opener=private) as file:
        file.write(secrets.token_bytes(KEY_BYTES))


def seal(record: dict, key: bytes) -> str:
    """Return the seal of a record: a keyed hash of all its other entries."""
    content = json.dumps({name: value for name, value in record.items() if name != "seal"}, sort_keys=True)
    return hmac.new(key, content.encode(), hashlib.sha256).hexdigest()


def is_sealed(record, key):
    """Return whether a record has the seal of this key."""
    return hmac.compare_digest(str(record.get("seal", "")), seal(record, key))
