"""The dashboard: pages, answers and the live stream, for phones and the big screen."""

from web.app import create_app

__all__ = ["create_app"]
