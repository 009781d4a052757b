"""`diagnose`: read the note of a run, apply all rules, and drop findings that are only consequences."""

import os
from pathlib import Path

import numpy as np

from dark.checks import describe
from dark.errors import ValueTypeError
from dark.monitor.doctor.diagnosis import Diagnosis, Finding
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.rules import RULES
from dark.monitor.doctor.thresholds import limit
from dark.monitor.notes.note import Note

KINDS = tuple(RULES)
LARGE = {"not finite", "learning rate too large", "exploding gradients"}
STUCK = {"dead units", "saturation", "symmetry", "vanishing gradients", "learning rate too small", "shrinking weights"}
CAUSES = {  # a finding, and those that explain it: it is dropped beside one of them
    "no learning": {*STUCK, *LARGE, "frozen parameters", "collapse"},
    "collapse": {*STUCK, "not finite", "frozen parameters"},
    "overfitting": LARGE,
    "learning rate too small": {"dead units", "symmetry", "shrinking weights", *LARGE},
    "frozen parameters": {"learning rate too small"},  # steps that rounding swallows
    "vanishing gradients": {"dead units", "shrinking weights"},
    "leak": {"not finite", "symmetry"},
    "gradient noise": {"not finite", "exploding gradients"},
}  # fmt: skip
ATTACH = "note.attach(trainer, Events.ITERATION_COMPLETED(every=20), monitor)"


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
    dead units (confidence: medium): 95% of the units of relu1 are never active, from the beginning.
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
    return Diagnosis(Path(note.folder).name, tuple(findings(noted)), tuple(missing_evidence(noted)))


def findings(run: NotedRun) -> list[Finding]:
    """Return the findings of all rules about a run, causes first, without mere consequences."""
    with np.errstate(all="ignore"):  # what has exploded overflows in norms, too
        found = {kind: finding for kind, rule in RULES.items() if (finding := rule(run)) is not None}
    return [finding for kind, finding in found.items() if not CAUSES.get(kind, set()) & found.keys()]


def missing_evidence(run: NotedRun) -> list[str]:
    """Return a sentence for each kind of series that is not in the note."""
    found = [f"damaged: {text}" for text in getattr(run.note, "damage", ())]
    if run.training_loss is None and not run.is_adversarial:
        found.append("the training loss was not noted: note it as 'loss', and the rules of learning work.")
    elif run.training_loss is not None and len(run.training_loss) < limit("notes"):
        found.append(f"the training loss has only {len(run.training_loss)} finite values: note more often.")
    if run.validation_loss is None and run.validation_accuracy is None and not run.is_adversarial:
        found.append("no validation was noted: note 'loss/validation' or 'accuracy/validation'.")
    if not run.tensor_family("weights"):
        found.append(f"weights were not noted: attach a Monitor, {ATTACH}.")
    if not run.family("gradient_norm"):
        found.append("gradients were not noted: attach a Monitor with export_weight_grads=True.")
    if not run.family("update_ratio"):
        found.append(f"update ratios were not noted: attach a Monitor to the trainer, and {ATTACH}.")
    if not (run.family("dead") or run.family("saturated") or run.tensor_family("activations")):
        found.append("activations were not noted: attach a Monitor with monitor_activations=True.")
    return found
