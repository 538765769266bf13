"""vLLM's asynchronous engine: guarded against outliving us, and started again when it dies.

The front end runs on our event loop; EngineCore and Worker are its child processes. No document
text is in any sampling parameter, because vLLM prints those in full when it crashes.
"""

import asyncio
import gc
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wardlens.engine.answers import Unscored
from wardlens.engine.errors import EngineError
from wardlens.engine.models.vllm.engine_log import output_to
from wardlens.engine.models.vllm.owner_guard import OwnerGuard
from wardlens.engine.models.vllm.settings import VllmSettings

if TYPE_CHECKING:
    from vllm.outputs import RequestOutput
    from vllm.v1.engine.async_llm import AsyncLLM

_ATTEMPTS = 2
_RESTARTS = 3
_SHUTDOWN_SECONDS = 1.0
"""There is nothing to finish: whoever closes has all answers, or wants none."""


class GuardedEngine:
    """One running engine for the checkpoint in `folder`; made inside a running event loop.

    What vLLM has to say goes to the file `log`.

    An engine that dies is started again, at most three times; a request that was in flight at two
    deaths is left unscored.

    Raises:
        EngineError: the model can't be loaded.
    """

    def __init__(self, folder: Path, settings: VllmSettings, log: Path) -> None:
        self._folder = folder
        self._log = log
        self._settings = settings
        self._guard = OwnerGuard()
        self._restarting = asyncio.Lock()
        self._restarts_left = _RESTARTS
        self._failure: EngineError | None = None
        self._request_count = 0
        self._engine = self._make_engine()

    async def score_next_token(
        self, prompt: list[int], allowed: list[int]
    ) -> "RequestOutput | Unscored":
        """Raw log-probabilities of the tokens `allowed` after `prompt`.

        Raises:
            EngineError: the engine died too often.
        """
        return await self._generate(prompt, next_token_parameters(allowed))

    async def forget_prefixes(self) -> None:
        """Empty the prefix cache; no request may be open."""
        await self._engine.reset_prefix_cache()

    async def close(self) -> None:
        """End the engine's processes and wait for them."""
        await _shut_down(self._engine)
        self._guard.release()
        # vLLM's front end is caught in reference cycles. Left to the end of the process, its
        # destructor runs when the modules that it needs are gone, and complains on the terminal.
        del self._engine
        gc.collect()

    async def _generate(self, prompt: list[int], parameters: Any) -> "RequestOutput | Unscored":
        from vllm.v1.engine.exceptions import EngineDeadError  # noqa: PLC0415

        for _ in range(_ATTEMPTS):
            engine = self._engine
            self._request_count += 1
            request_id = str(self._request_count)
            try:
                return await _final_output(engine, prompt, parameters, request_id)
            except EngineDeadError:
                await self._restart(engine)
            except ValueError as error:
                return Unscored(f"the engine refused it: {type(error).__name__}", lasting=False)
        return Unscored(f"the engine died {_ATTEMPTS} times over it", lasting=False)

    async def _restart(self, dead: "AsyncLLM") -> None:
        async with self._restarting:
            if self._engine is not dead:
                return
            if self._failure is not None:
                raise self._failure
            if self._restarts_left == 0:
                raise EngineError(
                    f"the engine died {_RESTARTS + 1} times. What was answered is kept; look for "
                    "the cause (memory?) and give the same command again."
                )
            self._restarts_left -= 1
            await _shut_down(dead)
            try:
                self._engine = self._make_engine()
            except EngineError as error:
                # Loading takes long: the others who wait here must not all try it again.
                self._failure = error
                raise

    def _make_engine(self) -> "AsyncLLM":
        self._settings.set_environment()
        try:
            with output_to(self._log):
                return _load(self._settings.engine_arguments(self._folder))
        except Exception as error:
            self._guard.release()
            raise EngineError(
                f"vLLM can't load {self._folder} ({type(error).__name__}). Its own words are in "
                f"{self._log}."
            ) from error


def next_token_parameters(allowed: list[int]) -> Any:
    """Sampling parameters that decode one of the tokens `allowed` and score them all, raw."""
    from vllm import SamplingParams  # noqa: PLC0415 - takes seconds
    from vllm.sampling_params import RequestOutputKind  # noqa: PLC0415

    return SamplingParams(
        temperature=0.0,
        max_tokens=1,
        allowed_token_ids=allowed,
        logprob_token_ids=allowed,
        detokenize=False,
        output_kind=RequestOutputKind.FINAL_ONLY,
    )


def _load(arguments: dict[str, Any]) -> "AsyncLLM":
    from vllm.engine.arg_utils import AsyncEngineArgs  # noqa: PLC0415 - takes seconds
    from vllm.v1.engine.async_llm import AsyncLLM  # noqa: PLC0415

    return AsyncLLM.from_engine_args(AsyncEngineArgs(**arguments))


async def _shut_down(engine: "AsyncLLM") -> None:
    # Left running, the front end's reader would report the wanted end as a crash.
    if engine.output_handler is not None:
        engine.output_handler.cancel()
    await asyncio.to_thread(engine.shutdown, timeout=_SHUTDOWN_SECONDS)


async def _final_output(
    engine: "AsyncLLM", prompt: list[int], parameters: Any, request_id: str
) -> "RequestOutput":
    final: RequestOutput | None = None
    async for output in engine.generate({"prompt_token_ids": prompt}, parameters, request_id):
        final = output
    if final is None:
        raise ValueError("the engine gave no output")
    return final
