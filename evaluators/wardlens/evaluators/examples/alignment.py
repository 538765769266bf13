"""Do the claims of a file belong to the examples that they are joined to?

Claim files have been published in which every row carries another patient's claims. Joined by id
they look right and make every score wrong, so the words are compared: a row's claims should be
closer to its own reference than to any other.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wardlens.engine.errors import UserError
from wardlens.engine.models.overlap import words
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples.example import Example

_MARGIN = 0.2
"""How much closer another reference must be (share of the claims' words, rare ones weighing more)
before a row counts as misaligned. On ACI-Bench aligned rows lie below -0.4, misaligned ones above
0.5."""


@dataclass(frozen=True, slots=True)
class Misalignment:
    """Row `row` of a claims file fits the reference in row `likely_row` of the input better."""

    row: int
    example_id: SealedText
    likely_row: int
    likely_id: SealedText


class MisalignedClaimsError(UserError):
    """Claims joined to the wrong examples; `found` says which and where they seem to belong."""

    def __init__(self, message: str, found: Sequence[Misalignment]) -> None:
        super().__init__(message)
        self.found = tuple(found)


def check_alignment(
    claims: Path, claim_rows: Sequence[Example], systems: Mapping[str, Sequence[Example]]
) -> None:
    """Raise `MisalignedClaimsError` if rows of `claims` plainly belong to other examples.

    The message names rows; the ids are in the exception, for a result file.
    """
    found = find_misaligned(claim_rows, _examples_with_reference(claim_rows, systems))
    if not found:
        return
    shown = "; ".join(f"row {m.row} fits the example in row {m.likely_row}" for m in found[:5])
    more = f"; and {len(found) - 5} more" if found[5:] else ""
    raise MisalignedClaimsError(
        f"{claims}: the claims of {len(found)} of {len(claim_rows)} rows belong to another example "
        f"than their example_id says ({shown}{more}). Correct the file, or go on with "
        "--allow-misaligned.",
        found,
    )


def find_misaligned(
    claim_rows: Sequence[Example], examples: Sequence[Example]
) -> list[Misalignment]:
    """The rows of `claim_rows` whose claims fit the reference of another of `examples` better."""
    references = [words(e.reference.reveal()) if e.reference else frozenset() for e in examples]
    positions = {example.example_id: i for i, example in enumerate(examples)}
    postings = _postings(references)
    found = []
    for row in claim_rows:
        own = positions.get(row.example_id)
        claim_words = _claim_words(row)
        if own is None or not claim_words or not references[own]:
            continue
        closeness = _closeness(claim_words, postings, len(examples))
        best = int(np.argmax(closeness))
        if closeness[best] - closeness[own] > _MARGIN:
            likely = examples[best]
            found.append(Misalignment(row.row, row.example_id, likely.row, likely.example_id))
    return found


def _examples_with_reference(
    claim_rows: Sequence[Example], systems: Mapping[str, Sequence[Example]]
) -> list[Example]:
    """The examples of all inputs, each once; where none has a reference, the claims file's row."""
    chosen: dict[SealedText, Example] = {}
    for examples in systems.values():
        for example in examples:
            if example.reference is not None:
                chosen.setdefault(example.example_id, example)
    for row in claim_rows:
        if row.reference is not None:
            chosen.setdefault(row.example_id, row)
    return list(chosen.values())


def _claim_words(row: Example) -> frozenset[str]:
    claims = (claim for group in row.reference_claims.values() for claim in group)
    return frozenset().union(*(words(claim.reveal()) for claim in claims))


def _postings(references: Sequence[frozenset[str]]) -> dict[str, tuple[float, np.ndarray]]:
    """For each word its weight (inverse document frequency) and the references that have it."""
    frequency = Counter(word for reference in references for word in reference)
    having: dict[str, list[int]] = {}
    for position, reference in enumerate(references):
        for word in reference:
            having.setdefault(word, []).append(position)
    count = len(references)
    return {
        word: (math.log(1 + count / frequency[word]), np.array(positions, dtype=np.int64))
        for word, positions in having.items()
    }


def _closeness(
    claim_words: frozenset[str], postings: dict[str, tuple[float, np.ndarray]], count: int
) -> np.ndarray:
    """Share of the weight of `claim_words` that each reference covers: (references,) float64."""
    covered = np.zeros(count)
    total = 0.0
    rarest = math.log(1 + count)
    # Sorted, so that sums have the same bits on every run.
    for word in sorted(claim_words):
        weight, having = postings.get(word, (rarest, None))
        total += weight
        if having is not None:
            covered[having] += weight
    return covered / total
