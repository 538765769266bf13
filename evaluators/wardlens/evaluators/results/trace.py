"""The questions of a run, one JSON object a line, as `replay:FILE` reads them."""

import json

from wardlens.evaluators.judges.replay_judge import question_text
from wardlens.evaluators.results.outcome import Outcome


def trace_lines(outcome: Outcome) -> bytes:
    """`{"index", "input", "label"}` a question; `label` is null where it is unscored.

    Holds document text (protected health information).
    """
    asked = (q for examples in outcome.values() for e in examples for q in e.questions)
    rows = [
        {
            "index": index,
            "input": question_text(question.premise, question.hypothesis),
            "label": None if question.verdict.label is None else int(question.verdict.label),
        }
        for index, question in enumerate(asked)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()
