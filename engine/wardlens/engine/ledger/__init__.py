"""The durable memory of every answer. `Ledger` is all that other folders need."""

from wardlens.engine.ledger.keys import LedgerKey, RequestKeys
from wardlens.engine.ledger.ledger import Ledger

__all__ = ["Ledger", "LedgerKey", "RequestKeys"]
