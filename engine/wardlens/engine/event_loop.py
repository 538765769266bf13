"""Runs asynchronous work on an event loop in a thread of its own.

So synchronous callers need no loop, and callers that have one running (notebooks) are not in the
way.
"""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_in_own_loop(work: Coroutine[Any, Any, Result]) -> Result:
    """Run `work` to its end and return its result.

    A KeyboardInterrupt in the calling thread cancels the work, lets it clean up, and is raised
    again.
    """
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="wardlens-loop", daemon=True)
    thread.start()
    future = asyncio.run_coroutine_threadsafe(work, loop)
    finished = threading.Event()
    try:
        return future.result()
    except BaseException:
        if not future.done():
            loop.call_soon_threadsafe(_cancel_all, loop, finished)
            finished.wait(timeout=30)
        raise
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=30)
        if not thread.is_alive():
            loop.close()


def _cancel_all(loop: asyncio.AbstractEventLoop, finished: threading.Event) -> None:
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    gathered = asyncio.gather(*tasks, return_exceptions=True)
    gathered.add_done_callback(lambda _: finished.set())
