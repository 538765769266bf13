"""Switches that keep every process off the network."""

import os

import pytest

from tests.engine.running import run_program
from wardlens.engine.offline import DEFAULTS, SWITCHES, switch_off_network

NETWORK_ON = {
    "HF_HUB_OFFLINE": "0",
    "TRANSFORMERS_OFFLINE": "0",
    "VLLM_NO_USAGE_STATS": "0",
    "RAY_USAGE_STATS_ENABLED": "1",
}


def test_importing_the_engine_sets_every_switch_whatever_the_shell_says() -> None:
    program = (
        "import os, wardlens.engine\n"
        "from wardlens.engine.offline import SWITCHES\n"
        "print({name: os.environ.get(name) for name in SWITCHES} == SWITCHES)"
    )
    run = run_program(program, environment=NETWORK_ON)
    assert run.stdout.strip() == "True", run.stderr


@pytest.mark.parametrize(
    "module",
    [
        "wardlens.engine.desk",
        "wardlens.engine.models.vllm",
        "wardlens.engine.models.vllm.prompt_tokeniser",
        "wardlens.engine.models.embedded.conversion",
    ],
)
def test_the_switches_are_set_before_the_first_library_that_reads_them(module: str) -> None:
    program = (
        "import importlib, os, sys\n"
        "class Watch:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name in ('transformers', 'huggingface_hub', 'vllm', 'ray'):\n"
        "            assert os.environ.get('HF_HUB_OFFLINE') == '1', name\n"
        "            assert os.environ.get('VLLM_NO_USAGE_STATS') == '1', name\n"
        "            print('saw', name)\n"
        "sys.meta_path.insert(0, Watch())\n"
        f"importlib.import_module({module!r})\n"
        "import huggingface_hub.constants\n"
        "print(huggingface_hub.constants.is_offline_mode())"
    )
    run = run_program(program, environment=NETWORK_ON)
    assert run.stdout.split("\n")[-2:] == ["True", ""], run.stderr
    assert "saw huggingface_hub" in run.stdout


def test_a_hub_library_that_was_imported_before_is_corrected_in_place() -> None:
    program = (
        "import huggingface_hub.constants as constants\n"
        "before = constants.is_offline_mode()\n"
        "import wardlens.engine\n"
        "print(before, constants.is_offline_mode())\n"
        "from huggingface_hub import HfApi\n"
        "from huggingface_hub.errors import OfflineModeIsEnabled\n"
        "try:\n"
        "    HfApi().model_info('nobody/nothing')\n"
        "except OfflineModeIsEnabled:\n"
        "    print('refused')\n"
    )
    run = run_program(program)
    assert run.stdout.split("\n")[:2] == ["False True", "refused"], run.stderr


def test_child_processes_inherit_the_switches() -> None:
    program = (
        "import subprocess, sys, wardlens.engine\n"
        'child = \'import os; print(os.environ["HF_HUB_OFFLINE"], os.environ["DO_NOT_TRACK"])\'\n'
        "subprocess.run([sys.executable, '-c', child])"
    )
    assert run_program(program, environment=NETWORK_ON).stdout.strip() == "1 1"


def test_importing_the_engine_imports_no_library_that_could_use_the_network() -> None:
    program = (
        "import sys, wardlens.engine.desk, wardlens.engine.models.checkpoint\n"
        "import wardlens.engine.models.vllm\n"
        "heavy = ('torch', 'transformers', 'huggingface_hub', 'vllm', 'ray', 'requests', 'httpx')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    assert run_program(program).stdout.strip() == "[]"


def test_switches_overwrite_and_defaults_do_not() -> None:
    environment = {"HF_HUB_OFFLINE": "0", "VLLM_LOGGING_LEVEL": "DEBUG", "UNRELATED": "x"}
    switch_off_network(environment)
    expected = DEFAULTS | SWITCHES | {"VLLM_LOGGING_LEVEL": "DEBUG", "UNRELATED": "x"}
    assert environment == expected


def test_this_very_process_is_switched_off() -> None:
    assert {name: os.environ.get(name) for name in SWITCHES} == SWITCHES
