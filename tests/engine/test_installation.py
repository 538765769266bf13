"""The folder and the key of an installation."""

import os
import stat
from pathlib import Path

import platformdirs
import pytest

from tests.engine.running import next_line, running_program
from wardlens.engine import sealed
from wardlens.engine.errors import UserError
from wardlens.engine.installation import Installation, open_installation
from wardlens.engine.sealed import SealedText


@pytest.fixture(autouse=True)
def _display_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed, "_display_key", sealed._display_key)


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_folder_and_key_are_for_the_owner_only(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        open_installation(tmp_path / "home")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "home" / "installation.key").stat().st_mode) == 0o600


def test_the_key_is_made_once_and_kept(tmp_path: Path) -> None:
    first = open_installation(tmp_path / "home")
    assert len(first.key) == 32
    assert open_installation(tmp_path / "home") == first


def test_every_installation_has_a_key_of_its_own(tmp_path: Path) -> None:
    assert open_installation(tmp_path / "a").key != open_installation(tmp_path / "b").key


def test_processes_that_open_it_at_once_for_the_first_time_agree_on_the_key(
    tmp_path: Path,
) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from wardlens.engine.installation import open_installation\n"
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "print(open_installation(Path(sys.argv[1])).key.hex(), flush=True)\n"
    )
    for attempt in range(2):
        home = str(tmp_path / f"home {attempt}")
        with running_program(program, home) as one, running_program(program, home) as other:
            assert next_line(one) == next_line(other) == "ready"
            for racer in (one, other):
                assert racer.stdin is not None
                racer.stdin.write("go\n")
                racer.stdin.flush()
            keys = {next_line(one), next_line(other)}
        assert keys == {(Path(home) / "installation.key").read_bytes().hex()}


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 33], ids=["empty", "short", "long"])
def test_a_damaged_key_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    key = tmp_path / "installation.key"
    key.write_bytes(content)
    with pytest.raises(UserError, match=f"should hold 32 bytes and holds {len(content)}.*backup"):
        open_installation(tmp_path)
    assert key.read_bytes() == content


def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARDLENS_HOME", str(tmp_path / "elsewhere"))
    assert open_installation().home == tmp_path / "elsewhere"
    assert (tmp_path / "elsewhere" / "installation.key").is_file()


@pytest.mark.parametrize("value", [None, ""])
def test_without_the_environment_it_is_in_the_users_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    if value is None:
        monkeypatch.delenv("WARDLENS_HOME", raising=False)
    else:
        monkeypatch.setenv("WARDLENS_HOME", value)
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda name: str(tmp_path / name))
    assert open_installation().home == tmp_path / "wardlens"


def test_a_folder_given_goes_before_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARDLENS_HOME", str(tmp_path / "environment"))
    assert open_installation(tmp_path / "given").home == tmp_path / "given"
    assert not (tmp_path / "environment").exists()


def test_a_folder_that_cant_be_made_is_the_users_to_change(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for home in (tmp_path / "file", tmp_path / "file" / "inside"):
        with pytest.raises(UserError, match=r"cannot use .*file.*Set WARDLENS_HOME to a folder"):
            open_installation(home)


def test_the_key_is_never_shown(tmp_path: Path) -> None:
    installation = Installation(home=tmp_path, key=b"K" * 32)
    assert repr(installation) == str(installation) == f"Installation(home={str(tmp_path)!r})"


def test_keys_for_different_purposes_differ_from_each_other_and_from_the_key() -> None:
    installation = Installation(home=Path(), key=b"K" * 32)
    derived = {installation.derive_key(purpose) for purpose in ("rows", "keys", "owner")}
    assert len(derived | {installation.key}) == 4
    assert installation.derive_key("rows") in derived


def test_everything_of_ours_lies_inside_the_folder(tmp_path: Path) -> None:
    installation = Installation(home=tmp_path, key=b"K" * 32)
    places = {
        installation.default_ledger,
        installation.models,
        installation.logs,
        installation.manifests,
    }
    assert len(places) == 4
    assert {place.parent for place in places} == {tmp_path}


def test_texts_look_the_same_in_every_run_of_one_installation(tmp_path: Path) -> None:
    open_installation(tmp_path / "a")
    first = str(SealedText("gout"))
    open_installation(tmp_path / "b")
    other = str(SealedText("gout"))
    open_installation(tmp_path / "a")
    assert str(SealedText("gout")) == first != other


def test_a_keyed_digest_needs_the_key_and_the_purpose() -> None:
    one, other = (Installation(home=Path(), key=key * 32) for key in (b"1", b"2"))
    digests = {
        one.keyed_digest("inputs", b"d"),
        one.keyed_digest("weights", b"d"),
        one.keyed_digest("inputs", b"e"),
        other.keyed_digest("inputs", b"d"),
    }
    assert len(digests) == 4
    assert all(len(digest) == 64 for digest in digests)


def test_a_user_without_a_home_folder_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home(_name: str) -> str:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("WARDLENS_HOME", raising=False)
    monkeypatch.setattr("wardlens.engine.installation.platformdirs.user_data_dir", no_home)

    with pytest.raises(UserError, match="Set WARDLENS_HOME"):
        open_installation()
