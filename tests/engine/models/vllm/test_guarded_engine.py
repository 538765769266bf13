"""An engine that dies is started again. vLLM itself is stood in for: no model is loaded."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.engine.running import run_async
from wardlens.engine.answers import Unscored
from wardlens.engine.errors import EngineError
from wardlens.engine.models.vllm import guarded_engine
from wardlens.engine.models.vllm.guarded_engine import GuardedEngine
from wardlens.engine.models.vllm.settings import VllmSettings

SETTINGS = VllmSettings(1024, block_size=32, max_num_seqs=8, dtype="bfloat16", on_cpu=True)


class EngineDeadError(Exception):
    """What vLLM raises for everything that was in flight."""


class FakeVllm:
    """Engines that die over the prompts that they are told to die over."""

    def __init__(self) -> None:
        self.loads = 0
        self.loaded: list[dict[str, Any]] = []
        self.shut_down = 0
        self.asked: list[tuple[int, list[int], Any, str]] = []
        self.deadly: Callable[[int, list[int]], bool] = lambda _engine, _prompt: False
        self.load_error: Exception | None = None

    def load(self, arguments: dict[str, Any]) -> SimpleNamespace:
        self.loads += 1
        if self.load_error is not None:
            raise self.load_error
        self.loaded.append(arguments)
        number = len(self.loaded)
        alive = SimpleNamespace(dead=False)

        async def generate(
            prompt: dict[str, list[int]], parameters: Any, request_id: str
        ) -> AsyncIterator[str]:
            ids = prompt["prompt_token_ids"]
            self.asked.append((number, ids, parameters, request_id))
            await asyncio.sleep(0)
            if alive.dead or self.deadly(number, ids):
                alive.dead = True
                raise EngineDeadError
            if not ids:
                raise ValueError("empty prompt: Xylander")
            yield f"partial output of engine {number}"
            yield f"output of engine {number}"

        def shutdown(*, timeout: float) -> None:
            assert timeout > 0
            self.shut_down += 1

        return SimpleNamespace(generate=generate, shutdown=shutdown, output_handler=None)


@pytest.fixture
def vllm(monkeypatch: pytest.MonkeyPatch) -> FakeVllm:
    fake = FakeVllm()
    modules: dict[str, dict[str, object]] = {
        "vllm": {"SamplingParams": SimpleNamespace},
        "vllm.sampling_params": {"RequestOutputKind": SimpleNamespace(FINAL_ONLY="final")},
        "vllm.v1.engine.exceptions": {"EngineDeadError": EngineDeadError},
    }
    for name, content in modules.items():
        module = ModuleType(name)
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(guarded_engine, "_load", fake.load)
    monkeypatch.setattr(VllmSettings, "set_environment", lambda _self: None)
    return fake


def score(folder: Path, *prompts: list[int]) -> list[Any]:
    """What an engine says to `prompts`, asked all at once."""

    async def work() -> list[Any]:
        engine = GuardedEngine(folder, SETTINGS, folder / "log")
        try:
            scores = (engine.score_next_token(prompt, [7, 9]) for prompt in prompts)
            return list(await asyncio.gather(*scores, return_exceptions=True))
        finally:
            guard = engine._guard._process
            await engine.close()
            assert guard.poll() is not None

    return run_async(work())


def test_the_final_output_is_given(tmp_path: Path, vllm: FakeVllm) -> None:
    assert score(tmp_path, [1], [2]) == ["output of engine 1"] * 2
    assert vllm.loaded == [SETTINGS.engine_arguments(tmp_path)]
    assert vllm.shut_down == 1


def test_a_decision_is_one_greedy_token_among_the_allowed_ones(
    tmp_path: Path, vllm: FakeVllm
) -> None:
    score(tmp_path, [1])
    ((_, _, parameters, _),) = vllm.asked
    assert parameters.temperature == 0.0
    assert parameters.max_tokens == 1
    assert parameters.allowed_token_ids == parameters.logprob_token_ids == [7, 9]
    assert parameters.detokenize is False


def test_every_request_has_a_number_of_its_own(tmp_path: Path, vllm: FakeVllm) -> None:
    score(tmp_path, *[[number] for number in range(1, 30)])
    assert len({request_id for *_, request_id in vllm.asked}) == 29


def test_when_the_engine_dies_it_is_started_once_and_everyone_is_answered(
    tmp_path: Path, vllm: FakeVllm
) -> None:
    vllm.deadly = lambda engine, _prompt: engine == 1
    assert score(tmp_path, *[[n] for n in range(1, 20)]) == ["output of engine 2"] * 19
    assert len(vllm.loaded) == 2
    assert vllm.shut_down == 2


def test_what_kills_two_engines_is_left_unscored_and_asked_again_another_time(
    tmp_path: Path, vllm: FakeVllm
) -> None:
    vllm.deadly = lambda _engine, prompt: prompt == [13]
    (answer,) = score(tmp_path, [13])
    assert answer == Unscored("the engine died 2 times over it", lasting=False)


def test_an_engine_that_dies_a_fourth_time_is_given_up_with_what_to_do(
    tmp_path: Path, vllm: FakeVllm
) -> None:
    vllm.deadly = lambda _engine, _prompt: True
    answers = score(tmp_path, *[[n] for n in range(1, 6)])
    assert len(vllm.loaded) <= 4

    async def work() -> None:
        engine = GuardedEngine(tmp_path, SETTINGS, tmp_path / "log")
        try:
            for _ in range(5):
                await engine.score_next_token([1], [7, 9])
        finally:
            await engine.close()

    vllm.loaded.clear()
    with pytest.raises(EngineError, match=r"died 4 times. What was answered is kept.*memory"):
        run_async(work())
    assert len(vllm.loaded) == 4
    assert all(isinstance(answer, Unscored | EngineError) for answer in answers)


def test_a_request_that_the_engine_refuses_harms_no_other_and_its_words_arent_repeated(
    tmp_path: Path, vllm: FakeVllm
) -> None:
    answers = score(tmp_path, [1], [], [2])
    assert answers[0] == answers[2] == "output of engine 1"
    assert answers[1] == Unscored("the engine refused it: ValueError", lasting=False)
    assert len(vllm.loaded) == 1


def test_a_model_that_cant_be_loaded_is_an_engines_failure_that_names_the_log(
    tmp_path: Path, vllm: FakeVllm
) -> None:
    vllm.load_error = RuntimeError("CUDA out of memory")

    async def work() -> None:
        GuardedEngine(tmp_path, SETTINGS, tmp_path / "engine.log")

    with pytest.raises(EngineError, match=r"can't load .* \(RuntimeError\).*engine\.log"):
        run_async(work())


def test_a_restart_that_fails_is_tried_once_and_reaches_everyone(
    tmp_path: Path, vllm: FakeVllm
) -> None:
    def die_for_good(_engine: int, _prompt: list[int]) -> bool:
        vllm.load_error = RuntimeError("no memory any more")
        return True

    vllm.deadly = die_for_good
    answers = score(tmp_path, [1], [2], [3])
    assert [type(answer) for answer in answers] == [EngineError] * 3
    assert len({str(answer) for answer in answers}) == 1
    assert vllm.loads == 2
