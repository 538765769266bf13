"""Root-mean-square normalisation in plain PyTorch: the definition, and the fallback."""

import torch
from torch import Tensor


def rms_norm(hidden: Tensor, weight: Tensor, *, eps: float = 1e-6) -> Tensor:
    """`x / sqrt(mean(x^2) + eps) * weight` over the last dimension (T5's layer norm).

    Computed in float32, or float64 where `hidden` is float64, and rounded once.

    Args:
        hidden: (..., hidden_size), any floating dtype, any device.
        weight: (hidden_size,), on the same device.
        eps: added to the mean square.

    Returns:
        The shape and dtype of `hidden`.
    """
    wide = hidden.to(torch.promote_types(hidden.dtype, torch.float32))
    scale = torch.rsqrt(wide.square().mean(dim=-1, keepdim=True) + eps)
    return (wide * scale * weight).to(hidden.dtype)
