"""The options that all metrics share, with Ignite's names; no metric declares them itself."""

from __future__ import annotations

from typing import TypedDict

from dark.compat.arguments import check_device
from dark.errors import UsageError, ValueTypeError

RESULT_MODES = ("flatten", "named", "both")


class MetricOptions(TypedDict, total=False):
    """Keyword options of every metric, documented in `Metric`."""

    device: str | None
    skip_unrolling: bool
    metrics_result_mode: str


def check_options(output_transform, device, metrics_result_mode):
    """Check the options of a metric."""
    if not callable(output_transform):
        raise ValueTypeError(
            f"Argument output_transform should be callable, got {output_transform!r}.",
            "a function of the output.",
            "lambda output: …",
        )
    if metrics_result_mode not in RESULT_MODES:
        raise UsageError(
            f"Argument metrics_result_mode should be one of {RESULT_MODES}, got {metrics_result_mode!r}.",
            "the keys under which a mapping is stored.",
            'metrics_result_mode="both".',
        )
    check_device("Metric", device)
