"""The two kinds of failure that reach a person."""


class WardlensError(Exception):
    """Base of our errors. Messages never hold document text or example ids."""

    exit_code = 1


class UserError(WardlensError):
    """Something the user gave can't be used.

    The message says what failed and where, the value seen, the values allowed, and how to fix it.
    """

    exit_code = 2


class EngineError(WardlensError):
    """A model engine could not start, or died and could not be brought back."""
