"""Loading the inputs of a run: one file a system, and claims from a file of their own."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wardlens.engine.errors import UserError
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples.alignment import check_alignment
from wardlens.evaluators.examples.example import Example
from wardlens.evaluators.examples.fields import read_example
from wardlens.evaluators.examples.rows import read_rows


@dataclass(frozen=True, slots=True)
class InputSource:
    """A file as it was read: SHA-256 of its bytes, and its number of rows."""

    path: Path
    content_digest: bytes
    row_count: int


@dataclass(frozen=True, slots=True)
class Inputs:
    """Examples by system, in input order, and the files that they came from."""

    systems: Mapping[str, tuple[Example, ...]]
    sources: Mapping[str, InputSource]
    claims_source: InputSource | None
    examples_without_claims_row: int


def load_inputs(
    inputs: Sequence[str],
    *,
    claims: Path | None = None,
    limit: int | None = None,
    allow_misaligned: bool = False,
) -> Inputs:
    """Read and check all input files.

    Each of `inputs` is a path, or `NAME=PATH` to name the system; without a name the system is
    called as the file is. `claims` is joined by `example_id`; `limit` keeps the first examples of
    each input.

    Raises:
        UserError: anything in the files can't be used; see the message.
    """
    paths = _system_paths(inputs)
    read = {system: _read_examples(path) for system, path in paths.items()}
    systems = {system: examples for system, (examples, _source) in read.items()}
    claims_source = None
    missing = 0
    if claims is not None:
        claim_rows, claims_source = _read_examples(claims)
        _refuse_unknown(claims, claim_rows, systems)
        _refuse_shared_output_claims(claims, claim_rows, systems)
        if not allow_misaligned:
            check_alignment(claims, claim_rows, systems)
        by_id = {row.example_id: row for row in claim_rows}
        joined = {s: [_join(e, by_id.get(e.example_id)) for e in ex] for s, ex in systems.items()}
        missing = sum(e.example_id not in by_id for ex in systems.values() for e in ex[:limit])
        systems = {system: tuple(examples) for system, examples in joined.items()}
    return Inputs(
        systems={system: examples[:limit] for system, examples in systems.items()},
        sources={system: source for system, (_examples, source) in read.items()},
        claims_source=claims_source,
        examples_without_claims_row=missing,
    )


def _system_paths(inputs: Sequence[str]) -> dict[str, Path]:
    paths: dict[str, Path] = {}
    for given in inputs:
        name, separator, path = given.partition("=")
        if not separator or Path(given).exists():
            name, path = Path(given).stem, given
        if not name or not name.isprintable() or not path:
            raise UserError(
                f"input {given!r}: needs a file, and a name of printable characters: NAME=FILE."
            )
        if name in paths:
            raise UserError(
                f"two inputs are called {name!r}. Name the systems: SYSTEM_A=FILE SYSTEM_B=FILE."
            )
        paths[name] = Path(path)
    return paths


def _read_examples(path: Path) -> tuple[tuple[Example, ...], InputSource]:
    rows = read_rows(path)
    examples = [read_example(path, number, row) for number, row in enumerate(rows, start=1)]
    first_rows: dict[SealedText, int] = {}
    for example in examples:
        first = first_rows.setdefault(example.example_id, example.row)
        if first != example.row:
            raise UserError(
                f"{path}: row {example.row}, field 'example_id': the same id as in row {first}. "
                "Ids must differ."
            )
    digest = hashlib.sha256(path.read_bytes()).digest()
    return tuple(examples), InputSource(path, digest, len(examples))


def _refuse_unknown(
    claims: Path, claim_rows: Sequence[Example], systems: Mapping[str, Sequence[Example]]
) -> None:
    known = {example.example_id for examples in systems.values() for example in examples}
    unknown = [row.row for row in claim_rows if row.example_id not in known]
    if unknown:
        shown = ", ".join(map(str, unknown[:5])) + (" and more" if unknown[5:] else "")
        raise UserError(
            f"{claims}: row {shown}, field 'example_id': no input has an example with this id "
            f"({len(unknown)} of {len(claim_rows)} rows). Check that the files belong together."
        )


def _refuse_shared_output_claims(
    claims: Path, claim_rows: Sequence[Example], systems: Mapping[str, Sequence[Example]]
) -> None:
    """One file can't say what the outputs of several systems claim."""
    rows = [row.row for row in claim_rows if row.output_claims]
    if rows and len(systems) > 1:
        raise UserError(
            f"{claims}: row {rows[0]}, field 'subclaims_output': with several inputs it is not "
            "clear whose claims these are. Put them into the rows of their own system."
        )


def _join(example: Example, claims: Example | None) -> Example:
    """`example` with the sections and claims of its row in the claims file, whose word wins."""
    if claims is None:
        return example
    return replace(
        example,
        reference=example.reference if example.reference is not None else claims.reference,
        reference_sections={**example.reference_sections, **claims.reference_sections},
        reference_claims=claims.reference_claims or example.reference_claims,
        output_claims=claims.output_claims or example.output_claims,
    )
