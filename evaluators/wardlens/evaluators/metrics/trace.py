"""The questions behind an example's judgments, in program order, before de-duplication."""

from collections.abc import Iterator, Mapping, Sequence

from wardlens.evaluators.metrics.judgment import Judgment, Question


def questions_asked(judged: Mapping[str, Sequence[Judgment]]) -> Iterator[Question]:
    """Claim by claim; then statement by statement, each with those of its citations behind it."""
    for metric, judgments in judged.items():
        if metric not in {"citation_recall", "citation_precision"}:
            for judgment in judgments:
                yield from judgment.questions
    citations = iter(judged.get("citation_precision", ()))
    for statement in judged.get("citation_recall", ()):
        yield from statement.questions
        for _ in range(statement.n_citations):
            citation = next(citations, None)
            if citation is not None:
                yield from citation.questions
