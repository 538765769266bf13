"""Switches that keep every process of ours off the network.

They are environment variables because the packages read them when they are first imported, and
because child processes inherit them. Importing `wardlens.engine` sets them, so that no order of
imports inside Wardlens can come before. This is configuration, not proof: the proof that nothing
leaves is a network namespace without a route.
"""

import os
import sys
from collections.abc import MutableMapping

SWITCHES = {
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_DO_NOT_TRACK": "1",
    "DO_NOT_TRACK": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "USE_HUB_KERNELS": "NO",
    # vLLM connects to an outside address to learn its own unless it is told.
    "VLLM_HOST_IP": "127.0.0.1",
}
"""Variables that are always overwritten: a user's shell can't switch the network back on."""

DEFAULTS = {
    # Prompts never reach a log, but the less an engine writes on its own the better.
    "VLLM_LOGGING_LEVEL": "ERROR",
    "VLLM_CONFIGURE_LOGGING": "1",
    "TOKENIZERS_PARALLELISM": "true",
}
"""Variables set only where the user hasn't."""


def switch_off_network(environment: MutableMapping[str, str] = os.environ) -> None:
    """Set the offline switches in `environment` (this process's by default).

    Libraries that were imported before and have already read theirs are corrected in place.
    """
    environment.update(SWITCHES)
    for name, value in DEFAULTS.items():
        environment.setdefault(name, value)
    hub_constants = sys.modules.get("huggingface_hub.constants")
    if hub_constants is not None:
        hub_constants.HF_HUB_OFFLINE = True  # type: ignore[attr-defined]
