"""What became of the requests of a run."""

from wardlens.engine.desk import DeskCounts
from wardlens.engine.replicas import TokenCounts


def test_answered_is_the_sum_of_the_ways_an_answer_came() -> None:
    assert DeskCounts(asked=20, remembered=5, repeated=3, computed=2, unscored=4).answered == 10


def test_counts_of_two_runs_are_kept_apart() -> None:
    one, other = DeskCounts(), DeskCounts()
    one.tokens += TokenCounts(1, 2, 3)
    assert other.tokens == TokenCounts()
