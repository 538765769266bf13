"""From the word on the command line to a judge and the model behind it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from wardlens.engine.desk import Desk
from wardlens.engine.errors import UserError
from wardlens.engine.installation import Installation
from wardlens.engine.models.checkpoint import read_checkpoint
from wardlens.engine.models.overlap import DEFAULT_THRESHOLD, OverlapReplica
from wardlens.engine.replicas import Replica
from wardlens.evaluators.judges.entailment_judge import EntailmentJudge
from wardlens.evaluators.judges.instruct_judge import InstructJudge
from wardlens.evaluators.judges.judge import Judge
from wardlens.evaluators.judges.replay_judge import NoReplica, ReplayJudge, read_recording
from wardlens.evaluators.prompts import TaskPrompts

STYLES = ("label",)
"""Styles of instruct judges: how a judgment is asked for."""

EMBEDDED = "smollm2"
_REPLAY = "replay:"


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """How judges ask: the style and shots of instruct judges, the premise of entailment engines.

    `premise_words` bounds what an entailment engine sees of a premise; None is no bound.
    """

    style: str
    shots: int
    prompts: TaskPrompts
    premise_words: int | None = None


@dataclass(frozen=True, slots=True)
class Evaluator:
    """A model and the judge that speaks to it.

    `name` and `style` stand in every result. `weak` marks a judge that shows that everything works
    but whose scores mean little. `compares_questions` tells whether the judge can say that two
    questions are the same. `settings` are those of the judge, for the run's configuration.
    """

    name: str
    style: str
    weak: bool
    replica: Replica
    make_judge: Callable[[Desk], Judge]
    settings: tuple[tuple[str, str], ...] = ()
    compares_questions: bool = False


def choose_evaluator(spec: str, settings: JudgeSettings, installation: Installation) -> Evaluator:
    """The evaluator that `spec` names.

    `overlap`, `overlap:THRESHOLD`, `replay:FILE`, `smollm2`, or the directory of a checkpoint.

    Raises:
        UserError: nothing of that name; unknown style; a directory that is no checkpoint.
    """
    if settings.style not in STYLES:
        raise UserError(f"unknown style {settings.style!r}. Allowed: {', '.join(STYLES)}.")
    if spec == "overlap" or spec.startswith("overlap:"):
        threshold = _threshold(spec)
        return Evaluator(
            name=spec,
            style="overlap",
            weak=False,
            replica=OverlapReplica(threshold),
            make_judge=lambda desk: EntailmentJudge(desk, settings.premise_words),
        )
    if spec.startswith(_REPLAY):
        recording = read_recording(Path(spec.removeprefix(_REPLAY)))
        return Evaluator(
            name="replay",
            style="replay",
            weak=False,
            replica=NoReplica(recording),
            make_judge=lambda _desk: ReplayJudge(recording, settings.premise_words),
        )
    if not spec:
        raise UserError("--evaluator: the name is empty.")
    embedded = spec == EMBEDDED
    folder = _embedded_folder(installation) if embedded else Path(spec)
    checkpoint = read_checkpoint(folder)
    # After the cheap checks: tells whether vLLM is installed.
    from wardlens.engine.models.vllm import VllmReplica  # noqa: PLC0415

    return Evaluator(
        name=EMBEDDED if embedded else folder.resolve().name,
        style=settings.style,
        weak=embedded,
        replica=VllmReplica(checkpoint, installation),
        make_judge=lambda desk: InstructJudge(desk, settings.prompts, settings.shots),
        compares_questions=True,
        settings=(("shots", str(settings.shots)), ("prompts", settings.prompts.digest)),
    )


def _threshold(spec: str) -> float:
    _, separator, value = spec.partition(":")
    if not separator:
        return DEFAULT_THRESHOLD
    try:
        threshold = float(value)
    except ValueError:
        threshold = -1.0
    if not 0 <= threshold <= 1:
        raise UserError(
            f"evaluator {spec!r}: the threshold must be a number from 0 to 1, as in overlap:0.7."
        )
    return threshold


def _embedded_folder(installation: Installation) -> Path:
    from wardlens.engine.models.embedded import embedded_checkpoint  # noqa: PLC0415

    return embedded_checkpoint(installation)
