"""Judgments a second, against plain vLLM given the same prompts in one list."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from wardlens.bench.hardware import describe_hardware
from wardlens.bench.judge.measure import figures, measure
from wardlens.bench.judge.paths import JudgingPath, PlainVllmPath, WardlensPath
from wardlens.bench.judge.workload import record_requests
from wardlens.engine.errors import UserError
from wardlens.engine.event_loop import run_in_own_loop
from wardlens.engine.installation import open_installation
from wardlens.engine.models.vllm import VllmReplica
from wardlens.evaluators import RunOptions
from wardlens.evaluators.plan import make_plan
from wardlens.evaluators.results.record import package_versions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `wardlens bench judge`."""
    add = parser.add_argument
    add("--input", required=True, metavar="FILE", help="records, as for wardlens run")
    add("--claims", type=Path, metavar="FILE", help="claims, joined by example_id")
    add("--metrics", default="claim_recall", help="what to judge (default: claim_recall)")
    add("--evaluator", default="smollm2", metavar="EV", help="smollm2 or a checkpoint directory")
    add("--limit", type=int, metavar="N", help="only the first N examples")
    add("--rounds", type=int, default=3, metavar="N", help="interleaved rounds (default: 3)")
    add("--json", type=Path, metavar="FILE", help="write the figures to FILE")


def run(arguments: argparse.Namespace) -> int:
    """Measure, print and write the figures; returns the exit code."""
    if arguments.rounds < 1:
        raise UserError(f"--rounds: {arguments.rounds} is not allowed. Allowed: 1 or more.")
    installation = open_installation()
    options = RunOptions(
        inputs=(arguments.input,),
        claims=arguments.claims,
        metrics=arguments.metrics,
        evaluator=arguments.evaluator,
        limit=arguments.limit,
        out=Path(),
    )
    plan = make_plan(options, installation)
    requests = record_requests(plan, installation)
    replica = plan.evaluator.replica
    if not isinstance(replica, VllmReplica):
        raise UserError("bench judge measures instruct models: name smollm2 or a checkpoint.")
    peer = PlainVllmPath(replica, requests, installation)
    paths: list[JudgingPath] = [WardlensPath(plan, replica, installation), peer]
    results = run_in_own_loop(measure(paths, arguments.rounds, _say))
    report = {
        "paths": figures(paths, results, baseline=peer.name),
        "judgments": len(requests),
        "evaluator": plan.evaluator.name,
        "hardware": describe_hardware(),
        "versions": package_versions(),
    }
    _print(report)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0


def _print(report: dict[str, Any]) -> None:
    ours, peer = report["paths"]
    for path in report["paths"]:
        _say(
            f"{path['name']}: {path['judgments_per_second']:.2f} judgments a second (median), "
            f"{path['forwarded_tokens_per_judgment']:.1f} tokens forwarded a judgment, "
            f"{path['unscored']} unscored"
        )
    ratios = [a / b for a, b in zip(ours["rounds"], peer["rounds"], strict=True)]
    _say(
        f"{ours['name']} / {peer['name']}: {min(ratios):.2f} to {max(ratios):.2f} times, labels "
        f"equal for {ours['label_agreement']:.4f} of {report['judgments']} judgments"
    )


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
