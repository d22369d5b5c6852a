"""The words that everybody at this table uses: questions, answers, events, facts, readings.

Nothing here knows a game, a device, a page or a clock. All records are frozen and are stored or
sent as they are (DESIGN 3 and 4). New fields always get a default, so that old logs stay readable.

`sentences` are told in the reader's language; `wants` is what may be asked for, and the form of
what is said to it; `questions` are asked, answered and objected to; `game` is what a game offers
and shows; `readings` are what devices saw. Everybody takes the words from here, not from there.
"""

from companion.terms.game import Box, CannotStart, Change, Event, Fact, Game, Seat, Unknown, View
from companion.terms.questions import Answer, NoSuchKey, Objection, Question, Source, Urgency
from companion.terms.readings import (
    CardReading,
    Condition,
    DeviceState,
    DiceReading,
    Reading,
    SeenDie,
    TrayReading,
    Trouble,
)
from companion.terms.sentences import Say, say
from companion.terms.wants import (
    CardOf,
    Cards,
    Count,
    Dice,
    Die,
    Done,
    Faces,
    Field,
    Filled,
    Form,
    Number,
    Option,
    Pick,
    Picked,
    Place,
    Placed,
    Text,
    Value,
    Wants,
    Written,
)

__all__ = [
    "Answer",
    "Box",
    "CannotStart",
    "CardOf",
    "CardReading",
    "Cards",
    "Change",
    "Condition",
    "Count",
    "DeviceState",
    "Dice",
    "DiceReading",
    "Die",
    "Done",
    "Event",
    "Faces",
    "Fact",
    "Field",
    "Filled",
    "Form",
    "Game",
    "NoSuchKey",
    "Number",
    "Objection",
    "Option",
    "Pick",
    "Picked",
    "Place",
    "Placed",
    "Question",
    "Reading",
    "Say",
    "Seat",
    "SeenDie",
    "Source",
    "Text",
    "TrayReading",
    "Trouble",
    "Unknown",
    "Urgency",
    "Value",
    "View",
    "Wants",
    "Written",
    "say",
]
