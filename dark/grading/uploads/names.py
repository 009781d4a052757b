"""The files of a class as they are found, and the unique name of each in the gradebook."""

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from dark.grading.uploads.owners import doubts, stem
from dark.grading.uploads.submission import Submission

SUFFIX = ".ipynb"
LONGEST = 200  # characters of a name; one in a zip may have thousands
DEEP = "It is nested more than one folder deep."


@dataclass(frozen=True)
class Found:
    """A file of the class: its path below the folder, where it is, and why it cannot be graded."""

    parts: tuple[str, ...]  # the folders and the name; a zip counts as a folder
    path: Path  # the file, or the zip that contains it
    fault: str = ""  # why it cannot be graded; empty if it can
    keys: tuple[str, ...] = ()  # where it is in the zip
    entry: str = ""  # the name of the first part as it is there, if that is a zip

    @property
    def top(self):
        """The first part of the path, as it is written: a folder, a file, or a zip."""
        return self.entry or self.parts[0]

    @property
    def is_notebook(self):
        """Whether its name is a notebook's."""
        return self.parts[-1].lower().endswith(SUFFIX)


def named(found: list[Found], owners) -> list[Submission]:
    """Give each file the shortest unique name; the owners are of the notebooks among the files."""
    owners = list(owners)
    pairs = iter(zip(owners, doubts(owners), strict=True))
    alone = Counter(each.parts[0] for each in found if each.is_notebook)
    submissions = []
    for each in found:
        owner, doubt = next(pairs) if each.is_notebook else (None, "")
        is_own_folder = len(each.parts) == 2 or len(each.parts) > 2 and each.keys and each.fault != DEEP
        in_own_folder = each.is_notebook and is_own_folder and alone[each.parts[0]] == 1
        name = owner.name if owner else each.parts[0] if in_own_folder else _long_name(each)
        submissions.append(Submission(name, each.path, each.fault, each.keys, owner, first=stem(each.top), doubt=doubt))
    return _unique(submissions, [_long_name(each) for each in found])


def _unique(submissions, long_names):
    """Replace the names that several have: by name and id of the owner, with the attempt, or else by the path."""
    ids, attempts = defaultdict(set), defaultdict(list)
    for each in submissions:
        if each.owner:
            ids[each.name].add(each.owner.id)
            attempts[each.student].append(each.owner.attempt)
    names = []
    for each in submissions:
        name, numbers = each.name, sorted(set(filter(None, attempts[each.student])))
        if len(ids[name]) > 1 and each.owner:
            name = f"{name} ({each.owner.id})"
        if each.owner and each.owner.attempt in numbers[:-1]:
            name = f"{name}, attempt {1 + numbers.index(each.owner.attempt)}"
        names.append(name)
    taken = Counter(names)
    seen: Counter[str] = Counter()
    unique = []
    for each, short, long in zip(submissions, names, long_names, strict=True):
        name = (short if taken[short] == 1 else long).encode("utf-8", "backslashreplace").decode()
        name = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        seen[name] += 1
        unique.append(replace(each, name=name if seen[name] == 1 else f"{name} ({seen[name]})"))
    return unique


def _long_name(found):
    text = "/".join(found.parts)
    return text[: -len(SUFFIX)] if text.lower().endswith(SUFFIX) else text
