"""The camera's own pages: whether it sees well, and how it is taught an owner's dice.

They are blueprints that the service hands to the web, as it does with the demo's panel.
"""

from companion.eye.check import TrayCheck
from companion.eye.check_pages import check_pages

__all__ = ["TrayCheck", "check_pages"]
