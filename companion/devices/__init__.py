"""The devices at the table: every driver, its simulator, and its absence."""
