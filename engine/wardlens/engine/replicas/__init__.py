"""A replica is one model on its device or devices, answering blocks of requests."""

from wardlens.engine.replicas.replica import Replica, Reply, TokenCounts

__all__ = ["Replica", "Reply", "TokenCounts"]
