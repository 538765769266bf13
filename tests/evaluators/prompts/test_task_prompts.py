"""The prompts of each task, ours and a user's own."""

import json
from itertools import permutations
from pathlib import Path

import pytest

from wardlens.engine.errors import UserError
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.prompts import TaskPrompts, load_task_prompts
from wardlens.evaluators.tasks import TASKS

EVERY_TASK = pytest.mark.parametrize("task", TASKS)


def write_prompts(folder: Path, instruction: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "label.instruction.txt").write_text(instruction)
    (folder / "label.question.txt").write_text("{document}|{claim}|")
    examples = [{"document": "d", "claim": "c", "label": label} for label in (0, 1)]
    (folder / "examples.json").write_text(json.dumps(examples))
    return folder


def instructions(prompts: TaskPrompts) -> dict[str, str | None]:
    return {
        "claim": prompts.claim.instruction,
        "citation": prompts.citation.instruction,
        "same": None if prompts.same is None else prompts.same.instruction,
    }


@EVERY_TASK
def test_every_task_has_prompts_for_claims_and_for_citations(task: str) -> None:
    prompts = load_task_prompts(task)

    for asked in (prompts.claim, prompts.citation):
        for shots in (0, 2):
            segments = asked.ask(SealedText("D"), SealedText("C"), shots)
            assert [s.kind for s in segments] == [
                *("template", "document", "template", "claim", "template"),
            ]


@EVERY_TASK
def test_only_questions_are_compared(task: str) -> None:
    assert (load_task_prompts(task).same is not None) == TASKS[task].either_or


@EVERY_TASK
def test_prompts_of_a_task_end_where_the_answer_begins(task: str) -> None:
    prompts = load_task_prompts(task)

    for asked in filter(None, (prompts.claim, prompts.citation, prompts.same)):
        assert asked.question.after.endswith("\nAnswer:")


def test_each_task_has_words_of_its_own() -> None:
    for one, other in permutations(map(load_task_prompts, TASKS), 2):
        assert one.claim.digest != other.claim.digest
        assert one.citation.digest != other.citation.digest
        assert one.digest != other.digest


def test_the_prompts_for_citations_say_what_the_answer_looks_like() -> None:
    for task in TASKS:
        instruction = load_task_prompts(task).citation.instruction
        assert '"Supported:"' in instruction
        assert "a line for each number" in instruction


@EVERY_TASK
def test_a_folder_without_subfolders_replaces_the_claim_prompts_only(
    task: str, tmp_path: Path
) -> None:
    ours = instructions(load_task_prompts(task))

    own = instructions(load_task_prompts(task, write_prompts(tmp_path, "Own.")))

    assert own == ours | {"claim": "Own."}


@EVERY_TASK
@pytest.mark.parametrize("name", ["citation", "same"])
def test_a_subfolder_replaces_the_prompts_of_its_name(name: str, task: str, tmp_path: Path) -> None:
    folder = write_prompts(tmp_path, "Own.")
    write_prompts(tmp_path / name, "Own, too.")
    ours = instructions(load_task_prompts(task))

    own = instructions(load_task_prompts(task, folder))

    # A task that compares nothing has no use for such prompts.
    used = ours[name] is not None
    assert own == ours | {"claim": "Own."} | ({name: "Own, too."} if used else {})


def test_both_subfolders_replace_both(tmp_path: Path) -> None:
    folder = write_prompts(tmp_path, "Own.")
    write_prompts(tmp_path / "citation", "Cite.")
    write_prompts(tmp_path / "same", "Same.")

    own = instructions(load_task_prompts("question", folder))

    assert own == {"claim": "Own.", "citation": "Cite.", "same": "Same."}


@pytest.mark.parametrize("name", [".", "citation", "same"])
def test_a_folder_that_lacks_a_file_is_refused(name: str, tmp_path: Path) -> None:
    folder = write_prompts(tmp_path, "Own.")
    write_prompts(tmp_path / name, "Own, too.")
    (tmp_path / name / "examples.json").unlink()

    with pytest.raises(UserError, match=r"has no examples\.json"):
        load_task_prompts("question", folder)


def test_a_folder_with_subfolders_only_is_refused(tmp_path: Path) -> None:
    write_prompts(tmp_path / "citation", "Cite.")

    with pytest.raises(UserError, match=r"has no label\.instruction\.txt"):
        load_task_prompts("note", tmp_path)


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is no folder"):
        load_task_prompts("note", tmp_path / "absent")


@pytest.mark.parametrize("name", [".", "citation", "same"])
def test_any_change_of_a_prompt_file_that_is_used_changes_the_digest(
    name: str, tmp_path: Path
) -> None:
    folder = write_prompts(tmp_path, "Own.")
    for subfolder in ("citation", "same"):
        write_prompts(tmp_path / subfolder, subfolder)
    before = load_task_prompts("question", folder).digest

    write_prompts(tmp_path / name, "Changed.")

    assert load_task_prompts("question", folder).digest != before
