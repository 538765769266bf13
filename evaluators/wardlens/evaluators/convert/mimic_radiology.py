"""Findings and impressions of MIMIC radiology reports, in the layouts of the shared tasks.

- RadSum 2023 and ViLMedic: paired files of one report a line, `test.findings.tok` and
  `test.impression.tok`; both have to be given.
- MEDIQA 2021, task 3: a JSON list (or JSONL, CSV) with `findings` and `impression`, and
  `study_id`, `subject_id`, `background`. Files with an `id` or `example_id`, or none, are read too.

Only the findings are input: `background` is not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from wardlens.engine.errors import UserError
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.convert.records import (
    Conversion,
    Record,
    number_sentences,
    refuse_repeated_ids,
)
from wardlens.evaluators.convert.tables import Columns, check_table
from wardlens.evaluators.examples.fields import Place
from wardlens.evaluators.examples.rows import read_rows

_COLUMNS = Columns(
    texts=("findings", "impression"),
    ids=("study_id", "example_id", "id"),
    unused=("subject_id", "background"),
    ids_may_be_missing=True,
)
_FINDINGS, _IMPRESSION = "findings.tok", "impression.tok"
_TABLES = (".json", ".jsonl", ".csv")


def read_mimic_radiology(paths: Sequence[Path]) -> Conversion:
    """One record a report: the numbered sentences of the findings, the impression as reference.

    Reports without findings or impression, of which the releases have some, are left out and
    counted. Where there is no id, it is the row, behind the name of the line file (`test-1`).

    Raises:
        UserError: a file can't be read, is of another layout, or ids repeat.
    """
    reports = [report for path in paths for report in _read_file(path, paths)]
    refuse_repeated_ids(reports)
    complete = [r for r in reports if not (r.input.is_blank or r.reference.is_blank)]
    if not complete:
        raise UserError("no report in these files has both findings and an impression.")
    left_out = [r.place for r in reports if r.input.is_blank or r.reference.is_blank]
    return Conversion(tuple(_number(report) for report in complete), tuple(left_out))


def _number(report: Record) -> Record:
    return replace(report, input=SealedText(number_sentences(report.input.reveal())))


def _read_file(path: Path, paths: Sequence[Path]) -> Iterator[Record]:
    """The reports of a file, with their findings as they stand there."""
    if path.name.endswith(_FINDINGS):
        impressions = path.with_name(path.name.removesuffix(_FINDINGS) + _IMPRESSION)
        if impressions not in paths:
            raise UserError(f"{path}: its impressions are missing. Give {impressions} too.")
        yield from _read_pair(path, impressions)
    elif path.name.endswith(_IMPRESSION):
        findings = path.with_name(path.name.removesuffix(_IMPRESSION) + _FINDINGS)
        if findings not in paths:
            raise UserError(f"{path}: its findings are missing. Give {findings} too.")
    elif path.suffix.lower() in _TABLES:
        for row in check_table(path, read_rows(path), _COLUMNS):
            findings_text, impression = (SealedText(row.text(name)) for name in _COLUMNS.texts)
            yield Record(row.place, row.example_id(), findings_text, impression)
    else:
        raise UserError(
            f"{path}: reports are read from {', '.join(_TABLES)} files, or from pairs of files "
            f"that end in {_FINDINGS} and {_IMPRESSION}."
        )


def _read_pair(findings: Path, impressions: Path) -> Iterator[Record]:
    sources, references = _lines(findings), _lines(impressions)
    if len(sources) != len(references):
        raise UserError(
            f"{findings}: {len(sources)} lines, but {impressions} has {len(references)}. Line N of "
            "both must be of one report."
        )
    name = findings.name.removesuffix(_FINDINGS).rstrip("._-") or "report"
    for number, (source, reference) in enumerate(zip(sources, references, strict=True), start=1):
        example_id = SealedText(f"{name}-{number}")
        yield Record(Place(findings, number), example_id, SealedText(source), SealedText(reference))


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UserError(f"{path}: can't be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8 at byte {error.start}. Save it as UTF-8.") from error
    # Not splitlines(): reports may hold other line separators.
    return text.removesuffix("\n").split("\n") if text else []
