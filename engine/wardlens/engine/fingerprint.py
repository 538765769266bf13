"""What an answer depends on besides the question."""

import hashlib
import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Identity of a model and of everything around it that can change an answer.

    `model` covers configuration, tokenizer and weights (or a rule's name and parameters), `engine`
    is a name and version, `kernel_path` the instruction set or GPU architecture, `settings`
    whatever else matters, as sorted name and value pairs.
    """

    model: str
    engine: str
    kernel_path: str
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def digest(self) -> bytes:
        """SHA-256 over all of it."""
        content = [self.model, self.engine, self.kernel_path, [list(s) for s in self.settings]]
        text = json.dumps(content, ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
