"""Everything that must survive the power cord: one SQLite file, durable before anybody is told."""

from companion.store.database import LAST_GAMES, Store
from companion.store.trouble import NotKept, StoreTrouble

__all__ = ["LAST_GAMES", "NotKept", "Store", "StoreTrouble"]
