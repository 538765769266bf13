"""Sections of texts that came without section fields."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.evaluators.conftest import CommandLine
from tests.evaluators.small_run import Run, write
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import Example
from wardlens.evaluators.examples.tagging import with_tagged_sections

TEXT = (
    "CHIEF COMPLAINT\n\nKnee pain.\n\nPHYSICAL EXAM\n\nThe knee is swollen.\n\n"
    "RESULTS\n\nX-ray is normal.\n\nASSESSMENT AND PLAN\n\nSprain. Rest and ice."
)
PARTS = {
    "subjective": "CHIEF COMPLAINT\n\nKnee pain.\n\n",
    "objective_exam": "PHYSICAL EXAM\n\nThe knee is swollen.\n\n",
    "objective_results": "RESULTS\n\nX-ray is normal.\n\n",
    "assessment_and_plan": "ASSESSMENT AND PLAN\n\nSprain. Rest and ice.",
}
ROW: dict[str, Any] = {
    "example_id": "a",
    "input": "[0] my knee hurts\n[1] it is swollen",
    "output": "CHIEF COMPLAINT\n\nKnee pain [0].\n\nASSESSMENT AND PLAN\n\nRest [1].",
    "reference": TEXT,
    "subclaims_reference_subjective": ["Knee pain."],
    "subclaims_reference_objective_exam": ["The knee is swollen."],
    "subclaims_output_assessment_and_plan": ["Rest."],
}


def sealed(texts: dict[str, str]) -> dict[str, SealedText]:
    return {section: SealedText(text) for section, text in texts.items()}


def test_output_and_reference_are_divided_and_the_whole_texts_stay() -> None:
    example = Example(SealedText("a"), 1, reference=SealedText(TEXT), output=SealedText(TEXT))

    tagged = with_tagged_sections(example)

    assert tagged.output_sections == tagged.reference_sections == sealed(PARTS)
    assert (tagged.output, tagged.reference) == (example.output, example.reference)


def test_section_fields_that_are_given_stay_and_the_other_text_is_divided() -> None:
    own = sealed({"subjective": "own"})
    example = Example(
        SealedText("a"),
        1,
        reference=SealedText(TEXT),
        output=SealedText(TEXT),
        output_sections=own,
    )

    tagged = with_tagged_sections(example)

    assert tagged.output_sections == own
    assert tagged.reference_sections == sealed(PARTS)


@pytest.mark.parametrize("text", ["", " \n", "Knee pain. Rest.", "knee pain, plan: none"])
def test_a_text_without_a_known_heading_stays_whole(text: str) -> None:
    example = Example(SealedText("a"), 1, reference=SealedText(text), output=SealedText(text))

    tagged = with_tagged_sections(example)

    assert tagged.output_sections == tagged.reference_sections == {}


def test_texts_that_are_missing_have_no_sections() -> None:
    example = Example(SealedText("a"), 1)

    assert with_tagged_sections(example) == example


def sections(run: Run, tmp_path: Path, *, tag: bool, rules: str = "paper") -> dict[str, Any]:
    """The number of judgments by metric and section."""
    result = run(
        inputs=(str(write(tmp_path / "notes.json", [ROW])),),
        metrics="claim_recall,claim_precision,citation_recall,citation_precision",
        tag_sections=tag,
        rules=rules,
        out=tmp_path / f"{tag}",
    )
    return {
        metric: {section: summary.n for section, summary in scored.sections.items()}
        for metric, scored in result.scores["notes"].items()
    }


def test_with_tagged_sections_claims_and_statements_are_judged_by_section(
    run: Run, tmp_path: Path
) -> None:
    assert sections(run, tmp_path, tag=True) == {
        "claim_recall": {"subjective": 1, "objective_exam": 1},
        "claim_precision": {"assessment_and_plan": 1},
        "citation_recall": {"subjective": 1, "assessment_and_plan": 1},
        "citation_precision": {"subjective": 1, "assessment_and_plan": 1},
    }
    assert sections(run, tmp_path, tag=False) == {
        metric: {"full": n}
        for metric, n in {
            "claim_recall": 2,
            "claim_precision": 1,
            "citation_recall": 2,
            "citation_precision": 2,
        }.items()
    }


def test_claims_of_a_section_that_the_tagged_output_lacks_are_not_entailed(
    run: Run, tmp_path: Path
) -> None:
    result = run(
        inputs=(str(write(tmp_path / "notes.json", [ROW])),),
        metrics="claim_recall",
        tag_sections=True,
    )

    by_section = result.scores["notes"]["claim_recall"].sections
    assert {name: summary.score for name, summary in by_section.items()} == {
        "subjective": 1,
        "objective_exam": 0,
    }


def test_on_the_command_line_the_mark_of_aci_bench_is_an_empty_section(
    command_line: CommandLine, tmp_path: Path
) -> None:
    row = {
        "example_id": "a",
        "output": "Knee pain.",
        "output_subjective": "Knee pain.",
        "output_objective_exam": "#####EMPTY#####",
        "subclaims_reference_subjective": ["Knee pain."],
        "subclaims_reference_objective_exam": ["empty"],
    }
    notes = write(tmp_path / "notes.json", [row])

    finished = command_line(
        *("run", notes, "--metrics", "claim_recall", "--evaluator", "overlap"),
        *("--tag-sections", "--out", tmp_path / "out"),
    )

    assert finished.exit_code == 0
    scored = json.loads((tmp_path / "out" / "metrics.json").read_text())["claim_recall"]
    assert {name: summary["score"] for name, summary in scored["sections"].items()} == {
        "subjective": 1,
        "objective_exam": 0,
    }
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    assert record["configuration"]["tag_sections"] is True
