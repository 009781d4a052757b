"""The functions of PyTorch's `nn.utils` that `dark.optim` has under other names."""

from typing import TYPE_CHECKING

from dark.errors import module_getattr
from dark.optim.clipping import clip_grad_norm, clip_grad_value
from dark.spellings import keywords_checked

clip_grad_norm_ = keywords_checked(clip_grad_norm)
clip_grad_value_ = keywords_checked(clip_grad_value)

__all__ = ["clip_grad_norm_", "clip_grad_value_"]

if not TYPE_CHECKING:  # a type checker reports a name that is not there
    __getattr__ = module_getattr(__name__)
