"""What a judge says of one question."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """True, false or unscored.

    `label` is None exactly where `unscored` holds a reason. `probability` is that of entailment;
    `mass` and `margin` as in `Decision`; `stable` is False where a re-run might decide otherwise
    and None where that has not been measured.
    """

    label: bool | None
    probability: float | None = None
    mass: float | None = None
    margin: float | None = None
    stable: bool | None = None
    unscored: str | None = None


def without_verdict(reason: str) -> Verdict:
    """The verdict of a question that could not be answered."""
    return Verdict(label=None, unscored=reason)


def either(one: Verdict, other: Verdict) -> Verdict:
    """True if one is true, false if both are false, else unscored: the verdict that decides."""
    for verdict in (one, other):
        if verdict.label is True:
            return verdict
    for verdict in (one, other):
        if verdict.label is None:
            return verdict
    return one
