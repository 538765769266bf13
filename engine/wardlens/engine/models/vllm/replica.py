"""A replica on vLLM, fed continuously with prompts as token ids."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from wardlens.engine.answers import ScoredSpelling, Unscored, write_decision
from wardlens.engine.fingerprint import Fingerprint
from wardlens.engine.installation import Installation
from wardlens.engine.models.checkpoint import Checkpoint
from wardlens.engine.models.vllm.distribution import installed_vllm
from wardlens.engine.models.vllm.engine_log import new_engine_log
from wardlens.engine.models.vllm.guarded_engine import GuardedEngine
from wardlens.engine.models.vllm.prompt_tokeniser import (
    TOKENISER_VERSION,
    PromptTokeniser,
    Spelling,
    load_prompt_tokeniser,
)
from wardlens.engine.models.vllm.settings import settings_for
from wardlens.engine.replicas import Reply, TokenCounts
from wardlens.engine.requests import DecisionRequest, Request

if TYPE_CHECKING:
    from vllm.outputs import RequestOutput


class _Loaded(NamedTuple):
    tokeniser: PromptTokeniser
    engine: GuardedEngine


class VllmReplica:
    """Answers `DecisionRequest`s with one instruct checkpoint.

    Raises:
        UserError: vLLM is not installed, or not for this machine.
    """

    def __init__(self, checkpoint: Checkpoint, installation: Installation) -> None:
        distribution = installed_vllm()
        self.checkpoint = checkpoint
        self.settings = settings_for(checkpoint, on_cpu=distribution.runs_on_cpu)
        self.requests_in_flight = 2 * self.settings.max_num_seqs
        self.fingerprint = Fingerprint(
            model=checkpoint.model_digest(installation),
            engine=f"{distribution.name} {distribution.version}",
            kernel_path=distribution.kernel_path,
            settings=(
                *self.settings.answer_settings,
                ("quantisation", checkpoint.quantisation),
                ("prompt_tokens", TOKENISER_VERSION),
            ),
        )
        self._log_folder = installation.logs
        self._loaded: _Loaded | None = None

    async def start(self) -> None:
        """Load tokenizer and model.

        Raises:
            EngineError: one of them can't be loaded.
        """
        folder = self.checkpoint.folder
        tokeniser = await asyncio.to_thread(load_prompt_tokeniser, folder)
        engine = GuardedEngine(folder, self.settings, new_engine_log(self._log_folder))
        self._loaded = _Loaded(tokeniser, engine)

    async def answer(self, block: Sequence[Request]) -> list[Reply]:
        """One reply a request, in order."""
        if self._loaded is None:
            raise RuntimeError("answer() before start()")
        decisions = [_as_decision(request) for request in block]
        prompts = await asyncio.to_thread(self._tokenise, self._loaded.tokeniser, decisions)
        pairs = zip(decisions, prompts, strict=True)
        replies = (_answer_one(self._loaded, request, prompt) for request, prompt in pairs)
        return list(await asyncio.gather(*replies))

    async def forget_prefixes(self) -> None:
        """Empty the prefix cache, for measurements."""
        if self._loaded is not None:
            await self._loaded.engine.forget_prefixes()

    async def close(self) -> None:
        """End the engine's processes and wait for them."""
        if self._loaded is not None:
            await self._loaded.engine.close()
            self._loaded = None

    def _tokenise(
        self, tokeniser: PromptTokeniser, requests: Sequence[DecisionRequest]
    ) -> list[list[int] | Unscored]:
        limit = self.settings.max_model_len - 1
        return [_tokenise_one(tokeniser, request, limit) for request in requests]


def _as_decision(request: Request) -> DecisionRequest:
    if not isinstance(request, DecisionRequest):
        raise TypeError(f"this engine can't answer a {type(request).__name__}")
    return request


def _tokenise_one(
    tokeniser: PromptTokeniser, request: DecisionRequest, limit: int
) -> list[int] | Unscored:
    if not all(text.is_valid_unicode for text in request.texts):
        reason = "the text has a lone surrogate, which is no valid Unicode"
        return Unscored(reason, lasting=True)
    ids = tokeniser.encode(request.prompt, request.answer_prefix)
    if len(ids) > limit:
        reason = f"the prompt has {len(ids)} tokens, the model's context takes {limit}"
        return Unscored(reason, lasting=True)
    return ids


async def _answer_one(
    loaded: _Loaded, request: DecisionRequest, prompt: list[int] | Unscored
) -> Reply:
    if isinstance(prompt, Unscored):
        return Reply(prompt)
    spellings = loaded.tokeniser.spellings(request.choices)
    allowed = [spelling.token for spelling in spellings]
    output = await loaded.engine.score_next_token(prompt, allowed)
    if isinstance(output, Unscored):
        return Reply(output)
    return read_reply(output, spellings)


def read_reply(output: "RequestOutput", spellings: Sequence[Spelling]) -> Reply:
    """The reply in a finished vLLM output whose next token was restricted to `spellings`."""
    return Reply(content=_read_scores(output, spellings), tokens=_count(output))


def _read_scores(output: "RequestOutput", spellings: Sequence[Spelling]) -> bytes | Unscored:
    scores = output.outputs[0].logprobs
    if not scores or any(spelling.token not in scores[0] for spelling in spellings):
        return Unscored("the engine gave no log-probabilities", lasting=False)
    return write_decision(
        [ScoredSpelling(s.choice, (s.token,), scores[0][s.token].logprob) for s in spellings]
    )


def _count(output: "RequestOutput") -> TokenCounts:
    prompt = len(output.prompt_token_ids or ())
    cached = output.num_cached_tokens or 0
    return TokenCounts(forwarded=prompt - cached, cached=cached, decoded=1)
