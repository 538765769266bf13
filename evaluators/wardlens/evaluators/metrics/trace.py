"""The questions behind an example's judgments, in program order, before de-duplication."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from wardlens.evaluators.metrics.judgment import Judgment, Question


def questions_asked(judged: Mapping[str, Sequence[Judgment]]) -> Iterator[Question]:
    """Metric by metric as in `judged`; each statement with the questions of its citations behind.

    This is the order in which a judge that answers in order was asked.
    """
    precision = iter(judged.get("citation_precision", ()))
    for metric, judgments in judged.items():
        if metric == "citation_precision":
            continue
        for judgment in judgments:
            yield from judgment.questions
            for citation in islice(precision, judgment.n_citations):
                yield from citation.questions
