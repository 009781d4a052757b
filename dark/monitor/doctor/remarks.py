"""Remarks of the doctor beside its findings: series that the note lacks, and facts that are good to know."""

from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.names import is_loss, is_validation, rank, said
from dark.monitor.doctor.thresholds import limit

ATTACH = "note.attach(trainer, Events.ITERATION_COMPLETED(every=20), monitor)"


def missing_evidence(run: NotedRun) -> list[str]:
    """Return a sentence for each kind of series that is not in the note."""
    found = [f"damaged: {text}" for text in getattr(run.note, "damage", ())]
    need_not_fall = run.is_adversarial or run.is_reinforced
    terms = [name for name in run.scalars if is_loss(name) and not is_validation(name)]
    once = [name for name in terms if rank(name) is not None]  # the loss, but not over time
    if run.training_loss is None and once and not need_not_fall:
        found.append(f"{once[0]!r} has too few values ({len(run.curve(once[0]))}): note it more often.")
    elif run.training_loss is None and terms and not need_not_fall:
        found.append(f"the loss was not noted, only terms of one ({_listed(terms)}): note their sum as 'loss'.")
    elif run.training_loss is None and not need_not_fall:
        found.append("the training loss was not noted: note it as 'loss', and the rules of learning work.")
    elif run.training_loss is not None and len(run.training_loss) < limit("notes"):
        found.append(f"the training loss has only {len(run.training_loss)} finite values: note more often.")
    if run.validation_loss is None and run.validation_accuracy is None and not need_not_fall:
        found.append("no validation was noted: note 'loss/validation' or 'accuracy/validation'.")
    if run.has_only_histograms:
        found.append(
            "arrays were noted as histograms only, so that single inputs and units are not seen, as for leaks, "
            'symmetry and some dead units: Monitor(network, detail="full").'
        )
    elif not run.tensor_family("weights"):
        found.append(f"weights were not noted: attach a Monitor, {ATTACH}.")
    if not run.family("gradient_norm"):
        found.append("gradients were not noted: attach a Monitor with export_weight_grads=True.")
    if not run.family("update_ratio"):
        found.append(f"update ratios were not noted: attach a Monitor to the trainer, and {ATTACH}.")
    has_units = bool(run.family("dead") or run.family("saturated"))
    if not (has_units or run.tensor_family("activations") or run.has_only_histograms):
        found.append("activations were not noted: attach a Monitor with monitor_activations=True.")
    elif not has_units and len(run.weights) > 1:
        found.append(
            "no activation function was seen as a module with bounds, such as ReLU or Tanh: units of functions, as in "
            "relu(x), are found dead only by gradients that are exactly 0; use nn.ReLU()."
        )
    return found


def information(run: NotedRun) -> list[str]:
    """Return sentences about facts that are good to know, and no problems."""
    found = []
    candidates = run.candidates(is_loss)
    if len({said(curve.name) for curve in candidates}) > 1:
        names = _listed([curve.name for curve in candidates])
        found.append(f"several series may be the loss ({names}): '{candidates[0].name}' was taken; note it as 'loss'.")
    elif candidates and candidates[0].name != "loss":
        found.append(f"'{candidates[0].name}' was taken as the training loss.")
    if run.training_accuracy is not None and run.training_accuracy.unit != 1:
        found.append(f"{run.training_accuracy.name} was read in percent.")
    if run.is_reinforced:
        found.append("a reward is noted: the loss of a policy need not fall, and is not judged.")
    if run.knew_before is not None:
        found.append(f"the network was trained before: {run.knew_before}. A loss that stays is no fault then.")
    kept = [path for path in run.kept if path in run.tensor_family("weights") or path in run.family("weight_norm")]
    if kept:
        verb = "requires" if len(kept) == 1 else "require"
        found.append(
            f"{_listed(sorted(kept))} {verb} no gradient, and so do not change: on purpose, as in fine-tuning."
        )
    return found


def _listed(names, most=4):
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
