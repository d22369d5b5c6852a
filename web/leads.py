"""What each answer leads to, tried on a copy before anybody taps it (DESIGN 5)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.table import Look, Preview, Proposal, Table
from companion.table.throws import value_of
from companion.terms import Answer, NoSuchKey, Objection, Option, Pick, Picked, Question
from web.speaking import Speaker

_MOST_OPTIONS = 8
_MOST_TRIALS = 32
_MOST_SENTENCES = 2


class Lead(msgspec.Struct, frozen=True):
    """What one answer leads to: sentences of its own, and why the rules would object."""

    sentences: tuple[str, ...] = ()
    objections: tuple[Objection, ...] = ()


class Leads:
    """Leads by question (or `throw:ID`) and answer id, and what is the same either way."""

    def __init__(self) -> None:
        self._leads: dict[tuple[str, str], Lead] = {}
        self._common: dict[str, tuple[str, ...]] = {}

    def of(self, key: str, id: str) -> Lead:
        """Return the lead of one answer; an empty one where it was not tried."""
        return self._leads.get((key, id), Lead())

    def common(self, key: str) -> tuple[str, ...]:
        """Return the sentences that every answer to this question leads to."""
        return self._common.get(key, ())

    def add(self, key: str, told: dict[str, Lead]) -> None:
        """Keep the leads of one question, the sentences they share apart from their own."""
        shared: tuple[str, ...] = ()
        if len(told) > 1 and not any(lead.objections for lead in told.values()):
            first = next(iter(told.values())).sentences
            shared = tuple(s for s in first if all(s in o.sentences for o in told.values()))
        self._common[key] = shared[:_MOST_SENTENCES]
        for id, lead in told.items():
            own = tuple(s for s in lead.sentences if s not in shared)
            self._leads[key, id] = Lead(own[:_MOST_SENTENCES], lead.objections)


def leads(table: Table, speaker: Speaker, look: Look) -> Leads:
    """Try every answer that this phone may tap: options of its questions, faces of a doubt."""
    found = Leads()
    trials = 0
    for question in look.questions:
        options = _tappable(question, look.seat)
        if not options or trials + len(options) > _MOST_TRIALS:
            continue
        trials += len(options)
        answers = {o.id: Answer(question.key, Picked((o.id,)), look.seat) for o in options}
        found.add(question.key, {id: lead_of(table, speaker, a) for id, a in answers.items()})
    for proposal in look.proposals:
        if not _throws(look, proposal):
            continue  # others see the throw; what it leads to may be told for its seat only
        answers = {
            face: Answer(proposal.question, value_of(full), look.seat)
            for face, full in _settled(proposal).items()
        }
        told = {face: lead_of(table, speaker, answer) for face, answer in answers.items()}
        found.add(f"throw:{proposal.id}", told)
    return found


def lead_of(table: Table, speaker: Speaker, answer: Answer) -> Lead:
    """Try one answer on a copy, and tell what it leads to."""
    try:
        preview = table.preview(answer)
    except NoSuchKey:
        return Lead()
    if preview.needs:
        return Lead((speaker.ui("asks_the_box"),))
    return Lead(_sentences(speaker, preview), preview.objections)


def _tappable(question: Question, seat: str | None) -> Sequence[Option]:
    wants = question.wants
    asked = not question.seats or seat in question.seats
    if not asked or not isinstance(wants, Pick) or wants.at_most != 1:
        return ()
    return wants.options if len(wants.options) <= _MOST_OPTIONS else ()


def _settled(proposal: Proposal) -> dict[str, Proposal]:
    """Return the throw with its one doubt settled either way; as it is where there is none."""
    doubts = [n for n, die in enumerate(proposal.dice) if die.unsure]
    if not proposal.question or proposal.missing or len(doubts) > 1:
        return {}
    if not doubts:
        return {"": proposal}
    if proposal.dice[doubts[0]].side is None:
        return {}
    return {face: _with_face(proposal, doubts[0], face) for face in proposal.faces}


def _with_face(proposal: Proposal, index: int, face: str) -> Proposal:
    dice = list(proposal.dice)
    dice[index] = msgspec.structs.replace(dice[index], face=face)
    return msgspec.structs.replace(proposal, dice=tuple(dice))


def _throws(look: Look, proposal: Proposal) -> bool:
    asked = next((q for q in look.questions if q.key == proposal.question), None)
    return asked is not None and (not asked.seats or look.seat in asked.seats)


def _sentences(speaker: Speaker, preview: Preview) -> tuple[str, ...]:
    told = [text for sentence in preview.told if (text := speaker.tell(sentence))]
    if not told:
        told = [
            f"{speaker.tell(c.label)} {speaker.shown(c.before)} \u2192 {speaker.shown(c.after)}"
            for c in preview.changes
            if not c.readers and isinstance(c.after, int) and not isinstance(c.after, bool)
        ]
    return tuple(dict.fromkeys(told))
