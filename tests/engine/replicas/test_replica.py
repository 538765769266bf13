"""What the desk expects of any engine."""

from tests.engine.fakes import FakeReplica
from wardlens.engine.models.overlap import OverlapReplica
from wardlens.engine.replicas import Replica, Reply, TokenCounts


def test_token_counts_add_up_by_kind() -> None:
    assert TokenCounts(1, 2, 3) + TokenCounts(10, 20, 30) == TokenCounts(11, 22, 33)


def test_a_reply_costs_nothing_unless_said() -> None:
    assert Reply(b"raw").tokens == TokenCounts(forwarded=0, cached=0, decoded=0)


def test_replicas_are_of_the_form_expected() -> None:
    replicas: list[Replica] = [OverlapReplica(), FakeReplica()]
    assert all(replica.requests_in_flight > 0 for replica in replicas)
