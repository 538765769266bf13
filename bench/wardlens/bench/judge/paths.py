"""The ways to judge that are compared: ours, and plain vLLM at its best settings.

Each keeps its engine loaded between rounds and starts every round with an empty prefix cache.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from wardlens.engine.answers import Answer, Decision, Unscored, read_answer
from wardlens.engine.installation import Installation
from wardlens.engine.ledger import Ledger
from wardlens.engine.models.vllm import VllmReplica
from wardlens.engine.models.vllm.engine_log import new_engine_log, output_to
from wardlens.engine.models.vllm.guarded_engine import next_token_parameters
from wardlens.engine.models.vllm.prompt_tokeniser import load_prompt_tokeniser
from wardlens.engine.models.vllm.replica import read_reply
from wardlens.engine.replicas import Reply, TokenCounts
from wardlens.engine.requests import DecisionRequest, Request
from wardlens.evaluators.plan import Plan
from wardlens.evaluators.programs import judge_all


@dataclass(frozen=True, slots=True)
class Round:
    """One measured pass over the workload; the answers are by request."""

    seconds: float
    answers: Mapping[Request, Answer]
    tokens: TokenCounts

    @property
    def labels(self) -> dict[Request, int]:
        """The chosen index of every decision that was made."""
        return {r: a.index for r, a in self.answers.items() if isinstance(a, Decision)}

    @property
    def unscored(self) -> int:
        """Requests without a decision."""
        return len(self.answers) - len(self.labels)


class JudgingPath(Protocol):
    """One way to judge the workload."""

    name: str
    settings: str

    async def start(self) -> None:
        """Load the model."""
        ...

    async def run_round(self) -> Round:
        """Judge everything once, from an empty cache."""
        ...

    async def close(self) -> None:
        """End the engine."""
        ...


class WardlensPath:
    """The whole of `wardlens run` short of its result files: programs, desk, ledger, replica."""

    name = "label"
    settings = "prompts built, tokenised, ordered and answers made durable within the time"

    def __init__(self, plan: Plan, replica: VllmReplica, installation: Installation) -> None:
        self._listener = _Listener(replica)
        self._plan = replace(plan, evaluator=replace(plan.evaluator, replica=self._listener))
        self._replica = replica
        self._installation = installation

    async def start(self) -> None:
        """Load the model."""
        await self._replica.start()

    async def run_round(self) -> Round:
        """Judge everything once, with a new ledger."""
        await self._replica.forget_prefixes()
        self._listener.answers.clear()
        with TemporaryDirectory() as folder, Ledger(Path(folder), self._installation) as ledger:
            started = time.perf_counter()
            judged = await judge_all(self._plan, ledger, self._installation, lambda _counts: None)
            seconds = time.perf_counter() - started
        return Round(seconds, dict(self._listener.answers), judged.counts.tokens)

    async def close(self) -> None:
        """End the engine."""
        await self._replica.close()


class PlainVllmPath:
    """`vllm.LLM.generate` over all prompts in one list, one allowed token each.

    Its best case: prompts already token ids, sorted by document, the same engine settings.
    """

    name = "vllm-choice"
    settings = "LLM.generate, one sorted list of token ids, prefix caching, same engine settings"

    def __init__(
        self, replica: VllmReplica, requests: Sequence[DecisionRequest], installation: Installation
    ) -> None:
        self._checkpoint = replica.checkpoint
        self._engine_settings = replica.settings
        self._requests = requests
        self._log_folder = installation.logs
        self._llm: Any = None
        tokeniser = load_prompt_tokeniser(self._checkpoint.folder)
        limit = self._engine_settings.max_model_len - 1
        encoded = [tokeniser.encode(request.prompt, request.answer_prefix) for request in requests]
        self._prompts = [{"prompt_token_ids": ids[:limit]} for ids in encoded]
        self._spellings = tokeniser.spellings(requests[0].choices)

    async def start(self) -> None:
        """Load the model."""
        await asyncio.to_thread(self._load)

    async def run_round(self) -> Round:
        """Judge everything once."""
        return await asyncio.to_thread(self._generate)

    async def close(self) -> None:
        """End the engine."""
        llm, self._llm = self._llm, None
        if llm is not None:
            await asyncio.to_thread(llm.llm_engine.engine_core.shutdown)

    def _load(self) -> None:
        self._engine_settings.set_environment()
        with output_to(new_engine_log(self._log_folder)):
            from vllm import LLM  # noqa: PLC0415 - takes seconds

            arguments = self._engine_settings.engine_arguments(self._checkpoint.folder)
            del arguments["enable_log_requests"]
            self._llm = LLM(**arguments)

    def _generate(self) -> Round:
        parameters = next_token_parameters([spelling.token for spelling in self._spellings])
        self._llm.reset_prefix_cache()
        started = time.perf_counter()
        outputs = self._llm.generate(self._prompts, parameters, use_tqdm=False)
        seconds = time.perf_counter() - started
        replies = [read_reply(output, self._spellings) for output in outputs]
        pairs = list(zip(self._requests, replies, strict=True))
        tokens = sum((reply.tokens for reply in replies), TokenCounts())
        return Round(seconds, {r: _answer(r, reply) for r, reply in pairs}, tokens)


class _Listener:
    """A replica that notes its answers and stays loaded when a run closes it."""

    def __init__(self, replica: VllmReplica) -> None:
        self._replica = replica
        self.fingerprint = replica.fingerprint
        self.requests_in_flight = replica.requests_in_flight
        self.answers: dict[Request, Answer] = {}

    async def start(self) -> None:
        """Started before the clock runs."""

    async def answer(self, block: Sequence[Request]) -> list[Reply]:
        """What the replica answers."""
        replies = await self._replica.answer(block)
        pairs = zip(block, replies, strict=True)
        self.answers.update((request, _answer(request, reply)) for request, reply in pairs)
        return replies

    async def close(self) -> None:
        """Closed after the last round."""


def _answer(request: Request, reply: Reply) -> Answer:
    if isinstance(reply.content, Unscored):
        return reply.content
    return read_answer(request, reply.content)
