"""A run made ready: every choice resolved and checked, nothing yet written or loaded."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from wardlens.engine.errors import UserError
from wardlens.engine.installation import Installation
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import Example, Inputs, load_inputs
from wardlens.evaluators.examples.tagging import with_tagged_sections
from wardlens.evaluators.judges import Evaluator, JudgeSettings, choose_evaluator
from wardlens.evaluators.metrics.conventions import Conventions
from wardlens.evaluators.metrics.metric import Metric, choose_metrics, require_fields
from wardlens.evaluators.options import RunOptions
from wardlens.evaluators.prompts import load_task_prompts
from wardlens.evaluators.prompts.claim_prompts import SHOTS
from wardlens.evaluators.results import Configuration
from wardlens.evaluators.results.trace import check_trace_place
from wardlens.evaluators.rules import Rules, choose_rules
from wardlens.evaluators.tasks import Task, choose_split, choose_task


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run will do."""

    options: RunOptions
    metrics: tuple[Metric, ...]
    conventions: Conventions
    inputs: Inputs
    evaluator: Evaluator
    configuration: Configuration

    @property
    def rules(self) -> Rules:
        """The rules of the run."""
        return self.conventions.rules


def make_plan(options: RunOptions, installation: Installation) -> Plan:
    """Resolve and check `options`, cheap checks first.

    Raises:
        UserError: something can't be used; nothing has been written.
    """
    _refuse_unwritable_names(options)
    _check_trace(options, installation)
    metrics = choose_metrics(options.metrics)
    rules = choose_rules(options.rules)
    if options.shots not in SHOTS:
        raise UserError(f"--shots: {options.shots} is not allowed. Allowed: 0 or 2.")
    if options.limit is not None and options.limit < 1:
        raise UserError(f"--limit: {options.limit} is not allowed. Allowed: 1 or more.")
    task = choose_task(options.task)
    conventions = Conventions(rules, task, choose_split(options.split, task))
    prompts = load_task_prompts(task.name, options.prompts)
    inputs = load_inputs(
        options.inputs,
        claims=options.claims,
        limit=options.limit,
        allow_misaligned=options.allow_misaligned,
    )
    inputs = replace(inputs, systems=_prepared(inputs.systems, task, tag=options.tag_sections))
    for system, examples in inputs.systems.items():
        require_fields(metrics, examples, inputs.sources[system].path)
    evaluator = choose_evaluator(
        options.evaluator,
        JudgeSettings(options.style, options.shots, prompts, rules.premise_words),
        installation,
    )
    return Plan(
        options=options,
        metrics=metrics,
        conventions=conventions,
        inputs=inputs,
        evaluator=evaluator,
        configuration=_configuration(options, conventions, inputs, evaluator),
    )


def _check_trace(options: RunOptions, installation: Installation) -> None:
    if options.trace is None:
        return
    files = [Path(name.partition("=")[2] or name) for name in options.inputs]
    files += [Path(name) for name in options.inputs]
    files += [Path(options.evaluator.removeprefix("replay:"))]
    files += [] if options.claims is None else [options.claims]
    folders = [options.out, options.ledger or installation.default_ledger, installation.home]
    check_trace_place(options.trace, files, folders)


def _prepared(
    systems: Mapping[str, tuple[Example, ...]], task: Task, *, tag: bool
) -> dict[str, tuple[Example, ...]]:
    return {
        system: tuple(task.prepare(with_tagged_sections(e) if tag else e) for e in examples)
        for system, examples in systems.items()
    }


def _refuse_unwritable_names(options: RunOptions) -> None:
    """Names stand in result files, which are UTF-8; a file name is any bytes."""
    paths = (options.out, options.claims, options.prompts, options.ledger)
    for name in (*options.inputs, options.evaluator, *(str(p) for p in paths if p is not None)):
        if not SealedText(name).is_valid_unicode:
            raise UserError(f"{name!r}: the name is not UTF-8. Rename it, or link to it.")


def _configuration(
    options: RunOptions, conventions: Conventions, inputs: Inputs, evaluator: Evaluator
) -> Configuration:
    return Configuration(
        inputs={s: str(source.path.resolve()) for s, source in inputs.sources.items()},
        claims=_resolved(options.claims),
        metrics=tuple(metric.name for metric in choose_metrics(options.metrics)),
        evaluator=evaluator.name,
        model=evaluator.replica.fingerprint.model,
        evaluator_settings=dict(evaluator.settings),
        style=evaluator.style,
        rules=options.rules,
        task=conventions.task.name,
        split=conventions.split,
        tag_sections=options.tag_sections,
        limit=options.limit,
        samples=options.samples,
        allow_misaligned=options.allow_misaligned,
    )


def _resolved(path: Path | None) -> str | None:
    return None if path is None else str(path.resolve())
