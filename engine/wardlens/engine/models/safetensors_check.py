"""Is a safetensors file whole? A look at its header and length, without reading the weights."""

import json
from pathlib import Path

from wardlens.engine.errors import UserError

_HEADER_LIMIT = 100_000_000

_UNREADABLE = (
    OSError,
    ValueError,
    RecursionError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
)


def check_safetensors(path: Path) -> None:
    """Raise `UserError` if `path` is missing, cut short or no safetensors file."""
    try:
        actual = path.stat().st_size
        with path.open("rb") as file:
            header_length = int.from_bytes(file.read(8), "little")
            # What is no header at all gives a huge length; reading stops and parsing fails.
            header = json.loads(file.read(min(header_length, _HEADER_LIMIT)))
        ends = [entry["data_offsets"][1] for key, entry in header.items() if key != "__metadata__"]
        expected = 8 + header_length + max(ends, default=0)
    except FileNotFoundError as error:
        raise UserError(f"the weight file {path} is missing. Copy the model again.") from error
    except _UNREADABLE as error:
        raise UserError(f"the weight file {path} is damaged. Copy the model again.") from error
    if actual != expected:
        raise UserError(
            f"the weight file {path} is damaged: {actual} bytes instead of {expected}. "
            "Copy the model again."
        )
