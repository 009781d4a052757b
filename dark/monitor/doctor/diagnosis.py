"""`Diagnosis`: the problems of a run, each with its evidence and what to try."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Evidence:
    """A value of a series that a finding rests on, in words, too; the step is None if it is of the whole series."""

    series: str
    step: int | None
    value: float | None
    text: str

    def __str__(self) -> str:
        place = "" if self.step is None else f" at step {self.step}"
        return f"{self.series}{place}: {self.text}"


CONFIDENCES = ("high", "medium", "low")


@dataclass(frozen=True)
class Finding:
    """A problem of a run, with its evidence and what to try.

    `kind` is the name of the fault, such as "dead units" (`KINDS` lists all), `summary` a sentence; the most promising
    advice comes first; `where` has the modules or parameters, by path, and is empty if it is the whole training.

    `confidence` is "high" if the note has the fault itself (a NaN, gradients that are 0), or a value that is at least
    twice its threshold; "low" if the value is near the threshold, or if healthy trainings may look the same; otherwise
    "medium".

    Examples
    --------
    >>> seen = Evidence("dead/relu1", 10, 0.95, "95% of the units"), Evidence("dead/relu1", 40, 1.0, "100%")
    >>> finding = Finding("dead units", "relu1 is dead.", seen, ("LeakyReLU",), ("relu1",), "high")
    >>> finding.series, finding.steps
    (('dead/relu1',), (10, 40))
    """

    kind: str
    summary: str
    evidence: tuple[Evidence, ...]
    advice: tuple[str, ...]
    where: tuple[str, ...] = ()
    confidence: str = "medium"

    @property
    def series(self) -> tuple[str, ...]:
        """The names of the series that the finding rests on, each once."""
        return tuple(dict.fromkeys(evidence.series for evidence in self.evidence))

    @property
    def steps(self) -> tuple[int, ...]:
        """The steps of the evidence, each once, in ascending order."""
        return tuple(sorted({evidence.step for evidence in self.evidence if evidence.step is not None}))

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        evidence = list(map(asdict, self.evidence))
        lists = {"where": list(self.where), "evidence": evidence, "advice": list(self.advice)}
        marks = {"series": list(self.series), "steps": list(self.steps)}
        return {"kind": self.kind, "summary": self.summary, "confidence": self.confidence, **lists, **marks}

    def __str__(self) -> str:
        lines = [f"{self.kind} (confidence: {self.confidence}): {self.summary}"]
        lines += [f"  seen: {evidence}" for evidence in self.evidence]
        lines += [f"  try: {advice}" for advice in self.advice]
        return "\n".join(lines)


@dataclass(frozen=True)
class Diagnosis:
    """The result of `diagnose`: the problems found in a run.

    The findings begin with causes, and are empty if the noted series show no problem; `missing` tells what is not in
    the note, and how to note it; `information` has sentences about what is no problem, but good to know, such as which
    series was taken as the loss, if there was a choice.
    """

    run: str
    findings: tuple[Finding, ...]
    missing: tuple[str, ...] = ()
    information: tuple[str, ...] = ()

    @property
    def is_healthy(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the findings."""
        return tuple(finding.kind for finding in self.findings)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data: strings, numbers and bools in lists and dicts."""
        findings = [finding.as_dict() for finding in self.findings]
        said = {"missing": list(self.missing), "information": list(self.information)}
        return {"run": self.run, "healthy": self.is_healthy, "findings": findings, **said}

    def __str__(self) -> str:
        count = len(self.findings)
        head = "no finding" if not count else f"{count} finding{'s' * (count != 1)}"
        parts = [f"{self.run}: {head}", *map(str, self.findings)]
        for title, texts in (("good to know:", self.information), ("not looked at:", self.missing)):
            if texts:
                parts.append("\n".join([title, *(f"  {text}" for text in texts)]))
        return "\n\n".join(parts)
