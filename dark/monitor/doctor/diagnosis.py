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


@dataclass(frozen=True)
class Finding:
    """A problem of a run, with its evidence and what to try.

    `kind` is the name of the fault, such as "dead units" (`KINDS` lists all), `summary` a sentence; the most promising
    advice comes first; `where` has the modules or parameters, by path, and is empty if it is the whole training.
    """

    kind: str
    summary: str
    evidence: tuple[Evidence, ...]
    advice: tuple[str, ...]
    where: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        evidence = list(map(asdict, self.evidence))
        lists = {"where": list(self.where), "evidence": evidence, "advice": list(self.advice)}
        return {"kind": self.kind, "summary": self.summary, **lists}

    def __str__(self) -> str:
        lines = [f"{self.kind}: {self.summary}"]
        lines += [f"  seen: {evidence}" for evidence in self.evidence]
        lines += [f"  try: {advice}" for advice in self.advice]
        return "\n".join(lines)


@dataclass(frozen=True)
class Diagnosis:
    """The result of `diagnose`: the problems found in a run.

    The findings begin with causes, and are empty if the noted series show no problem; `missing` tells what is not in
    the note, and how to note it.
    """

    run: str
    findings: tuple[Finding, ...]
    missing: tuple[str, ...] = ()

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
        return {"run": self.run, "healthy": self.is_healthy, "findings": findings, "missing": list(self.missing)}

    def __str__(self) -> str:
        count = len(self.findings)
        head = "no finding" if not count else f"{count} finding{'s' * (count != 1)}"
        parts = [f"{self.run}: {head}", *map(str, self.findings)]
        if self.missing:
            parts.append("\n".join(["not looked at:", *(f"  {text}" for text in self.missing)]))
        return "\n\n".join(parts)
