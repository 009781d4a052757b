"""Loss functions with PyTorch's settings and values; as modules they are in `dark.nn`.

Reading order: `cross_entropy`, `binary_cross_entropy`, `hinge` and `regression`; then `input_checks` and
`reduction`, which all losses share, and `class_targets`, the targets that are class indices.
`executor`, `classifier` and `gan` are AshPy's paths to `dark.executors` (`from_executors`).

The input, that is the prediction, comes first and the target second. A target that requires a gradient beside an input
that does not, as in the order of Keras and AshPy, is a `UsageError`.
"""

from typing import TYPE_CHECKING

from dark.losses import classifier as classifier, executor as executor, gan as gan
from dark.losses.binary_cross_entropy import binary_cross_entropy, binary_cross_entropy_with_logits
from dark.losses.cross_entropy import cross_entropy
from dark.losses.hinge import cosine_embedding, triplet_margin
from dark.losses.hinge import hinge, hinge_embedding, multi_margin
from dark.losses.cross_entropy import kl_div
from dark.losses.cross_entropy import nll
from dark.losses.regression import huber, l1, mse, smooth_l1
from dark.errors import module_getattr

__all__ = [
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "cosine_embedding", "cross_entropy", "hinge",
    "hinge_embedding", "huber", "kl_div", "l1", "mse", "multi_margin", "nll", "smooth_l1", "triplet_margin",
]  # fmt: skip

if not TYPE_CHECKING:  # a type checker reports a name that is not there
    __getattr__ = module_getattr(__name__)
