"""`rms_norm` on every path, against the definition in float64."""

import pytest
import torch
from torch import Tensor

from wardlens.kernels.rms_norm import rms_norm

EPS = 1e-6
SIZES = [1, 7, 63, 64, 65, 768, 4096]
# One rounding to bf16, plus float32 sums that may tip it to the neighbour.
TOLERANCES = {torch.float32: 2e-6, torch.bfloat16: 2**-8}
DTYPES = list(TOLERANCES)

pytestmark = pytest.mark.usefixtures("path")


def random(*shape: int, dtype: torch.dtype, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def in_float64(hidden: Tensor, weight: Tensor) -> Tensor:
    wide = hidden.double()
    return wide / (wide.square().mean(dim=-1, keepdim=True) + EPS).sqrt() * weight.double()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rows", [0, 1, 3, 17])
def test_agrees_with_float64(rows: int, size: int, dtype: torch.dtype) -> None:
    hidden, weight = random(rows, size, dtype=dtype), random(size, dtype=dtype, seed=1)

    normed = rms_norm(hidden, weight, eps=EPS)

    assert normed.dtype == dtype
    assert normed.shape == hidden.shape
    tolerance = TOLERANCES[dtype]
    torch.testing.assert_close(
        normed.double(), in_float64(hidden, weight), rtol=tolerance, atol=1e-30
    )


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_takes_any_number_of_leading_dimensions(dtype: torch.dtype) -> None:
    hidden, weight = random(2, 3, 5, 65, dtype=dtype), random(65, dtype=dtype, seed=1)

    normed = rms_norm(hidden, weight)

    assert torch.equal(normed, rms_norm(hidden.reshape(30, 65), weight).reshape(hidden.shape))
    assert rms_norm(hidden[0, 0, 0], weight).shape == (65,)


@pytest.mark.parametrize("scale", [1e-12, 1e15])
def test_keeps_its_accuracy_far_from_one(scale: float) -> None:
    hidden, weight = random(3, 768, dtype=torch.float32) * scale, torch.ones(768)

    normed = rms_norm(hidden, weight, eps=EPS)

    torch.testing.assert_close(normed.double(), in_float64(hidden, weight), rtol=2e-6, atol=0)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("size", SIZES)
def test_a_row_has_the_same_bits_in_any_company(size: int, dtype: torch.dtype) -> None:
    hidden, weight = random(17, size, dtype=dtype), random(size, dtype=dtype, seed=1)

    together = rms_norm(hidden, weight)

    assert all(torch.equal(rms_norm(hidden[i : i + 1], weight)[0], together[i]) for i in range(17))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("size", SIZES)
def test_writes_its_output_and_nothing_beside_it(size: int, dtype: torch.dtype) -> None:
    hidden, weight = random(3, size, dtype=dtype), random(size, dtype=dtype, seed=1)
    margin = 64
    memory = torch.full((3 * size + 2 * margin,), 7.0, dtype=dtype)
    out = memory[margin:-margin].view(3, size)
    out.fill_(float("nan"))

    assert rms_norm(hidden, weight, out=out) is out

    assert torch.equal(out, rms_norm(hidden, weight))
    assert (memory[:margin] == 7).all()
    assert (memory[-margin:] == 7).all()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_can_write_over_its_input(dtype: torch.dtype) -> None:
    hidden, weight = random(3, 65, dtype=dtype), random(65, dtype=dtype, seed=1)
    expected = rms_norm(hidden, weight)

    rms_norm(hidden, weight, out=hidden)

    assert torch.equal(hidden, expected)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("size", [7, 65])
def test_nan_stays_in_its_row(size: int, dtype: torch.dtype) -> None:
    hidden, weight = random(3, size, dtype=dtype), torch.ones(size, dtype=dtype)
    hidden[1, -1] = float("nan")

    normed = rms_norm(hidden, weight)

    assert normed[1].isnan().all()
    assert normed[[0, 2]].isfinite().all()


def test_zeros_give_zeros() -> None:
    assert (rms_norm(torch.zeros(3, 65), torch.ones(65)) == 0).all()


def test_every_path_rounds_bf16_as_torch_does() -> None:
    # Ones of either sign have a root mean square of one, so the result is the weight,
    # rounded a second time: every finite bf16 number must come back as it is.
    weights = torch.arange(2**16, dtype=torch.int32).to(torch.int16).view(torch.bfloat16)
    weights = weights[weights.isfinite() & (weights.abs() >= torch.finfo(torch.bfloat16).tiny)]
    ones = torch.ones(1, len(weights), dtype=torch.bfloat16)

    assert torch.equal(rms_norm(ones, weights, eps=0.0)[0], weights)


def test_no_path_records_a_gradient() -> None:
    weight = torch.nn.Parameter(torch.ones(7))

    assert not rms_norm(torch.ones(3, 7), weight).requires_grad


def test_agrees_with_transformers_in_float32() -> None:
    from transformers.models.t5.modeling_t5 import T5LayerNorm  # noqa: PLC0415 - takes seconds

    layer = T5LayerNorm(65, eps=EPS)
    layer.weight.data = random(65, dtype=torch.float32, seed=1)
    hidden = random(17, 65, dtype=torch.float32)

    torch.testing.assert_close(rms_norm(hidden, layer.weight, eps=EPS), layer(hidden).detach())


ONES = torch.ones(3, 8)
WEIGHT = torch.ones(8)
ACROSS = torch.ones(8, 3).T


@pytest.mark.parametrize(
    ("tensors", "error", "message"),
    [
        ((ONES, torch.ones(2, 4)), ValueError, r"weight must be \(hidden_size,\), got \(2, 4\)"),
        ((torch.ones(3, 0), torch.ones(0)), ValueError, r"weight must be .* got \(0,\)"),
        ((torch.ones(3, 9), WEIGHT), ValueError, r"must be \(\.\.\., 8\).* got \(3, 9\)"),
        ((torch.tensor(1.0), WEIGHT), ValueError, r"must be \(\.\.\., 8\).* got \(\)"),
        ((ONES, WEIGHT, WEIGHT), ValueError, r"out must be \(3, 8\) like hidden, got \(8,\)"),
        ((ONES.half(), WEIGHT.half()), TypeError, r"bfloat16 .* got hidden torch\.float16"),
        ((ONES, WEIGHT.bfloat16()), TypeError, r"got weight torch\.bfloat16 with hidden torch"),
        ((ONES, WEIGHT, ONES.bfloat16()), TypeError, r"got out torch\.bfloat16 with hidden torch"),
        ((ONES.to("meta"), WEIGHT), ValueError, r"hidden must be on CPU, got meta"),
        ((ACROSS, WEIGHT), ValueError, r"hidden must be contiguous.*\.contiguous"),
        ((ONES, torch.ones(16)[::2]), ValueError, r"weight must be contiguous, got strides"),
        ((ONES, WEIGHT, ACROSS), ValueError, r"out must be contiguous, got strides"),
    ],
)
def test_wrong_input_is_named_with_what_was_seen(
    tensors: tuple[Tensor, ...], error: type[Exception], message: str
) -> None:
    hidden, weight, *out = tensors
    with pytest.raises(error, match=message):
        rms_norm(hidden, weight, out=out[0] if out else None)
