"""The companion: the rules engine, the table and its devices."""
