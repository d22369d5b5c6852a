"""The camera's own pages: whether it sees well, and how it is taught an owner's dice.

They are blueprints that the service hands to the web, as it does with the demo's panel.
"""

from companion.eye.check import TrayCheck
from companion.eye.check_pages import check_pages
from companion.eye.teach_pages import teach_pages
from companion.eye.teacher import Teacher

__all__ = ["Teacher", "TrayCheck", "check_pages", "teach_pages"]
