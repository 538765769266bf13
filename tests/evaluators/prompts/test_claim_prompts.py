"""The prompt that asks about one claim, from our files and from a user's."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wardlens.engine.errors import UserError
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.prompts import ClaimPrompts, load_prompts, load_task_prompts

EXAMPLES = [
    {"document": "No", "claim": "no", "label": 0},
    {"document": "Yes", "claim": "yes", "label": 1},
    {"document": "Later", "claim": "later", "label": 1},
]


def write_prompts(
    folder: Path,
    *,
    instruction: str = "Judge.",
    question: str = "Note: {document} Claim: {claim} Answer:",
    examples: Any = EXAMPLES,
) -> Path:
    (folder / "label.instruction.txt").write_text(instruction)
    (folder / "label.question.txt").write_text(question)
    (folder / "examples.json").write_text(json.dumps(examples))
    return folder


def prompt(prompts: ClaimPrompts, document: str, claim: str, shots: int) -> str:
    segments = prompts.ask(SealedText(document), SealedText(claim), shots)
    return "".join(segment.text.reveal() for segment in segments)


def refusal(folder: Path) -> str:
    with pytest.raises(UserError) as refused:
        load_prompts(folder)
    message = str(refused.value)
    assert message.startswith("--prompts: ")
    assert str(folder) in message
    return message


@pytest.mark.parametrize("shots", [0, 2])
def test_our_prompt_has_instruction_document_and_claim_in_this_order(shots: int) -> None:
    prompts = load_task_prompts("note").claim

    text = prompt(prompts, "THE DOCUMENT", "THE CLAIM", shots)

    assert text.startswith(prompts.instruction)
    assert 0 < text.index("THE DOCUMENT") < text.index("THE CLAIM")
    assert text.count("Example ") == shots


def test_our_prompt_says_which_answers_there_are() -> None:
    instruction = load_task_prompts("note").claim.instruction

    assert "Answer 1 if" in instruction
    assert "Answer 0 if" in instruction


def test_worked_examples_are_one_of_each_class_with_their_answers(tmp_path: Path) -> None:
    prompts = load_prompts(write_prompts(tmp_path))

    assert prompt(prompts, "D", "C", 2) == (
        "Judge.\n\n"
        "Example 1\n\nNote: Yes Claim: yes Answer: 1\n\n"
        "Example 2\n\nNote: No Claim: no Answer: 0\n\n"
        "Now the real one\n\n"
        "Note: D Claim: C Answer:"
    )


def test_without_worked_examples_the_question_follows_the_instruction(tmp_path: Path) -> None:
    prompts = load_prompts(write_prompts(tmp_path))

    assert prompt(prompts, "D", "C", 0) == "Judge.\n\nNote: D Claim: C Answer:"


@pytest.mark.parametrize("shots", [0, 2])
@given(document=st.text(), claim=st.text())
def test_documents_and_claims_stay_as_they_are(shots: int, document: str, claim: str) -> None:
    prompts = load_task_prompts("note").claim

    opening, shown, between, asked, after = prompts.ask(
        SealedText(document), SealedText(claim), shots
    )

    assert (shown.kind, shown.text.reveal()) == ("document", document)
    assert (asked.kind, asked.text.reveal()) == ("claim", claim)
    assert {opening.kind, between.kind, after.kind} == {"template"}


def test_braces_in_documents_claims_and_worked_examples_are_no_placeholders(tmp_path: Path) -> None:
    examples = [
        {"document": "{claim} {document}", "claim": "{0} {x}", "label": label} for label in (1, 0)
    ]
    prompts = load_prompts(write_prompts(tmp_path, examples=examples))

    text = prompt(prompts, "{claim}{document}{{", "}{document}", 2)

    assert text.count("Note: {claim} {document} Claim: {0} {x} Answer: ") == 2
    assert text.endswith("Note: {claim}{document}{{ Claim: }{document} Answer:")


def test_questions_about_one_document_share_everything_before_the_claim() -> None:
    prompts = load_task_prompts("note").claim

    first = prompts.ask(SealedText("D"), SealedText("C1"), 2)
    second = prompts.ask(SealedText("D"), SealedText("C2"), 2)

    assert first[:3] == second[:3]


def test_white_space_around_a_prompt_file_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    plain = load_prompts(write_prompts(tmp_path / "a"))
    padded = load_prompts(write_prompts(tmp_path / "b", instruction="\n Judge.\n\n"))

    assert padded == plain


@pytest.mark.parametrize(
    "change",
    [{"instruction": "Judge!"}, {"question": "{document}|{claim}"}, {"examples": EXAMPLES[:2]}],
)
def test_any_change_of_a_prompt_file_changes_the_digest(
    change: dict[str, Any], tmp_path: Path
) -> None:
    before = load_prompts(write_prompts(tmp_path)).digest

    assert load_prompts(write_prompts(tmp_path, **change)).digest != before


@pytest.mark.parametrize("name", ["label.instruction.txt", "label.question.txt", "examples.json"])
def test_a_missing_prompt_file_is_named(name: str, tmp_path: Path) -> None:
    (write_prompts(tmp_path) / name).unlink()

    assert f"has no {name}. It must hold label.instruction.txt, " in refusal(tmp_path)


def test_a_folder_of_prompts_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    assert "is no folder" in refusal(tmp_path / "absent")


def test_a_prompt_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (write_prompts(tmp_path) / "label.instruction.txt").write_bytes(b"caf\xe9")

    assert "can't be read as UTF-8 text" in refusal(tmp_path)


@pytest.mark.parametrize(
    "question",
    [
        "{claim}",
        "{document}",
        "{document} {document} {claim}",
        "{document} {claim} {claim}",
        "{claim} {document}",
        "",
    ],
)
def test_a_question_needs_document_and_claim_once_and_in_this_order(
    question: str, tmp_path: Path
) -> None:
    message = refusal(write_prompts(tmp_path, question=question))

    assert "label.question.txt must have {document} once and, after it, {claim} once" in message


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        ({}, "must be a list"),
        ([], "needs an example with label 1 and one with label 0"),
        (EXAMPLES[1:], "needs an example with label 1 and one with label 0"),
        ([*EXAMPLES, "x"], "example 4 must be an object"),
        ([{"claim": "c", "label": 1}], "example 1, field 'document': needs text"),
        ([{"document": "d", "claim": 5, "label": 1}], "example 1, field 'claim': needs text"),
        ([{"document": "d", "claim": "c"}], "example 1, field 'label': must be 0 or 1"),
        ([{"document": "d", "claim": "c", "label": "1"}], "field 'label': must be 0 or 1"),
        ([{"document": "d", "claim": "c", "label": [1]}], "field 'label': must be 0 or 1"),
        (
            [{"document": "d", "claim": "c", "label": 1, "answer": 1}],
            "example 1, field 'answer': needs text",
        ),
    ],
)
def test_bad_worked_examples_are_refused_by_number_and_field(
    examples: object, message: str, tmp_path: Path
) -> None:
    assert message in refusal(write_prompts(tmp_path, examples=examples))


@pytest.mark.parametrize("content", ["[", "[" * 100_000, "1" * 5000])
def test_worked_examples_that_are_not_json_are_refused(content: str, tmp_path: Path) -> None:
    (write_prompts(tmp_path) / "examples.json").write_text(content)

    assert "examples.json" in refusal(tmp_path)
