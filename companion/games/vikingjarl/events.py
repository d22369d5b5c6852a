"""What can become true in a game of Vikingjarl: changes, never totals (DESIGN 4).

The front door: the events themselves stand by theme in the three files that are gathered here.
"""

from __future__ import annotations

from companion.games.vikingjarl.events_battle import (
    AttackDeclared,
    BattleEnded,
    Became,
    Began,
    Committed,
    DieTurned,
    Fell,
    Resolved,
    Resupplied,
    Rolled,
    WentOn,
)
from companion.games.vikingjarl.events_cards import (
    CardAimed,
    CardAnswered,
    CardEnded,
    CardPassed,
    CardPlayed,
    Corrected,
    DeckRebuilt,
    Drafted,
    Ended,
    EventRead,
    LaidUsed,
    PhaseBegan,
    SagaChosen,
    SagaDrawn,
    SagaLaid,
    SagasBought,
    SagasDiscarded,
    SagasKept,
    SagaStolen,
    TurnBegan,
    TurnEnded,
    Won,
)
from companion.games.vikingjarl.events_pieces import (
    ActionSpent,
    Boarded,
    CubesForfeited,
    CubesGained,
    CubesSpent,
    CubesTaken,
    Driven,
    GoodsSeen,
    Landed,
    Loaded,
    MovementStopped,
    Pillaged,
    Recruited,
    Repaired,
    Settled,
    SettlementDamaged,
    ShieldRemoved,
    ShieldSeen,
    SilverChanged,
    SilverTaken,
    Stepped,
    StepsGranted,
    StepsTold,
    TokenTaken,
    TradeBegan,
    VictoryChanged,
    VikingsCame,
    VikingsLost,
)

EVENTS = (
    Corrected
    | Drafted
    | TurnBegan
    | TurnEnded
    | PhaseBegan
    | Won
    | Ended
    | SagaDrawn
    | SagasBought
    | EventRead
    | SagasDiscarded
    | SagasKept
    | DeckRebuilt
    | SagaLaid
    | LaidUsed
    | CardPlayed
    | CardAimed
    | SagaChosen
    | CardPassed
    | CardAnswered
    | CardEnded
    | SagaStolen
    | Stepped
    | StepsTold
    | StepsGranted
    | MovementStopped
    | Boarded
    | Landed
    | Driven
    | TokenTaken
    | ActionSpent
    | TradeBegan
    | Recruited
    | Loaded
    | VikingsCame
    | VikingsLost
    | CubesGained
    | CubesForfeited
    | CubesSpent
    | CubesTaken
    | SilverChanged
    | SilverTaken
    | VictoryChanged
    | ShieldSeen
    | GoodsSeen
    | ShieldRemoved
    | Pillaged
    | Settled
    | SettlementDamaged
    | Repaired
    | AttackDeclared
    | Committed
    | WentOn
    | Rolled
    | DieTurned
    | Fell
    | Resupplied
    | BattleEnded
    | Began
    | Became
    | Resolved
)

__all__ = [
    "EVENTS",
    "ActionSpent",
    "AttackDeclared",
    "BattleEnded",
    "Became",
    "Began",
    "Boarded",
    "CardAimed",
    "CardAnswered",
    "CardEnded",
    "CardPassed",
    "CardPlayed",
    "Committed",
    "Corrected",
    "CubesForfeited",
    "CubesGained",
    "CubesSpent",
    "CubesTaken",
    "DeckRebuilt",
    "DieTurned",
    "Drafted",
    "Driven",
    "Ended",
    "EventRead",
    "Fell",
    "GoodsSeen",
    "LaidUsed",
    "Landed",
    "Loaded",
    "MovementStopped",
    "PhaseBegan",
    "Pillaged",
    "Recruited",
    "Repaired",
    "Resolved",
    "Resupplied",
    "Rolled",
    "SagaChosen",
    "SagaDrawn",
    "SagaLaid",
    "SagaStolen",
    "SagasBought",
    "SagasDiscarded",
    "SagasKept",
    "Settled",
    "SettlementDamaged",
    "ShieldRemoved",
    "ShieldSeen",
    "SilverChanged",
    "SilverTaken",
    "Stepped",
    "StepsGranted",
    "StepsTold",
    "TokenTaken",
    "TradeBegan",
    "TurnBegan",
    "TurnEnded",
    "VictoryChanged",
    "VikingsCame",
    "VikingsLost",
    "WentOn",
    "Won",
]
