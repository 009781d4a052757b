"""List the evidence that a note lacks, and how to note it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dark.monitor.doctor.thresholds import limit

if TYPE_CHECKING:
    from dark.monitor.doctor.evidence import NotedRun

ATTACH = "note.attach(trainer, Events.ITERATION_COMPLETED(every=20), monitor)"


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
