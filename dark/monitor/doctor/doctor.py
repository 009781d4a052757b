"""`diagnose`: read the note of a run, apply all rules, and drop findings that are only consequences."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np

from dark.checks import describe
from dark.errors import ValueTypeError
from dark.monitor.doctor.diagnosis import CONFIDENCES, Diagnosis, Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.remarks import information, missing_evidence
from dark.monitor.doctor.rules import RULES
from dark.monitor.doctor.wording import worded
from dark.monitor.notes.note import Note

KINDS = tuple(RULES)
LARGE = {"not finite", "learning rate too large", "exploding gradients"}
STUCK = {"dead units", "saturation", "symmetry", "vanishing gradients", "learning rate too small", "shrinking weights"}
CAUSES = {  # a finding, and those that explain it: it is dropped beside one of them
    "no learning": {*STUCK, *LARGE, "frozen parameters", "collapse"},
    "collapse": {*STUCK, "not finite", "frozen parameters"},
    "rising loss": {*LARGE, "shrinking weights", "adversarial imbalance"},
    "oscillating loss": LARGE,
    "validation above training": {"frozen parameters"},
    "overfitting": LARGE,
    "learning rate too small": {"dead units", "symmetry", "shrinking weights", *LARGE},
    "frozen parameters": {"learning rate too small"},  # steps that rounding swallows
    "vanishing gradients": {"dead units", "shrinking weights", "gradient noise"},
    "leak": {"not finite", "symmetry"},
    "gradient noise": {*LARGE, "rising loss", "oscillating loss", "shrinking weights", "dead units", "saturation"},
}  # fmt: skip


def diagnose(run: str | os.PathLike[str] | Note) -> Diagnosis:
    """Diagnose a run: describe each problem, its evidence, and what to try.

    The run is a folder, which may still be written, a file that `Note.save` wrote, or a `Note`; `print` shows the
    result.

    Notes
    -----
    Each rule is a function of `dark.monitor.doctor.rules`; `THRESHOLDS` lists their thresholds with reasons. What only
    follows from another finding is left out. A training without findings may still be sick: the rules see what is
    noted, and `missing` says what is not.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Note(f"{folder}/first") as note:
    ...         for step in range(1, 11):
    ...             note.take_down_scalars_and_tensors(step, {"loss": 2.3, "dead/relu1": 0.95})
    ...     diagnosis = diagnose(f"{folder}/first")
    >>> diagnosis.kinds, diagnosis.is_healthy
    (('dead units',), False)
    >>> print(diagnosis.findings[0])
    dead units (confidence: high): 95% of the units of relu1 are never active, from the beginning.
      seen: dead/relu1 at step 10: 95% of the units
      try: biases that begin at 0, initial weights of dark.nn.init, standardized inputs
      try: LeakyReLU or GELU, whose gradient is not zero below zero
      try: a normalization layer before the activation function
    """
    if isinstance(run, (str, os.PathLike)):
        note = Note.load(run)
    elif isinstance(run, Note):
        note = run
    else:
        message = f"diagnose: the run must be a folder or a Note, got {describe(run)}."
        raise ValueTypeError(message, "the folder of a run, or a Note.", "Note.load(folder)")
    noted = NotedRun(note)
    missing = tuple(worded(text, note.framework) for text in missing_evidence(noted))
    return Diagnosis(Path(note.folder).name, tuple(findings(noted)), missing, tuple(information(noted)))


def findings(run: NotedRun) -> list[Finding]:
    """Return the findings of all rules about a run, causes first, without mere consequences."""
    with np.errstate(all="ignore"):  # what has exploded overflows in norms, too
        found = {kind: finding for kind, rule in RULES.items() if (finding := rule(run)) is not None}
    causes = [finding for finding in found.values() if not _is_consequence(finding, found)]
    framework = getattr(run.note, "framework", "")
    return [replace(cause, advice=tuple(worded(text, framework) for text in cause.advice)) for cause in causes]


def _is_consequence(finding, found):
    """Return whether a finding follows from another one; a collapse only if the doctor is as sure of its cause."""
    causes = [found[kind] for kind in CAUSES.get(finding.kind, ()) if kind in found]
    if finding.kind != "collapse":
        return bool(causes)
    return any(CONFIDENCES.index(cause.confidence) <= CONFIDENCES.index(finding.confidence) for cause in causes)
