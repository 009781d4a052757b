"""Compare two notebooks and describe the first difference."""

import json
import re
from difflib import unified_diff

from dark.course.lessons.notebook_files import notebook_text

_DIFF_LINES = 8
_PICTURE = re.compile(r"data:image/[a-z+]+;base64,[A-Za-z0-9+/=]+")


def first_difference(committed, printed):
    """Describe the first difference of a generated notebook, other than within pictures; None without one."""
    committed, printed = (_plain(notebook) for notebook in (committed, printed))
    pairs = zip(committed["cells"], printed["cells"], strict=False)
    for number, (old, new) in enumerate(pairs, 1):
        for key in ("id", *sorted(old.keys() | new.keys())):
            if old.get(key) != new.get(key):
                return f"cell {number} ({new['id']}): its {key} differs" + _diff(old.get(key), new.get(key))
    if len(committed["cells"]) != len(printed["cells"]):
        return f"it has {len(committed['cells'])} cells, expected {len(printed['cells'])}"
    for key in sorted(committed.keys() | printed.keys()):
        if committed.get(key) != printed.get(key):
            return f"its {key} differs" + _diff(committed.get(key), printed.get(key))
    return None


def _plain(notebook):
    """Normalize a notebook as in the file, with pictures that depend on fonts replaced by a placeholder."""
    plain = json.loads(notebook_text(notebook))
    for cell in plain["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            for kind in [kind for kind in data if kind in ("image/png", "image/jpeg")]:
                data[kind] = bool(data[kind])
            if "text/html" in data:
                data["text/html"] = _PICTURE.sub("data:image", "".join(data["text/html"]))
    return plain


def _diff(old, new):
    before, after = (json.dumps(value, indent=1, ensure_ascii=False).splitlines() for value in (old, new))
    changed = [line for line in unified_diff(before, after, n=0, lineterm="") if line[:2] not in ("--", "++", "@@")]
    return "".join(f"\n    {line[:120]}" for line in changed[:_DIFF_LINES])
