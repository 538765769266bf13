"""Root-mean-square normalisation as in T5, on CPU, for inference."""

import torch
from torch import Tensor

from wardlens.kernels.paths import compiled_kernels
from wardlens.kernels.rms_norm import reference

__all__ = ["rms_norm"]

_KERNELS = {torch.float32: "rms_norm_float32", torch.bfloat16: "rms_norm_bfloat16"}


def rms_norm(
    hidden: Tensor, weight: Tensor, *, eps: float = 1e-6, out: Tensor | None = None
) -> Tensor:
    """Scale each row to unit root mean square: `x / sqrt(mean(x^2) + eps) * weight`.

    There is neither mean subtraction nor bias. Sums are float32 and the result is rounded
    once, where T5 in transformers also rounds before it multiplies by the weight: bf16
    results differ from it in the last bit. A row's bits don't depend on the other rows.
    No gradient is recorded.

    Args:
        hidden: (..., hidden_size) bf16 or float32, contiguous, on CPU.
        weight: (hidden_size,) of the same dtype, contiguous, on CPU.
        eps: added to the mean square.
        out: where to write, like `hidden`, or `hidden` itself; by default a new tensor.

    Returns:
        `out`: the shape and dtype of `hidden`.

    Raises:
        ValueError: a shape, device or memory layout is not as above.
        TypeError: a dtype is not as above.
    """
    if out is None:
        out = torch.empty_like(hidden, memory_format=torch.contiguous_format)
    _check(hidden, weight, out)
    kernels = compiled_kernels()
    if kernels is None:
        with torch.no_grad():
            return out.copy_(reference.rms_norm(hidden, weight, eps=eps))
    size = weight.numel()
    kernel = getattr(kernels, _KERNELS[hidden.dtype])
    kernel(hidden.data_ptr(), weight.data_ptr(), out.data_ptr(), hidden.numel() // size, size, eps)
    return out


def _check(hidden: Tensor, weight: Tensor, out: Tensor) -> None:
    if weight.dim() != 1 or weight.numel() == 0:
        raise ValueError(f"rms_norm: weight must be (hidden_size,), got {tuple(weight.shape)}")
    if hidden.dim() == 0 or hidden.shape[-1] != weight.numel():
        raise ValueError(
            f"rms_norm: hidden must be (..., {weight.numel()}) to go with its weight, "
            f"got {tuple(hidden.shape)}"
        )
    if out.shape != hidden.shape:
        raise ValueError(
            f"rms_norm: out must be {tuple(hidden.shape)} like hidden, got {tuple(out.shape)}"
        )
    for name, tensor in (("hidden", hidden), ("weight", weight), ("out", out)):
        if tensor.dtype not in _KERNELS or tensor.dtype != hidden.dtype:
            raise TypeError(
                f"rms_norm: hidden, weight and out must all be torch.bfloat16 or all "
                f"torch.float32, got {name} {tensor.dtype} with hidden {hidden.dtype}"
            )
        if tensor.device.type != "cpu":
            raise ValueError(
                f"rms_norm: {name} must be on CPU, got {tensor.device}; "
                f"on other devices use wardlens.kernels.rms_norm.reference"
            )
        if not tensor.is_contiguous():
            raise ValueError(
                f"rms_norm: {name} must be contiguous, got strides {tensor.stride()} "
                f"for shape {tuple(tensor.shape)}; call .contiguous() on it"
            )
