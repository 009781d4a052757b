"""Settings of JupyterLab for a notebook, made before it is opened: the language of its kernel, and its trust.

Without the language, a notebook counts as changed as soon as it is opened; without the trust, sliders are pictures.
"""

import platform
from contextlib import contextmanager, suppress

from dark.course.lessons.notebook_files import notebook_text, read_notebook, save_file
from dark.errors import CourseError

__all__ = ["prepare", "trusted"]

LANGUAGE = {  # as ipykernel says it
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
    "version": platform.python_version(),
}


def trusted(paths):
    """Select the notebooks that the user's Jupyter trusts."""
    with _notary() as notary:
        return {path for path in paths if _is_notebook(path) and notary.check_signature(_parsed(path))}


def prepare(path):
    """Set the language of a notebook of the course, and sign it as trusted; leave any other file as it is."""
    if _is_notebook(path):
        notebook = read_notebook(path)
        metadata = {**notebook["metadata"], "language_info": LANGUAGE}
        save_file(path, notebook_text({**notebook, "metadata": metadata}))
        with _notary() as notary:
            notary.sign(_parsed(path))


def _is_notebook(path):
    with suppress(CourseError):
        return bool(read_notebook(path))
    return False


@contextmanager
def _notary():
    """Provide the notary that signs notebooks, and close its database."""
    from nbformat.sign import NotebookNotary  # only in the extra 'lab'

    notary = NotebookNotary()
    try:
        yield notary
    finally:
        notary.store.close()


def _parsed(path):
    import nbformat

    return nbformat.read(path, as_version=4)
