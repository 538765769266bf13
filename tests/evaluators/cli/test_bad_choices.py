"""Choices that are not allowed are refused with the allowed ones."""

import json
from pathlib import Path

import pytest

from tests.evaluators.cli.canaries import CHOICES, NOTES, Refused, write
from tests.evaluators.conftest import CommandLine

BAD_CHOICES = [
    (["--metrics", "recall"], "unknown metric 'recall'. Allowed: claim_recall, claim_precision"),
    (["--metrics", ""], "unknown metric (none given). Allowed: claim_recall, claim_precision"),
    (["--evaluator", "gpt-4"], "overlap:THRESHOLD, replay:FILE, smollm2, or the directory"),
    (["--evaluator", ""], "--evaluator: the name is empty"),
    (["--evaluator", "overlap:2"], "the threshold must be a number from 0 to 1"),
    (["--evaluator", "overlap:nan"], "the threshold must be a number from 0 to 1"),
    (["--evaluator", "x" * 300], "File name too long"),
    (["--style", "json"], "unknown style 'json'. Allowed: label"),
    (["--rules", "script"], "unknown rules 'script'. Allowed: paper, released"),
    (["--rules", ""], "unknown rules ''. Allowed: paper, released"),
    (["--task", "meqsum"], "unknown task 'meqsum'. Allowed: note, radiology, question"),
    (["--task", ""], "unknown task ''. Allowed: note, radiology, question"),
    (["--split", "whole"], "--split: unknown mode 'whole'. Allowed: sent, citation"),
    (["--split", ""], "--split: unknown mode ''. Allowed: sent, citation"),
    (
        ["--task", "question", "--split", "word"],
        "--split: unknown mode 'word'. Allowed: sent, citation",
    ),
    (["--evaluator", "replay:"], "recorded replies are a .jsonl file"),
    (["--evaluator", "replay:absent.jsonl"], "absent.jsonl: there is no such file"),
    (["--evaluator", "replay:replies.csv"], "recorded replies are a .jsonl file"),
    (["--shots", "1"], "--shots: 1 is not allowed. Allowed: 0 or 2"),
    (["--limit", "0"], "--limit: 0 is not allowed. Allowed: 1 or more"),
    (["--limit", "-1"], "--limit: -1 is not allowed. Allowed: 1 or more"),
    (["--prompts", "absent"], "--prompts: absent is no folder"),
    (["--prompts", "x" * 300], "File name too long"),
]


@pytest.mark.parametrize(("choice", "message"), BAD_CHOICES)
def test_a_choice_that_is_not_allowed_is_refused_with_the_allowed_ones(
    choice: list[str], message: str, notes: Path, refused: Refused
) -> None:
    assert message in refused(notes, *CHOICES, *choice)


@pytest.mark.parametrize("option", ["--claims", "--prompts", "--ledger", "--evaluator"])
def test_a_name_that_is_not_utf8_is_refused(option: str, notes: Path, refused: Refused) -> None:
    assert r"folder \udcff': the name is not UTF-8" in refused(
        notes, *CHOICES, option, "folder \udcff"
    )


def test_an_input_whose_name_is_not_utf8_is_refused(refused: Refused, tmp_path: Path) -> None:
    path = write(tmp_path / "notes \udcff.json", NOTES)

    assert r"notes \udcff.json': the name is not UTF-8" in refused(path, *CHOICES)


@pytest.mark.parametrize("limit", ["many", "1.5", "9" * 5000])
def test_a_limit_that_is_no_whole_number_is_refused(
    limit: str, notes: Path, command_line: CommandLine, tmp_path: Path
) -> None:
    finished = command_line("run", notes, *CHOICES, "--limit", limit, "--out", tmp_path / "out")

    assert finished.exit_code == 2
    assert "argument --limit: invalid int value" in finished.stderr


LLAMA = {"architectures": ["LlamaForCausalLM"], "max_position_embeddings": 64}
BAD_CHECKPOINTS: list[tuple[str, dict[str, str], str]] = [
    ("empty", {}, "is no checkpoint: it has no config.json"),
    ("no JSON", {"config.json": "{"}, "config.json is not JSON"),
    ("deep JSON", {"config.json": "[" * 100_000}, "config.json"),
    ("no object", {"config.json": "[]"}, "config.json is not a JSON object"),
    ("no architecture", {"config.json": "{}"}, "the architecture (none), which is not supported"),
    (
        "other architecture",
        {"config.json": json.dumps({"architectures": ["GPT2LMHeadModel"]})},
        "GPT2LMHeadModel, which is not supported. Supported: LlamaForCausalLM, Mistral",
    ),
    ("no tokenizer", {"config.json": json.dumps(LLAMA)}, "has no tokenizer"),
    (
        "code",
        {"config.json": json.dumps(LLAMA), "tokenizer.json": "{}", "modeling.py": ""},
        "brings Python code of its own",
    ),
    (
        "no weights",
        {"config.json": json.dumps(LLAMA), "tokenizer.json": "{}"},
        "has no weights",
    ),
    (
        "pickled weights",
        {"config.json": json.dumps(LLAMA), "tokenizer.json": "{}", "model.bin": ""},
        "has only pickled weights, which are never opened",
    ),
]


@pytest.mark.parametrize(
    ("files", "message"), [c[1:] for c in BAD_CHECKPOINTS], ids=[c[0] for c in BAD_CHECKPOINTS]
)
def test_a_folder_that_is_no_usable_checkpoint_is_refused(
    files: dict[str, str], message: str, notes: Path, refused: Refused, tmp_path: Path
) -> None:
    checkpoint = tmp_path / "checkpoint"
    checkpoint.mkdir()
    for name, content in files.items():
        (checkpoint / name).write_text(content)

    answer = refused(notes, *CHOICES, "--evaluator", checkpoint)

    assert str(checkpoint) in answer
    assert message in answer
