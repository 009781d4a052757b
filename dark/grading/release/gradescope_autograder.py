"""A release as an autograder of Gradescope: a zip with the course and two scripts, which grades by `dark grade` there.

The zip holds the solutions: it is for Gradescope alone. What Gradescope runs is `dark.cli.autograder`.
"""

import io
import platform
import re
import tomllib
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from dark.course.lessons.library import repository_root
from dark.grading.batch.locked_folders import PARTS
from dark.grading.release.terms import FILE

ZIP, CLASS = "autograder.zip", "class"
COURSE = ("dark/**/*", "solutions/*.ipynb", "tests/exams/**/*", "pyproject.toml", "book/*.md")  # of the repository
OPTIONAL = ("pygments",)  # which colors code on the pages
NOT_GRADED_BY = ("__pycache__", "equal_mutants", "mutants")
MODIFIED = (2026, 1, 1, 0, 0, 0)  # of all files, so that the same release is the same zip
SETUP = """\
#!/usr/bin/env bash
# Run once by Gradescope, which makes an image: Python {python} with what the course needs, and what confines answers.
set -e
apt-get update
apt-get install -y --no-install-recommends ca-certificates curl libseccomp2
curl -LsSf https://astral.sh/uv/install.sh | env UV_INSTALL_DIR=/usr/local/bin sh
export UV_PYTHON_INSTALL_DIR=/opt/python
uv venv --python {python} /autograder/python
uv pip install --python /autograder/python/bin/python -r /autograder/source/requirements.txt
"""
RUN = """\
#!/usr/bin/env bash
# Run by Gradescope for each submission.
# Where the kernel of Gradescope has no Landlock, nothing is graded, and the output says so. With the level `limits`
# it is graded all the same, and a submission may read the answers in this zip.
level=files
root="${AUTOGRADER:-/autograder}"
export PYTHONPATH="$root/source/course"
exec "${AUTOGRADER_PYTHON:-$root/python/bin/python}" -m dark.cli.autograder "$root" "$level"
"""


def autograder_zip(terms, private=None) -> bytes:
    """Return the content of the zip that is uploaded to Gradescope; `private` is a teacher's folder of questions."""
    root = repository_root()
    python = ".".join(platform.python_version_tuple()[:2])
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "setup.sh", SETUP.format(python=python), 0o755)
        _add(archive, "run_autograder", RUN, 0o755)
        _add(archive, FILE, terms.text)
        _add(archive, "requirements.txt", _requirements(root))
        for path in _course_files(root):
            _add(archive, f"course/{path.relative_to(root).as_posix()}", path.read_bytes())
        for path in _files(Path(private), [f"{part}/**/*" for part in PARTS]) if private else ():
            _add(archive, f"exam/{path.relative_to(private).as_posix()}", path.read_bytes())
    return content.getvalue()


def _add(archive, name, content, mode=0o644):
    info = zipfile.ZipInfo(name, MODIFIED)
    info.external_attr, info.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
    archive.writestr(info, content)


def _course_files(root):
    return [path for path in _files(root, COURSE) if not path.name.endswith((".pyc", ".js.map"))]


def _files(folder, patterns):
    found = {path for pattern in patterns for path in folder.glob(pattern) if path.is_file()}
    return sorted(path for path in found if not set(path.relative_to(folder).parts) & set(NOT_GRADED_BY))


def _requirements(root):
    """Return the requirements of the course, in the versions that are installed here: they grade alike."""
    wanted = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    return "".join(f"{_pinned(each)}\n" for each in [*wanted, *OPTIONAL])


def _pinned(requirement):
    """Return a requirement with the installed version.

    >>> _pinned("no-such-package[extra]>=1")
    'no-such-package[extra]>=1'
    """
    name, extra = re.findall(r"^([\w.-]+)(\[.*\])?", requirement)[0]
    try:
        return f"{name}{extra}=={version(name)}"
    except PackageNotFoundError:
        return requirement
