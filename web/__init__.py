"""The dashboard: pages, answers and the live stream."""
