"""What a model answered, read from its raw reply.

The ledger keeps raw replies; these functions are the only place that reads them, so a mended
parser needs no new judgments.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

from wardlens.engine.requests import DecisionRequest, EntailmentRequest, Request


@dataclass(frozen=True, slots=True)
class Entailment:
    """Answer to an `EntailmentRequest`; `probability` is that of entailment, where there is one."""

    label: bool
    probability: float | None


@dataclass(frozen=True, slots=True)
class Decision:
    """Answer to a `DecisionRequest`.

    `index` is the choice that greedy decoding restricted to the choices takes. `probabilities`
    are renormalised over the choices; `mass` is their raw sum (small: the model wanted to say
    something else); `margin` is the chosen log-probability less the best of the other choices.
    """

    index: int
    probabilities: tuple[float, ...]
    mass: float
    margin: float


@dataclass(frozen=True, slots=True)
class Unscored:
    """The question could not be answered; `reason` says why and holds no text of the question.

    A `lasting` one would happen again (a prompt longer than the context) and is kept in the
    ledger; any other (an engine that died) is asked again on the next run.
    """

    reason: str
    lasting: bool


Answer = Entailment | Decision | Unscored


@dataclass(frozen=True, slots=True)
class ScoredSpelling:
    """One way to spell a choice, with the raw log-probability the model gave it."""

    choice: int
    tokens: tuple[int, ...]
    log_probability: float


def write_entailment(*, label: bool, probability: float | None) -> bytes:
    """Raw reply of an engine that answers entailment questions."""
    return json.dumps({"label": int(label), "probability": probability}).encode()


def write_decision(spellings: Sequence[ScoredSpelling]) -> bytes:
    """Raw reply of an engine that scored the spellings of each choice."""
    rows = [[s.choice, list(s.tokens), s.log_probability] for s in spellings]
    return json.dumps({"spellings": rows}).encode()


def write_unscored(reason: str) -> bytes:
    """Raw reply that stands for a lasting refusal."""
    return json.dumps({"unscored": reason}).encode()


def read_answer(request: Request, raw: bytes) -> Answer:
    """Parse the raw reply to `request`.

    Raises:
        ValueError: the reply is not of the form that the request calls for.
    """
    reply = json.loads(raw)
    if not isinstance(reply, dict):
        raise ValueError("a raw reply must be a JSON object")  # noqa: TRY004 - no caller's mistake
    if "unscored" in reply:
        return Unscored(reason=str(reply["unscored"]), lasting=True)
    try:
        match request:
            case EntailmentRequest():
                return Entailment(bool(reply["label"]), reply["probability"])
            case DecisionRequest(choices=choices):
                rows = [ScoredSpelling(c, tuple(t), float(lp)) for c, t, lp in reply["spellings"]]
                return _decide(len(choices), rows)
    except (KeyError, TypeError) as error:
        raise ValueError(f"a raw reply lacks {error}") from error


def _decide(choice_count: int, spellings: Sequence[ScoredSpelling]) -> Decision | Unscored:
    best = [-math.inf] * choice_count
    for spelling in spellings:
        if not 0 <= spelling.choice < choice_count:
            raise ValueError(f"a raw reply scores choice {spelling.choice} of {choice_count}")
        best[spelling.choice] = max(best[spelling.choice], spelling.log_probability)
    undefined = any(math.isnan(spelling.log_probability) for spelling in spellings)
    if undefined or not all(math.isfinite(value) for value in best):
        return Unscored("the model gave a choice no finite probability", lasting=True)
    top = max(best)
    weights = [0.0] * choice_count
    for spelling in spellings:
        weights[spelling.choice] += math.exp(spelling.log_probability - top)
    total = math.fsum(weights)
    index = best.index(top)
    return Decision(
        index=index,
        probabilities=tuple(weight / total for weight in weights),
        mass=min(1.0, total * math.exp(top)),
        margin=top - max(value for choice, value in enumerate(best) if choice != index),
    )
