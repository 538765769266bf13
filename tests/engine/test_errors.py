"""The two kinds of failure that reach a person."""

from wardlens.engine.errors import EngineError, UserError, WardlensError


def test_exit_codes_tell_the_users_mistakes_from_an_engines_failure() -> None:
    assert UserError("x").exit_code == 2
    assert EngineError("x").exit_code == 1


def test_both_can_be_caught_as_one() -> None:
    assert issubclass(UserError, WardlensError)
    assert issubclass(EngineError, WardlensError)
