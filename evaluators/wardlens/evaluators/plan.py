"""A run made ready: every choice resolved and checked, nothing yet written or loaded."""

from dataclasses import dataclass
from pathlib import Path

from wardlens.engine.errors import UserError
from wardlens.engine.installation import Installation
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import Inputs, load_inputs
from wardlens.evaluators.judges import Evaluator, JudgeSettings, choose_evaluator
from wardlens.evaluators.metrics.metric import Metric, choose_metrics, require_fields
from wardlens.evaluators.options import RunOptions
from wardlens.evaluators.prompts import load_claim_prompts
from wardlens.evaluators.prompts.claim_prompts import SHOTS
from wardlens.evaluators.results import Configuration
from wardlens.evaluators.rules import Rules, choose_rules


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run will do."""

    options: RunOptions
    metrics: tuple[Metric, ...]
    rules: Rules
    inputs: Inputs
    evaluator: Evaluator
    configuration: Configuration


def make_plan(options: RunOptions, installation: Installation) -> Plan:
    """Resolve and check `options`, cheap checks first.

    Raises:
        UserError: something can't be used; nothing has been written.
    """
    _refuse_unwritable_names(options)
    metrics = choose_metrics(options.metrics)
    rules = choose_rules(options.rules)
    if options.shots not in SHOTS:
        raise UserError(f"--shots: {options.shots} is not allowed. Allowed: 0 or 2.")
    if options.limit is not None and options.limit < 1:
        raise UserError(f"--limit: {options.limit} is not allowed. Allowed: 1 or more.")
    prompts = load_claim_prompts(options.prompts)
    inputs = load_inputs(
        options.inputs,
        claims=options.claims,
        limit=options.limit,
        allow_misaligned=options.allow_misaligned,
    )
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
        rules=rules,
        inputs=inputs,
        evaluator=evaluator,
        configuration=_configuration(options, metrics, inputs, evaluator),
    )


def _refuse_unwritable_names(options: RunOptions) -> None:
    """Names stand in result files, which are UTF-8; a file name is any bytes."""
    paths = (options.out, options.claims, options.prompts, options.ledger)
    for name in (*options.inputs, options.evaluator, *(str(p) for p in paths if p is not None)):
        if not SealedText(name).is_valid_unicode:
            raise UserError(f"{name!r}: the name is not UTF-8. Rename it, or link to it.")


def _configuration(
    options: RunOptions, metrics: tuple[Metric, ...], inputs: Inputs, evaluator: Evaluator
) -> Configuration:
    return Configuration(
        inputs={s: str(source.path.resolve()) for s, source in inputs.sources.items()},
        claims=_resolved(options.claims),
        metrics=tuple(metric.name for metric in metrics),
        evaluator=evaluator.name,
        model=evaluator.replica.fingerprint.model,
        evaluator_settings=dict(evaluator.settings),
        style=evaluator.style,
        rules=options.rules,
        limit=options.limit,
        samples=options.samples,
        allow_misaligned=options.allow_misaligned,
    )


def _resolved(path: Path | None) -> str | None:
    return None if path is None else str(path.resolve())
