"""The questions of a run, recorded without a model."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from wardlens.engine.answers import Unscored
from wardlens.engine.errors import UserError
from wardlens.engine.event_loop import run_in_own_loop
from wardlens.engine.fingerprint import Fingerprint
from wardlens.engine.installation import Installation
from wardlens.engine.ledger import Ledger
from wardlens.engine.replicas import Reply
from wardlens.engine.requests import DecisionRequest, Request
from wardlens.evaluators.plan import Plan
from wardlens.evaluators.programs import judge_all


class _Recorder:
    """Takes down every request and answers none."""

    requests_in_flight = 1024
    fingerprint = Fingerprint(model="recorder", engine="recorder", kernel_path="none")

    def __init__(self) -> None:
        self.requests: list[Request] = []

    async def start(self) -> None:
        """Nothing to load."""

    async def answer(self, block: Sequence[Request]) -> list[Reply]:
        """Unscored, all of them."""
        self.requests += block
        return [Reply(Unscored("recorded only", lasting=False)) for _ in block]

    async def close(self) -> None:
        """Nothing to free."""


def record_requests(plan: Plan, installation: Installation) -> list[DecisionRequest]:
    """Every different request that `plan` sends to its model, in the order of sending.

    Raises:
        UserError: the evaluator of the plan is no instruct model.
    """
    recorder = _Recorder()
    recording = replace(plan, evaluator=replace(plan.evaluator, replica=recorder))
    with TemporaryDirectory() as folder, Ledger(Path(folder), installation) as ledger:
        run_in_own_loop(judge_all(recording, ledger, installation, lambda _counts: None))
    decisions = [request for request in recorder.requests if isinstance(request, DecisionRequest)]
    if not decisions:
        raise UserError("bench judge measures instruct models: name smollm2 or a checkpoint.")
    return decisions
