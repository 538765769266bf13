"""Interleaved rounds over all paths, and the figures that they give."""

import statistics
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any

from wardlens.bench.judge.paths import JudgingPath, Round

Say = Callable[[str], None]


async def measure(paths: Sequence[JudgingPath], rounds: int, say: Say) -> dict[str, list[Round]]:
    """Run each path once a round, in turn, so that a drift of the machine meets all alike."""
    results: dict[str, list[Round]] = {path.name: [] for path in paths}
    async with AsyncExitStack() as stack:
        for path in paths:
            say(f"loading for {path.name}")
            await path.start()
            stack.push_async_callback(path.close)
        for number in range(1, rounds + 1):
            for path in paths:
                result = await path.run_round()
                results[path.name].append(result)
                rate = len(result.answers) / result.seconds
                say(f"round {number}: {path.name} {rate:.2f} judgments a second")
    return results


def figures(
    paths: Sequence[JudgingPath], results: dict[str, list[Round]], baseline: str
) -> list[dict[str, Any]]:
    """The figures of each path; `label_agreement` is the share of labels equal to `baseline`'s."""
    reference = results[baseline][-1].labels
    return [_figures(path, results[path.name], reference) for path in paths]


def _figures(path: JudgingPath, rounds: list[Round], reference: dict[Any, int]) -> dict[str, Any]:
    rates = [len(r.answers) / r.seconds for r in rounds]
    last = rounds[-1]
    count = len(last.answers)
    equal = sum(last.labels.get(request) == label for request, label in reference.items())
    return {
        "name": path.name,
        "judgments_per_second": statistics.median(rates),
        "rounds": rates,
        "forwarded_tokens_per_judgment": last.tokens.forwarded / count,
        "cached_tokens_per_judgment": last.tokens.cached / count,
        "decode_steps_per_judgment": last.tokens.decoded / count,
        "unscored": last.unscored,
        "label_agreement": equal / len(reference) if reference else None,
        "settings": path.settings,
    }
