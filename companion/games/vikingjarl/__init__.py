"""Vikingjarl: raid towns, fill Ships and Armies, play Sagas, and come home with the points."""

from companion.games.vikingjarl.applying import apply
from companion.games.vikingjarl.asking import check, decide, questions
from companion.games.vikingjarl.events import EVENTS
from companion.games.vikingjarl.preparations import setup, setup_form
from companion.games.vikingjarl.view import view

NAME = "vikingjarl"

__all__ = ["EVENTS", "NAME", "apply", "check", "decide", "questions", "setup", "setup_form", "view"]
